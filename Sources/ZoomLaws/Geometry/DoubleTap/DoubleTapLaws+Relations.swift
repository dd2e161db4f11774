internal import PropertyTesting
internal import ZoomGeometry

extension DoubleTapLaws {
  static let transposition = Law<DoubleTapSubject>.doubleTap(
    "DT-P8t", "Swapping x and y in everything swaps them in the position."
  ) { subject, input, _ in
    try requireNone(
      try subject.enlarged(input.transposed).difference(
        from: try subject.enlarged(input).transposed, of: input.scene.transposed))
  }

  static let reflection = Law<DoubleTapSubject>.doubleTap(
    "DT-P8r", "A tap mirrored about the picture's centre mirrors what is shown."
  ) { subject, input, _ in
    try requireNone(
      try subject.enlarged(input.reflected).difference(
        from: try subject.enlarged(input).reflected(in: input.scene), of: input.scene))
  }

  static let imageScale = Law<DoubleTapSubject>(
    "DT-P9", "A picture with more pixels, tapped at the same place, looks the same on the screen.",
    source: source,
    forEach: { subject in
      Gens.zip(
        .doubleTaps(onlyFactor: subject.onlyFactor),
        .oneOf(.element(of: [2, 0.5]), .double(in: 0.25...4))
      ).map { ScaledImage(input: $0, factor: $1) }
    }, inWords: { "\($0.input.inWords), the picture times \($0.factor.inWords)" }
  ) { subject, scaled, testCase in
    let (input, other) = (scaled.input, scaled.enlarged)
    // Only where neither the unscaled size nor the largest zoom is in the way of either picture.
    for scene in [input.scene, other.scene] {
      try testCase.assume(scene.fitScale < 1)
      try testCase.assume(scene.fitScale * scene.factor <= scene.maximumZoom)
    }
    input.classifyEnlarged(in: &testCase)
    let first = try subject.enlarged(input)
    var second = try subject.enlarged(other)
    second.zoom *= scaled.factor
    // The product of the zoom and the picture's enlarged size are rounded too, an ulp each.
    let difference = second.difference(from: first, of: input.scene)
    try Property.require(difference == nil, difference ?? "")
  }

  static let beside = Law<DoubleTapSubject>(
    "DT-P10", "A double tap beside the picture does nothing, one on its border does something.",
    source: source,
    forEach: { subject in
      .oneOf(
        Gen<DoubleTapInput>.doubleTaps(onlyFactor: subject.onlyFactor).map {
          Placed(input: $0, isBeside: false)
        },
        Gen<DoubleTapInput>.doubleTapsBeside(onlyFactor: subject.onlyFactor).map {
          Placed(input: $0, isBeside: true)
        })
    }, inWords: { $0.input.inWords }
  ) { subject, placed, testCase in
    testCase.classify(placed.isBeside, as: "beside the picture", atLeast: 0.2)
    testCase.classify(!placed.isBeside, as: "on the picture", atLeast: 0.2)
    let answer = try subject.toggled(placed.input, try subject.fitted(placed.input.scene))
    try Property.require(
      (answer == nil) == placed.isBeside,
      answer == nil ? "the double tap does nothing" : "the double tap beside the picture zooms")
  }
}

/// A double tap and by how much its picture is enlarged.
struct ScaledImage: Sendable {
  let input: DoubleTapInput
  let factor: Double

  var enlarged: DoubleTapInput {
    var other = input
    other.scene.image = ViewSize(
      width: input.scene.image.width * factor, height: input.scene.image.height * factor)
    other.place = ViewPoint(x: input.place.x * factor, y: input.place.y * factor)
    return other
  }
}

/// A double tap on the picture or beside it.
struct Placed: Sendable {
  let input: DoubleTapInput
  let isBeside: Bool
}

extension DoubleTapInput {
  /// Names the kinds of case that a picture shrunk to fit can be.
  fileprivate func classifyEnlarged(in testCase: inout TestCase) {
    let close = scene.closeZoom
    testCase.classify(
      close * scene.image.width > scene.bounds.width
        && close * scene.image.height > scene.bounds.height,
      as: "longer than the screen after", atLeast: 0.02)
  }
}

extension ScrollPosition {
  fileprivate var transposed: ScrollPosition {
    ScrollPosition(
      zoom: zoom, origin: ViewPoint(x: origin.y, y: origin.x),
      offset: ViewPoint(x: offset.y, y: offset.x))
  }

  /// The position of the mirrored picture; only where the picture begins on the screen is meant.
  fileprivate func reflected(in scene: DoubleTapScene) -> ScrollPosition {
    let starts = scene.axes(self).map { $0.bounds - $0.end }
    return ScrollPosition(
      zoom: zoom, origin: ViewPoint(x: starts[0], y: starts[1]), offset: ViewPoint(x: 0, y: 0))
  }
}
