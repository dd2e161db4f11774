internal import Foundation
internal import ZoomGeometry
package import ZoomLaws

/// A viewer made of arithmetic: it turns a case into the play of a sound or a faulty viewer.
package struct ModelViewer {
  /// A fault; its raw value is the law that must find it.
  package enum Fault: String, Sendable, CaseIterable {
    case countsRepeats = "GE-3"
    case needsBothFingers = "GE-4"
    case ignoresHighNumbers = "GE-5"
    case pinchesAboutCentre = "GE-8"
    case shrinksWhenResized = "GE-9"
    case closesFaster = "GE-10"
    case restsLate = "GE-11"
    case jumpsWhenOneStays = "GE-14"
    case runsAhead = "GE-15"
    case roundsSteps = "GE-18"
    case invertsPinches = "GE-19"
    case movesWhenResized = "GE-22"
    case losesSamples = "GE-26"
    case limitsSteps = "GE-28"
    case countsReports = "GE-29"
    case tapsAboutCentre = "GE-41"
    case squaresRatio = "GE-42"
    case keepsCorner = "GE-49"
    case followsThirdFinger = "GE-52"
    case jumpsWhenOneReturns = "GE-56"
    case crashes = "W-S1"
    case beginsLate = "W-S2"
    case misreports = "W-S3"
    case inexact = "W-P1"
    case seam = "W-P2"
    case displaced = "W-P3"
    case gap = "W-P4"
    case coarse = "W-P5"
    case remembersWay = "W-P6"
    case otherColours = "W-P7"
    case blends = "W-P8"
    case fitsWidth = "W-P9"
    case wheelsAboutCentre = "W-G1"
    case wheelsUnequally = "W-G2"
    case halvesMouse = "W-G3"
    case glidesBack = "W-G4"
    case glidesOn = "W-G5"
    case finishesAnimation = "W-G6"
    case countsMouseReports = "W-G7"
    case losesPlace = "W-G8"
    case movesWithRatio = "W-G9"
    case asksOutside = "W-R1"
    case asksAgain = "W-R2"
    case asksAllLevels = "W-R3"
    case leavesLateBlank = "W-R4"
    case neverRetries = "W-R5"
    case blanksLevel = "W-R6"
    case spreadsWrongTile = "W-R7"
    case keepsFormerPicture = "W-R8"
    case differsInNewContext = "W-D1"

    /// The law that must find the fault.
    package var law: String { rawValue }
  }

  private let fault: Fault?
  private let each: ViewerCase
  private var screen: Screen
  private var pose: Pose
  private var motion: Motion?
  private var time = 0.0
  /// The touches that are down, in the order in which they came down.
  private var down: [Touch] = []
  private var previous: [Int: (time: Double, point: ViewPoint)] = [:]
  private var touchStart = (time: 0.0, point: ViewPoint(x: 0, y: 0))
  private var lastTap = -1.0
  private var velocity = ViewPoint(x: 0, y: 0)
  private var way = 0.0
  private var wheels = 0
  private var resizes = 0
  private var unused = ViewPoint(x: 0, y: 0)
  /// Whether the next movement of one finger jumps.
  private var jumps = false
  private var play: ViewerPlay
  private var loaded: Set<String> = []
  private var flaws: [PixelRegion] = []

  /// The subject of a sound or faulty model, with pictures of three sizes at three ratios.
  package static func subject(_ fault: Fault? = nil) throws -> ViewerSubject {
    let sizes = try [(1501, 1003), (1003, 1501), (1024, 768)].map {
      try PixelSize(width: $0.0, height: $0.1)
    }
    let screen = try Screen(size: ViewSize(width: 360, height: 480))
    let fit = Pose.fit(sizes[0], on: screen).scale
    var traits = ViewerTraits(scales: 0.9 * fit...8 * fit, fitScale: fit)
    traits.wheelFactor = exp(0.2)
    traits.doubleTap = ViewerTraits.DoubleTap(factor: 2, isCentring: false, returns: true)
    traits.adapter = Set(ViewerTraits.AdapterPart.allCases)
    traits.promises = Set(ViewerPromise.allCases)
    return ViewerSubject(
      "model", traits: traits,
      kinds: [.deepZoom(side: 128, overlap: 1), .plain, .iiif(level: 2, side: 256)],
      ratios: [1, 1.25, 3], sizes: sizes, play: { playing($0, fault) },
      playFresh: {
        var fresh = playing($0, fault)
        if fault == .differsInNewContext { fresh.looks[fresh.looks.count - 1].digest &+= 1 }
        return fresh
      })
  }

  private static func playing(_ each: ViewerCase, _ fault: Fault?) -> ViewerPlay {
    var model = ModelViewer(each, fault)
    return model.played()
  }

  private init(_ each: ViewerCase, _ fault: Fault?) {
    (self.each, self.fault) = (each, fault)
    screen = each.gesture.script.screen
    let picture = each.gesture.picture
    pose = Pose.fit(picture, on: screen)
    if fault == .fitsWidth {
      let scale = screen.size.width / Double(picture.width)
      pose = Pose(
        scale: scale, x: 0, y: (screen.size.height - scale * Double(picture.height)) / 2)
    }
    play = ViewerPlay(looks: [])
    play.promises = Set(ViewerPromise.allCases)
    guard let show = each.show else { return }
    let centre = screen.bounds.centre
    pose = Pose(
      scale: show.scale, x: centre.x - show.scale * show.centre.x,
      y: centre.y - show.scale * show.centre.y)
  }

  private mutating func played() -> ViewerPlay {
    if fault == .movesWithRatio { pose.x += 8 * (screen.scale - 1) }
    request(level: coarsest)
    look(at: -0.1, after: 0, isSettled: true)
    let events = each.gesture.script.events
    for (index, event) in events.enumerated() {
      let pause = event.time - time
      if index > 0 {
        let now = max(time, event.time - 0.016)
        look(at: now, after: index, isSettled: pause > 0.3 && (motion?.end ?? 0) <= now)
      }
      advance(to: event.time)
      time = event.time
      take(event)
    }
    let rest = max(0, (motion?.end ?? 0) - time)
    play.restAfter = fault == .restsLate ? 4 : rest
    look(at: time + rest + 0.1, after: events.count, isSettled: true)
    if fault == .crashes, events.count > 3 { play.ending = .crashed }
    return play
  }
}

