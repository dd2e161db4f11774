internal import ZoomGeometry

/// A system's states over a script: of one form, or of both forms side by side.
struct ReplayTimeline {
  /// What is shown from a moment on.
  struct Moment {
    /// Seconds of the script's clock.
    let time: Double
    /// One state a form, in the order of the timeline's forms.
    let states: [ZoomState]
  }

  /// Nearly two hours at 60 a second; about half a gigabyte of states.
  private static let mostStates = 400_000

  let forms: [ZoomForm]
  let moments: [Moment]

  /// Plays a script.
  ///
  /// Two forms move at different times, so a moment at which only one of them changes shows the
  /// other as it was.
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

  /// The states of all tracks by time; each track begins at 0.
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
        // What happened earlier did not happen again.
        var state = states[max(0, index - 1)]
        if state.time < time { state.events = [] }
        return state
      }
      moments.append(Moment(time: time, states: states))
    }
  }

  /// How long each moment is shown in milliseconds, in whole steps of an animation's clock.
  ///
  /// A moment that is over within a step is shown for 0. What rests longer than 10 s is cut to that,
  /// and the last moment, which has no end, is shown for half a second.
  /// - Parameter step: 1 for a WebP, 10 for a GIF.
  /// - Returns: one a moment.
  func durations(step: Int) -> [Int] {
    // From the rounded times, so that rounding does not add up.
    let ticks = moments.map { Int(($0.time * 1000 / Double(step)).rounded()) * step }
    return ticks.indices.map { index in
      index + 1 < ticks.count ? min(10_000, ticks[index + 1] - ticks[index]) : 500
    }
  }

  /// At most `count` moments, the first and the last among them, evenly spread by their number.
  func sample(_ count: Int) -> [Int] {
    guard moments.count > count else { return Array(moments.indices) }
    guard count > 1 else { return [0] }
    return (0..<count).map { $0 * (moments.count - 1) / (count - 1) }
  }
}
