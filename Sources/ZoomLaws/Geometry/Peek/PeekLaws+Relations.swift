internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  static let transposition = Law<PeekSubject>.peek(
    "FZ-P7", "Swapping x and y in everything swaps them in the crop.", isBrokenAsPublished: true
  ) { subject, input, _ in
    try requireNone(
      try subject.shown(input.transposed).difference(
        from: try subject.shown(input).transposed, of: input.transposed))
  }

  static let reflection = Law<PeekSubject>.peek(
    "FZ-P8", "A touch mirrored about the picture's centre mirrors the crop.",
    isBrokenAsPublished: true
  ) { subject, input, _ in
    try requireNone(
      try subject.shown(input.reflected).difference(
        from: try subject.shown(input).reflected(in: input), of: input))
  }

  static let monotony = Law<PeekSubject>(
    "FZ-P9", "A touch further along brings a crop further along, by no more than the touch.",
    source: source, isBrokenAsPublished: false,
    forEach: { subject in
      let peeks = Gen<PeekInput>.peeks(takesScale: subject.takesScale)
      return Gen { testCase throws(Discarded) in
        let input = try testCase.span(.argument, peeks.body)
        return (input, testCase.span(.argument) { otherTouch(of: input, &$0) })
      }
    }, inWords: { "\($0.inWords), then touch \($1.inWords)" }
  ) { subject, pair, testCase in
    let (input, other) = pair
    input.classify(in: &testCase)
    var moved = input
    moved.touch = other
    let (first, second) = (try subject.shown(input).crop, try subject.shown(moved).crop)
    let axes = input.axes
    for (axis, distance, touches) in [
      (axes.across, second.x - first.x, other.x - input.touch.x),
      (axes.down, second.y - first.y, other.y - input.touch.y),
    ] {
      let tolerance = ulps * axis.pixelUlp
      let way = touches / axis.scale
      try Property.require(
        way >= 0 ? distance >= -tolerance : distance <= tolerance,
        "the crop moves \(distance.inWords) px for a touch that moves \(way.inWords)")
      try Property.require(
        abs(distance) <= abs(way) + tolerance,
        "the crop moves \(distance.inWords) px, farther than the touch's \(way.inWords)")
    }
  }

  /// Draws a touch anywhere, a few points away, or an ulp away.
  private static func otherTouch(of input: PeekInput, _ testCase: inout TestCase) -> ViewPoint {
    let touch = input.touch
    switch testCase.integer(in: 0...2) {
    case 1:
      return ViewPoint(
        x: touch.x + testCase.double(in: -4...4), y: touch.y + testCase.double(in: -4...4))
    case 2:
      return ViewPoint(
        x: touch.x.stepped(testCase.integer(in: -2...2)),
        y: touch.y.stepped(testCase.integer(in: -2...2)))
    default: return testCase.touch(input.axes, near: [.imageEdge, .cropLimit], outsideShare: 0.05)
    }
  }

  static let viewportScale = Law<PeekSubject>(
    "FZ-P10", "Enlarging the viewport together with the touch leaves the crop as it is.",
    source: source, isBrokenAsPublished: false,
    forEach: { subject in
      Gens.zip(Gen<PeekInput>.peeks(takesScale: subject.takesScale), Gen<Double>.enlargements)
    }, inWords: { "\($0.inWords), everything on the screen times \($1.inWords)" }
  ) { subject, scaled, testCase in
    let factor = scaled.1
    var input = scaled.0
    input.classify(in: &testCase)
    // The peek keeps its side, which is not to follow the viewport.
    input.side = input.side ?? min(input.viewport.width, input.viewport.height)
    try requireNone(
      try subject.shown(input.enlarged(by: factor)).difference(
        from: try subject.shown(input), of: input))
  }

  static let idempotence = Law<PeekSubject>.peek(
    "FZ-P11", "Touching the crop's middle gives the same crop.", isBrokenAsPublished: true
  ) { subject, input, _ in
    let first = try subject.shown(input)
    var middle = input
    let axes = input.axes
    middle.touch = ViewPoint(
      x: axes.across.point(of: first.crop.x + first.crop.width / 2),
      y: axes.down.point(of: first.crop.y + first.crop.height / 2))
    try requireNone(try subject.shown(middle).difference(from: first, of: input))
  }
}

extension PeekInput {
  fileprivate func enlarged(by factor: Double) -> PeekInput {
    var input = self
    (input.viewport, input.touch) = (viewport.scaled(by: factor), touch.scaled(by: factor))
    return input
  }
}

extension PeekAnswer {
  /// The answer with its crop's x and y swapped; the rest is not compared.
  fileprivate var transposed: PeekAnswer {
    var answer = self
    answer.crop = PictureRect(x: crop.y, y: crop.x, width: crop.height, height: crop.width)
    return answer
  }

  /// The answer with its crop mirrored about the picture's centre; the rest is not compared.
  fileprivate func reflected(in input: PeekInput) -> PeekAnswer {
    var answer = self
    answer.crop.x = Double(input.pictureWidth) - crop.maxX
    answer.crop.y = Double(input.pictureHeight) - crop.maxY
    return answer
  }
}
