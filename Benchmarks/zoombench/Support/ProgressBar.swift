internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization
internal import SystemPackage

/// Says on stderr what a long command is doing: a bar on a terminal, lines anywhere else.
///
/// Elsewhere, as in a build server's log, a line is written when a phase begins, another one every
/// 30 seconds while it lasts, and one when what is being done changes, at most one in ten seconds.
final class ProgressBar: Sendable {
  private enum Style { case none, bar, lines }

  private struct State {
    var label = ""
    /// How much is done; nil where that is not known, as of a build.
    var fraction: Double?
    var drawnAt: UInt64 = 0
    /// When the last line was written; nil before the first.
    var lineAt: UInt64?
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
  /// What is being done may change many times a second, which would bury a log.
  private static let betweenLabels: UInt64 = 10_000_000_000

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

  /// Says once what comes, and how long it takes; the phase before is over.
  func announce(_ text: String) {
    let text = Format.oneLine(text)
    state.withLock { state in
      state.clock += 1
      (state.label, state.fraction, state.isDrawn) = ("", nil, false)
      switch style {
      case .none: return
      case .bar: write("\r\u{1B}[2K\(text)\n")
      case .lines: writeLine(text, &state)
      }
    }
  }

  /// Begins a phase of which it is not known how much is done, such as a build.
  func begin(_ label: String) {
    let clock = state.withLock { state in
      (state.label, state.fraction) = (Format.oneLine(label), nil)
      state.clock += 1
      if style == .lines { writeLine(state.label, &state) }
      draw(&state)
      return state.clock
    }
    tick(clock)
  }

  /// Shows how much is done.
  /// - Parameters:
  ///   - fraction: 0...1.
  ///   - label: what is being done.
  func update(_ fraction: Double, _ label: String) {
    guard style != .none else { return }
    let label = Format.oneLine(label)
    let newClock = state.withLock { state -> Int? in
      let isNew = state.fraction == nil
      let isRelabelled = label != state.label
      (state.label, state.fraction) = (label, fraction.isNaN ? 0 : max(0, min(1, fraction)))
      if isNew { state.clock += 1 }
      let isLineDue = state.lineAt.map { Timestamps.monotonic() - $0 >= Self.betweenLabels } ?? true
      if style == .lines, isRelabelled, isLineDue {
        writeLine(Self.sentence(state, elapsed: elapsed), &state)
      }
      draw(&state)
      return isNew ? state.clock : nil
    }
    if let newClock { tick(newClock) }
  }

  /// Takes the bar away, so that results start on a clean line.
  func finish() {
    state.withLock { state in
      state.clock += 1
      if state.isDrawn { write("\r\u{1B}[2K") }
      (state.label, state.fraction, state.isDrawn) = ("", nil, false)
    }
  }

  /// Shows the time that passes while nothing else happens, until the next phase.
  private func tick(_ clock: Int) {
    guard style != .none else { return }
    let seconds = style == .bar ? 1 : Self.secondsBetweenLines
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(seconds)) {
      [weak self] in
      guard let self else { return }
      // Under the lock, so that nothing is written after `finish`.
      let goesOn = state.withLock { state in
        guard state.clock == clock else { return false }
        if style == .lines {
          writeLine(Self.sentence(state, elapsed: elapsed), &state)
        } else {
          draw(&state)
        }
        return true
      }
      if goesOn { tick(clock) }
    }
  }

  private var elapsed: Double { Double(Timestamps.monotonic() - start) / 1e9 }

  private func draw(_ state: inout State) {
    guard style == .bar else { return }
    let now = Timestamps.monotonic()
    guard !state.isDrawn || now - state.drawnAt >= Self.interval else { return }
    state.drawnAt = now
    state.isDrawn = true
    write("\r\u{1B}[2K" + Self.rendered(state, elapsed: elapsed))
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
  private func writeLine(_ text: String, _ state: inout State) {
    state.lineAt = Timestamps.monotonic()
    write(String(format: "[%4.0f s] ", elapsed) + text + "\n")
  }

  private func write(_ text: String) {
    // Progress that cannot be shown is no reason to stop.
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}
