import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Returns the laws of the distances, times and forces that distinguish gestures.
  ///
  /// The numbers are repeated here, because a law must not use those that it judges.
  static func thresholds(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    switch system {
    case .peek, .force:
      [
        family(HeldFinger.any(isLong: true)) { held, testCase in
          testCase.classify(held.movesAway, as: "moves away", atLeast: 0.1)
        }(
          "GE-43",
          "A long press grows evenly for half a second, unless the finger moves away by more than 10 "
            + "points meanwhile.", isBroken: true, holds: growsEvenly),
        family(HeldFinger.any(isLong: false))(
          "GE-44",
          "The reported force is the finger's; a peek opens at a fifth and is committed at three quarters.",
          isBroken: system == .force, holds: pressesAsHard),
      ]
    case .doubleTap, .transition:
      [
        family(TapPair.any(system))(
          "GE-45",
          "Two taps make a double tap if the second ends within 0.35 s of the first, both begin within 45 "
            + "points, no finger moves by more than 10, and nothing is cancelled between."
        ) { subject, pair, testCase in
          testCase.classify(pair.isDouble, as: "a double tap", atLeast: 0.1)
          testCase.classify(pair.moves > 10, as: "moves", atLeast: 0.1)
          let states = try subject.play(pair.played)
          let events = states.flatMap(\.events)
          try Property.require(
            events.contains(.doubleTap) == pair.isDouble, "the events are \(events)")
          // A double tap is decided at the second lift, a single one after 0.35 s or with another tap.
          let (first, second) = try pair.lifts
          let firstTap = pair.moves <= 10 || !pair.firstMoves
          let secondTap = pair.moves <= 10 || pair.firstMoves
          let expected =
            pair.isDouble
            ? second
            : firstTap
              ? min(first + 0.35, secondTap ? second : .infinity) : secondTap ? second + 0.35 : nil
          let tap = states.first { $0.events.contains(pair.isDouble ? .doubleTap : .singleTap) }
          if let present = states.first(where: { $0.events.contains(.present) }) {
            try Property.require(
              present.time < 2.01 * GestureWriter.sampling, "presented at \(present.time) s")
          }
          guard let expected else { return }
          guard let tap else { throw PropertyFailure("no tap is decided: \(events)") }
          try Property.require(
            !pair.isDouble || tap.recogniser == .ended, "the recogniser is \(tap.recogniser)")
          try Property.require(
            tap.time >= expected - 1e-6 && tap.time < expected + 1.01 * GestureWriter.sampling,
            "the tap is decided at \(tap.time) s, not at \(expected) s")
        }
      ]
    case .fullscreen: []
    }
  }

  private static func growsEvenly(
    _ subject: ReplaySubject, _ held: HeldFinger, _ testCase: inout TestCase
  ) throws {
    var isDown = false
    for state in try held.pressed(by: subject, &testCase) {
      let last = held.samples.last { $0.time <= state.time + 1e-9 }
      let away = held.samples.first { $0.time < 0.5 && $0.time <= state.time + 1e-9 && $0.way > 10 }
      let expected = away == nil ? min(1, state.time / 0.5) : 0
      isDown = away == nil
      try Property.require(
        near(state.force, expected, within: 1e-9),
        "\(state.time) s after its beginning, \(last?.way ?? 0) points away, the force is "
          + "\(state.force), not \(expected)")
      if subject.system == .peek {
        try Property.require(
          away == nil || state.previewFrame == nil, "the frame stays after the press has failed")
        let isOpen = state.pictures.count > 1
        try Property.require(
          isOpen == (expected == 1),
          "at a force of \(expected) a peek is \(isOpen ? "" : "not ")open")
      }
    }
    testCase.classify(isDown, as: "stays", atLeast: 0.02)
  }

  private static func pressesAsHard(
    _ subject: ReplaySubject, _ held: HeldFinger, _ testCase: inout TestCase
  ) throws {
    var expected: [ZoomEvent] = subject.system == .force ? [.zoomIn] : []
    let states = try held.pressed(by: subject, &testCase)
    guard !states.isEmpty else { return }
    for sample in held.samples {
      let share = (sample.force / GestureScript.usualMaximumForce).clamped(to: 0...1)
      if let state = states.first(where: { abs($0.time - sample.time) < 1e-6 }) {
        try Property.require(
          near(state.force, share, within: 1e-9), "a force of \(share) counts as \(state.force)")
      }
      guard subject.system == .peek else { continue }
      // A fifth of the largest force opens a peek, three quarters commit it.
      if share >= 0.2, expected.isEmpty { expected.append(.peek) }
      if share >= 0.75, expected == [.peek] { expected.append(.pop) }
    }
    let events = states.flatMap(\.events)
    try Property.require(events == expected, "the events are \(events), not \(expected)")
  }
}

/// A finger that comes down on the picture, moves a little, and presses.
private struct HeldFinger: Sendable, PlayedInput {
  struct Sample: Sendable {
    /// The time since the finger came down, in seconds, its distance from there, and its force.
    var time, way, force: Double
  }

