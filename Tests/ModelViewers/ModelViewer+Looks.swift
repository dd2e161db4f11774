internal import ZoomGeometry
internal import ZoomLaws

extension ModelViewer {
  mutating func look(at now: Double, after count: Int, isSettled: Bool) {
    let shown = motion?.pose(at: now) ?? pose
    if isSettled { load(shown, at: now) }
    var hasher = Hasher()
    hasher.combine(shown)
    hasher.combine(isLate)
    var look = ViewerLook(
      time: now, isSettled: isSettled, digest: UInt64(bitPattern: Int64(hasher.finalize())),
      sight: .place(ViewerPlace(toScreen: shown.map)), checks: isSettled ? checks(shown) : nil,
      eventsSoFar: count)
    look.reported = reported(shown)
    if isBlank { (look.sight, look.checks) = (.lost("the picture is not visible"), nil) }
    play.looks.append(look)
  }

  var isLate: Bool { fault == .leavesLateBlank && hasLateTiles }

  private var hasLateTiles: Bool {
    each.delivery.contains {
      switch $0.kind {
      case .delay, .shuffle: true
      case .fail, .abort, .wrong: false
      }
    }
  }

  private var isBlank: Bool {
    switch fault {
    case .blankWhenPinched: isZoomed
    case .blankAfterWheel: wheels > 0
    case .blankOnceResized: resizes > 0
    case .blankAtHighRatio: screen.scale > 2
    case .blankWhenLate: hasLateTiles
    case .blankOnceFailed: play.requests.contains { $0.status != 200 }
    case .blankBesideFailure: !flaws.isEmpty
    default: false
    }
  }

  func reported(_ pose: Pose) -> ShownPlace {
    let middle = screen.bounds.centre
    let off = fault == .misreports ? 5 : 0.0
    return ShownPlace(
      centre: ViewPoint(
        x: (middle.x + off - pose.x) / pose.scale, y: (middle.y - pose.y) / pose.scale),
      scale: pose.scale)
  }

  func checks(_ pose: Pose) -> SightChecks {
    var checks = SightChecks()
    let corner = ViewPoint(x: pose.x * screen.scale, y: pose.y * screen.scale)
    let isWhole =
      abs(corner.x - corner.x.rounded()) < 0.02 && abs(corner.y - corner.y.rounded()) < 0.02
    if abs(pose.scale * screen.scale - 1) < 2e-4, isWhole {
      checks.exact = SightChecks.ExactDifference(
        pixels: fault == .inexact ? 9 : 0, level: fault == .inexact ? 3 : 0, compared: 1000)
    }
    if fault == .seam { checks.seam = 20 }
    if fault == .displaced { checks.shift.px = 3 }
    if fault == .gap { checks.backgroundInside = 40 }
    if fault == .coarse { checks.sharpness = 0.5 }
    if fault == .otherColours, each.isTransparent { checks.mean = 9 }
    if fault == .keepsFormerPicture, each.isSecondPicture { checks.wrongPlace.px = 20 }
    if isLate { checks.backgroundInside = 9 }
    let whole = PixelRegion(whole: picture)
    let isCovered = loaded.contains("\(coarsest) 0 0")
    if let flaw = flaws.first {
      if fault == .blanksLevel || !isCovered || fault == .neverRetries {
        checks.backgroundInside = 50
        checks.background = (fault == .blanksLevel ? whole : flaw).numbers
      }
      // A sound viewer shows anything in place of the tile.
      let start = pose.map.apply(to: ViewPoint(x: Double(flaw.x), y: Double(flaw.y)))
        .times(screen.scale)
      let way = fault == .spreadsWrongTile ? -200 : 10
      checks.shift = SightChecks.Shift(px: 20, x: Int(start.x) + way, y: Int(start.y) + 10)
    }
    return checks
  }

  /// The number of halvings after which the picture is one tile.
  var coarsest: Int {
    guard let side = each.tiles.side else { return 0 }
    var level = 0
    while max(picture.width, picture.height) > side << level { level += 1 }
    return level
  }

  /// Requests the tiles that a pose needs and that have not come.
  mutating func load(_ pose: Pose, at now: Double) {
    let retries = flaws
    flaws = []
    var (level, density) = (0, pose.scale * screen.scale)
    while density <= 0.5, level < coarsest { (level, density) = (level + 1, 2 * density) }
    if fault == .asksAllLevels { for finer in 0..<level { request(level: finer, at: now) } }
    let seen = pose.map.inverted()?.boundingBox(of: screen.bounds)
    request(level: level, seen: fault == .asksAllLevels ? nil : seen, at: now)
    if fault == .neverRetries { flaws = retries + flaws }
    if fault == .asksAgain, let first = play.requests.dropFirst().first(where: { $0.status == 200 })
    {
      var again = first
      again.wanted = now
      play.requests.append(again)
    }
    if fault == .asksOutside {
      play.requests.append(TileRequest(address: "outside", level: level, region: nil, wanted: now))
    }
  }

  mutating func request(level: Int, seen: ViewRect? = nil, at now: Double = -0.2) {
    let span = (each.tiles.side ?? max(picture.width, picture.height)) << level
    for row in 0...(picture.height - 1) / span {
      for column in 0...(picture.width - 1) / span {
        let (x, y) = (column * span, row * span)
        guard
          let region = try? PixelRegion(
            x: x, y: y, width: min(span, picture.width - x), height: min(span, picture.height - y))
        else { continue }
        let isSeen =
          seen.map {
            Double(region.x) < $0.maxX && Double(region.maxX) > $0.x
              && Double(region.y) < $0.maxY && Double(region.maxY) > $0.y
          } ?? true
        let address = "\(level) \(column) \(row)"
        if isSeen, !loaded.contains(address) { ask(address, level, region, now) }
      }
    }
  }

  mutating func ask(
    _ address: String, _ level: Int, _ region: PixelRegion, _ now: Double
  ) {
    let ordinal = Set(play.requests.map(\.address)).count
    let isRepeat = play.requests.contains { $0.address == address }
    if isRepeat, fault == .neverRetries { return flaws.append(region) }
    var request = TileRequest(address: address, level: level, region: region, wanted: now)
    let first = play.requests.firstIndex { $0.address == address }
    let isMine =
      each.delivery.first.map { delivery in
        delivery.ordinal
          == (first.map { index in
            Set(play.requests[..<index].map(\.address)).count
          } ?? ordinal)
      } ?? false
    if isMine, let kind = each.delivery.first?.kind {
      switch kind {
      case .fail(let status, let isAlways) where isAlways || !isRepeat: request.status = status
      case .abort: request.status = 0
      case .wrong: request.isRight = false
      case .fail, .delay, .shuffle: break
      }
    }
    play.requests.append(request)
    if request.status == 200, request.isRight {
      loaded.insert(address)
    } else {
      flaws.append(region)
    }
  }
}
