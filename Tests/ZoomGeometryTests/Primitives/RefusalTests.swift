import Testing

@testable import ZoomGeometry

/// A public function that refuses invalid numbers, and names the argument in its error.
struct NumberEntry: CustomTestStringConvertible {
  struct Range {
    /// Some numbers outside the range, each with the reason for its refusal.
    let refused: [(Double, GeometryError.Reason)]

    private func without(_ numbers: (Double, GeometryError.Reason)...) -> Range {
      Range(refused: refused + numbers)
    }

    private static let beyond = GeometryError.Reason.tooLarge(limit: PixelSize.maximumSide)
    static let finite = Range(
      refused: [(.nan, .notFinite), (.infinity, .notFinite), (-.infinity, .notFinite)])
    /// A finite number of at most `PixelSize.maximumSide` in magnitude.
    static let coordinate = finite.without((3e9, beyond), (-3e9, beyond))
    static let notNegative = finite.without(
      (-1, .negative), (-.leastNonzeroMagnitude, .negative))
    /// Zero or a positive number, at most `PixelSize.maximumSide`.
    static let distance = notNegative.without((3e9, beyond))
    static let unit = notNegative.without((1.5, .tooLarge(limit: 1)))
    static let positive = finite.without((0, .notPositive), (-1, .notPositive))
    /// A length on a screen: 1e-6 to `PixelSize.maximumSide`.
    static let length = positive.without((3e9, beyond), (9e-7, .tooSmall))
  }

  let argument: String
  let range: Range
  let call: @Sendable (Double) throws -> Void

  init<Value>(
    _ argument: String, _ range: Range, _ call: @escaping @Sendable (Double) throws -> Value
  ) {
    (self.argument, self.range) = (argument, range)
    self.call = { _ = try call($0) }
  }

  var testDescription: String { argument }

  private static let square = ViewRect(0, 0, 100, 100)

  private static func event(_ time: Double, _ touch: Touch) -> GestureEvent {
    GestureEvent(time: time, kind: .touches(.began, [touch]))
  }

  private static func script(
    rate: Double = 60, force: Double = 1, stage: Stage = Stage(), _ events: [GestureEvent] = []
  ) throws -> GestureScript {
    try GestureScript(
      screen: Screen(size: phone), framesPerSecond: rate, maximumForce: force, stage: stage,
      events: events)
  }

  private static func rect<Value>(
    _ argument: String, _ call: @escaping @Sendable (ViewRect) throws -> Value
  ) -> [NumberEntry] {
    [
      NumberEntry(argument + ".x", .coordinate) { try call(ViewRect($0, 0, 1, 1)) },
      NumberEntry(argument + ".y", .coordinate) { try call(ViewRect(0, $0, 1, 1)) },
      NumberEntry(argument + ".width", .length) { try call(ViewRect(0, 0, $0, 1)) },
      NumberEntry(argument + ".height", .length) { try call(ViewRect(0, 0, 1, $0)) },
    ]
  }

  private static func size<Value>(
    _ argument: String, _ range: Range = .length,
    _ call: @escaping @Sendable (ViewSize) throws -> Value
  ) -> [NumberEntry] {
    [
      NumberEntry(argument + ".width", range) { try call(ViewSize($0, 1)) },
      NumberEntry(argument + ".height", range) { try call(ViewSize(1, $0)) },
    ]
  }

  private static func point<Value>(
    _ argument: String, _ range: Range,
    _ call: @escaping @Sendable (ViewPoint) throws -> Value
  ) -> [NumberEntry] {
    [
      NumberEntry(argument + ".x", range) { try call(ViewPoint($0, 0)) },
      NumberEntry(argument + ".y", range) { try call(ViewPoint(0, $0)) },
    ]
  }

  static let all = primitives + gestures + forces + systems