  var screen: Screen
  var picture: PixelSize
  var isLong: Bool
  /// The samples; the first one is the touch's beginning.
  var samples: [Sample]

  var movesAway: Bool { samples.contains { $0.way > 10 && $0.time < 0.5 } }

  var played: GestureCase {
    get throws(GeometryError) {
      let centre = screen.bounds.centre
      var writer = GestureWriter()
      for sample in samples {
        writer.now = sample.time
        let point = ViewPoint(x: centre.x + sample.way, y: centre.y)
        writer.touch([Touch(id: 0, point: point, force: sample.force)])
      }
      return GestureCase(
        script: try GestureScript(
          screen: screen, press: isLong ? .longPress : .force, events: writer.events),
        picture: picture)
    }
  }

  /// Returns the states of the press; empty if the finger misses the picture.
  func pressed(by subject: ReplaySubject, _ testCase: inout TestCase) throws -> [ZoomState] {
    let states = try subject.play(played)
    let isPressed = !states.contains { $0.events.contains(.rejectedTouch) }
    return testCase.reaches(isPressed, "on the picture", atLeast: 0.5) ? states : []
  }

  static func any(isLong: Bool) -> Gen<HeldFinger> {
    let way = Gen<Double>.weighted([
      (4, .double(in: 0...9)), (2, .element(of: [10, 10.5, 9.5])), (1, .double(in: 0...30)),
    ])
    let sample = Gens.zip(
      Gen<Int>.integer(in: 1...12), isLong ? way : .constant(0), .pressures())
    return Gens.zip(
      Gen<Screen>.gestureScreens, .gesturePictures, Gen<Double>.pressures(),
      Gen<[(Int, Double, Double)]>.array(of: sample, count: 0...12)
    ).map { screen, picture, force, rest in
      var tick = 0
      let samples = rest.map { ticks, way, force in
        tick += ticks
        return Sample(time: Double(tick) * GestureWriter.sampling, way: way, force: force)
      }
      return HeldFinger(
        screen: screen, picture: picture, isLong: isLong,
        samples: [Sample(time: 0, way: 0, force: force)] + samples)
    }
  }
}

/// Two taps on a picture that fills most of the screen.
private struct TapPair: Sendable, PlayedInput {
  var system: ZoomSystem
  var screen: Screen
  /// The time from the first lift to the second one, in seconds, the distance of the taps, and the
  /// distance by which a finger moves, in points.
  var gap, apart, moves: Double
  /// Whether the first finger moves, not the second, and whether everything is cancelled between the taps.
  var firstMoves, isCancelled: Bool

  var isDouble: Bool { gap <= 0.35 && apart <= 45 && moves <= 10 && !isCancelled }

  var lifts: (Double, Double) {
    get throws {
      let lifts = try played.script.events.filter { $0.phase == .ended }.suffix(2).map(\.time)
      return (try given(lifts.first), try given(lifts.last))
    }
  }

  var inWords: String {
    "two taps \(gap.inWords) s and \(apart.inWords) points apart, finger \(firstMoves ? 1 : 2) moves by "
      + "\(moves.inWords) on \(screen.inWords)"
  }

  var played: GestureCase {
    get throws(GeometryError) {
      var writer = GestureWriter()
      writer.write(Stage().opening(of: system, on: screen))
      let place = screen.bounds.centre
      let other = ViewPoint(x: place.x + apart, y: place.y)
      for (point, isMoved, pause) in [(place, firstMoves, 0), (other, !firstMoves, gap - 0.05)] {
        let moved = ViewPoint(x: point.x, y: point.y + (isMoved ? moves : 0))
        writer.write(GestureAction(after: pause, .touch(finger: 0, at: point, force: 1)))
        writer.write(GestureAction(after: 0.05, .touch(finger: 0, at: moved, force: 1)))
        writer.write(GestureAction(.lift([0])))
        if isCancelled, point == place { writer.write(GestureAction(.cancel)) }
      }
      return GestureCase(
        script: try GestureScript(screen: screen, events: writer.events), picture: screen.pixels)
    }
  }

  static func any(_ system: ZoomSystem) -> Gen<TapPair> {
    let gap = Gen<Double>.weighted([
      (2, .double(in: 0.05...0.7)), (1, .element(of: [0.3, 0.34, 0.36])),
    ])
    let apart = Gen<Double>.weighted([
      (2, .double(in: 0...44)), (1, .element(of: [44.5, 45, 45.5])),
    ])
    let moves = Gen<Double>.weighted([(2, .double(in: 0...9)), (1, .element(of: [9.5, 10, 10.5]))])
    let screens = Gen<Screen>.gestureScreens.compactMap { $0.size.width >= 300 ? $0 : nil }
    return Gens.zip(
      screens, gap, apart, moves, .bool, .weighted([(4, .constant(false)), (1, .constant(true))])
    ).map {
      TapPair(
        system: system, screen: $0.0, gap: $0.1, apart: $0.2, moves: $0.3, firstMoves: $0.4,
        isCancelled: $0.5)
    }
  }
}
