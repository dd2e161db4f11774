internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization
internal import SystemPackage

/// Says on stderr what a long command is doing: a bar on a terminal, lines anywhere else.
///
/// Elsewhere, as in a build server's log, a line is written when a phase begins and another one
/// every 30 seconds while it lasts, so that no command is silent for long.
final class ProgressBar: Sendable {
  private enum Style { case none, bar, lines }

  private struct State {
    var label = ""
    /// How much is done; nil where that is not known, as of a build.
    var fraction: Double?
    var drawnAt: UInt64 = 0
    var isDrawn = false
    /// Counts phases, so that the clock of one that is over ends.
    var clock = 0
  }

  private let state = Mutex(State())
  private let style: Style
  private let start = Timestamps.monotonic()

  /// Redrawing more often than the eye follows would only cost time.
  private static let interval: UInt64 = 80_000_000
  /// Build servers end jobs that are silent for minutes.
  static let secondsBetweenLines = 30

  init(isQuiet: Bool = false) {
    let isTerminal = isatty(FileDescriptor.standardError.rawValue) == 1
    style =
      if isQuiet {
        .none
      } else if isTerminal {
        ProcessInfo.processInfo.environment["TERM"] == "dumb" ? .lines : .bar
      } else {
        .lines
      }
  }

  /// Says once what comes, and how long it takes.
  func announce(_ text: String) {
    switch style {
    case .none: return
    case .bar: write("\r\u{1B}[2K\(text)\n")
    case .lines: writeLine(text)
    }
  }

  /// Begins a phase of which it is not known how much is done, such as a build.
  func begin(_ label: String) {
    let clock = state.withLock { state in
      (state.label, state.fraction) = (label, nil)
      state.clock += 1
      return state.clock
    }
    if style == .lines { writeLine(label) }
    draw()
    tick(clock)
  }

  /// Shows how much is done.
  /// - Parameters:
  ///   - fraction: 0...1.
  ///   - label: what is being done.
  func update(_ fraction: Double, _ label: String) {
    guard style != .none else { return }
    let newClock = state.withLock { state -> Int? in
      let isNew = state.clock == 0 || state.fraction == nil
      (state.label, state.fraction) = (label, max(0, min(1, fraction)))
      if isNew { state.clock += 1 }
      return isNew ? state.clock : nil
    }
    if let newClock { tick(newClock) }
    draw()
  }

  /// Takes the bar away, so that results start on a clean line.
  func finish() {
    let wasDrawn = state.withLock { state in
      state.clock += 1
      defer { state.isDrawn = false }
      return state.isDrawn
    }
    if wasDrawn { write("\r\u{1B}[2K") }
  }

  /// Shows the time that passes while nothing else happens, until the next phase.
  private func tick(_ clock: Int) {
    guard style != .none else { return }
    let seconds = style == .bar ? 1 : Self.secondsBetweenLines
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(seconds)) {
      [weak self] in
      guard let self, let now = state.withLock({ $0.clock == clock ? $0 : nil }) else { return }
      if style == .lines { writeLine(Self.sentence(now, elapsed: elapsed)) } else { draw() }
      tick(clock)
    }
  }

  private var elapsed: Double { Double(Timestamps.monotonic() - start) / 1e9 }

  private func draw() {
    guard style == .bar else { return }
    let now = Timestamps.monotonic()
    let elapsed = elapsed
    let line = state.withLock { state -> String? in
      guard !state.isDrawn || now - state.drawnAt >= Self.interval else { return nil }
      state.drawnAt = now
      state.isDrawn = true
      return Self.rendered(state, elapsed: elapsed)
    }
    if let line { write("\r\u{1B}[2K" + line) }
  }

  /// "; 40 s left": an estimate, of which under 2 % would only jump about.
  private static func timeLeft(_ fraction: Double, elapsed: Double) -> String {
    fraction > 0.02 ? String(format: ", %.0f s left", elapsed / fraction - elapsed) : ""
  }

  private static func sentence(_ state: State, elapsed: Double) -> String {
    guard let fraction = state.fraction else { return "still \(state.label)" }
    return String(format: "%.0f%%", fraction * 100) + timeLeft(fraction, elapsed: elapsed)
      + ": \(state.label)"
  }

  private static func rendered(_ state: State, elapsed: Double) -> String {
    guard let fraction = state.fraction else {
      return String("\(state.label) … \(Int(elapsed)) s".prefix(78))
    }
    let width = 24
    let filled = Int((fraction * Double(width)).rounded(.down))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let percent = String(format: "%3.0f%%", fraction * 100)
    // 78 columns fit every terminal; a longer line would wrap and stay behind.
    return String(
      "\(bar) \(percent)\(timeLeft(fraction, elapsed: elapsed))  \(state.label)".prefix(78))
  }

  /// A line with the seconds since the start before it, which tells it from an error.
  private func writeLine(_ text: String) {
    write(String(format: "[%4.0f s] ", elapsed) + Format.oneLine(text) + "\n")
  }

  private func write(_ text: String) {
    // Progress that cannot be shown is no reason to stop.
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}
