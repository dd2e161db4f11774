internal import PropertyTesting
internal import ZoomGeometry

extension DoubleTapLaws {
  static let fit = Law<DoubleTapSubject>.doubleTap(
    "DT-P1", "At first the whole picture is shown, as large as fits, at most unscaled."
  ) { subject, input, _ in
    let position = try subject.fitted(input.scene)
    try Property.require(
      position.zoom > 0 && position.zoom <= 1, "the first zoom is \(position.zoom.inWords)")
    let axes = input.scene.axes(position)
    for axis in axes {
      // One division and one product.
      try Property.require(
        axis.shown <= axis.bounds + 2 * axis.bounds.ulp,
        "the picture is \(axis.shown.inWords) pt long in \(axis.bounds.inWords)")
    }
    try Property.require(
      position.zoom == 1 || axes.contains { near($0.shown, $0.bounds, within: 2 * $0.bounds.ulp) },
      "the picture touches no border at the zoom \(position.zoom.inWords)")
  }

  static let closeZoom = Law<DoubleTapSubject>.doubleTap(
    "DT-P2", "A double tap at the fit enlarges R times, or as far as the largest zoom allows."
  ) { subject, input, _ in
    let scene = input.scene
    let zoom = try subject.enlarged(input).zoom
    // Through a rectangle: its length and two quotients are rounded.
    try Property.require(
      near(zoom, scene.closeZoom, within: 4 * scene.closeZoom.ulp),
      "the zoom is \(zoom.inWords) instead of \(scene.closeZoom.inWords)")
    try Property.require(
      zoom >= scene.fitScale && zoom <= max(scene.fitScale, scene.maximumZoom),
      "the zoom \(zoom.inWords) is out of its limits")
  }

  static let centred = Law<DoubleTapSubject>.doubleTap(
    "DT-P3", "A picture shorter than the screen has the same margin on both sides."
  ) { subject, input, _ in
    for position in [try subject.fitted(input.scene), try subject.enlarged(input)] {
      for axis in input.scene.axes(position) {
        let tolerance = ulps * axis.ulp
        try Property.require(
          axis.origin >= 0, "the margin of \(axis.name) is \(axis.origin.inWords) pt")
        guard !axis.isLonger else { continue }
        let after = axis.bounds - axis.end
        try Property.require(
          near(axis.start, after, within: tolerance),
          "the margins of \(axis.name) are \(axis.start.inWords) and \(after.inWords) pt")
      }
    }
  }

  static let offsetInRange = Law<DoubleTapSubject>.doubleTap(
    "DT-P4", "A picture longer than the screen fills it: nothing beside the picture is shown."
  ) { subject, input, _ in
    for position in [try subject.fitted(input.scene), try subject.enlarged(input)] {
      for axis in input.scene.axes(position) {
        let tolerance = ulps * axis.ulp
        try requireContainment(
          of: (axis.offset, axis.offset), in: (0, axis.furthest), within: tolerance,
          "the offset of \(axis.name)", unit: "pt", ends: ("content", "content"))
        guard axis.isLonger else { continue }
        try requireContainment(
          of: (0, axis.bounds), in: (axis.start, axis.end), within: tolerance,
          "the screen's \(axis.name)", unit: "pt", ends: ("picture", "picture"))
      }
    }
  }

  /// Told without the formula: an offset that could be changed would have to bring the place nearer
  /// to the middle.
  static let tapInMiddle = Law<DoubleTapSubject>.doubleTap(
    "DT-P5", "The tapped place comes to the middle, or as near as the picture's borders allow."
  ) { subject, input, _ in
    let axes = input.scene.axes(try subject.enlarged(input))
    for (axis, place) in Swift.zip(axes, [input.place.x, input.place.y]) {
      let tolerance = ulps * axis.ulp
      let beyond = axis.screen(place) - axis.bounds / 2
      try Property.require(
        beyond <= tolerance || axis.offset >= axis.furthest - tolerance,
        "the tapped place stands \(beyond.inWords) pt past the middle of \(axis.name)")
      try Property.require(
        beyond >= -tolerance || axis.offset <= tolerance,
        "the tapped place stands \((-beyond).inWords) pt before the middle of \(axis.name)")
    }
  }

  static let toggleRestores = Law<DoubleTapSubject>.doubleTap(
    "DT-P6", "A second double tap shows the whole picture again, as at first."
  ) { subject, input, testCase in
    // An enlargement by less than a hundredth is not told from the fit, nor has to be.
    try testCase.assume(input.scene.closeZoom > 1.01 * input.scene.fitScale)
    let fitted = try subject.fitted(input.scene)
    let back = try subject.toggled(input, from: try subject.toggled(input, from: fitted))
    try requireNone(back.difference(from: fitted, of: input.scene))
  }

  /// DT-P6 of a zoom that an animation or a bounce has left (DT-B3).
  static let nearFitIsFit = Law<DoubleTapSubject>(
    "DT-P6n", "A double tap enlarges from a zoom that is off the fit by a rounding, or below it.",
    source: source, isBrokenAsPublished: true,
    forEach: { subject in
      Gens.zip(
        Gen<DoubleTapInput>.doubleTaps(onlyFactor: subject.onlyFactor),
        // An ulp or two, a ten thousandth, a bounce to half.
        Gen<Double>.oneOf(
          .constant(1).nextTo(), .double(in: 0.9999...1.0001), .double(in: 0.5...1)))
    }, inWords: { "\($0.inWords), at \($1.inWords) of the fit" }
  ) { subject, left, testCase in
    let (input, share) = left
    input.classify(in: &testCase)
    testCase.classify(share != 1, as: "not the fit", atLeast: 0.3)
    try testCase.assume(input.scene.closeZoom > 1.01 * input.scene.fitScale)
    var position = try subject.fitted(input.scene)
    position.zoom *= share
    let zoom = try subject.toggled(input, from: position).zoom
    try Property.require(
      zoom > 1.001 * input.scene.fitScale, "the double tap only snaps back to the fit")
  }
}

extension ScrollPosition {
  /// How the position differs from the one demanded, or nil where it does not.
  func difference(from other: ScrollPosition, of scene: DoubleTapScene) -> String? {
    if !near(zoom, other.zoom, within: 4 * other.zoom.ulp) {
      return "the zoom is \(zoom.inWords) instead of \(other.zoom.inWords)"
    }
    for (axis, demanded) in Swift.zip(scene.axes(self), scene.axes(other))
    where !near(axis.start, demanded.start, within: DoubleTapLaws.ulps * demanded.ulp) {
      return "the picture's \(axis.name) begins at \(axis.start.inWords) pt of the screen "
        + "instead of \(demanded.start.inWords)"
    }
    return nil
  }
}