  private static let primitives =
    size("screen") { try Screen(size: $0) }
    + [
      NumberEntry("screen.scale", .length) { try Screen(size: phone, scale: $0) },
      NumberEntry("screen.insets.top", .notNegative) {
        try Screen(size: phone, insets: ViewInsets(top: $0))
      },
      NumberEntry("screen.insets.left", .notNegative) {
        try Screen(size: phone, insets: ViewInsets(left: $0))
      },
      NumberEntry("screen.insets.bottom", .notNegative) {
        try Screen(size: phone, insets: ViewInsets(bottom: $0))
      },
      NumberEntry("screen.insets.right", .notNegative) {
        try Screen(size: phone, insets: ViewInsets(right: $0))
      },
    ]

  private static let gestures =
    rect("stage.view") { try script(stage: Stage(view: $0)) }
    + rect("stage.ancestors[0].frame") { try script(stage: Stage(ancestors: [.init(frame: $0)])) }
    + point("stage.ancestors[0].scroll", .coordinate) {
      try script(stage: Stage(ancestors: [.init(frame: square, scroll: $0)]))
    }
    + point("events[0].touches[0]", .coordinate) { try script([event(0, Touch(id: 1, point: $0))]) }
    + point("events[0].wheel.at", .coordinate) {
      try script([GestureEvent(time: 0, kind: .wheel(at: $0, by: middle))])
    }
    + point("events[0].wheel.by", .coordinate) {
      try script([GestureEvent(time: 0, kind: .wheel(at: middle, by: $0))])
    }
    + [
      NumberEntry("stage.cornerRadius", .distance) { try script(stage: Stage(cornerRadius: $0)) },
      NumberEntry("events[0].touches[0].force", .coordinate) {
        try script([event(0, Touch(id: 1, point: middle, force: $0))])
      },
      NumberEntry("events[0].time", .notNegative) {
        try script([event($0, Touch(id: 1, point: middle))])
      },
      NumberEntry("framesPerSecond", .finite) { try script(rate: $0) },
      NumberEntry("maximumForce", .notNegative) { try script(force: $0) },
      NumberEntry("time", .notNegative) {
        var zoom = try live(.peek)
        try zoom.advance(to: $0)
      },
      NumberEntry("duration", .finite) { try LongPress(duration: $0) },
      NumberEntry("slop", .distance) { try LongPress(duration: 1, slop: $0) },
    ]

  private static let forces =
    rect("frame") { try ForceZoom(frame: $0) }
    + point("finger", .coordinate) { try ForceZoom(frame: square).anchor(of: $0) }
    + point("finger", .coordinate) { try ForceZoom(frame: square).frame(at: $0, force: 1) }
    + point("maximumOffset", .coordinate) { try ForceButton(maximumOffset: $0) }
    + [
      NumberEntry("maximumForce", .notNegative) { try ForceRange(maximum: $0) },
      NumberEntry("force", .finite) { try ForceRange.usual.clamped($0) },
      NumberEntry("force", .finite) { try ForceRange.usual.share(of: $0) },
      NumberEntry("force", .finite) { try ForceZoom(frame: square).scale(at: $0) },
      NumberEntry("force", .finite) { try ForceButton().shadow(at: $0) },
      NumberEntry("force", .finite) { try ForceButton().scale(at: $0) },
      NumberEntry("force", .finite) { try ForceAnimation().time(at: $0) },
      NumberEntry("force", .finite) { try ForceAnimation().pose(at: $0) },
      NumberEntry("maximumRadius", .distance) { try ForceButton(maximumRadius: $0) },
      NumberEntry("opacity", .unit) { try ForceButton(opacity: $0) },
      NumberEntry("gain", .distance) { try ForceButton(gain: $0) },
    ]

