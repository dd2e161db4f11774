internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization
internal import SystemPackage

/// Shows the progress of a long command on stderr: a bar on a terminal, lines elsewhere.
///
/// Elsewhere, such as in a build server's log, a line is written when a phase begins, every 30 seconds
/// during it, and when the activity changes, at most once in ten seconds.
final class ProgressBar: Sendable {
  private enum Style { case none, bar, lines }

  private struct State {
    var label = ""
    /// The completed fraction; nil if it is unknown, as for a build.
    var fraction: Double?
    var drawnAt: UInt64 = 0
    /// The time of the last line; nil before the first.
    var lineAt: UInt64?
    var isDrawn = false
    /// The number of phases, so that the timer of a finished phase stops.
    var clock = 0
  }

  private let state = Mutex(State())
  private let style: Style
  private let start = Timestamps.monotonic()

  /// The least time between drawings; more would be invisible and cost time.
  private static let interval: UInt64 = 80_000_000
  /// The time between lines; build servers end jobs that are silent for minutes.
  static let secondsBetweenLines = 30
  /// The least time between changes of activity, which may come many times per second.
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

  /// Ends the phase before, and announces the next one and its duration.
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

  /// Begins a phase of unknown length, such as a build.
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

  /// Shows the completed fraction, from 0 to 1, and the activity.
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

  /// Removes the bar, so that results start on an empty line.
  func finish() {
    state.withLock { state in
      state.clock += 1
      if state.isDrawn { write("\r\u{1B}[2K") }
      (state.label, state.fraction, state.isDrawn) = ("", nil, false)
    }
  }

  /// Updates the elapsed time while nothing else happens, until the next phase.
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

  /// Returns the estimated rest, ", 40 s left"; empty under 2 %, where the estimate would jump.
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
    // 78 columns fit every terminal; a longer line would wrap and could not be erased.
    return String(
      "\(bar) \(percent)\(timeLeft(fraction, elapsed: elapsed))  \(state.label)".prefix(78))
  }

  /// Writes a line with the elapsed seconds first, which distinguishes it from an error.
  private func writeLine(_ text: String, _ state: inout State) {
    state.lineAt = Timestamps.monotonic()
    write(String(format: "[%4.0f s] ", elapsed) + text + "\n")
  }

  private func write(_ text: String) {
    // Ignored: failing to show progress is not a reason to stop.
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}
