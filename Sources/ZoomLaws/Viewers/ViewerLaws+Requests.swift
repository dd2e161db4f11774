import PropertyTesting
import ZoomGeometry

extension ViewerLaws {
  /// The laws of requests for tiles, and that a play can be repeated.
  static let requests: [Law<ViewerSubject>] = [
    law("W-R1", "Every tile request lies in the advertised grid.", { .views(of: $0) }) {
      viewer, each, testCase in
      let (requests, size) = (try viewer.living(each).requests, each.gesture.picture)
      let share = viewer.hasTiles ? 0.1 : nil
      testCase.classify(
        requests.contains { $0.region?.maxX == size.width }, as: "the last column", atLeast: share)
      testCase.classify(
        requests.contains { $0.region?.maxY == size.height }, as: "the last row", atLeast: share)
      testCase.classify(requests.contains { $0.level > 0 }, as: "zoomed out", atLeast: share)
      let outside = requests.first { !$0.isInGrid }
      try require(outside == nil, "\(outside?.address ?? "") is not in the grid of \(each.tiles)")
    },
    law(
      "W-R2", "No tile is requested again while it is loaded or on its way.", { .views(of: $0) }
    ) { viewer, each, testCase in
      testCase.classify(each.script.events.count > 6, as: "several gestures", atLeast: 0.2)
      let requests = try viewer.living(each).requests
      var probes = 0
      for (index, request) in requests.enumerated() where request.isRepeat {
        let isLoaded = requests[..<index].contains {
          $0.address == request.address && $0.isAnswered && $0.answered <= request.wanted
        }
        // Some viewers load the first tile once more to learn its size.
        if request.address == requests[0].address { probes += 1 }
        let isProbe = request.address == requests[0].address && probes == 1
        try require(
          isProbe || !(isLoaded || request.wasPending),
          "\(request.address) is requested again at \(request.wanted.inWords) s")
      }
    },
    law(
      "W-R3", "A settled view has asked for at most twice the tiles that it needs.",
      { .views(of: $0) }
    ) { viewer, each, testCase in
      let play = try viewer.living(each)
      let look = try given(play.looks.first.flatMap { $0.isSettled ? ViewerView($0) : nil })
      guard let needed = each.tilesNeeded(look.map) else {
        // A picture without tiles is one request.
        return testCase.classify(false, as: "tiles", atLeast: viewer.hasTiles ? 0.1 : nil)
      }
      testCase.classify(needed > 0, as: "tiles", atLeast: 0.1)
      // Before an adapter shows a place, the whole picture is shown.
      let whole = each.show == nil ? 0 : each.tilesNeeded(each.fitted) ?? 0
      let asked = Set(play.requests.filter { $0.wanted <= look.look.time }.map(\.address)).count
      // Good viewers ask for 1 to 1.45 times as many; the lower levels add a tile each.
      let levels = Set(play.requests.map(\.level)).count
      try require(
        asked <= 2 * (needed + whole) + levels,
        "\(asked) tiles are requested where \(needed + whole) suffice", look.look)
    },
    law("W-D1", "The same script gives the same last frame in a new context.", { .views(of: $0) }) {
      viewer, each, testCase in
      let (one, two) = (try viewer.living(each), try viewer.playFresh(each))
      guard let last = one.looks.last, last.isSettled else { throw Discarded() }
      try require(
        two.looks.last?.digest == last.digest, "the second play ends with another frame",
        two.looks.last, expected: last.sight.place?.toScreen)
    },
  ]

  /// The laws of tiles that come late, wrong or not at all.
  static let deliveries: [Law<ViewerSubject>] = [
    law(
      "W-R4", "Late and reordered tiles end as the same picture.",
      delivered(
        .weighted([
          (2, Gen<Double>.double(in: 0.05...1).map { .delay($0) }),
          (2, Gen<Int>.integer(in: 1...6).map { .hold(until: $0) }),
          (1, Gen<UInt64>.integer(in: 0...99).map { .order(.shuffled(seed: $0)) }),
          (1, .constant(.order(.reversed))),
        ]))
    ) { viewer, each, testCase in
      var prompt = each
      prompt.delivery = []
      let (late, play) = (try viewer.living(each), try viewer.living(prompt))
      let (one, two) = (try late.lastView(), try play.lastView())
      testCase.classify(
        late.requests.count > 1, as: "several requests", atLeast: viewer.hasTiles ? 0.3 : nil)
      try requireSame(one, two, within: 1, "with late tiles", on: each.screen(at: one.look))
      guard one.look.digest != two.look.digest, let checks = one.look.checks else { return }
      try require(
        checks.backgroundInside == 0 && checks.shift.px <= 1 + 2 * one.place.error
          && checks.wrongPlace.px <= 1 + 2 * one.place.error,
        "\(checks.backgroundInside) pixels stay blank, a part is \(checks.shift.px.inWords) px off",
        one.look, expected: two.map)
      let sharpness = two.look.checks?.sharpness ?? 1
      try require(
        checks.sharpness >= min(0.65, 0.9 * sharpness),
        "it keeps \(checks.sharpness.inWords) of the detail", one.look, expected: two.map)
    },
    law(
      "W-R5", "A tile that failed once is shown after the view has moved.",
      delivered(.element(of: [404, 500, 503].map { .fail(status: $0, isAlways: false) }), deeds: 1)
    ) { viewer, each, testCase in
      let play = try viewer.living(each)
      let failed = play.requests.contains { !$0.isAnswered }
      guard testCase.reaches(failed, "failed", atLeast: 0.1) else { return }
      let last = try play.lastView()
      guard let checks = last.look.checks else { return }
      try require(
        checks.backgroundInside == 0,
        "\(checks.backgroundInside) pixels stay blank", last.look, expected: last.map)
    },
    staysInTile(
      "W-R6", "Beside a failed tile nothing is blank while a lower level is loaded.",
      .element(of: [.fail(status: 404, isAlways: true), .fail(status: 503, isAlways: true), .abort])
    ),
    staysInTile(
      "W-R7", "A wrong answer stays in its tile.", Gen<Delivery.Body>.allCases.map { .wrong($0) }),
    law(
      "W-R8", "A picture that was open before leaves no trace.",
      { viewer in
        Gen<ViewerCase>.views(of: viewer).map {
          var each = $0
          each.isSecondPicture = true
          return each
        }
      }
    ) { viewer, each, testCase in
      for view in try viewer.living(each).views {
        let blocks = view.look.checks?.formerBlocks ?? 0
        try require(
          blocks == 0, "\(blocks) parts show the picture before", view.look, expected: view.map)
      }
    },
  ]

