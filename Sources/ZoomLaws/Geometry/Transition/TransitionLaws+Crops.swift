import PropertyTesting
import ZoomGeometry

extension TransitionLaws {
  static var crops: [Law<TransitionSubject>] {
    [
      setupLaw(
        "TI-P1", "What is seen when the picture is presented is the thumbnail, exactly."
      ) { try isThumbnail($0.presented($1), $1) },
      setupLaw(
        "TI-P2",
        "The mask lies in the full frame, has the thumbnail's ratio and touches two "
          + "opposite sides."
      ) { subject, setup in
        let crop = try subject.presented(setup)
        let (mask, full) = (crop.mask, crop.full)
        let slack = rounding * magnitude(full)
        try require(
          mask.x >= -slack && mask.y >= -slack && mask.maxX <= full.width + slack
            && mask.maxY <= full.height + slack,
          "the mask \(mask.inWords) is not in the frame of \(full.width)x\(full.height)")
        let ratio = mask.width / mask.height * setup.thumbnail.height / setup.thumbnail.width
        try require(abs(ratio - 1) <= rounding, "the mask's ratio is \(ratio) of the thumbnail's")
        try require(
          abs(mask.width - full.width) <= slack || abs(mask.height - full.height) <= slack,
          "the mask \(mask.inWords) touches no two sides of \(full.width)x\(full.height)")
        try require(
          abs(mask.x + mask.maxX - full.width) <= slack
            && abs(mask.y + mask.maxY - full.height) <= slack,
          "the mask \(mask.inWords) is not centred in \(full.width)x\(full.height)")
      },
      setupLaw("TI-P3", "The full frame is scaled so that it just fills the thumbnail.") {
        subject, setup in
        let crop = try subject.presented(setup)
        let expected = max(
          setup.thumbnail.width / crop.full.width, setup.thumbnail.height / crop.full.height)
        try require(
          crop.scale > 0 && abs(crop.scale / expected - 1) <= rounding,
          "the scale is \(crop.scale), not \(expected)")
      },
      setupLaw(
        "TI-P4",
        "The corners look as round as the thumbnail's, and are no rounder than half a "
          + "side exactly if the thumbnail's are not."
      ) { subject, setup in
        let crop = try subject.presented(setup)
        let radius = setup.cornerRadius
        try require(
          abs(crop.radius * crop.scale - radius) <= rounding * max(1, radius),
          "the corners look \(crop.radius * crop.scale) round")
        let half = min(setup.thumbnail.width, setup.thumbnail.height) / 2
        let maskHalf = min(crop.mask.width, crop.mask.height) / 2
        // At the limit itself either side of a rounding may come out.
        guard abs(radius / half - 1) > rounding else { return }
        try require(
          (crop.radius <= maskHalf) == (radius <= half),
          "a radius of \(crop.radius) in a mask of half \(maskHalf)")
      },
      Law(
        "TI-P5",
        "The mask opens from the thumbnail's to the whole frame and closes back, both "
          + "sides evenly.", source: source, isBrokenAsPublished: true,
        for: zip(Gen<TransitionSubject.Presentation>.transitionSetups, .double(in: 0...1), .bool),
        inWords: { "\($0.0.inWords), \($0.1.inWords) of \($0.2 ? "closing" : "opening")" }
      ) { subject, input, testCase in
        try opensEvenly(subject, input.0, at: input.1, isClosing: input.2)
      },
      setupLaw("TI-P6", "A picture that is dismissed at once ends as it began.") {
        subject, setup in
        let (start, end) = try (subject.presented(setup), subject.dismissed(setup, []))
        let slack = rounding * magnitude(setup.thumbnail)
        try require(
          distance(seen(start), seen(end)) <= slack,
          "it began as \(seen(start).inWords) and ends as \(seen(end).inWords)")
        try require(
          abs(start.radius - end.radius) <= rounding * max(1, start.radius),
          "the corners began with \(start.radius) and end with \(end.radius)")
      },
      setupLaw(
        "TI-P7", "The full frame is the picture, as large as the screen has it, in its middle."
      ) { subject, setup in
        let full = try subject.presented(setup).full
        let (width, height) = (setup.screen.size.width, setup.screen.size.height)
        let slack = rounding * max(width, height)
        try require(
          abs(full.x + full.maxX - width) <= slack && abs(full.y + full.maxY - height) <= slack,
          "the full frame \(full.inWords) is not in the middle")
        try require(
          full.width <= width + slack && full.height <= height + slack
            && (abs(full.width - width) <= slack || abs(full.height - height) <= slack),
          "the full frame \(full.inWords) does not fit")
        let ratio =
          full.width / full.height * Double(setup.picture.height) / Double(setup.picture.width)
        try require(abs(ratio - 1) <= rounding, "its ratio is \(ratio) of the picture's")
      },
      Law(
        "TI-P16", "A picture that is dismissed zoomed or turned ends as the thumbnail, exactly.",
        source: source, isBrokenAsPublished: true, for: dismissals,
        inWords: { "\($0.setup.inWords): \($0.steps.inWords)" }
      ) { subject, input, testCase in
        testCase.classify(!input.steps.isEmpty, as: "something was done", atLeast: 0.5)
        try isThumbnail(subject.dismissed(input.setup, input.steps), input.setup)
      },
    ]
  }

