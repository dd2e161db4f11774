internal import PropertyTesting
internal import ZoomGeometry

extension PeekLaws {
  static let relations = [
    law("FZ-P7", "Swapping x and y in everything swaps them in the crop.", isBroken: true) {
      subject, input, _ in
      try requireSameCrop(
        try subject.shown(input.transposed).crop, try subject.shown(input).crop.transposed,
        of: input.transposed)
    },
    law(
      "FZ-P8", "A touch mirrored about the picture's centre mirrors the crop.", isBroken: true
    ) { subject, input, _ in
      let viewport = input.viewport
      let reflected = input.touching(
        ViewPoint(x: viewport.width - input.touch.x, y: viewport.height - input.touch.y))
      var crop = try subject.shown(input).crop
      crop.x = Double(input.pictureWidth) - crop.maxX
      crop.y = Double(input.pictureHeight) - crop.maxY
      try requireSameCrop(try subject.shown(reflected).crop, crop, of: input)
    },
    LawFamily<PeekSubject, (PeekInput, ViewPoint)>(
      source: source,
      forEach: { subject in
        let peeks = Gen<PeekInput>.peeks(takesScale: subject.takesScale)
        return Gen { testCase throws(Discarded) in
          let input = try testCase.span(.argument, peeks.body)
          return (input, testCase.span(.argument) { otherTouch(of: input, &$0) })
        }
      }, inWords: { "\($0.inWords), then touch \($1.inWords)" },
      classify: { $0.0.classify(in: &$1) }
    )("FZ-P9", "A touch further along moves the crop along, by no more than the touch moves.") {
      subject, pair, _ in
      let (input, other) = pair
      let firsts = try subject.sides(input)
      let seconds = try subject.sides(input.touching(other))
      for (first, second) in zip(firsts, seconds) {
        let distance = second.crop.start - first.crop.start
        let tolerance = ulps * first.axis.pixelUlp
        let way = (second.touch - first.touch) / first.axis.scale
        try Property.require(
          way >= 0 ? distance >= -tolerance : distance <= tolerance,
          "the crop moves \(distance.inWords) px for a touch that moves \(way.inWords)")
        try Property.require(
          abs(distance) <= abs(way) + tolerance,
          "the crop moves \(distance.inWords) px, farther than the touch's \(way.inWords)")
      }
    },
    LawFamily<PeekSubject, (PeekInput, Double)>(
      source: source,
      forEach: { Gens.zip(Gen<PeekInput>.peeks(takesScale: $0.takesScale), .enlargements) },
      inWords: { "\($0.inWords), everything on the screen times \($1.inWords)" },
      classify: { $0.0.classify(in: &$1) }
    )("FZ-P10", "Enlarging the viewport together with the touch leaves the crop as it is.") {
      subject, scaled, _ in
      var (input, factor) = scaled
      // The side of the peek stays the same, instead of following the viewport.
      input.side = input.side ?? min(input.viewport.width, input.viewport.height)
      var enlarged = input.touching(input.touch.scaled(by: factor))
      enlarged.viewport = input.viewport.scaled(by: factor)
      try requireSameCrop(
        try subject.shown(enlarged).crop, try subject.shown(input).crop, of: input)
    },
    law("FZ-P11", "Touching the crop's middle gives the same crop.", isBroken: true) {
      subject, input, _ in
      let (crop, axes) = (try subject.shown(input).crop, input.axes)
      let middle = ViewPoint(
        x: axes.across.point(of: crop.x + crop.width / 2),
        y: axes.down.point(of: crop.y + crop.height / 2))
      try requireSameCrop(try subject.shown(input.touching(middle)).crop, crop, of: input)
    },
  ]

  static let letterboxes = [
    law(
      "FZ-P13c", "A touch beside the picture shows what the nearest place of the picture shows.",
      isBroken: true
    ) { subject, input, _ in
      let (across, down) = (input.axes.across, input.axes.down)
      let nearest = ViewPoint(
        x: input.touch.x.clamped(to: across.start...across.end),
        y: input.touch.y.clamped(to: down.start...down.end))
      try requireSameCrop(
        try subject.shown(input).crop, try subject.shown(input.touching(nearest)).crop, of: input)
    },
    LawFamily<PeekSubject, PeekInput>(
      source: source, forEach: { .peeks(takesScale: $0.takesScale, letterbox: .reject) },
      inWords: \.inWords
    )(
      "FZ-P13r", "Where the letterbox is rejected a touch beside the picture shows nothing.",
      isBroken: true
    ) { subject, input, testCase in
      // The distances by which the touch is inside the picture on each axis.
      let (across, down) = (input.axes.across, input.axes.down)
      let depths = [
        min(input.touch.x - across.start, across.end - input.touch.x),
        min(input.touch.y - down.start, down.end - input.touch.y),
      ]
      // Subject and law may each be off by 1.25 ulps for the border, and its distance to the touch
      // is rounded, too. On the axis that limits the fit, the border is exactly the viewport's.
      let slacks = [4 * across.pointUlp, 4 * down.pointUlp]
      let isExact = [across.isLimiting, down.isLimiting]
      let isOutside = depths[0] < -slacks[0] || depths[1] < -slacks[1]
      testCase.classify(min(depths[0], depths[1]) >= 0, as: "touch on the picture", atLeast: 0.1)
      testCase.classify(isOutside, as: "touch beside the picture", atLeast: 0.1)
      let answer = try subject.peek(input)
      if isOutside { try Property.require(answer == nil, "a peek opens beside the picture") }
      // The border counts as picture.
      let isInside = [0, 1].allSatisfy { depths[$0] >= (isExact[$0] ? 0 : slacks[$0]) }
      if isInside { try Property.require(answer != nil, "no peek opens on the picture") }
    },
  ]