/// The place of a picture: its scale and the screen's point of its origin.
private struct Pose: Hashable {
  var scale, x, y: Double

  var map: Affine { Affine(a: scale, b: 0, c: 0, d: scale, tx: x, ty: y) }

  static func fit(_ picture: PixelSize, on screen: Screen) -> Pose {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let scale = min(screen.size.width / width, screen.size.height / height)
    return Pose(
      scale: scale, x: (screen.size.width - scale * width) / 2,
      y: (screen.size.height - scale * height) / 2)
  }

  /// Returns the pose scaled about a point.
  func scaled(by factor: Double, about point: ViewPoint) -> Pose {
    Pose(
      scale: scale * factor, x: point.x + factor * (x - point.x),
      y: point.y + factor * (y - point.y))
  }

  func moved(by way: ViewPoint) -> Pose { Pose(scale: scale, x: x + way.x, y: y + way.y) }
}

/// A movement from one pose to another.
private struct Motion {
  var from, to: Pose
  var start, end: Double
  /// Whether it slows down, as a thrown picture does.
  var isThrow: Bool

  func pose(at time: Double) -> Pose {
    let part = min(1, max(0, (time - start) / (end - start)))
    let share = isThrow ? 1 - (1 - part) * (1 - part) : part
    return Pose(
      scale: from.scale + share * (to.scale - from.scale), x: from.x + share * (to.x - from.x),
      y: from.y + share * (to.y - from.y))
  }
}

// MARK: Events

