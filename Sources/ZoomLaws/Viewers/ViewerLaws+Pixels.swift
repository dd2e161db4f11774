import PropertyTesting
import ZoomGeometry

extension ViewerLaws {
  /// A premise of a law of views, which at least three of ten cases must reach if a viewer can.
  private struct Premise: Sendable {
    let name: String
    var canReach: @Sendable (ViewerSubject) -> Bool = { _ in true }
    let isReached: @Sendable (ViewerCase, ViewerView) -> Bool

    static let tiles = Premise(
      name: "several tiles", canReach: { $0.kinds.contains { $0.side != nil } },
      isReached: { each, view in (each.tilesNeeded(view.map) ?? 0) > 1 })
    static let overlap = Premise(
      name: "overlap", canReach: { $0.kinds.contains { $0.overlap > 0 } },
      isReached: { each, _ in each.tiles.overlap > 0 })
    static let fractional = Premise(
      name: "a fractional scale",
      isReached: { abs($0.density($1) - $0.density($1).rounded()) > 1e-3 })
    static let reduced = Premise(
      name: "between levels", isReached: { each, view in each.density(view) < 0.98 })
    static let edge = Premise(
      name: "an edge in view",
      isReached: { each, view in
        each.box(view).freeAxes(on: each.screen(at: view.look).size, within: 0).count < 2
      })
    static let exact = Premise(
      name: "1:1", isReached: { _, view in view.look.checks?.exact != nil })
  }

  /// Returns a law that each checked view of a case must keep.
  private static func views(
    _ name: String, _ statement: String, _ premise: Premise, atLeast share: Double = 0.3,
    holds: @escaping @Sendable (ViewerSubject, ViewerCase, ViewerView, SightChecks) throws -> Void
  ) -> Law<ViewerSubject> {
    law(name, statement, { .views(of: $0) }) { viewer, each, testCase in
      let views = try viewer.living(each).views.filter { $0.look.checks != nil }
      let isReached = views.contains { premise.isReached(each, $0) }
      testCase.classify(
        isReached, as: premise.name, atLeast: premise.canReach(viewer) ? share : nil)
      for view in views {
        if let checks = view.look.checks { try holds(viewer, each, view, checks) }
      }
    }
  }

