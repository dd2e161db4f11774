internal import Dispatch
internal import Foundation
internal import Measurement
internal import Synchronization
internal import SystemPackage

/// Shows the progress of a long command on stderr: a bar on a terminal, lines elsewhere.
///
/// Elsewhere, such as in a build server's log, a line is written when a phase begins, every 30 seconds
/// during it, and when the activity changes, at most once in ten seconds.
package final class ProgressBar: Sendable {
  private enum Style {
    case none, bar, lines

    /// The least time between updates: more drawings would be invisible, and activities may change many
    /// times per second.
    var interval: UInt64 { self == .bar ? 80_000_000 : 10_000_000_000 }

    /// The time between updates while nothing happens; build servers end jobs that are silent for minutes.
    var patience: DispatchTimeInterval { .seconds(self == .bar ? 1 : 30) }
  }

  private struct State {
    var label = ""
    /// The completed fraction; nil if it is unknown, as for a build.
    var fraction: Double?
    /// The time of the last update; nil if the next one is due at once.
    var shownAt: UInt64?
    /// Whether the terminal's last line is a bar.
    var isDrawn = false
    /// The number of phases, so that the timer of a finished phase stops.
    var phase = 0

    mutating func begin(_ label: String) {
      (self.label, fraction) = (label, nil)
      phase += 1
    }
  }

  private let state = Mutex(State())
  private let style: Style
  private let start = Timestamps.monotonic()

  package init(isQuiet: Bool = false) {
    let canRedraw =
      isatty(FileDescriptor.standardError.rawValue) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    style = isQuiet ? .none : canRedraw ? .bar : .lines
  }

  /// Ends the current phase, and announces the next one and its duration.
  func announce(_ text: String) {
    state.withLock { state in
      state.begin("")
      erase(&state)
      write(Format.oneLine(text), &state)
      // The bar follows its announcement at once.
      if style == .bar { state.shownAt = nil }
    }
  }

  /// Begins a phase of unknown length, such as a build.
  package func begin(_ label: String) {
    let phase = state.withLock { state in
      state.begin(Format.oneLine(label))
      if style == .lines { write(state.label, &state) } else { draw(&state) }
      return state.phase
    }
    tick(phase)
  }

  /// Shows the completed fraction, from 0 to 1, and the activity.
  package func update(_ fraction: Double, _ label: String) {
    guard style != .none else { return }
    let label = Format.oneLine(label)
    let newPhase = state.withLock { state -> Int? in
      let isNew = state.fraction == nil
      let isDue = state.shownAt.map { Timestamps.monotonic() - $0 >= style.interval } ?? true
      let isWorthALine = style == .bar || label != state.label
      if isNew { state.phase += 1 }
      (state.label, state.fraction) = (label, fraction.isNaN ? 0 : max(0, min(1, fraction)))
      if isDue && isWorthALine { draw(&state) }
      return isNew ? state.phase : nil
    }
    if let newPhase { tick(newPhase) }
  }

  /// Removes the bar, so that results start on an empty line.
  package func finish() {
    state.withLock { state in
      state.begin("")
      erase(&state)
    }
  }

  /// Updates the elapsed time while nothing else happens, until the next phase.
  private func tick(_ phase: Int) {
    guard style != .none else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + style.patience) {
      [weak self] in
      guard let self else { return }
      // Under the lock, so that nothing is written after `finish`.
      let goesOn = state.withLock { state in
        guard state.phase == phase else { return false }
        draw(&state)
        return true
      }
      if goesOn { tick(phase) }
    }
  }

  private func draw(_ state: inout State) {
    guard style == .bar else {
      write(text(of: state), &state)
      return
    }
    // 78 columns fit every terminal; a longer line would wrap and could not be erased.
    send("\r\u{1B}[2K\(text(of: state).prefix(78))")
    (state.isDrawn, state.shownAt) = (true, Timestamps.monotonic())
  }

  private func erase(_ state: inout State) {
    if state.isDrawn { send("\r\u{1B}[2K") }
    state.isDrawn = false
  }

  /// Writes a line; in a log, it begins with the elapsed seconds, unlike an error.
  private func write(_ text: String, _ state: inout State) {
    guard style != .none else { return }
    send((style == .lines ? String(format: "[%4.0f s] ", elapsed) : "") + text + "\n")
    state.shownAt = Timestamps.monotonic()
  }

  private func send(_ text: String) {
    // Ignored: failing to show progress is not a reason to stop.
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }

  private var elapsed: Double { Double(Timestamps.monotonic() - start) / 1e9 }

  private func text(of state: State) -> String {
    let (seconds, label) = (elapsed, state.label)
    guard let fraction = state.fraction else {
      return style == .bar ? "\(label) … \(Int(seconds)) s" : "still \(label)"
    }
    let percent = "\(Int((fraction * 100).rounded()))%"
    // Under 2 %, the estimated rest would jump.
    let rest = fraction > 0.02 ? ", \(Int((seconds / fraction - seconds).rounded())) s left" : ""
    guard style == .bar else { return "\(percent)\(rest): \(label)" }
    let filled = Int(fraction * 24)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
    return "\(bar) \(percent)\(rest)  \(label)"
  }
}
