import PropertyTesting
import ZoomGeometry

extension ViewerLaws {
  /// Returns a law that each checked view of a case must keep, and a share of cases with its premise.
  private static func views(
    _ name: String, _ statement: String, premise: String,
    atLeast share: Double = 0.3, reached: @escaping @Sendable (ViewerView) -> Bool,
    holds: @escaping @Sendable (ViewerSubject, ViewerView, SightChecks) throws -> Void
  ) -> Law<ViewerSubject> {
    law(name, statement) { played, testCase in
      testCase.classify(played.views.contains(where: reached), as: premise, atLeast: share)
      for view in played.views { try holds(played.viewer, view, view.checks) }
    }
  }

  /// The laws of pixels at rest; distances are in device pixels.
  static let pixels: [Law<ViewerSubject>] = [
    views(
      "W-P1", "At 1:1 the screen shows the picture's pixels.", premise: "1:1",
      reached: { $0.checks.exact != nil }
    ) { viewer, view, checks in
      guard let exact = checks.exact else { return }
      // Graphics processors round differently, by one level at some places; a scaling browser, by 12.
      let usual = viewer.traits.promises.contains(.pixels) ? 0 : 1
      try require(
        exact.level <= max(usual, viewer.traits.exactness ?? 0),
        "\(exact.pixels) of \(exact.compared) pixels differ by up to \(exact.level) levels",
        view.look)
    },
    views(
      "W-P2", "At rest no row or column differs more from the picture than its neighbours.",
      premise: "a fractional scale", reached: { abs($0.density - $0.density.rounded()) > 1e-3 }
    ) { _, view, checks in
      // Good viewers reach 2.5, and those that snap tiles to pixels 4.8.
      try require(
        checks.seam <= 12, "\(checks.seamName) is \(checks.seam.inWords) levels off", view.look)
    },
    views(
      "W-P3", "At rest no part is displaced, turned or stretched.", premise: "several tiles",
      reached: { $0.each.tiles == .plain || $0.each.tilesNeeded($0.map) > 1 }
    ) { _, view, _ in try requireInPlace(view) },
    views(
      "W-P4", "The background is not shown inside the picture, nor the picture outside its edges.",
      premise: "an edge in view",
      reached: { $0.box.freeAxes(on: $0.screen.size, within: 0).count < 2 }
    ) { _, view, checks in
      try require(
        checks.backgroundInside == 0 && checks.pictureOutside == 0,
        "\(checks.backgroundInside) pixels inside show the background, \(checks.pictureOutside) "
          + "outside the picture", view.look)
    },
    views(
      "W-P5", "Once tiles have come, the picture is as sharp as the best level.",
      premise: "between levels", atLeast: 0.15, reached: { $0.density < 0.98 }
    ) { viewer, view, checks in
      // A level for CSS pixels is a viewer's choice. One level lower has 0.51 of the detail.
      let isChoice = view.screen.scale != 1 && !viewer.traits.promises.contains(.retina)
      try require(
        isChoice || checks.sharpness >= 0.65, "it has \(checks.sharpness.inWords) of the detail",
        view.look)
    },
    law(
      "W-P7", "The page shows through a half transparent picture of the same size.",
      { $0.views().map { each in each.changed { ($0.isTransparent, $0.show) = (true, nil) } } }
    ) { played, testCase in
      let card = try played.viewer.living(played.each.changed { $0.isTransparent = false })
      // The page's colour is the most frequent one where it can be seen beside the picture.
      let (box, size) = (try card.first().box, played.each.screen.size)
      let isBeside = box.width < 0.95 * size.width || box.height < 0.95 * size.height
      guard testCase.reaches(isBeside, "beside the page", atLeast: 0.2) else { return }
      // Over another colour, or drawn twice over itself, the picture is not recognised or differs by 20 levels.
      let first = played.play.looks.first
      try played.requireShown("when it is half transparent", first, like: card.first())
      try played.requireShown("when it is half transparent", like: card.last())
      for view in played.views {
        let (shift, mean) = (view.checks.shift.px, view.checks.mean)
        try require(
          shift <= view.allowedShift && mean <= 6,
          "a part is \(shift.inWords) px off, and colours by \(mean.inWords) levels", view.look)
      }
    },
    law(
      "W-P9", "The whole picture is shown at first, in the middle.",
      { $0.views(deeds: 0...0).map { each in each.changed { $0.show = nil } } }
    ) { played, _ in
      let look = try given(played.play.looks.first)
      guard look.isSettled else { throw Discarded() }
      try require(look.sight.place != nil, "the picture is not shown", look)
      let (box, bounds) = (try played.first().box, played.each.screen.bounds)
      // One CSS pixel for rounding; what a place's error adds is less.
      try require(
        bounds.covers(box, within: 1.5) && box.isCentred(on: bounds, within: 1.5),
        "it is \(box.inWords) on \(bounds.inWords)", look)
    },
  ]

  /// Requires that no part of a view at rest is displaced, turned or stretched.
  static func requireInPlace(_ view: ViewerView) throws {
    // A fitted place has a stretch below 0.001. Levels have whole sides, which stretches them by up to a pixel.
    let (place, length) = (view.place, min(view.box.width, view.box.height) * view.screen.scale)
    let most = max(0.002, view.allowedShift / max(1, length))
    let (turn, stretch) = (place.rotation, place.stretch)
    try require(
      !place.isMirrored && max(abs(turn), stretch) <= most,
      "the picture is turned by \(turn.inWords) or stretched by \(stretch.inWords)", view.look)
    for shift in [view.checks.shift, view.checks.wrongPlace] {
      try require(
        shift.px <= view.allowedShift,
        "at (\(shift.x), \(shift.y)) a part is \(shift.px.inWords) px off", view.look)
    }
  }
}
