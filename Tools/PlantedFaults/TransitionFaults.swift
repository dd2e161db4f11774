import Synchronization
import ZoomGeometry
package import ZoomLaws

package enum TransitionFaults {
  /// Faults of the picture, planted in the shipped engine.
  package static let all: [SeededFault<ReplaySubject>] = [
    fault(
      "A scale above the largest is reduced about the picture's middle, not the fingers' midpoint.",
      .aboutTheMiddle, origin: "saseungmin/react-native-gesture-image-viewer#194"),
    fault(
      "Only the mask's width is animated; its height changes at once.", .sideJumps,
      origin: "quri/Titanium TI-B1"),
    fault(
      "Below the scale at which it began, a pinch damps each step separately, so the sampling rate matters.",
      .bandsSteps, origin: "quri/Titanium TI-B6"),
    fault("Times beyond 1e9 s are refused.", .lateRefused, origin: GestureFaults.ours),
    fault("A pan in one copy of the system disturbs the pan in another.", .copiesShare),
    fault("Each end of a pan moves the picture by 0.3 points.", .creeps),
    fault("A turn is added to the previous one instead of replacing it.", .turnsAddUp),
    fault(
      "The picture is fitted into the thumbnail instead of filling it.", .fitForFill,
      origin: "wxxsw/GSImageViewerController#21"),
    // GE-41: no other law knows the place of a double tap.
    fault(
      "A double tap enlarges about the picture's middle instead of the tapped place.", .aimsAtMiddle
    ),
    // GE-42: the picture still grows with the distance, about the fingers, and comes back.
    fault("A pinch zooms by the square root of the change in distance.", .pinchesLess),
    // GE-19, together with GE-42: everything else about the pinch is right.
    fault("Fingers that part make the picture smaller.", .inverted),
    // TI-P21: no other law taps an enlarged picture and looks whether it leaves.
    fault("A single tap dismisses an enlarged picture, too.", .dismissesEnlarged),
  ]

  private static func fault(
    _ summary: String, _ mistake: FaultyTransition.Mistake, origin: String? = nil
  ) -> SeededFault<ReplaySubject> {
    GestureFaults.systems(summary, origin: origin) { scene, picture in
      // Creating the sound system refuses invalid scenes; otherwise GE-47 would find each of these faults.
      _ = try LiveZoom(.transition, picture: picture, scene: scene)
      let transition = Transition(picture: picture, screen: scene.screen, stage: scene.stage)
      var form = try FaultyTransition(scene, picture: picture, transition)
      form.mistake = mistake
      return LiveZoom(
        .transition, engine: TransitionEngine(scene, picture: picture, transition, form),
        screen: scene.screen)
    }
  }

  package static let throwsAndTaps: [SeededFault<ThrowSubject>] = [
    // TI-P24: the other laws accept any finite place.
    SeededFault("A pan comes to rest where it was thrown, allowed or not.", in: \.landing) {
      landing, thrown in
      landing.target = thrown.centre + thrown.velocity.scaled(by: 0.15)
    },
    // From the original subject TI-P24 expects the published duration, jump included, so only TI-P17 finds the fault.
    SeededFault("At 200 pt/s the duration jumps.", origin: "quri/Titanium TI-B13") { faulty, _ in
      faulty = .original
    },
    SeededFault("A double tap is preceded by a single tap.", in: \.taps) { taps, _, _ in
      taps = taps.flatMap { tap -> [TapArbiter.Tap] in
        var single = tap
        single.isDouble = false
        return tap.isDouble ? [single, tap] : [tap]
      }
    },
  ]
}

/// The corrected transition with one mistake, as a form of the shipped engine.
private struct FaultyTransition: TransitionForm {
  enum Mistake: Sendable {
    case aboutTheMiddle, creeps, turnsAddUp, fitForFill, sideJumps, bandsSteps, lateRefused
    case copiesShare, aimsAtMiddle, pinchesLess, inverted, dismissesEnlarged
  }

  private final class Pans: Sendable { let count = Atomic(0) }

  private var sound: CorrectedTransitionForm
  var mistake: Mistake?
  private var transition: Transition
  private var held = QuarterTurn.none
  private let shared = Pans()
  private var pans = 0
  private var ratio = 1.0