extension ModelViewer {
  private var picture: PixelSize { each.gesture.picture }
  private var isZoomed: Bool { pose.scale > 1.01 * Pose.fit(picture, on: screen).scale }

  private mutating func advance(to now: Double) {
    guard let motion else { return }
    pose = motion.pose(at: now)
    if now >= motion.end { self.motion = nil }
  }

  private mutating func take(_ event: GestureEvent) {
    switch event.kind {
    case .touches(.began, let touches): for touch in touches { begin(touch) }
    case .touches(.moved, let touches): move(touches)
    case .touches(.ended, let touches), .touches(.cancelled, let touches):
      for touch in touches { end(touch, isCancelled: event.phase == .cancelled) }
    case .cancelAll: for touch in down { end(touch, isCancelled: true) }
    case .wheel(let at, let by):
      wheels += 1
      let place = fault == .wheelsAboutCentre ? screen.bounds.centre : at
      let share = fault == .wheelsUnequally ? 1 + 0.1 * Double(wheels) : 1
      zoom(by: exp(-0.002 * by.y * share), about: place)
    case .screen(let changed): resize(to: changed)
    case .device, .interface, .close: break
    }
  }

  private mutating func zoom(by factor: Double, about point: ViewPoint) {
    let fit = Pose.fit(picture, on: screen).scale
    let scale = min(max(pose.scale * factor, 0.9 * fit), 8 * fit)
    pose = pose.scaled(by: scale / pose.scale, about: point)
  }

  private mutating func begin(_ touch: Touch) {
    if fault == .ignoresHighNumbers, touch.id > 5 { return }
    if fault == .finishesAnimation, let motion { pose = motion.to }
    if fault != .glidesOn { motion = nil }
    if down.count == 1, fault == .jumpsWhenOneReturns, way > 200 { pose.x += 20 }
    if down.isEmpty {
      touchStart = (time, touch.point)
      unused = ViewPoint(x: 0, y: 0)
    }
    down.append(touch)
    previous[touch.id] = (time, touch.point)
    velocity = ViewPoint(x: 0, y: 0)
  }

  private mutating func move(_ touches: [Touch]) {
    if fault == .needsBothFingers, down.count > 1, touches.count == 1 {
      for touch in touches { replace(touch) }
      return
    }
    var touches = touches
    if fault == .losesSamples {
      touches = touches.indices.filter { index in
        !touches[..<index].contains { $0.id == touches[index].id }
      }.map { touches[$0] }
    }
    for touch in touches {
      let before = pair
      guard let old = down.first(where: { $0.id == touch.id }) else { continue }
      let step = touch.point - old.point
      way += step.length
      if fault == .countsRepeats, step.length == 0 { pose.x += 10 }
      let isMouse = touch.isMouse
      let counting = isMouse ? Fault.countsMouseReports : Fault.countsReports
      if fault == counting { pose.x += 0.3 }
      replace(touch)
      if before.count < 2 { pan(by: step, touch) } else { pinch(from: before, to: pair) }
    }
  }

  private mutating func replace(_ touch: Touch) {
    guard let index = down.firstIndex(where: { $0.id == touch.id }) else { return }
    if let last = previous[touch.id], time > last.time {
      velocity = (touch.point - last.point).times(1 / (time - last.time))
    }
    previous[touch.id] = (time, touch.point)
    down[index] = touch
  }

  /// The points of the two fingers that pinch.
  private var pair: [ViewPoint] {
    let two = fault == .followsThirdFinger ? down.suffix(2) : down.prefix(2)
    return two.map { $0.point }
  }

  private mutating func pan(by step: ViewPoint, _ touch: Touch) {
    var step = step
    if fault == .runsAhead, !touch.isMouse { step = step.times(1.3) }
    if fault == .halvesMouse, touch.isMouse { step = step.times(0.5) }
    if fault == .limitsSteps, step.length > 20 { step = step.times(20 / step.length) }
    if fault == .beginsLate, unused.length < 30 {
      unused = unused + step
      return
    }
    pose = pose.moved(by: step)
    if jumps { pose.x += 30 }
    jumps = false
  }

