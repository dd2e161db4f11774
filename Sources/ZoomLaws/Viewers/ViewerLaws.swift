internal import PropertyTesting
package import ZoomGeometry

/// The laws of viewers: pixels at rest, gestures of mice and wheels, requests and their faults.
///
/// Laws judge numbers only. A look whose place is uncertain decides nothing, nor does one in which the picture is lost,
/// unless a view of nearly the same place shows it.
package enum ViewerLaws {
  /// All laws of viewers, those that are decided soonest first; `lack(of:for:)` says which do not apply to one.
  package static let all: [Law<ViewerSubject>] = pixels + life + gestures + requests + deliveries

  /// Returns what a law, also one of gestures, needs and a viewer lacks; nil if the law applies.
  package static func lack(of viewer: ViewerSubject, for law: String) -> String? {
    let (traits, hasTiles) = (viewer.traits, viewer.kinds.contains { $0 != .plain })
    let (adapter, promises) = (traits.adapter, traits.promises)
    let needs: [(isMet: Bool, what: String, laws: Set<String>)] = [
      // Without it no gesture is measured.
      (traits.isRecognised, "a recognised picture", ["W-S2", "W-G1", "W-G2", "W-G6", "GE-41"]),
      (adapter.contains(.state), "the adapter's state", ["W-S3"]),
      (adapter.contains(.show), "the adapter's show", ["W-P1"]),
      (adapter.contains(.open), "the adapter's open", ["W-R8"]),
      (traits.exactness != nil || promises.contains(.pixels), "the promise pixels", ["W-P1"]),
      (promises.contains(.retries), "the promise retries", ["W-R5"]),
      (promises.contains(.resize), "the promise resize", ["GE-9", "GE-22", "GE-49"]),
      // A plain picture lacks lower levels.
      (hasTiles, "tiles", ["W-R6"]),
      (traits.wheelFactor != nil, "zooming by wheel", ["W-G1", "W-G2"]),
      (traits.flicks, "flicks", ["W-G4", "W-G5"]),
      (traits.taps, "double taps", ["W-G6", "GE-41"]),
      (traits.pinches, "pinches", ["GE-8", "GE-10", "GE-14", "GE-18", "GE-19", "GE-42", "GE-52"]),
      // What is lost depends on the way to the first sample by which the slop is passed.
      (traits.dragSlop <= 2, "drags without slop", ["GE-4", "GE-26"]),
      // A finger that comes back passes the slop again, which no fixed tolerance covers.
      (traits.pinchSlop <= 2, "pinches without slop", ["GE-4", "GE-26", "GE-56"]),
    ]
    return needs.first { !$0.isMet && $0.laws.contains(law) }?.what
  }

  private static let source = "faults in viewers of the web, and what good ones do"

  /// Returns a law of plays in which the page lives; W-S1 judges the others.
  static func law(
    _ name: String, _ statement: String,
    _ inputs: @escaping @Sendable (ViewerSubject) -> Gen<ViewerCase> = { $0.views() },
    holds: @escaping @Sendable (PlayedCase, inout TestCase) throws -> Void
  ) -> Law<ViewerSubject> {
    Law(name, statement, source: source, forEach: inputs) { viewer, each, testCase in
      try holds(viewer.living(each), &testCase)
    }
  }

  static func require(
    _ condition: Bool, _ complaint: @autoclosure () -> String, _ look: ViewerLook? = nil,
    expected: Affine? = nil, fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    guard !condition else { return }
    throw SightBreach(
      description: complaint(), look: look, expected: expected, failurePlace: "\(fileID):\(line)")
  }

  private static let life: [Law<ViewerSubject>] = [
    Law(
      "W-S1", "The page lives, answers and reports no error.", source: source,
      forEach: { $0.views() }
    ) { viewer, each, testCase in
      testCase.classify(!each.script.events.isEmpty, as: "events", atLeast: 0.3)
      let play = try viewer.play(each)
      try require(play.ending == .alive, "the page is \(play.ending)", play.looks.last)
      try require(play.errors.isEmpty, "the page reports: \(play.errors.first ?? "")")
    },
    Law(
      "W-S2", "A gesture begins within 20 CSS px, and the picture then follows a finger.",
      source: source, forEach: { $0.untouched }
    ) { viewer, _, _ in
      // Chromium itself holds back 15 to 20 px of a movement, and places are rounded as in GE-15, which judges each
      // drag by the slop that was measured once.
      let (drag, pinch) = (viewer.traits.dragSlop, viewer.traits.pinchSlop)
      try require(
        drag <= 20 + 2.5 && pinch <= 20,
        "a drag begins after \(drag.inWords) CSS px, a pinch after \(pinch.inWords)")
      let way = viewer.traits.onwardWay
      try require(abs(way - 60) <= 3, "a picture follows a drag by 60 CSS px by \(way.inWords)")
    },
    law("W-S3", "At rest the place that the adapter reports is the shown one.") {
      played, testCase in
      // During an animation some viewers report where it leads.
      let looks = played.play.looks.filter(\.isSettled)
      testCase.classify(looks.contains { $0.reported != nil }, as: "reports", atLeast: 0.3)
      for look in looks {
        guard let place = look.reported, let view = ViewerView(look, in: played.each)
        else { continue }
        let corner = view.screen.bounds.centre - place.centre.scaled(by: place.scale)
        let reported = Affine.scale(place.scale).then(.translation(x: corner.x, y: corner.y))
        let off = try view.distance(from: reported)
        // Viewers round a place, and the sides of the picture, to pixels.
        try require(
          off <= 2 + view.slack,
          "reported \(place), a corner of the visible part is \(off.inWords) CSS px off", look,
          expected: reported)
      }
    },
  ]

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
      "W-P3", "At rest no part is displaced, turned or stretched.",
      premise: "several tiles, or plain",
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
      let card = try played.with { $0.isTransparent = false }
      // The page's colour is the most frequent one where it can be seen beside the picture.
      let (box, size) = (try card.first().box, played.each.screen.size)
      let isBeside = box.width < 0.95 * size.width || box.height < 0.95 * size.height
      guard testCase.reaches(isBeside, "beside the page", atLeast: 0.2) else { return }
      // Over another colour, or drawn twice over itself, the picture is not recognised or differs by 20 levels.
      let first = played.play.looks.first
      try played.requireShown("when it is half transparent", first, like: card.first())
      try played.requireShown("when it is half transparent", like: card.last())
      for (view, plain) in try played.compared(with: card) {
        let (shift, mean) = (view.checks.shift.px, view.checks.mean)
        try require(
          shift <= view.allowedShift + plain.checks.shift.px && mean <= 6 + plain.checks.mean,
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

  /// Requires that no part of a view at rest is displaced, turned or stretched; by more than in a plain view, if given.
  static func requireInPlace(_ view: ViewerView, beyond plain: ViewerView? = nil) throws {
    // A fitted place has a stretch below 0.001. Levels have whole sides, which stretches them by up to a pixel.
    let (place, length) = (view.place, min(view.box.width, view.box.height) * view.screen.scale)
    let most = max(0.002, view.allowedShift / max(1, length))
    let (turn, stretch) = (place.rotation, place.stretch)
    let usual = plain.map { max(abs($0.place.rotation), $0.place.stretch) } ?? 0
    try require(
      place.isMirrored == (plain?.place.isMirrored ?? false)
        && max(abs(turn), stretch) <= most + usual,
      "the picture is turned by \(turn.inWords) or stretched by \(stretch.inWords)", view.look)
    let shift = view.shifts(beyond: plain).first
    try require(
      shift == nil,
      shift.map { "at (\($0.x), \($0.y)) a part is \($0.px.inWords) px off" } ?? "", view.look)
  }
}

package struct SightBreach: PlacedError, CustomStringConvertible {
  package let description: String
  /// The look that breaks the law; nil if it is not one look.
  package let look: ViewerLook?
  /// The map from picture pixels to CSS pixels that the law demands; nil for that of the look.
  package let expected: Affine?
  package let failurePlace: String?
}
