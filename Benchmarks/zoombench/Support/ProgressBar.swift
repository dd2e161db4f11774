internal import Foundation
internal import Measurement
internal import Synchronization
internal import SystemPackage

/// A progress bar on the last line of a terminal's stderr; silent anywhere else.
final class ProgressBar: Sendable {
  private struct State {
    var label = ""
    var fraction = 0.0
    var drawnAt: UInt64 = 0
    var isDrawn = false
  }

  private let state = Mutex(State())
  private let isShown: Bool
  private let start = Timestamps.monotonic()

  /// Redrawing more often than the eye follows would only cost time.
  private static let interval: UInt64 = 80_000_000

  init(isQuiet: Bool = false) {
    isShown =
      !isQuiet && isatty(FileDescriptor.standardError.rawValue) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Shows how much is done.
  /// - Parameters:
  ///   - fraction: 0...1.
  ///   - label: what is being done.
  func update(_ fraction: Double, _ label: String) {
    guard isShown else { return }
    let now = Timestamps.monotonic()
    let line = state.withLock { state -> String? in
      state.fraction = max(0, min(1, fraction))
      state.label = label
      guard !state.isDrawn || now - state.drawnAt >= Self.interval else { return nil }
      state.drawnAt = now
      state.isDrawn = true
      return render(state, now: now)
    }
    if let line { write("\r\u{1B}[2K" + line) }
  }

  /// Takes the bar away, so that results start on a clean line.
  func finish() {
    guard isShown else { return }
    let wasDrawn = state.withLock { state in
      defer { state.isDrawn = false }
      return state.isDrawn
    }
    if wasDrawn { write("\r\u{1B}[2K") }
  }

  private func render(_ state: State, now: UInt64) -> String {
    let width = 24
    let filled = Int((state.fraction * Double(width)).rounded(.down))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let elapsed = Double(now - start) / 1e9
    // An estimate from under 2 % would only jump about.
    let left =
      state.fraction > 0.02
      ? String(format: ", %.0f s left", elapsed / state.fraction - elapsed) : ""
    let percent = String(format: "%3.0f%%", state.fraction * 100)
    // 78 columns fit every terminal; a longer line would wrap and stay behind.
    return String("\(bar) \(percent)\(left)  \(state.label)".prefix(78))
  }

  private func write(_ text: String) {
    // A bar that cannot be drawn is no reason to stop.
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}