  private mutating func pinch(from old: [ViewPoint], to new: [ViewPoint]) {
    let start = (old[0] + old[1]).times(0.5)
    let end = (new[0] + new[1]).times(0.5)
    var ratio = (new[1] - new[0]).length / max(1, (old[1] - old[0]).length)
    switch fault {
    case .closesFaster: if ratio < 1 { ratio *= ratio }
    case .roundsSteps: ratio = (ratio * 20).rounded() / 20
    case .invertsPinches: ratio = 1 / ratio
    case .squaresRatio: ratio *= ratio
    default: break
    }
    zoom(by: ratio, about: fault == .pinchesAboutCentre ? screen.bounds.centre : start)
    pose = pose.moved(by: end - start)
  }

  private mutating func end(_ touch: Touch, isCancelled: Bool) {
    guard down.contains(where: { $0.id == touch.id }) else { return }
    down.removeAll { $0.id == touch.id }
    if !down.isEmpty { velocity = ViewPoint(x: 0, y: 0) }
    if down.count == 1, fault == .jumpsWhenOneStays { jumps = true }
    guard down.isEmpty, !isCancelled else { return }
    let isTap =
      time - touchStart.time < 0.3 && (touch.point - touchStart.point).length < 10
    if isTap {
      let isSecond = time - lastTap < 0.35
      lastTap = isSecond ? -1 : time
      guard isSecond else { return }
      let about = fault == .tapsAboutCentre ? screen.bounds.centre : touch.point
      let target =
        isZoomed ? Pose.fit(picture, on: screen) : pose.scaled(by: 2, about: about)
      motion = Motion(from: pose, to: target, start: time, end: time + 0.25, isThrow: false)
      return
    }
    let last = previous[touch.id]?.time ?? 0
    guard time - last < 0.05, velocity.length > 100, way > 0 else { return }
    let glide = velocity.times(fault == .glidesBack ? -0.15 : 0.15)
    let target = inBounds(pose.moved(by: glide))
    motion = Motion(from: pose, to: target, start: time, end: time + 0.5, isThrow: true)
  }

  /// Returns the pose moved so that the picture covers the screen or is in its middle.
  private func inBounds(_ pose: Pose) -> Pose {
    func place(_ start: Double, _ length: Double, _ side: Double) -> Double {
      length <= side ? (side - length) / 2 : min(0, max(side - length, start))
    }
    return Pose(
      scale: pose.scale,
      x: place(pose.x, pose.scale * Double(picture.width), screen.size.width),
      y: place(pose.y, pose.scale * Double(picture.height), screen.size.height))
  }

  private mutating func resize(to changed: Screen) {
    guard changed.size != screen.size else { return }
    resizes += 1
    let (old, wasZoomed) = (screen.bounds.centre, isZoomed)
    screen = changed
    motion = nil
    if !wasZoomed {
      pose = Pose.fit(picture, on: screen)
    } else if fault != .keepsCorner {
      pose = pose.moved(by: screen.bounds.centre - old)
    }
    switch fault {
    case .shrinksWhenResized where resizes > 1: pose = pose.scaled(by: 0.9, about: old)
    case .movesWhenResized where resizes > 1 && !wasZoomed: pose.x += 20
    case .losesPlace where wasZoomed: pose.x += 5
    default: break
    }
  }
}

extension ViewPoint {
  fileprivate func times(_ factor: Double) -> ViewPoint { ViewPoint(x: x * factor, y: y * factor) }
}

// MARK: Looks and requests

