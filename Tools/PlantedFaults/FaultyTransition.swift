package import ZoomGeometry
import ZoomLaws

/// The corrected transition with one mistake, as a form of the shipped engine.
package struct FaultyTransition: TransitionForm {
  /// A mistake of the transition.
  package enum Mistake: Sendable {
    case aboutTheMiddle, recentred, focusInTheCorner, frozenCentre, bandByEvents, upsideDown
    case largeStays, smallStays, panStays, creeps, thrownBack
    case tapsDismiss, tapsNeverDismiss, turnsAddUp
    case fitForFill, maskInTheCorner, maskOfTheOtherRatio, radiusUnscaled, radiusSquare
    case movedBeforeScaled, cornerToCorner, fullOfTheWidth, sideJumps, backFromTheZoomed
  }

  private var sound: CorrectedTransitionForm
  private let mistake: Mistake?
  private var transition: Transition
  private var screen: Screen
  private var start = ViewPoint(x: 0, y: 0)
  private var ratio = 1.0
  private var isClosing = false
  private var zoom = 1.0
  private var held = QuarterTurn.none

  package init(
    _ scene: ZoomScene, picture: PixelSize, _ transition: Transition
  ) throws(GeometryError) {
    try self.init(scene, picture: picture, transition, mistake: nil)
  }

  package init(
    _ scene: ZoomScene, picture: PixelSize, _ transition: Transition, mistake: Mistake?
  ) throws(GeometryError) {
    sound = try CorrectedTransitionForm(scene, picture: picture, transition)
    self.mistake = mistake
    self.transition = transition
    screen = scene.screen
  }

  package var isMoving: Bool { sound.isMoving }
  package mutating func advance(to time: Double) { sound.advance(to: time) }

  package mutating func present(at time: Double) {
    isClosing = false
    sound.present(at: time)
  }

  package mutating func dismiss(at time: Double) {
    if let box = try? box(at: time) { zoom = max(box.width / transition.full.width, 1) }
    isClosing = true
    sound.dismiss(at: time)
  }

  package mutating func pan(by translation: ViewPoint, at time: Double) {
    sound.pan(by: translation, at: time)
  }

  package mutating func endPan(velocity: ViewPoint, at time: Double) throws(GeometryError) {
    switch mistake {
    case .panStays: return
    case .thrownBack: try sound.endPan(velocity: velocity.scaled(by: -1), at: time)
    case .creeps:
      sound.pan(by: ViewPoint(x: 0.75, y: 0), at: time)
      try sound.endPan(velocity: velocity, at: time)
    default: try sound.endPan(velocity: velocity, at: time)
    }
  }

  package mutating func beginPinch(at centre: ViewPoint, time: Double) throws(GeometryError) {
    (start, ratio) = (centre, 1)
    try sound.beginPinch(at: focus(centre), time: time)
  }

  package mutating func pinch(_ pinch: FingerTracker.Pinch, at time: Double) throws(GeometryError) {
    var seen = pinch
    seen.centre = focus(pinch.centre)
    switch mistake {
    case .frozenCentre: seen.centre = start
    case .bandByEvents:
      ratio *= pinch.step < 1 ? pinch.step.squareRoot() : pinch.step
      seen.ratio = ratio
    case .upsideDown: seen.ratio = 1 / pinch.ratio
    default: break
    }
    try sound.pinch(seen, at: time)
    guard mistake == .recentred else { return }
    let box = try box(at: time)
    sound.pan(
      by: ViewPoint(
        x: Self.back(box.x, box.maxX, screen.size.width),
        y: Self.back(box.y, box.maxY, screen.size.height)), at: time)
  }

  package mutating func endPinch(at time: Double) throws(GeometryError) {
    let box = try box(at: time)
    let isLarge = box.width > screen.size.width || box.height > screen.size.height
    switch mistake {
    case .largeStays where isLarge, .smallStays where !isLarge: return
    case .aboutTheMiddle:
      try sound.beginPinch(at: box.centre, time: time)
      try sound.endPinch(at: time)
    default: try sound.endPinch(at: time)
    }
  }

  package mutating func cancel(at time: Double) throws(GeometryError) { try sound.cancel(at: time) }

  package mutating func singleTap(at time: Double) -> Bool {
    switch mistake {
    case .tapsDismiss: true
    case .tapsNeverDismiss: false
    default: sound.singleTap(at: time)
    }
  }

  package mutating func doubleTap(
    _ point: ViewPoint, at time: Double
  ) throws(GeometryError) -> ZoomEvent? {
    try sound.doubleTap(point, at: time)
  }

  package mutating func turn(
    to device: DeviceOrientation, isShown: Bool, at time: Double
  ) throws(GeometryError) -> Bool {
    guard mistake == .turnsAddUp, let turn = device.contentTurn else {
      return try sound.turn(to: device, isShown: isShown, at: time)
    }
    held = held + turn
    let added =
      DeviceOrientation.allCases.first { $0.contentTurn == held } ?? DeviceOrientation.portrait
    return try sound.turn(to: added, isShown: isShown, at: time)
  }

  package mutating func change(to screen: Screen, _ transition: Transition) throws(GeometryError) {
    self.screen = screen
    self.transition = transition
    try sound.change(to: screen, transition)
  }

  package func layer(at time: Double) throws(GeometryError) -> PictureLayer {
    var layer = try sound.layer(at: time)
    let (full, thumbnail) = (transition.full, transition.thumbnail)
    if isClosing, mistake == .backFromTheZoomed {
      let middle = ViewPoint(x: thumbnail.x + thumbnail.width / 2, y: thumbnail.y)
      layer.transform = layer.transform
        .then(.translation(x: -middle.x, y: -middle.y)).then(.scale(1 / zoom))
        .then(.translation(x: middle.x, y: middle.y))
    }
    if mistake == .fullOfTheWidth, layer.mask == nil {
      layer.transform = layer.transform.then(.scale(x: 1, y: screen.size.width / full.width * 1.01))
    }
    guard let mask = layer.mask else { return layer }
    switch mistake {
    case .maskInTheCorner: layer.mask = ViewRect(x: 0, y: 0, width: mask.width, height: mask.height)
    case .maskOfTheOtherRatio: layer.mask = nil
    case .sideJumps: layer.mask = ViewRect(x: mask.x, y: 0, width: mask.width, height: full.height)
    case .radiusUnscaled: layer.cornerRadius *= transition.scale
    case .radiusSquare where isClosing: layer.cornerRadius = 0
    case .fitForFill:
      let least = min(thumbnail.width / full.width, thumbnail.height / full.height)
      layer.transform = Affine.translation(x: -full.width / 2, y: -full.height / 2)
        .then(.scale(least / transition.scale))
        .then(.translation(x: full.width / 2, y: full.height / 2)).then(layer.transform)
    case .movedBeforeScaled:
      layer.transform.tx += (transition.scale - 1) * transition.delta.x
      layer.transform.ty += (transition.scale - 1) * transition.delta.y
    case .cornerToCorner: (layer.transform.tx, layer.transform.ty) = (thumbnail.x, thumbnail.y)
    default: break
    }
    return layer
  }

  private func focus(_ centre: ViewPoint) -> ViewPoint {
    mistake == .focusInTheCorner ? ViewPoint(x: 0, y: 0) : centre
  }

  private func box(at time: Double) throws(GeometryError) -> ViewRect {
    let layer = try sound.layer(at: time)
    return layer.transform.boundingBox(of: layer.size.atOrigin)
  }

  /// Returns the movement that makes a picture cover a screen, or centres it.
  private static func back(_ start: Double, _ end: Double, _ length: Double) -> Double {
    if end - start <= length { return (length - start - end) / 2 }
    return start > 0 ? -start : max(0, length - end)
  }
}
