internal import Foundation
internal import ZoomGeometry
package import ZoomLaws

/// A viewer made of arithmetic: it turns a case into the play of a sound or a faulty viewer.
package struct ModelViewer {
  /// A fault; its raw value begins with the law that must find it.
  package enum Fault: String, Sendable, CaseIterable {
    case needsBothFingers = "GE-4"
    case pinchesAboutCentre = "GE-8"
    case holdsFirstFinger = "GE-8 of the first finger"
    case shrinksWhenResized = "GE-9"
    case closesFaster = "GE-10"
    case restsLate = "GE-11"
    case jumpsWhenOneStays = "GE-14"
    case runsAhead = "GE-15"
    case roundsSteps = "GE-18"
    case invertsPinches = "GE-19"
    case movesWhenResized = "GE-22"
    case losesSamples = "GE-26"
    case lagsLeftward = "GE-28"
    case countsReports = "GE-29"
    case tapsAboutCentre = "GE-41"
    case tapsReduce = "GE-41 of scales"
    case tapsEnlargeAgain = "GE-41 of returns"
    case squaresRatio = "GE-42"
    case needsFirstFingerLeft = "GE-42 of directions"
    case keepsCorner = "GE-49"
    case followsThirdFinger = "GE-52"
    case jumpsWhenOneReturns = "GE-56"
    case crashes = "W-S1"
    case beginsLate = "W-S2"
    case dragsSlowly = "W-S2 of speed"
    case misreports = "W-S3"
    case inexact = "W-P1"
    case seam = "W-P2"
    case displaced = "W-P3"
    case gap = "W-P4"
    case coarse = "W-P5"
    case otherColours = "W-P7"
    case fitsWidth = "W-P9"
    case wheelsAboutCentre = "W-G1"
    case wheelsForgetPlace = "W-G1 off centre"
    case wheelsOutAboutCentre = "W-G1 outward"
    case wheelsUnequally = "W-G2"
    case halvesMouse = "GE-15 of mice"
    case glidesBack = "W-G4"
    case glidesOn = "W-G5"
    case finishesAnimation = "W-G6"
    case countsMouseReports = "GE-29 of mice"
    case losesPlace = "GE-9 of zoomed pictures"
    case movesWithRatio = "W-P9 at other ratios"
    case asksOutside = "W-R1"
    case asksAgain = "W-R2"
    case asksAllLevels = "W-R3"
    case leavesLateBlank = "W-R4"
    case neverRetries = "W-R5"
    case blanksLevel = "W-R6"
    case spreadsWrongTile = "W-R6 of wrong tiles"
    case keepsFormerPicture = "W-R8"
    case differsInNewContext = "W-D1"
    // The picture is not shown.
    case blankWhenPinched = "W-G2 blank"
    case blankAfterWheel = "W-G1 blank"
    case blankOnceResized = "GE-9 blank"
    case blankAtHighRatio = "W-P9 blank"
    case blankWhenLate = "W-R4 blank"
    case blankOnceFailed = "W-R5 blank"
    case blankBesideFailure = "W-R6 blank"

    /// The law that must find the fault.
    package var law: String { String(rawValue.prefix { $0 != " " }) }
  }

  let fault: Fault?
  let each: ViewerCase
  var screen: Screen
  var pose: Pose
  var motion: Motion?
  var time = 0.0
  /// The touches that are down, in the order in which they came down.
  var down: [Touch] = []
  var previous: [Int: (time: Double, point: ViewPoint)] = [:]
  var touchStart = (time: 0.0, point: ViewPoint(x: 0, y: 0))
  var lastTap = -1.0
  var velocity = ViewPoint(x: 0, y: 0)
  var way = 0.0
  var wheels = 0
  var resizes = 0
  var unused = ViewPoint(x: 0, y: 0)
  /// Whether the next movement jumps.
  var jumps = false
  var play: ViewerPlay
  var loaded: Set<String> = []
  var flaws: [PixelRegion] = []

  /// The subject of a sound or faulty model, with pictures of three sizes at three ratios.
  package static func subject(_ fault: Fault? = nil) throws -> ViewerSubject {
    let sizes = try [(1501, 1003), (1003, 1501), (1024, 768)].map {
      try PixelSize(width: $0.0, height: $0.1)
    }
    let screen = try Screen(size: ViewSize(width: 364, height: 484))
    let fit = Pose.fit(sizes[0], on: screen).scale
    var traits = ViewerTraits(scales: 0.9 * fit...8 * fit, fitScale: fit)
    traits.wheelFactor = exp(0.2)
    if fault == .beginsLate { traits.dragSlop = 30 }
    if fault == .dragsSlowly { (traits.dragSlop, traits.onwardWay) = (15, 45) }
    traits.taps = true
    traits.tapsReturn = fault != .tapsEnlargeAgain
    traits.adapter = Set(ViewerTraits.AdapterPart.allCases)
    traits.promises = Set(ViewerPromise.allCases)
    return ViewerSubject(
      "model", traits: traits,
      kinds: [TileScheme(.dzi, 128, overlap: 1), .plain, TileScheme(.iiif2, 256)],
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

  mutating func played() -> ViewerPlay {
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
struct Pose: Hashable {
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
struct Motion {
  var from, to: Pose
  var start, end: Double
  /// Whether it slows down, as a thrown picture does; otherwise it eases in and out by cubes.
  var isThrow: Bool

  func pose(at time: Double) -> Pose {
    let part = min(1, max(0, (time - start) / (end - start)))
    let rest = 1 - part
    let eased = part < 0.5 ? 4 * part * part * part : 1 - 4 * rest * rest * rest
    let share = isThrow ? 1 - rest * rest : eased
    return Pose(
      scale: from.scale + share * (to.scale - from.scale), x: from.x + share * (to.x - from.x),
      y: from.y + share * (to.y - from.y))
  }
}
