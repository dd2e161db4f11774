import PropertyTesting
import ZoomGeometry

extension ViewerLaws {
  static let requests: [Law<ViewerSubject>] = [
    law("W-R1", "Every tile request lies in the advertised grid.") { played, testCase in
      let (each, requests) = (played.each, played.play.requests)
      let size = each.gesture.picture
      testCase.classify(
        requests.contains { $0.region?.maxX == size.width && $0.region?.maxY == size.height },
        as: "the last column and row", atLeast: 0.1)
      let outside = requests.first { $0.region == nil }
      try require(outside == nil, "\(outside?.address ?? "") is not in the grid of \(each.tiles)")
    },
    law("W-R2", "No tile is requested again while it is loaded or on its way.") {
      played, testCase in
      let (events, requests) = (played.each.script.events, played.play.requests)
      testCase.classify(events.count > 6, as: "several gestures", atLeast: 0.2)
      // Some viewers load the first tile once more to learn its size.
      let probe = requests.dropFirst().firstIndex { $0.address == requests[0].address }
      for (index, request) in requests.enumerated() where index != probe {
        // What is answered at the time of a request was not answered when the page made it.
        let isNeeded = requests[..<index].allSatisfy {
          $0.address != request.address || !$0.isAnswered && $0.answered < request.wanted
        }
        try require(
          isNeeded, "\(request.address) is requested again at \(request.wanted.inWords) s")
      }
    },
    law("W-R3", "A settled view has asked for at most twice the tiles that it needs.") {
      played, testCase in
      let (each, view) = (played.each, try played.first())
      let needed = each.tilesNeeded(view.map)
      guard testCase.reaches(needed > 0, "tiles", atLeast: 0.1) else { return }
      // Before an adapter shows a place, the whole picture is shown.
      let fit = Affine.scale(TransitionLaws.fitScale(of: each.gesture.picture, on: each.screen))
      let whole = each.show == nil ? 0 : each.tilesNeeded(fit)
      let requests = played.play.requests
      let asked = Set(requests.filter { $0.wanted <= view.look.time }.map(\.address)).count
      // Good viewers ask for 1 to 1.45 times as many; the lower levels add a tile each.
      let levels = Set(requests.map(\.level)).count
      try require(
        asked <= 2 * (needed + whole) + levels,
        "\(asked) tiles are requested where \(needed + whole) suffice", view.look)
    },
    law("W-D1", "The same script gives the same last frame in a new context.") {
      played, _ in
      let two = try played.viewer.playFresh(played.each)
      guard let last = played.play.looks.last, last.isSettled else { throw Discarded() }
      try require(
        two.looks.last?.digest == last.digest, "the second play ends with another frame",
        two.looks.last, expected: last.sight.place?.toScreen)
    },
  ]

