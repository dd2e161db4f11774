import PropertyTesting
import ZoomGeometry

/// The laws of a view that goes to full screen and back and turns with the device.
public enum FullscreenLaws {
  /// All laws.
  public static let all: [Law<ReplaySubject>] = placement + turns + trips

  /// The share of a length by which rounding may move a point.
  ///
  /// Ten operations on numbers up to 2000, each off by 2^-53 of them, and the published turn's
  /// cos(pi / 2) = 6e-17 add up to less than 1e-14 of the largest number.
  private static let rounding = 1e-12

  private static func family(
    in windows: [WindowKind] = [.fixed], turns: ClosedRange<Int> = 0...0
  ) -> LawFamily<ReplaySubject, FullscreenTrip> {
    LawFamily(
      source: "Matt Gallagher, ZoomingViewController (Cocoa with Love)",
      inputs: .trips(in: windows, turns: turns), inWords: { $0.inWords }
    ) { trip, testCase in
      testCase.classify(
        trip.screen.size.width > trip.screen.size.height, as: "wider than high", atLeast: 0.2)
      testCase.classify(
        trip.device == .landscapeLeft || trip.device == .landscapeRight, as: "on its side",
        atLeast: 0.15)
      testCase.classify(
        trip.device.contentTurn == nil, as: "lies flat or is unknown", atLeast: 0.15)
    }
  }

  /// Returns a view of 100x50 on a phone: the published worked example, which shows the defects.
  private static func example(
    _ device: DeviceOrientation, _ interface: InterfaceOrientation = .portrait,
    wide: Bool = false, _ window: WindowKind = .fixed, turns: [DeviceOrientation] = []
  ) -> FullscreenTrip? {
    guard
      let screen = try? Screen(size: ViewSize(width: wide ? 667 : 375, height: wide ? 375 : 667)),
      let picture = try? PixelSize(width: 1600, height: 1200)
    else { return nil }
    return FullscreenTrip(
      screen: screen, view: ViewRect(x: 20, y: 30, width: 100, height: 50), window: window,
      device: device, interface: interface, turns: turns, picture: picture)
  }

  private static let placement = [
    family()(
      "ZV-P1", "The view covers the window, no less and no more.",
      examples: [example(.landscapeLeft)]
    ) { subject, trip, _ in try covers(subject, trip) },
    family()(
      "ZV-P2", "The view is neither scaled nor mirrored.", examples: [example(.landscapeLeft)]
    ) { subject, trip, _ in
      let map = try trip.card(subject).transform
      // The map has four numbers of at most 1.
      try Property.require(
        abs(map.determinant - 1) <= rounding && abs(map.a * map.a + map.b * map.b - 1) <= rounding
          && abs(map.a * map.c + map.b * map.d) <= rounding,
        "its map has determinant \(map.determinant) and columns (\(map.a), \(map.b)), "
          + "(\(map.c), \(map.d))")
    },
    family(in: [.turning])(
      "ZV-P12",
      "In a window that turns with the interface the view covers it and is upright for the person.",
      isBroken: true,
      examples: [example(.landscapeLeft, .landscapeRight, wide: true, .turning)]
    ) { subject, trip, testCase in
      // ZV-P7 covers an unknown device.
      try testCase.assume(trip.device != .unknown)
      try covers(subject, trip)
      try isUpright(subject, trip)
    },
  ]

