/// The picture of a transition as it should move.
///
/// Everything sets out from what is seen, so nothing jumps when one motion interrupts another, and
/// ends on poses that are made from the screen, the picture and the last turn alone.
package struct CorrectedTransitionForm: TransitionForm {
  private let picture: PixelSize
  private var screen: Screen
  private var transition: Transition
  private var fit: TransitionFit
  private var pose: Motion<TransitionPose>
  /// What the picture is still turned further than its pose: a turn goes on while fingers move it.
  private var lag = Motion(0.0)
  /// How far the mask has opened.
  private var opened = Motion(0.0)
  private var pinch: TransitionPinch?
  /// The place about which a scale out of bounds is brought back.
  private var centre: ViewPoint

  package init(
    _ scene: ZoomScene, picture: PixelSize, _ transition: Transition
  ) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    self.transition = transition
    fit = try TransitionFit(
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

  package mutating func pan(by translation: ViewPoint, at time: Double) {
    var moved = pose.value(at: time)
    moved.centre.x += translation.x
    moved.centre.y += translation.y
    pose.rest(at: moved)
  }

  package mutating func endPan(velocity: ViewPoint, at time: Double) throws(GeometryError) {
    // A finger that throws nothing stops no tap's animation that began under it.
    if velocity == ViewPoint(x: 0, y: 0), try endsWhereItMayStay() { return }
    let shown = pose.value(at: time)
    let (settled, inertia) = try fit.thrown(shown, about: shown.centre, velocity: velocity)
    // What stands where it may and was not thrown is not sent anywhere.
    guard settled != shown else { return pose.rest(at: shown) }
    pose.move(to: settled, at: time, for: inertia.duration, inertia.curve)
  }

  package mutating func beginPinch(at centre: ViewPoint, time: Double) throws(GeometryError) {
    pinch = try TransitionPinch(shown(at: time), fit: fit, centre: centre)
    self.centre = centre
  }

  package mutating func pinch(
    _ fingers: FingerTracker.Pinch, at time: Double
  ) throws(GeometryError) {
    guard let pinch else { return }
    centre = fingers.centre
    var moved = try pinch.pose(
      ratio: fingers.ratio, centre: fingers.centre, lag: lag.value(at: time))
    moved.lag = 0
    pose.rest(at: moved)
  }

  package mutating func endPinch(at time: Double) throws(GeometryError) {
    try settle(about: centre, at: time)
  }

  package mutating func cancel(at time: Double) throws(GeometryError) {
    // A finger that has done nothing stops no animation that leads to a place to stay at.
    if pinch == nil, try endsWhereItMayStay() { return }
    try settle(about: pinch == nil ? pose.value(at: time).centre : centre, at: time)
  }

  package mutating func singleTap(at time: Double) -> Bool {
    guard let reset = fit.singleTapped(pose.end) else { return true }
    pose.move(to: reset, at: time, for: TransitionTiming.change, .easeInEaseOut)
    return false
  }

  package mutating func doubleTap(_ point: ViewPoint, at time: Double) throws(GeometryError)
    -> ZoomEvent?
  {
    let zoomsIn = fit.isFitted(pose.end)
    let target = try fit.doubleTapped(pose.end, at: point)
    pose.move(to: target, at: time, for: TransitionTiming.change, .easeInEaseOut)
    return zoomsIn ? .zoomIn : .zoomOut
  }

  package mutating func turn(
    to device: DeviceOrientation, isShown: Bool, at time: Double
  ) throws(GeometryError) -> Bool {
    guard let turn = device.contentTurn, turn != fit.turn else { return false }
    fit = try TransitionFit(picture: picture, screen: screen, turn: turn)
    guard isShown else { return false }
    pinch = nil
    send(to: fit.fitted, at: time, for: TransitionTiming.change, .easeInEaseOut)
    return true
  }

  package mutating func change(to screen: Screen, _ transition: Transition) throws(GeometryError) {
    let isResized = screen.size != self.screen.size
    let isOpen = opened.end == 1
    // Such a picture goes to whole pixels of another scale; fingers may hold one beyond its limits.
    let mayStay = try isResized || !isOpen ? false : endsWhereItMayStay()
    self.screen = screen
    self.transition = transition
    fit = try TransitionFit(picture: picture, screen: screen, turn: fit.turn)
    var end = isOpen ? fit.fitted : transition.start
    if !isResized {
      if isOpen { end = mayStay ? try fit.settled(pose.end, about: pose.end.centre) : pose.end }
      guard end != pose.end else { return }
    }
    // A transition under way is brought to its end: its beginning was on another screen.
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

  /// Sends the picture to a pose, turning the short way.
  private mutating func send(
    to end: TransitionPose, at time: Double, for duration: Double, _ curve: TimingCurve
  ) {
    let shown = shown(at: time)
    let angle = shown.turn.radians + shown.lag - end.turn.radians
    pose.move(to: end, at: time, for: duration, curve)
    lag.rest(at: angle.remainder(dividingBy: 2 * .pi))
    lag.move(to: 0, at: time, for: duration, curve)
  }

  /// Whether the pose, or what it is on its way to, is one to rest in.
  private func endsWhereItMayStay() throws(GeometryError) -> Bool {
    try fit.settled(pose.end, about: pose.end.centre) == pose.end
  }

  private mutating func settle(about point: ViewPoint, at time: Double) throws(GeometryError) {
    pinch = nil
    let shown = pose.value(at: time)
    let settled = try fit.settled(shown, about: point)
    guard settled != shown else { return pose.rest(at: shown) }
    pose.move(to: settled, at: time, for: TransitionTiming.pinchEnd, .easeInEaseOut)
  }
}