  private static let systems =
    size("viewport", .positive) { try PeekSetup(picture: forest, viewport: $0) }
    + point("touch", .finite) { try PeekSetup(picture: forest, viewport: phone).peek(at: $0) }
    + rect("window") {
      try FullscreenSetup(window: $0, kind: .fixed, device: .portrait, interface: .portrait)
    }
    + size("image") { try DoubleTapSetup(image: $0, bounds: phone) }
    + size("bounds") { try DoubleTapSetup(image: phone, bounds: $0) }
    + point("place", .finite) {
      try DoubleTapSetup(image: phone, bounds: phone).position(around: $0, zoom: 1)
    }
    + size("viewport") { try Transition(picture: forest, viewport: $0, thumbnail: square) }
    + rect("thumbnail") { try Transition(picture: forest, viewport: phone, thumbnail: $0) }
    + [
      NumberEntry("side", .positive) { try PeekSetup(picture: forest, viewport: phone, side: $0) },
      NumberEntry("scale", .positive) {
        try PeekSetup(picture: forest, viewport: phone, scale: $0)
      },
      NumberEntry("factor", .length) {
        try DoubleTapSetup(image: phone, bounds: phone, factor: $0)
      },
      NumberEntry("scale", .length) {
        try DoubleTapSetup(picture: forest, scale: $0, bounds: phone)
      },
      NumberEntry("maximumZoom", .length) {
        try DoubleTapSetup(image: phone, bounds: phone, maximumZoom: $0)
      },
      NumberEntry("zoom", .positive) {
        try DoubleTapSetup(image: phone, bounds: phone).position(around: middle, zoom: $0)
      },
      NumberEntry("zoom", .positive) {
        try DoubleTapSetup(image: phone, bounds: phone).toggled(zoom: $0, tapped: middle)
      },
      NumberEntry("position.zoom", .positive) {
        let setup = try DoubleTapSetup(image: phone, bounds: phone)
        return try setup.refitted(
          ScrollPosition(zoom: $0, origin: middle, offset: middle), in: setup)
      },
      NumberEntry("cornerRadius", .distance) {
        try Transition(picture: forest, viewport: phone, thumbnail: square, cornerRadius: $0)
      },
      NumberEntry("share", .finite) {
        try Transition(picture: forest, viewport: phone, thumbnail: square).mask(openedBy: $0)
      },
    ]
}

struct RefusalTests {
  @Test(arguments: NumberEntry.all)
  func `a number that an entry cannot work with is refused, and the error names the argument`(
    entry: NumberEntry
  ) {
    for (number, reason) in entry.range.refused {
      expectRefused(entry.argument, reason) { try entry.call(number) }
    }
  }

  typealias Whole = @Sendable (Int) throws -> Void

  static let wholes: [(String, Int, Whole)] = [
    ("width", 1, { _ = try PixelSize($0, 1) }), ("height", 1, { _ = try PixelSize(1, $0) }),
    ("width", 1, { _ = try PixelRegion(x: 0, y: 0, width: $0, height: 1) }),
    ("height", 1, { _ = try PixelRegion(x: 0, y: 0, width: 1, height: $0) }),
    ("x", -PixelSize.maximumSide, { _ = try PixelRegion(x: $0, y: 0, width: 1, height: 1) }),
    ("y", -PixelSize.maximumSide, { _ = try PixelRegion(x: 0, y: $0, width: 1, height: 1) }),
  ]

  @Test(arguments: wholes)
  func `sides in pixels are 1 to Int32's maximum, and coordinates at most that in magnitude`(
    argument: String, least: Int, make: Whole
  ) {
    let tooLarge = GeometryError.Reason.tooLarge(limit: 2_147_483_647)
    for number in [least - 1, .min] {
      expectRefused(argument, least == 1 ? .notPositive : tooLarge) { try make(number) }
    }
    for number in [PixelSize.maximumSide + 1, .max] {
      expectRefused(argument, tooLarge) { try make(number) }
    }
    for number in [least, PixelSize.maximumSide] {
      #expect(throws: Never.self) { try make(number) }
    }
  }
}