  private static let turns = [
    family(turns: 1...1)(
      "ZV-P3", "While the view turns, its middle stays at the middle of the window.",
      examples: [example(.portrait, turns: [.landscapeLeft])]
    ) { subject, trip, testCase in
      let states = try turning(subject, trip)
      testCase.classify(!states.isEmpty, as: "turns", atLeast: 0.2)
      for state in states {
        let box = try state.shownPicture().box
        try Property.require(
          box.isCentred(on: trip.screen.bounds, within: rounding * magnitude(box)),
          "at \(state.time) s the view \(box.inWords) is off the window's middle")
      }
    },
    family()(
      "ZV-P4", "The content's up is up for the person who holds the device.",
      examples: [example(.landscapeLeft)]
    ) { subject, trip, testCase in
      try testCase.assume(trip.device != .unknown)
      try isUpright(subject, trip)
    },
    family(turns: 1...4)(
      "ZV-P5",
      "The view ends as if the device had been held in its last orientation from the start.",
      examples: [example(.portrait, turns: [.landscapeLeft, .portraitUpsideDown])]
    ) { subject, trip, testCase in
      var direct = trip
      direct.device = trip.turns.last ?? trip.device
      direct.turns = []
      testCase.classify(trip.pause < 0.2, as: "turned again while it turns", atLeast: 0.1)
      let (shown, expected) = try (trip.play(subject), direct.play(subject))
      try GestureLaws.requireSameEnd(shown, expected, "turned \(trip.turns.count) times")
    },
    family()(
      "ZV-P13",
      "The view ends as if the interface had been in its last orientation from the start.",
      isBroken: true
    ) { subject, trip, testCase in
      var (turned, direct) = (trip, trip)
      direct.interface = try testCase.draw(Gen<InterfaceOrientation>.allCases)
      turned.interfaceTurn = direct.interface
      let (shown, expected) = try (turned.play(subject), direct.play(subject))
      testCase.classify(
        trip.device.contentTurn == nil && trip.interface != direct.interface,
        as: "only the interface determines the turn", atLeast: 0.1)
      try GestureLaws.requireSameEnd(
        shown, expected, "after the interface turned from \(trip.interface) to \(direct.interface)")
    },
    family(in: [.fixed, .turning])(
      "ZV-P14",
      "A window of unknown kind is taken for one that has turned if the interface is in landscape and "
        + "the screen wider than high, and otherwise for a fixed one."
    ) { subject, trip, testCase in
      let isLandscape = trip.interface.quarters % 2 == 1
      let hasTurned = isLandscape && trip.screen.size.width > trip.screen.size.height
      testCase.classify(hasTurned, as: "a window that has turned", atLeast: 0.05)
      var (unknown, known) = (trip, trip)
      unknown.window = nil
      known.window = hasTurned ? .turning : .fixed
      let (shown, expected) = try (unknown.play(subject), known.play(subject))
      try GestureLaws.requireSameEnd(shown, expected, "a window of unknown kind")
    },
    family(turns: 1...1)(
      "ZV-P15",
      "A view turns the shorter way: between landscape orientations through upright, from upright to "
        + "upside down clockwise, and back counterclockwise.",
      isBroken: true,
      examples: [example(.landscapeRight, turns: [.portraitUpsideDown])]
    ) { subject, trip, testCase in
      let states = try turning(subject, trip)
      guard testCase.reaches(!states.isEmpty, "turns", atLeast: 0.2) else { return }
      // Clockwise, from -1 to 2 quarters.
      func angle(_ device: DeviceOrientation) -> Int {
        let quarters = device.quarters ?? trip.interface.quarters
        return quarters == 3 ? -1 : quarters
      }
      let (start, end) = (angle(trip.device), angle(trip.turns[0]))
      let way = abs(end - start) == 3 ? (start - end) / 3 : end - start
      testCase.classify(abs(way) == 2, as: "half a turn", atLeast: 0.02)
      // The direction of the content's rows before the turn.
      let rows = [-1: (0.0, -1.0), 0: (1, 0), 1: (0, 1)][start] ?? (-1, 0)
      for (number, state) in states.enumerated() {
        let map = try state.shownPicture().toScreen
        let length = (map.a * map.a + map.b * map.b).squareRoot()
        let forwards = (rows.0 * map.a + rows.1 * map.b) / length
        let clockwise = (rows.0 * map.b - rows.1 * map.a) / length
        try Property.require(
          Double(way.signum()) * clockwise >= -1e-9 && (number > 0 || forwards > 0.9),
          "at \(state.time) s of a turn by \(way) quarters, the view has turned the wrong way "
            + "(sine \(clockwise), cosine \(forwards))")
      }
    },
    family()(
      "ZV-P6", "The view of a device that lies flat is upright for the interface."
    ) { subject, trip, _ in
      try showsTheInterface(subject, trip, .faceUp)
      try showsTheInterface(subject, trip, .faceDown)
    },
    family()(
      "ZV-P7",
      "The view of a device of unknown orientation is upright for the interface.",
      isBroken: true, examples: [example(.unknown, .landscapeLeft)]
    ) { subject, trip, _ in try showsTheInterface(subject, trip, .unknown) },
    family(in: [.fixed, .turning], turns: 1...3)(
      "ZV-P10", "While the view turns, all of the window behind it is black.", isBroken: true,
      examples: [example(.portrait, wide: true, turns: [.landscapeLeft])]
    ) { subject, trip, testCase in
      let bounds = trip.screen.bounds
      let states = try turning(subject, trip)
      testCase.classify(!states.isEmpty, as: "turns", atLeast: 0.3)
      for state in states {
        let isCovered = state.layers.contains { layer in
          // Under an oblique map the fill is smaller than its box.
          guard case .fill(let fill) = layer, fill.shade == 0, fill.opacity == 1,
            fill.transform.b == 0 || fill.transform.a == 0
          else { return false }
          return fill.box.covers(bounds, within: rounding * magnitude(bounds))
        }
        try Property.require(
          isCovered, "at \(state.time) s \(state.card?.box.inWords ?? "nothing") is black")
      }
    },
  ]