extension ModelViewer {
  private mutating func look(at now: Double, after count: Int, isSettled: Bool) {
    let shown = motion?.pose(at: now) ?? pose
    if isSettled { load(shown, at: now) }
    var hasher = Hasher()
    hasher.combine(shown)
    if fault == .remembersWay { hasher.combine(way) }
    hasher.combine(isLate)
    play.reported.append(
      AdapterState(look: play.looks.count, place: reported(shown)))
    play.looks.append(
      ViewerLook(
        time: now, isSettled: isSettled,
        digest: UInt64(bitPattern: Int64(hasher.finalize())),
        sight: .place(ViewerPlace(toScreen: shown.map)), checks: isSettled ? checks(shown) : nil,
        eventsSoFar: count))
  }

  private var isLate: Bool {
    fault == .leavesLateBlank
      && each.delivery.contains {
        switch $0.kind {
        case .delay, .hold, .order: true
        case .fail, .abort, .wrong: false
        }
      }
  }

  private func reported(_ pose: Pose) -> ShownPlace {
    let middle = screen.bounds.centre
    let off = fault == .misreports ? 5 : 0.0
    return ShownPlace(
      centre: ViewPoint(
        x: (middle.x + off - pose.x) / pose.scale, y: (middle.y - pose.y) / pose.scale),
      scale: pose.scale)
  }

  private func checks(_ pose: Pose) -> SightChecks {
    var checks = SightChecks()
    let corner = ViewPoint(x: pose.x * screen.scale, y: pose.y * screen.scale)
    let isWhole =
      abs(corner.x - corner.x.rounded()) < 0.02 && abs(corner.y - corner.y.rounded()) < 0.02
    if abs(pose.scale * screen.scale - 1) < 2e-4, isWhole {
      checks.exact = SightChecks.ExactDifference(
        pixels: fault == .inexact ? 9 : 0, level: fault == .inexact ? 3 : 0, compared: 1000)
    }
    if fault == .seam { checks.seam.score = 20 }
    if fault == .displaced { checks.shift.px = 3 }
    if fault == .gap { checks.backgroundInside = 40 }
    if fault == .coarse { checks.sharpness = 0.5 }
    if fault == .remembersWay {
      checks.shift.px = (way / 70).truncatingRemainder(dividingBy: 0.95)
    }
    if fault == .otherColours, each.content != .card { checks.mean = 9 }
    if fault == .blends, each.tiles.overlap > 0 { checks.blend = 12 }
    if fault == .keepsFormerPicture, each.isSecondPicture { checks.formerBlocks = 2 }
    if isLate { checks.backgroundInside = 9 }
    let whole = PixelRegion(whole: picture)
    let isCovered = loaded.contains("\(coarsest) 0 0")
    if let flaw = flaws.first {
      let isSpread =
        fault == .blanksLevel || fault == .spreadsWrongTile
      if isSpread || !isCovered || fault == .neverRetries {
        checks.backgroundInside = 50
        checks.background = isSpread ? whole : flaw
      }
    }
    return checks
  }

  /// The number of halvings after which the picture is one tile.
  private var coarsest: Int {
    guard let side = each.tiles.side else { return 0 }
    var level = 0
    while max(picture.width, picture.height) > side << level { level += 1 }
    return level
  }

  /// Requests the tiles that a pose needs and that have not come.
  private mutating func load(_ pose: Pose, at now: Double) {
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
      (again.isRepeat, again.wanted) = (true, now)
      play.requests.append(again)
    }
    if fault == .asksOutside {
      play.requests.append(TileRequest(address: "outside", level: level, region: nil, wanted: now))
    }
  }

  private mutating func request(level: Int, seen: ViewRect? = nil, at now: Double = -0.2) {
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

  private mutating func ask(
    _ address: String, _ level: Int, _ region: PixelRegion, _ now: Double
  ) {
    let ordinal = Set(play.requests.map(\.address)).count
    let isRepeat = play.requests.contains { $0.address == address }
    if isRepeat, fault == .neverRetries { return flaws.append(region) }
    var request = TileRequest(
      address: address, level: level, region: region, wanted: now, answered: now,
      isRepeat: isRepeat)
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
      case .fail, .delay, .hold, .order: break
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