  /// Returns a law that a flawed tile harms no other place; tiles of lower levels may be missing.
  private static func staysInTile(
    _ name: String, _ statement: String, _ kinds: Gen<Delivery.Kind>
  ) -> Law<ViewerSubject> {
    law(name, statement, delivered(kinds)) { viewer, each, testCase in
      let play = try viewer.living(each)
      let flawed = play.requests.filter { !$0.isAnswered }
      let regions = flawed.compactMap(\.region)
      // A lower level covers the tile and all places beside it.
      let isCovered = play.requests.contains { lower in
        lower.isAnswered
          && flawed.allSatisfy { $0.level < lower.level && lower.covers($0) }
      }
      let isReached = !regions.isEmpty && isCovered
      guard testCase.reaches(isReached, "a lower level", atLeast: 0.05) else { return }
      for view in play.views {
        guard let checks = view.look.checks, let toPicture = view.map.inverted() else { continue }
        // The edge of a tile may be rounded to a device pixel, and its filter fades half a pixel.
        let margin = 1 / each.density(view) + 1 + Double(each.tiles.overlap)
        func isInside(_ rect: ViewRect) -> Bool {
          regions.contains { $0.numbers.covers(rect, within: margin) }
        }
        try require(
          checks.background.map { isInside($0.numbers) } ?? (checks.backgroundInside == 0),
          "\(checks.backgroundInside) pixels are blank outside the tile", view.look,
          expected: view.map)
        for shift in [checks.shift, checks.wrongPlace] where shift.px > 1 + 2 * view.place.error {
          // A block of 48 device pixels reaches 24 beyond its middle.
          let point = ViewPoint(x: Double(shift.x), y: Double(shift.y))
          let middle = toPicture.apply(to: point.scaled(by: 1 / each.screen.scale))
          let reach = 24 / each.density(view)
          let isNear = regions.contains {
            $0.numbers.covers(
              ViewRect(x: middle.x, y: middle.y, width: 0, height: 0), within: margin + reach)
          }
          try require(
            isNear, "\(shift.px.inWords) px off at (\(shift.x), \(shift.y)), outside the tile",
            view.look, expected: view.map)
        }
      }
    }
  }

  /// Returns cases in a scheme with tiles, with a fault in the delivery of one of the first tiles.
  private static func delivered(
    _ kinds: Gen<Delivery.Kind>, deeds: Int = 0
  ) -> @Sendable (ViewerSubject) -> Gen<ViewerCase> {
    { viewer in
      var tiled = viewer
      if viewer.hasTiles { tiled.kinds.removeAll { $0.side == nil } }
      return Gens.zip(
        Gen<ViewerCase>.deeds(in: tiled, count: deeds...2), Gen<Int>.integer(in: 0...7), kinds
      ).map { each, ordinal, kind in
        var each = each
        each.delivery = [Delivery(ordinal: ordinal, kind)]
        return each
      }
    }
  }
}

extension ViewerSubject {
  var hasTiles: Bool { kinds.contains { $0.side != nil } }
}

extension ViewerCase {
  /// The map of the whole picture, fitted into the middle of the screen.
  fileprivate var fitted: Affine {
    let (picture, bounds) = (gesture.picture, screen.bounds)
    let scale = TransitionLaws.fitScale(of: picture, on: screen)
    return Affine.scale(scale).then(
      .translation(
        x: bounds.centre.x - scale * Double(picture.width) / 2,
        y: bounds.centre.y - scale * Double(picture.height) / 2))
  }
}

extension TileRequest {
  /// Whether the tile itself has come.
  fileprivate var isAnswered: Bool { status == 200 && isRight }

  /// Returns whether the tile's region covers that of another.
  fileprivate func covers(_ other: TileRequest) -> Bool {
    guard let region, let part = other.region else { return false }
    return region.numbers.covers(part.numbers, within: 0)
  }
}