  private static let trips = [
    family(in: [.fixed, .turning], turns: 0...3)(
      "ZV-P8", "A view that comes back is where it was and among the same siblings.",
      isBroken: true, examples: [example(.landscapeLeft)]
    ) { subject, trip, testCase in
      testCase.classify(!trip.turns.isEmpty, as: "turned in full screen", atLeast: 0.3)
      let states = try trip.play(subject, andBack: true)
      let (before, after) = (try given(states.first), try given(states.last))
      let events = states.flatMap(\.events)
      try Property.require(
        events.contains(.present) && events.contains(.dismiss), "not shown and closed: \(events)")
      try Property.require(
        after.layers == before.layers, "\(before.layers) come back as \(after.layers)")
    },
    family()(
      "ZV-P9", "A view stays where it is if the views around it undo each other's moves."
    ) { subject, trip, testCase in
      let ancestor = Gens.zip(
        Gen<ViewRect>.places, .offsets, .offsets, Gen<Double>.element(of: [1, 0.5, 2, 3, 0.1])
      ).map { Stage.Ancestor(frame: $0, scroll: ViewPoint(x: $1, y: $2), scale: $3) }
      let ancestors = try testCase.draw(Gen<[Stage.Ancestor]>.array(of: ancestor, count: 0...3))
      testCase.classify(!ancestors.isEmpty, as: "ancestors", atLeast: 0.5)
      var nested = trip
      nested.ancestors = ancestors + ancestors.reversed().map(\.inverse)
      guard let shown = try nested.play(subject).first?.card?.box else {
        throw PropertyFailure("no view is shown")
      }
      try Property.require(
        distance(shown, trip.view) <= conversionRounding,
        "in \(nested.ancestors.count) views it is at \(shown.inWords)")
    },
  ]

  /// The rounding error of a conversion through three ancestors and back, in points.
  ///
  /// Thirty operations on coordinates up to 2e5 lose 1e-9, and the inverse scales by up to 10^3.
  private static let conversionRounding = 1e-5

  /// Returns the states from the first turn on, without the last one, in which the view rests and is aligned to pixels.
  private static func turning(
    _ subject: ReplaySubject, _ trip: FullscreenTrip
  ) throws -> ArraySlice<ZoomState> {
    var trip = trip
    // While the view zooms, it is drawn over its own black area, which ZV-P10 would take for the blanking view.
    trip.pause = max(trip.pause, 0.3)
    let states = try trip.play(subject)
    guard let first = states.firstIndex(where: { $0.events.contains(.rotate) }) else { return [] }
    return states[first...].dropLast()
  }

  private static func covers(_ subject: ReplaySubject, _ trip: FullscreenTrip) throws {
    let (box, window) = (try trip.card(subject).box, trip.screen.bounds)
    try Property.require(
      distance(box, window) <= rounding * magnitude(window),
      "the view covers \(box.inWords), not the window \(window.inWords)")
  }

  private static func isUpright(_ subject: ReplaySubject, _ trip: FullscreenTrip) throws {
    let (map, up) = (try trip.card(subject).transform, upwards(trip))
    try Property.require(
      abs(-map.c - up.x) <= rounding && abs(-map.d - up.y) <= rounding,
      "the content's up is (\(-map.c), \(-map.d)) in the window, not (\(up.x), \(up.y))")
  }

  /// Returns the upward direction for the person, in the window's points.
  ///
  /// In a window that does not turn, up is to the right if the device lies on its left side, to the
  /// left if it lies on its right side, and downwards if it is upside down.
  private static func upwards(_ trip: FullscreenTrip) -> ViewPoint {
    let held = trip.device.quarters ?? trip.interface.quarters
    let drawn = trip.window == .turning ? trip.interface.quarters : 0
    return switch ((held - drawn) % 4 + 4) % 4 {
    case 1: ViewPoint(x: 1, y: 0)
    case 2: ViewPoint(x: 0, y: 1)
    case 3: ViewPoint(x: -1, y: 0)
    default: ViewPoint(x: 0, y: -1)
    }
  }

  private static func showsTheInterface(
    _ subject: ReplaySubject, _ trip: FullscreenTrip, _ device: DeviceOrientation
  ) throws {
    guard trip.interface != .unknown else { throw Discarded() }
    var (drawn, known) = (trip, trip)
    drawn.device = device
    known.device = try given(
      DeviceOrientation.allCases.first { $0.quarters == trip.interface.quarters })
    let (shown, expected) = try (drawn.play(subject), known.play(subject))
    try GestureLaws.requireSameEnd(shown, expected, "\(device), not \(known.device)")
  }
}
