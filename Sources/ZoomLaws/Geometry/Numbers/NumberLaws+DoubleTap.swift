internal import PropertyTesting
internal import ZoomGeometry

extension NumberLaws {
  static let zooms = Law<DoubleTapSubject>.number(
    "NUM-9", "The zoom that fits is off by half an ulp, that of a double tap by 3."
  ) { subject, input, testCase in
    let exact = ExactDoubleTap(input.scene)
    let fit = try subject.fitted(input.scene).zoom
    // One division; the smaller of rounded numbers is the rounded smaller one.
    try Rounding(error: exact.fit.distance(to: fit), unit: fit.ulp)
      .require(within: 0.5, "the fit", &testCase)
    let close = try subject.enlarged(input).zoom
    // A division and a product: half an ulp, that doubled by the product's change of binade, and
    // half an ulp; by way of a rectangle two quotients more.
    try Rounding(error: exact.close.distance(to: close), unit: close.ulp)
      .require(within: 3, "the zoom", &testCase)
  }

  static let offset = Law<DoubleTapSubject>.number(
    "NUM-10", "A double tap lands within 16 ulps of the longest length, and in no pixel seen."
  ) { subject, input, testCase in
    let exact = ExactDoubleTap(input.scene)
    let axes = input.scene.axes(try subject.enlarged(input))
    let sides = [
      (axes[0], input.scene.image.width, input.scene.bounds.width, input.place.x),
      (axes[1], input.scene.image.height, input.scene.bounds.height, input.place.y),
    ]
    for (axis, image, bounds, place) in sides {
      let start = exact.start(image: image, bounds: bounds, place: place)
      // See `DoubleTapLaws.ulps`: 4 by the formula, 10 by way of a rectangle; begun from doubles.
      let rounding = Rounding(error: start.distance(to: axis.start), unit: axis.ulp)
      try rounding.require(within: 16, "where the picture begins", &testCase)
      let pixels = rounding.error * pixelsAPoint
      // A picture enlarged to more than 4096 points leaves a double fewer places for the rest.
      let budget = pixelBudget * max(1, max(axis.shown, axis.bounds) / 4096)
      try Property.require(
        pixels <= budget, "where the picture begins is off by \(pixels.inWords) device pixels")
    }
  }
}

/// The double tap's formula in rational numbers.
struct ExactDoubleTap {
  /// The zoom that fits, and that of a double tap.
  let fit, close: Exact

  init(_ scene: DoubleTapScene) {
    fit = min(
      Exact(1), Exact(scene.bounds.width) / Exact(scene.image.width),
      Exact(scene.bounds.height) / Exact(scene.image.height))
    close = max(fit, min(fit * Exact(scene.factor), Exact(scene.maximumZoom)))
  }

  /// Where the enlarged picture begins on the screen: its margin less the offset.
  func start(image: Double, bounds: Double, place: Double) -> Exact {
    let (zero, shown, bounds) = (Exact(0), close * Exact(image), Exact(bounds))
    let margin = max(zero, (bounds - shown) / Exact(2))
    let offset = (close * Exact(place) - bounds / Exact(2)).clamped(zero, max(zero, shown - bounds))
    return margin - offset
  }
}

extension Law where Subject == DoubleTapSubject {
  fileprivate static func number(
    _ name: String, _ statement: String,
    holds: @escaping @Sendable (DoubleTapSubject, DoubleTapInput, inout TestCase) throws -> Void
  ) -> Law {
    Law(
      name, statement, source: NumberLaws.source,
      forEach: { .doubleTaps(onlyFactor: $0.onlyFactor) }, inWords: { $0.inWords }
    ) { subject, input, testCase in
      input.classify(in: &testCase)
      try holds(subject, input, &testCase)
    }
  }
}
