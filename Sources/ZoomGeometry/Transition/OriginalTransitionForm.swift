/// The form of the transition as quri/Titanium published it, defects included.
///
/// It stores a layer with position, anchor and transform, as UIKit does, and the angle of the last
/// turn. Each gesture handler changes the values that the layer is animated to, so when a gesture
/// interrupts an animation, the picture jumps to the animation's end. The pan that UIKit recognises
/// during a pinch is here the movement of the fingers' midpoint. Nothing is validated: NaN goes in and comes out.
struct OriginalTransitionForm: TransitionForm {
  private let picture: PixelSize
  private let stage: Stage
  /// The corrected transition, which supplies the thumbnail's frame, because the page that holds
  /// the thumbnail was not published.
  private var place: Transition
  private var viewport: ViewSize
  private var transition: OriginalTransition
  /// The image view with the values that it is animated to.
  private var view: ViewLayer
  private var shown: Motion<ViewLayer>
  private var mask = Motion(1.0)
  private var isClosing = false
  /// The angle of the last completed turn: clockwise, in radians.
  private var angle = 0.0
  /// The angle of the current turn and the time of its completion; only the last turn is kept.
  private var turning: (angle: Double, end: Double)?

  init(_ scene: ZoomScene, picture: PixelSize, _ transition: Transition) {
    self.picture = picture
    stage = scene.stage
    place = transition
    viewport = scene.screen.size
    view = ViewLayer(frame: transition.full)
    shown = Motion(view)
    self.transition = Self.transition(from: transition.full, to: transition, stage)
  }

  private static func transition(
    from frame: ViewRect, to place: Transition, _ stage: Stage
  ) -> OriginalTransition {
    OriginalTransition(
      frame: frame, thumbnail: place.thumbnail, ownThumbnail: stage.view,
      cornerRadius: stage.cornerRadius)
  }

  var isMoving: Bool { shown.isMoving || mask.isMoving || turning != nil }

  mutating func advance(to time: Double) {
    shown.advance(to: time)
    mask.advance(to: time)
    if let turning, time >= turning.end {
      angle = turning.angle
      self.turning = nil
    }
  }

  mutating func present(at time: Double) {
    view = ViewLayer(frame: place.full)
    (angle, turning) = (0, nil)
    transition = Self.transition(from: place.full, to: place, stage)
    var start = view
    start.transform = transition.startTransform
    shown.rest(at: start)
    send(at: time, for: TransitionTiming.present, TransitionTiming.presentCurve)
    moveMask(isClosing: false, at: time)
  }

  mutating func dismiss(at time: Double) {
    transition = Self.transition(from: view.frame, to: place, stage)
    view.transform = transition.startTransform
    send(at: time, for: TransitionTiming.dismiss, TransitionTiming.dismissCurve)
    moveMask(isClosing: true, at: time)
  }

  private mutating func moveMask(isClosing: Bool, at time: Double) {
    self.isClosing = isClosing
    mask.rest(at: 0)
    mask.move(to: 1, at: time, for: TransitionTiming.mask, .linear)
  }

  mutating func follow(_ change: FingerTracker.Change, at time: Double) {
    switch change {
    case .panned(let translation):
      view.position = view.position + translation
    case .panEnded(let velocity): return endPan(velocity, at: time)
    case .panReleased: return endPan(ViewPoint(x: 0, y: 0), at: time)
    case .pinchBegan(let centre):
      // Anchor and position move to the fingers; the content does not move. The anchor of a view of
      // size 0 is 0 / 0 (TI-B14).
      let own = view.toParent.inverted()?.apply(to: centre) ?? ViewPoint(x: .nan, y: .nan)
      view.anchor = ViewPoint(x: own.x / view.size.width, y: own.y / view.size.height)
      view.position = centre
    case .pinched(let pinch):
      // Below a scale of 1 the root of each factor is taken, so two events have another effect than
      // one event with their product (TI-B6).
      view.position = view.position + pinch.shift
      let applied = scale < 1 ? pinch.step.squareRoot() : pinch.step
      view.transform = Affine.scale(applied).then(view.transform)
    case .pinchEnded:
      let (scale, maximum) = (scale, PinchBand.publishedMaximum)
      if scale < 1 {
        view.transform = .rotation(angle)
      } else if scale > maximum {
        view.transform = Affine.scale(maximum).then(.rotation(angle))
      }
      return send(at: time, for: TransitionTiming.pinchEnd, .easeInEaseOut)
    case .panBegan, .panHandedOver: return
    // The published code does not handle it: the picture stays as it is (TI-B12).
    case .cancelled: return
    }
    shown.rest(at: view)
  }

