import ZoomGeometry

/// A set-up, a touch and the peek that the corrected form makes of them.
struct PeekCase: Hashable, CustomStringConvertible {
  /// Where the touch lies: every law must have met all of these.
  enum Place: CaseIterable {
    case picture, border, corner, letterbox, outside
  }

  let setup: PeekSetup
  let touch: ViewPoint
  let place: Place
  let peek: Peek

  var width: Double { Double(setup.picture.width) }
  var height: Double { Double(setup.picture.height) }

  var description: String {
    """
    \(setup.picture) px in \(setup.viewport.width)x\(setup.viewport.height) pt, \
    side \(setup.side), scale \(setup.scale), touch (\(touch.x), \(touch.y)) [\(place)]
      touched \(peek.touched), exact \(peek.exact), region \(peek.region)
      frame \(peek.frame), contentsRect \(peek.contentsRect), size \(peek.size)
    """
  }

  /// Points by which a place on the screen may be off.
  ///
  /// It is made of fewer than eight rounded operations on numbers no larger than the viewport.
  var points: Double {
    8 * max(setup.viewport.width, setup.viewport.height).ulp
  }

  /// Pixels by which a crop may be off if a touch went through rounded arithmetic on the screen.
  ///
  /// The touch is then off by a few units in the last place of the larger of itself and the
  /// viewport, which the division by the fit scale magnifies; the rest is picture arithmetic.
  var pixels: Double {
    let screen = max(
      setup.viewport.width, setup.viewport.height, abs(touch.x), abs(touch.y))
    return 8 * screen.ulp / setup.fitScale + 8 * max(width, height).ulp
  }
}

extension PeekCase {
  /// The cases that every law is put to.
  ///
  /// Set-ups with `reject` have tests of their own.
  static func sample() throws -> [PeekCase] {
    var random = SplitMix64(seed: 0x5EED_0F0F)
    return try (0..<10_000).compactMap { index in
      let setup = try PeekSetup(
        picture: random.picture(), viewport: random.viewport(), side: random.side(),
        scale: random.pick([1, 1, 2, 3, 0.5, 1.5, 2.625, 0.1]))
      let place = Place.allCases[index % Place.allCases.count]
      guard let touch = random.touch(place, setup) else { return nil }
      guard let peek = try setup.peek(at: touch) else { return nil }
      return PeekCase(setup: setup, touch: touch, place: place, peek: peek)
    }
  }

  /// Returns the first case that breaks a law, with all its numbers, or nil.
  static func counterexample(to law: (PeekCase) throws -> Bool) throws -> PeekCase? {
    try sample().first { try !law($0) }
  }

  /// The same set-up, touched elsewhere.
  func touched(at touch: ViewPoint) throws -> Peek? {
    try setup.peek(at: touch)
  }
}

extension SplitMix64 {
  static let sides = [
    1, 2, 15, 16, 17, 374, 375, 376, 749, 750, 751, 1200, 1823, 4535, 4896, 10_000, 100_000,
  ]

  /// Two listed sides, or one and a ratio from 1:100 to 100:1.
  fileprivate mutating func picture() throws -> PixelSize {
    let width = pick(Self.sides)
    if unit() < 0.5 {
      let height = pick(Self.sides)
      if width <= 100 * height, height <= 100 * width {
        return try PixelSize(width: width, height: height)
      }
    }
    let ratio = pick([0.01, 0.1, 0.5, 0.75, 0.999, 1, 1.001, 4.0 / 3, 2, 3, 10, 100])
    let height = max(1, (Double(width) * ratio).rounded())
    return try PixelSize(width: width, height: Int(height))
  }

  fileprivate mutating func viewport() -> ViewSize {
    let sides: [(Double, Double)] = [
      (375, 667), (667, 375), (355, 599), (414, 736), (320, 480), (1024, 1366), (375, 375),
      (1, 1), (1, 600), (600, 1), (333.25, 512.125), (0.1, 0.3),
    ]
    let (width, height) = pick(sides)
    return ViewSize(width: width, height: height)
  }

  fileprivate mutating func side() -> Double? {
    pick([nil, nil, nil, 375, 375, 0.3, 1, 2, 15.5, 374.5, 5000, 1e6])
  }

  /// A touch at that place, or nil if the set-up has no such place.
  fileprivate mutating func touch(_ place: PeekCase.Place, _ setup: PeekSetup) -> ViewPoint? {
    let shown = setup.shownFrame
    let x = number(shown.x, shown.maxX)
    let y = number(shown.y, shown.maxY)
    let view = setup.viewport
    switch place {
    case .picture: return ViewPoint(x: x, y: y)
    case .border:
      return unit() < 0.5
        ? ViewPoint(x: pick([shown.x, shown.maxX]), y: y)
        : ViewPoint(x: x, y: pick([shown.y, shown.maxY]))
    case .corner:
      return ViewPoint(x: pick([shown.x, shown.maxX]), y: pick([shown.y, shown.maxY]))
    case .letterbox:
      // The bars' outer edges included.
      let part = pick([0, unit(), unit(), 0.99])
      let touch =
        shown.x > shown.y
        ? ViewPoint(x: pick([shown.x * part, view.width - shown.x * part]), y: y)
        : ViewPoint(x: x, y: pick([shown.y * part, view.height - shown.y * part]))
      return shown.contains(touch) ? nil : touch
    case .outside:
      let far = pick([1, 1, 10, 1e6])
      return ViewPoint(
        x: pick([-view.width, view.width]) * number(1, 1 + far),
        y: pick([-view.height, view.height]) * number(1, 1 + far))
    }
  }
}