  static let deliveries: [Law<ViewerSubject>] = [
    law(
      "W-R4", "Late and reordered tiles end as the same picture.",
      delivered(
        .weighted([
          (2, Gen<Double>.double(in: 0.05...1).map { .delay($0) }),
          (1, Gen<UInt64>.integer(in: 0...99).map { .shuffle(seed: $0) }),
        ]))
    ) { played, _ in
      let two = try played.with { $0.delivery = [] }.last()
      try played.requireShown("with late tiles", like: two)
      let one = try played.last()
      // Viewers round places to a CSS pixel.
      let off = try one.distance(from: two.map)
      try require(
        off <= 1 + one.slack + two.slack,
        "with late tiles a corner of the visible part is \(off.inWords) CSS px off", one.look,
        expected: two.map)
      guard one.look.digest != two.look.digest else { return }
      let (checks, shift) = (one.checks, max(one.checks.shift.px, one.checks.wrongPlace.px))
      try require(
        checks.backgroundInside == 0 && shift <= one.allowedShift
          && checks.sharpness >= min(0.65, 0.9 * two.checks.sharpness),
        "\(checks.backgroundInside) pixels stay blank, a part is \(shift.inWords) px off, it has "
          + "\(checks.sharpness.inWords) of the detail", one.look)
    },
    law(
      "W-R5", "A tile that failed once is shown after the view has moved.",
      delivered(.element(of: [404, 500, 503].map { .fail(status: $0, isAlways: false) }), deeds: 1)
    ) { played, testCase in
      let failed = played.play.requests.contains { !$0.isAnswered }
      guard testCase.reaches(failed, "failed", atLeast: 0.1) else { return }
      try played.requireShown("after a failure", like: played.with { $0.delivery = [] }.last())
      let last = try played.last()
      let (way, blank) = (try last.distance(from: played.first().map), last.checks.backgroundInside)
      try require(way <= 1 || blank == 0, "\(blank) pixels stay blank", last.look)
    },
    law(
      "W-R6", "A failed or wrong tile harms no other place while a lower level is loaded.",
      delivered(
        .element(of: [
          .fail(status: 404, isAlways: true), .fail(status: 503, isAlways: true), .abort, .wrong,
        ]))
    ) { played, testCase in
      let (each, requests) = (played.each, played.play.requests)
      let flawed = requests.filter { !$0.isAnswered }
      let (regions, level) = (flawed.compactMap(\.region), flawed.map(\.level).max() ?? 0)
      // A lower level covers the tile and all places beside it.
      let isCovered = requests.contains { lower in
        lower.isAnswered && lower.level > level
          && regions.allSatisfy { lower.region?.intersection($0) == $0 }
      }
      let isReached = !regions.isEmpty && regions.count == flawed.count && isCovered
      guard testCase.reaches(isReached, "a lower level", atLeast: 0.05) else { return }
      let plain = try played.with { $0.delivery = [] }
      for (view, usual) in try played.compared(with: plain) {
        // The edge of a tile may be rounded to a device pixel, and its filter fades half a pixel.
        let margin = 1 / view.density + 1 + Double(each.tiles.overlap)
        func isInTile(_ part: ViewRect, within margin: Double) -> Bool {
          regions.contains { $0.numbers.covers(part, within: margin) }
        }
        let blank = view.checks.backgroundInside
        // One rectangle contains all blank pixels, also usual ones.
        try require(
          blank == 0 || usual.checks.backgroundInside > 0
            || view.checks.background.map { isInTile($0, within: margin) } ?? false,
          "\(blank) pixels are blank outside the tile", view.look)
        let toPicture = Affine.scale(1 / each.screen.scale).then(try given(view.map.inverted()))
        for shift in view.shifts(beyond: usual) {
          // A block of 48 device pixels reaches 24 beyond its middle.
          let middle = ViewRect(x: Double(shift.x), y: Double(shift.y), width: 0, height: 0)
          try require(
            isInTile(toPicture.boundingBox(of: middle), within: margin + 24 / view.density),
            "\(shift.px.inWords) px off at (\(shift.x), \(shift.y)), outside the tile", view.look)
        }
      }
      func whole() throws -> ViewerView {
        let view = try plain.last()
        let (size, scale) = (view.screen.size, view.place.scale)
        let area = regions.reduce(0) { $0 + $1.numbers.width * $1.numbers.height } * scale * scale
        // The card is recognised although a fifth of its visible part is covered.
        try testCase.assume(area <= 0.2 * view.place.visibleShare * size.width * size.height)
        return view
      }
      try played.requireShown("beside a flawed tile", like: whole())
    },
    law(
      "W-R8", "A picture that was open before leaves no trace.",
      { $0.views().map { each in each.changed { $0.isSecondPicture = true } } }
    ) { played, _ in
      let plain = try played.with { $0.isSecondPicture = false }
      try played.requireShown("after another picture was open", like: plain.last())
      // The picture before is this one turned by 180 degrees, so that its parts name other places.
      for (view, plain) in try played.compared(with: plain) {
        try requireInPlace(view, beyond: plain)
      }
    },
  ]

  /// Returns cases in a scheme with tiles, with a fault in the delivery of one of the first tiles.
  private static func delivered(
    _ kinds: Gen<Delivery.Kind>, deeds: Int = 0
  ) -> @Sendable (ViewerSubject) -> Gen<ViewerCase> {
    { viewer in
      var tiled = viewer
      tiled.kinds.removeAll { $0 == .plain }
      if tiled.kinds.isEmpty { tiled = viewer }
      let ordinals = Gen<Int>.integer(in: 0...7)
      return Gens.zip(tiled.views(deeds: deeds...2), ordinals, kinds).map { each, ordinal, kind in
        each.changed { $0.delivery = [Delivery(ordinal: ordinal, kind)] }
      }
    }
  }
}

extension TileRequest {
  fileprivate var isAnswered: Bool { status == 200 && isRight }
}
