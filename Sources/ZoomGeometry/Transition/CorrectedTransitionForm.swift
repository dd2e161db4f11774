/// The corrected form of the transition.
///
/// Every animation starts from the visible pose, so nothing jumps when one interrupts another, and
/// ends in a pose in which the picture may rest.
package struct CorrectedTransitionForm: TransitionForm {
  private let picture: PixelSize
  private var screen: Screen
  private var transition: Transition
  private var fit: TransitionFit
  private var pose: Motion<TransitionPose>
  /// The rotation in addition to the pose's turn, animated even while fingers move the picture.
  private var lag = Motion(0.0)
  /// The share to which the mask is open.
  private var opened = Motion(0.0)
  private var pinch: TransitionPinch?
  /// The point about which a scale out of bounds is clamped: the last midpoint of a pinch.
  private var centre: ViewPoint

  package init(
    _ scene: ZoomScene, picture: PixelSize, _ transition: Transition
  ) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    self.transition = transition
    fit = TransitionFit(
      picture: picture, screen: screen, turn: scene.device.contentTurn ?? .none)
    pose = Motion(transition.start)
    centre = fit.fitted.centre
  }

  package var isMoving: Bool { pose.isMoving || lag.isMoving || opened.isMoving }

  package mutating func advance(to time: Double) {
    pose.advance(to: time)
    lag.advance(to: time)
    opened.advance(to: time)
  }

  package mutating func present(at time: Double) {
    send(to: fit.fitted, at: time, for: TransitionTiming.present, TransitionTiming.presentCurve)
    opened.move(to: 1, at: time, for: TransitionTiming.mask, .linear)
  }

  package mutating func dismiss(at time: Double) {
    send(
      to: transition.start, at: time, for: TransitionTiming.dismiss, TransitionTiming.dismissCurve)
    opened.move(to: 0, at: time, for: TransitionTiming.mask, .linear)
    pinch = nil
  }

  package mutating func follow(
    _ change: FingerTracker.Change, at time: Double
  ) throws(GeometryError) {
    let shown = shown(at: time)
    switch change {
    case .panned(let translation):
      var moved = pose.value(at: time)
      moved.centre = moved.centre + translation
      pose.rest(at: moved)
    case .panEnded(let velocity): endPan(velocity, at: time)
    case .panReleased: endPan(ViewPoint(x: 0, y: 0), at: time)
    case .pinchBegan(let centre):
      pinch = TransitionPinch(shown, fit: fit, centre: centre)
      self.centre = centre
    case .pinched(let fingers):
      guard let pinch else { return }
      centre = fingers.centre
      var moved = pinch.pose(ratio: fingers.ratio, centre: centre, lag: shown.lag)
      moved.lag = 0
      pose.rest(at: moved)
    case .pinchEnded:
      settle(about: centre, at: time)
    case .cancelled:
      // Without a pinch, a cancellation does not stop an animation to an acceptable pose.
      if pinch == nil, endsAcceptably { return }
      settle(about: pinch == nil ? shown.centre : centre, at: time)
    case .panBegan, .panHandedOver: break
    }
  }

  private mutating func endPan(_ velocity: ViewPoint, at time: Double) {
    // A finger that rests does not stop the animation of a tap.
    if velocity == ViewPoint(x: 0, y: 0), endsAcceptably { return }
    let shown = pose.value(at: time)
    let (settled, inertia) = fit.thrown(shown, about: shown.centre, velocity: velocity)
    guard settled != shown else { return pose.rest(at: shown) }
    pose.move(to: settled, at: time, for: inertia.duration, inertia.curve(for: inertia.duration))
  }

  package mutating func singleTap(at time: Double) -> Bool {
    if fit.isFitted(pose.end) { return true }
    // The turn stays. The published tap resets the transform but keeps the angle, so the next turn
    // starts from an angle that is no longer shown (TI-B8).
    pose.move(to: fit.fitted, at: time, for: TransitionTiming.change, .easeInEaseOut)
    return false
  }

  package mutating func doubleTap(_ point: ViewPoint, at time: Double) throws(GeometryError)
    -> ZoomEvent?
  {
    let zoomsIn = fit.isFitted(pose.end)
    let target = fit.doubleTapped(pose.end, at: point)
    pose.move(to: target, at: time, for: TransitionTiming.change, .easeInEaseOut)
    return zoomsIn ? .zoomIn : .zoomOut
  }

  package mutating func turn(
    to device: DeviceOrientation, isShown: Bool, at time: Double
  ) throws(GeometryError) -> Bool {
    guard let turn = device.contentTurn, turn != fit.turn else { return false }
    fit = TransitionFit(picture: picture, screen: screen, turn: turn)
    guard isShown else { return false }
    pinch = nil
    send(to: fit.fitted, at: time, for: TransitionTiming.change, .easeInEaseOut)
    return true
  }

  package mutating func change(to screen: Screen, _ transition: Transition) throws(GeometryError) {
    let isResized = screen.size != self.screen.size
    let isOpen = opened.end == 1
    // A picture that fingers hold beyond its bounds is not aligned to the new pixels.
    let isAcceptable = !isResized && isOpen && endsAcceptably
    self.screen = screen
    self.transition = transition
    fit = TransitionFit(picture: picture, screen: screen, turn: fit.turn)
    var end = isOpen ? fit.fitted : transition.start
    if !isResized {
      if isOpen {
        end = isAcceptable ? fit.settled(pose.end, about: pose.end.centre) : pose.end
      }
      guard end != pose.end else { return }
    }
    // A running animation jumps to its end, because its start belongs to another screen.
    pose.rest(at: end)
    lag.rest(at: 0)
    opened.rest(at: opened.end)
    if isResized { pinch = nil }
  }

  package func layer(at time: Double) throws(GeometryError) -> PictureLayer {
    try transition.layer(of: picture, at: shown(at: time), openedBy: opened.value(at: time))
  }

  private func shown(at time: Double) -> TransitionPose {
    var shown = pose.value(at: time)
    shown.lag = lag.value(at: time)
    return shown
  }

  /// Animates the picture to a pose, turning the short way.
  private mutating func send(
    to end: TransitionPose, at time: Double, for duration: Double, _ curve: TimingCurve
  ) {
    let shown = shown(at: time)
    let angle = shown.turn.radians + shown.lag - end.turn.radians
    pose.move(to: end, at: time, for: duration, curve)
    lag.rest(at: angle.remainder(dividingBy: 2 * .pi))
    lag.move(to: 0, at: time, for: duration, curve)
  }

  /// Whether the pose, or the end of its animation, is one in which a picture may rest.
  private var endsAcceptably: Bool { fit.settled(pose.end, about: pose.end.centre) == pose.end }

  private mutating func settle(about point: ViewPoint, at time: Double) {
    pinch = nil
    let shown = pose.value(at: time)
    let settled = fit.settled(shown, about: point)
    guard settled != shown else { return pose.rest(at: shown) }
    pose.move(to: settled, at: time, for: TransitionTiming.pinchEnd, .easeInEaseOut)
  }
}