  /// The laws of pixels at rest; distances are in device pixels.
  static let pixels: [Law<ViewerSubject>] = [
    views("W-P1", "At 1:1 the screen shows the picture's pixels.", .exact) {
      viewer, _, view, checks in
      guard let exact = checks.exact else { return }
      // Graphics processors round differently, by one level as measured; a scaling browser, by 12.
      let levels = viewer.traits.exactness ?? 0
      try require(
        exact.level <= levels,
        "\(exact.pixels) of \(exact.compared) pixels differ by up to \(exact.level) levels",
        view.look, expected: view.map)
    },
    views(
      "W-P2", "At rest no row or column differs more from the picture than its neighbours.",
      .fractional
    ) { _, _, view, checks in
      // Good viewers reach 2.5, and those that snap tiles to pixels 4.8.
      let seam = checks.seam
      try require(
        seam.score <= 12,
        "\(seam.isColumn ? "column" : "row") \(seam.at) is \(seam.score.inWords) levels off",
        view.look, expected: view.map)
    },
    views("W-P3", "At rest no part is displaced, turned or stretched.", .tiles) {
      _, _, view, checks in
      // Viewers that snap tiles reach 0.9 px; a fitted place has a stretch below 0.001.
      let place = view.place
      try require(
        !place.isMirrored && abs(place.rotation) <= 0.002 && place.stretch <= 0.002,
        "the picture is turned by \(place.rotation.inWords) or stretched by "
          + "\(place.stretch.inWords)", view.look)
      for shift in [checks.shift, checks.wrongPlace] {
        try require(
          shift.px <= 1 + 2 * place.error,
          "at (\(shift.x), \(shift.y)) a part is \(shift.px.inWords) px off", view.look,
          expected: view.map)
      }
    },
    views(
      "W-P4", "The background is not shown inside the picture, nor the picture outside its edges.",
      .edge
    ) {
      _, each, view, checks in
      try require(
        checks.backgroundInside == 0 && checks.pictureOutside == 0,
        "\(checks.backgroundInside) pixels inside show the background, \(checks.pictureOutside) "
          + "outside the picture", view.look, expected: view.map)
      // A viewer may round an edge to a pixel, and its filter fades half a picture pixel.
      try require(
        checks.cornersMissing <= 1 + each.density(view) / 2,
        "\(checks.cornersMissing.inWords) px of the last row or column are not shown", view.look,
        expected: view.map)
    },
    views(
      "W-P5", "Once tiles have come, the picture is as sharp as the best level.", .reduced,
      atLeast: 0.15
    ) { viewer, each, view, checks in
      // A level for CSS pixels is a viewer's choice. One level lower has 0.51 of the detail.
      guard each.screen.scale == 1 || viewer.traits.promises.contains(.retina) else { return }
      try require(
        checks.sharpness >= 0.65, "it has \(checks.sharpness.inWords) of the detail", view.look,
        expected: view.map)
    },
    views("W-P8", "Tiles are not blended over each other.", .overlap, atLeast: 0.05) {
      _, _, view, checks in
      // Overshoots of resampling reach 4 levels.
      try require(
        checks.blend <= 6, "pixels are \(checks.blend.inWords) levels beyond their neighbours",
        view.look, expected: view.map)
    },
    law("W-P6", "Two ways to one place give one picture.", { .zoomed(in: $0, dragged) }) {
      viewer, each, testCase in
      // The other way has a detour in the middle of the drag.
      var other = each
      let events = each.script.events
      let detour = ViewPoint(x: 17, y: -13)
      other.gesture = try each.gesture.with(
        events.indices.map { index in
          index == events.count - 2
            ? events[index].changingTouches { $1.point = $1.point + detour } ?? events[index]
            : events[index]
        })
      let direct = try viewer.living(each)
      let (one, two) = (try direct.lastView(), try viewer.living(other).lastView())
      // Drawers may place tiles at other fractions of a pixel.
      let isSame = abs(one.map.tx - two.map.tx) + abs(one.map.ty - two.map.ty) <= 0.02
      guard testCase.reaches(isSame, "one place", atLeast: 0.1),
        let first = one.look.checks, let second = two.look.checks
      else { return }
      try require(
        one.look.digest == two.look.digest
          || abs(first.shift.px - second.shift.px) <= 0.3
            && abs(first.sharpness - second.sharpness) <= 0.1,
        "after a detour parts are \(second.shift.px.inWords) and not \(first.shift.px.inWords) px "
          + "off, the detail is \(second.sharpness.inWords) and not \(first.sharpness.inWords)",
        two.look, expected: two.map)
    },
    law("W-P7", "Another picture of the same size is shown at the same place.", otherContents) {
      viewer, each, testCase in
      let views = try viewer.living(each).views
      testCase.classify(each.content == .alpha, as: "alpha", atLeast: 0.2)
      testCase.classify(each.content != .alpha, as: "a photograph", atLeast: 0.2)
      for view in views {
        guard let checks = view.look.checks else { continue }
        // Three levels cover an average of any resampling filter; black under alpha is more.
        try require(
          checks.shift.px <= 1 + 2 * view.place.error && checks.mean <= 3,
          "a part is \(checks.shift.px.inWords) px off, and colours by \(checks.mean.inWords) "
            + "levels", view.look, expected: view.map)
      }
    },
    law("W-P9", "The whole picture is shown at first, in the middle.", { .views(of: $0) }) {
      viewer, each, testCase in
      var initial = each
      initial.show = nil
      initial.gesture = try each.gesture.with([])
      let (look, size) = (try given(viewer.living(initial).looks.first), each.gesture.picture)
      testCase.classify(size.width % 2 + size.height % 2 > 0, as: "an odd side")
      guard look.isSettled else { throw Discarded() }
      try require(look.sight.place != nil, "the picture is not shown", look)
      let view = try given(ViewerView(look))
      let (box, screen) = (each.box(view), each.screen)
      // One CSS pixel for rounding; what a place's error adds is less.
      try require(
        screen.bounds.covers(box, within: 1.5) && box.isCentred(on: screen.bounds, within: 1.5),
        "it is \(box.inWords) on \(screen.inWords)", look)
    },
  ]

  /// Returns views of pictures other than cards.
  @Sendable private static func otherContents(_ viewer: ViewerSubject) -> Gen<ViewerCase> {
    Gens.zip(Gen<ViewerCase>.views(of: viewer), .bool, Gen<UInt64>.integer(in: 0...99)).map {
      each, isAlpha, seed in
      var each = each
      each.content = isAlpha ? .alpha : .photograph(seed)
      return each
    }
  }
}