  static let totality = LawFamily<PeekSubject, (PeekInput, Soundness)>(
    source: source,
    inputs: .oneOf(
      Gen<PeekInput>.peeks().map { ($0, .sound) },
      Gen<PeekInput>.invalidPeeks.map { ($0, .invalid) },
      Gen<PeekInput>.wildPeeks.map { ($0, .wild) }), inWords: { input, _ in input.inWords },
    classify: { test, testCase in
      testCase.classify(test.1 == .sound, as: "sound", atLeast: 0.1)
      testCase.classify(test.1 == .invalid, as: "not finite or not positive", atLeast: 0.1)
      testCase.classify(test.1 == .wild, as: "of any size", atLeast: 0.1)
    }
  )(
    "FZ-P14", "Sound input is answered, invalid input is refused, and every answer is finite.",
    isBroken: true
  ) { subject, test, _ in
    let (input, kind) = test
    let answer: PeekAnswer?
    do { answer = try subject.peek(input) } catch {
      return try Property.require(kind != .sound, "refused: \(error)")
    }
    try Property.require(kind != .invalid, "answered instead of refused")
    guard let answer else { throw PropertyFailure("nothing is shown") }
    let (crop, frame, part) = (answer.crop, answer.frame, answer.contentsRect)
    let numbers = [
      crop.x, crop.y, crop.width, crop.height, frame.x, frame.y, frame.width, frame.height,
      part.x, part.y, part.width, part.height, answer.size.width, answer.size.height,
    ]
    try Property.require(
      numbers.allSatisfy(\.isFinite), "the answer holds NaN or infinity: \(answer.crop)")
  }

  /// The kind of an input: a sound one must be answered, an invalid one refused, a wild one either.
  enum Soundness { case sound, invalid, wild }

  static let integerRegion = law(
    "FZ-P15",
    "The decoded region is the crop, rounded to the nearest whole pixels inside the picture.",
    isBroken: true
  ) { subject, input, testCase in
    let sides = try subject.sides(input)
    let areBetween = sides.contains { $0.crop.start != $0.crop.start.rounded() }
    testCase.classify(areBetween, as: "between pixels", atLeast: 0.1)
    for side in sides {
      let (start, length) = try side.namedRegion()
      let end = Double(start + length)
      try requireContainment(
        of: (Double(start), end), in: (0, side.axis.side), within: 0, "the region", unit: "px",
        ends: ("picture", "picture"))
      let rounded = max(1, side.crop.length.rounded(.toNearestOrAwayFromZero))
      try requireNear(Double(length), rounded, within: 0, "the region", "px long")
      // The region begins at the pixel nearest to the crop's start, halves rounded up. A single pixel is the touched
      // one, which need not be the nearest. A region that ends at the picture's border may begin half a pixel before
      // the crop, if its length was rounded up by a half.
      let distance = Double(start) - side.crop.start
      let isEarlyEnough = end == side.axis.side ? distance >= -0.5 : distance > -0.5
      try Property.require(
        length == 1 ? abs(distance) < 1 : distance <= 0.5 && isEarlyEnough,
        "the region begins at \(start) for a crop at \(side.crop.start.inWords) px")
    }
  }

  private static func otherTouch(of input: PeekInput, _ testCase: inout TestCase) -> ViewPoint {
    let touch = input.touch
    switch testCase.integer(in: 0...2) {
    case 1:
      return touch
        + ViewPoint(x: testCase.double(in: -4...4), y: testCase.double(in: -4...4))
    case 2:
      return ViewPoint(
        x: touch.x.stepped(testCase.integer(in: -2...2)),
        y: touch.y.stepped(testCase.integer(in: -2...2)))
    default: return testCase.touch(input.axes, near: [.imageEdge, .cropLimit], outsideShare: 0.05)
    }
  }

  private static func requireSameCrop(
    _ crop: PictureRect, _ other: PictureRect, of input: PeekInput
  ) throws {
    for axis in Axis.allCases {
      let (one, two) = (crop.numbers[axis], other.numbers[axis])
      let tolerance = ulps * (axis == .x ? input.axes.across : input.axes.down).pixelUlp
      try requireNear(
        one.start, two.start, within: tolerance, "the crop's start",
        "px from the \(axis == .x ? "left" : "top")")
      try requireNear(one.length, two.length, within: tolerance, "the crop", "px long")
    }
  }
}

extension PeekInput {
  fileprivate var transposed: PeekInput {
    var input = touching(touch.transposed)
    (input.pictureWidth, input.pictureHeight) = (pictureHeight, pictureWidth)
    input.viewport = viewport.transposed
    return input
  }
}

extension PictureRect {
  fileprivate var transposed: PictureRect {
    PictureRect(x: y, y: x, width: height, height: width)
  }
}
