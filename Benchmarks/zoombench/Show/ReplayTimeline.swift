internal import ZoomGeometry

/// A system's states during a script: of one form, or of both forms side by side.
struct ReplayTimeline {
  /// The states between two consecutive times.
  struct Moment {
    /// Seconds of the script's clock.
    let time: Double
    /// One state per form, in the order of the timeline's forms.
    let states: [ZoomState]
  }

  /// The most states: nearly two hours at 60 per second, about half a gigabyte.
  private static let mostStates = 400_000

  let forms: [ZoomForm]
  let moments: [Moment]

  /// Plays a script.
  ///
  /// The two forms may change at different times; a moment repeats the state of the form that did not change.
  init(
    _ script: GestureScript, system: ZoomSystem, picture: PixelSize, forms: [ZoomForm]
  ) throws {
    var tracks: [[ZoomState]] = []
    for form in forms {
      var player = try GesturePlayer(script, system: system, picture: picture, form: form)
      var states: [ZoomState] = []
      while let state = try player.next() {
        guard states.count < Self.mostStates else {
          throw Failure(
            .badInput,
            "replay: the script gives more than \(Self.mostStates) states"
              + " (shorten it, or lower its framesPerSecond)")
        }
        states.append(state)
      }
      tracks.append(states)
    }
    self.forms = forms
    moments = Self.merged(tracks)
  }

  /// Returns the states of all tracks merged by time; each track begins at 0.
  static func merged(_ tracks: [[ZoomState]]) -> [Moment] {
    var next = tracks.map { _ in 0 }
    var moments: [Moment] = []
    while true {
      let times = zip(tracks, next).compactMap { states, index in
        index < states.count ? states[index].time : nil
      }
      guard let time = times.min() else { return moments }
      for track in tracks.indices {
        let index = next[track]
        if index < tracks[track].count, tracks[track][index].time <= time { next[track] += 1 }
      }
      let states = zip(tracks, next).map { states, index in
        // Earlier events must not appear again.
        var state = states[max(0, index - 1)]
        if state.time < time { state.events = [] }
        return state
      }
      moments.append(Moment(time: time, states: states))
    }
  }

  /// Returns how long each moment is shown, in milliseconds, in whole steps of an animation's clock.
  ///
  /// A moment shorter than a step may get 0, and one longer than 10 s gets 10 s; the last moment lasts for
  /// half a second. The step is 1 for a WebP, 10 for a GIF.
  func durations(step: Int) -> [Int] {
    // Differences of rounded times, so that rounding errors do not add up.
    let ticks = moments.map { Int(($0.time * 1000 / Double(step)).rounded()) * step }
    return ticks.indices.map { index in
      index + 1 < ticks.count ? min(10_000, ticks[index + 1] - ticks[index]) : 500
    }
  }

  /// Returns the indices of at most `count` moments, evenly spaced, including the first and the last.
  func sample(_ count: Int) -> [Int] {
    guard moments.count > count else { return Array(moments.indices) }
    guard count > 1 else { return [0] }
    return (0..<count).map { $0 * (moments.count - 1) / (count - 1) }
  }
}
