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
        Gen<DoubleTapInput>.doubleTaps(onlyFactor: subject.onlyFactor), Gen<Double>.enlargements)
    }, inWords: { "\($0.inWords), the picture times \($1.inWords)" }
  ) { subject, scaled, testCase in
    let (input, factor) = scaled
    let other = input.enlarged(by: factor)
    // Only where neither the unscaled size nor the largest zoom is in the way of either picture.
    for scene in [input.scene, other.scene] {
      try testCase.assume(scene.fitScale < 1)
      try testCase.assume(scene.fitScale * scene.factor <= scene.maximumZoom)
    }
    input.classifyEnlarged(in: &testCase)
    let first = try subject.enlarged(input)
    var second = try subject.enlarged(other)
    second.zoom *= factor
    // The product of the zoom and the picture's enlarged size are rounded too, an ulp each.
    try requireNone(second.difference(from: first, of: input.scene))
  }

  static let beside = Law<DoubleTapSubject>(
    "DT-P10", "A double tap beside the picture does nothing, one on its border does something.",
    source: source,
    forEach: { subject in
      .oneOf(
        Gen<DoubleTapInput>.doubleTaps(onlyFactor: subject.onlyFactor).map { ($0, false) },
        Gen<DoubleTapInput>.doubleTapsBeside(onlyFactor: subject.onlyFactor).map { ($0, true) })
    }, inWords: { input, _ in input.inWords }
  ) { subject, placed, testCase in
    let (input, isBeside) = placed
    testCase.classify(isBeside, as: "beside the picture", atLeast: 0.2)
    testCase.classify(!isBeside, as: "on the picture", atLeast: 0.2)
    let answer = try subject.toggled(input, try subject.fitted(input.scene))
    try Property.require(
      (answer == nil) == isBeside,
      answer == nil ? "the double tap does nothing" : "the double tap beside the picture zooms")
  }
}

extension DoubleTapInput {
  /// The same place of a picture that is so many times larger.
  fileprivate func enlarged(by factor: Double) -> DoubleTapInput {
    var input = self
    input.scene.image = scene.image.scaled(by: factor)
    input.place = place.scaled(by: factor)
    return input
  }

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
    ScrollPosition(zoom: zoom, origin: origin.transposed, offset: offset.transposed)
  }

  /// The position of the mirrored picture; only where the picture begins on the screen is meant.
  fileprivate func reflected(in scene: DoubleTapScene) -> ScrollPosition {
    let starts = scene.axes(self).map { $0.bounds - $0.end }
    return ScrollPosition(
      zoom: zoom, origin: ViewPoint(x: starts[0], y: starts[1]), offset: ViewPoint(x: 0, y: 0))
  }
}