  /// Treats the anchor's position as the picture's centre: computes the target from it, moves the
  /// position there, and resets the anchor to the middle (TI-B7).
  ///
  /// After a pinch away from the middle, the content moves even without a velocity.
  private mutating func endPan(_ velocity: ViewPoint, at time: Double) {
    let inertia = PanInertia(
      centre: view.position, velocity: velocity, box: view.frame.size, viewport: viewport)
    view.anchor = Self.middle
    view.position = inertia.target
    let duration = inertia.publishedDuration
    send(at: time, for: duration, inertia.curve(for: duration))
  }

  private static let middle = ViewPoint(x: 0.5, y: 0.5)

  private var scale: Double {
    (view.transform.a * view.transform.a + view.transform.c * view.transform.c).squareRoot()
  }

  /// Dismisses at a scale of exactly 1 (TI-B11).
  ///
  /// Otherwise the transform becomes the identity while the angle stays (TI-B8).
  mutating func singleTap(at time: Double) -> Bool {
    guard scale != 1 else { return true }
    view.anchor = Self.middle
    view.position = viewport.atOrigin.centre
    view.transform = .identity
    send(at: time, for: TransitionTiming.change, .easeInEaseOut)
    return false
  }

  /// Zooms about the anchor and only from the identity: not out again, and not in landscape (TI-B9).
  mutating func doubleTap(_ point: ViewPoint, at time: Double) -> ZoomEvent? {
    guard view.transform == .identity else { return nil }
    view.transform = .scale(PinchBand.publishedMaximum)
    send(at: time, for: TransitionTiming.change, .easeInEaseOut)
    return .zoomIn
  }

  /// Turns from the angle of the last completed turn, not of the current one (TI-B10).
  mutating func turn(to device: DeviceOrientation, isShown: Bool, at time: Double) -> Bool {
    guard isShown else { return false }
    let before = view
    let new =
      switch device {
      case .landscapeLeft: Double.pi / 2
      case .landscapeRight: -Double.pi / 2
      case .faceUp, .faceDown: angle
      case .portrait, .portraitUpsideDown, .unknown: 0.0
      }
    view.transform = Affine.rotation(new - angle).then(view.transform)
    send(at: time, for: TransitionTiming.change, .easeInEaseOut)
    turning = (new, time + TransitionTiming.change)
    return view != before
  }

  /// Stores the thumbnail's new frame; the picture is not refitted.
  mutating func change(to screen: Screen, _ transition: Transition) {
    place = transition
    viewport = screen.size
  }

  func layer(at time: Double) -> PictureLayer {
    let own = view.size.atOrigin
    var drawn = PictureLayer(whole: picture, in: own)
    drawn.transform = shown.value(at: time).toParent
    let share = mask.value(at: time)
    guard isClosing || share < 1 else { return drawn }
    let mask = transition.mask(isClosing: isClosing, at: share)
    // A mask shows nothing outside its layer.
    let (left, top) = (max(mask.x, 0), max(mask.y, 0))
    drawn.mask = ViewRect(
      x: left, y: top, width: max(0, min(mask.maxX, own.maxX) - left),
      height: max(0, min(mask.maxY, own.maxY) - top))
    let end = transition.maskRadius
    drawn.cornerRadius =
      isClosing ? 0.0.moved(towards: end, by: share) : end.moved(towards: 0, by: share)
    return drawn
  }

  private mutating func send(at time: Double, for duration: Double, _ curve: TimingCurve) {
    shown.move(to: view, at: time, for: duration, curve)
  }
}

extension ViewLayer: Movable {
  /// Returns the layer at a share of the way; scale and angle are interpolated separately, as in Core Animation.
  func moved(towards end: ViewLayer, by share: Double) -> ViewLayer {
    guard share != 1 else { return end }
    let (from, to) = (transform, end.transform)
    let turn = (to.angle - from.angle).remainder(dividingBy: 2 * .pi)
    let way = ViewPoint(x: from.tx, y: from.ty)
      .moved(towards: ViewPoint(x: to.tx, y: to.ty), by: share)
    var moved = end
    moved.position = position.moved(towards: end.position, by: share)
    moved.anchor = anchor.moved(towards: end.anchor, by: share)
    moved.transform = Affine.scale(from.factor.moved(towards: to.factor, by: share))
      .then(.rotation(from.angle + share * turn)).then(.translation(x: way.x, y: way.y))
    return moved
  }
}

extension Affine {
  fileprivate var factor: Double { (a * a + b * b).squareRoot() }
}