  private struct Dismissal: Sendable {
    var setup: TransitionSubject.Presentation
    var steps: [TransitionSubject.ViewerStep]
  }

  private static var dismissals: Gen<Dismissal> {
    Gen { testCase throws(Discarded) in
      let setup = try testCase.draw(.transitionSetups)
      let steps = try testCase.draw(.transitionSteps(on: setup.screen))
      return Dismissal(setup: setup, steps: steps)
    }
  }

  private static func setupLaw(
    _ name: String, _ statement: String,
    holds: @escaping @Sendable (TransitionSubject, TransitionSubject.Presentation) throws -> Void
  ) -> Law<TransitionSubject> {
    Law(
      name, statement, source: source, for: .transitionSetups,
      inWords: { $0.inWords }
    ) { subject, setup, testCase in
      let picture = Double(setup.picture.width) / Double(setup.picture.height)
      testCase.classify(
        setup.thumbnail.width / setup.thumbnail.height > picture, as: "a wider thumbnail",
        atLeast: 0.2)
      testCase.classify(
        setup.thumbnail.width > setup.screen.size.width, as: "wider than the screen",
        atLeast: 0.1)
      try holds(subject, setup)
    }
  }

  /// Where the mask stands on the screen.
  private static func seen(_ crop: TransitionSubject.ThumbnailCrop) -> ViewRect {
    crop.transform.boundingBox(of: crop.mask)
  }

  private static func isThumbnail(
    _ crop: TransitionSubject.ThumbnailCrop, _ setup: TransitionSubject.Presentation
  ) throws {
    let shown = seen(crop)
    let slack = rounding * magnitude(setup.thumbnail)
    try require(
      distance(shown, setup.thumbnail) <= slack,
      "what is seen is \(shown.inWords), the thumbnail \(setup.thumbnail.inWords)")
    // Upright: the map keeps the directions of both axes.
    let map = crop.transform
    try require(
      map.a > 0 && map.d > 0 && map.b == 0 && map.c == 0, "it is turned: \(crop.transform)")
  }

  private static func opensEvenly(
    _ subject: TransitionSubject, _ setup: TransitionSubject.Presentation, at share: Double,
    isClosing: Bool
  ) throws {
    let crop = try subject.presented(setup)
    let whole = ViewRect(x: 0, y: 0, width: crop.full.width, height: crop.full.height)
    let (start, end) = isClosing ? (whole, crop.mask) : (crop.mask, whole)
    let slack = rounding * magnitude(whole)
    for part in [0, share, 1] {
      func between(_ one: Double, _ other: Double) -> Double { one + part * (other - one) }
      let expected = ViewRect(
        x: between(start.x, end.x), y: between(start.y, end.y),
        width: between(start.width, end.width), height: between(start.height, end.height))
      let mask = try subject.mask(setup, part, isClosing)
      try require(
        distance(mask, expected) <= slack,
        "when \(part) of it is over the mask is \(mask.inWords), not \(expected.inWords)")
    }
  }
}