  init(_ scene: ZoomScene, picture: PixelSize, _ transition: Transition) throws(GeometryError) {
    sound = try CorrectedTransitionForm(scene, picture: picture, transition)
    self.transition = transition
  }

  var isMoving: Bool { sound.isMoving }
  mutating func advance(to time: Double) { sound.advance(to: time) }

  mutating func present(at time: Double) { sound.present(at: time) }
  mutating func dismiss(at time: Double) { sound.dismiss(at: time) }

  mutating func follow(_ change: FingerTracker.Change, at time: Double) throws(GeometryError) {
    switch (change, mistake) {
    case (.panBegan, .copiesShare):
      // Found by GE-35, which drives two copies alternately. GE-34 drives one after the other, and
      // no other law pans in a copy.
      pans = 0
      shared.count.store(0, ordering: .relaxed)
    case (.panned, .copiesShare):
      pans += 1
      let all = shared.count.add(1, ordering: .relaxed).newValue
      if pans != all { try sound.follow(change, at: time) }
    case (.panEnded, .creeps), (.panReleased, .creeps):
      // GE-38 allows for 1.25 pixels.
      try sound.follow(.panned(by: ViewPoint(x: 0.3, y: 0)), at: time)
    case (.pinchBegan, .bandsSteps): ratio = 1
    case (.pinched(var fingers), .bandsSteps):
      ratio *= ratio < 1 ? fingers.step.squareRoot() : fingers.step
      fingers.ratio = ratio
      return try sound.follow(.pinched(fingers), at: time)
    case (.pinched(var fingers), .pinchesLess):
      fingers.ratio = fingers.ratio.squareRoot()
      return try sound.follow(.pinched(fingers), at: time)
    case (.pinched(var fingers), .inverted):
      fingers.ratio = 1 / fingers.ratio
      return try sound.follow(.pinched(fingers), at: time)
    case (.pinchEnded, .aboutTheMiddle):
      let layer = try sound.layer(at: time)
      let middle = layer.transform.boundingBox(of: layer.size.atOrigin).centre
      try sound.follow(.pinchBegan(centre: middle), at: time)
    default: break
    }
    try sound.follow(change, at: time)
  }

  mutating func singleTap(at time: Double) -> Bool {
    sound.singleTap(at: time) || mistake == .dismissesEnlarged
  }

  mutating func doubleTap(_ point: ViewPoint, at time: Double) throws(GeometryError) -> ZoomEvent? {
    let middle = try sound.layer(at: time).box.centre
    return try sound.doubleTap(mistake == .aimsAtMiddle ? middle : point, at: time)
  }

  mutating func turn(to device: DeviceOrientation, isShown: Bool, at time: Double)
    throws(GeometryError) -> Bool
  {
    guard mistake == .turnsAddUp, let turn = device.contentTurn else {
      return try sound.turn(to: device, isShown: isShown, at: time)
    }
    held = held + turn
    let added =
      DeviceOrientation.allCases.first { $0.contentTurn == held } ?? DeviceOrientation.portrait
    return try sound.turn(to: added, isShown: isShown, at: time)
  }

  mutating func change(to screen: Screen, _ transition: Transition) throws(GeometryError) {
    self.transition = transition
    try sound.change(to: screen, transition)
  }

  func layer(at time: Double) throws(GeometryError) -> PictureLayer {
    if mistake == .lateRefused, time > 1e9 { _ = try Screen(size: ViewSize(width: 0, height: 0)) }
    var layer = try sound.layer(at: time)
    let (full, thumbnail) = (transition.full, transition.thumbnail)
    switch mistake {
    case .sideJumps:
      layer.mask = layer.mask.map { ViewRect(x: $0.x, y: 0, width: $0.width, height: full.height) }
    case .fitForFill where layer.mask != nil:
      let least = min(thumbnail.width / full.width, thumbnail.height / full.height)
      layer.transform = Affine.scale(least / transition.scale)
        .about(ViewPoint(x: full.width / 2, y: full.height / 2)).then(layer.transform)
    default: break
    }
    return layer
  }
}
