/// The picture of a transition as quri/Titanium moves it.
///
/// Fingers act on the values that the layer is animated to, as in UIKit, so a gesture that meets an
/// animation jumps to its end. The pan that UIKit recognises together with a pinch appears here as
/// the movement of the fingers' middle.
struct OriginalTransitionForm: TransitionForm {
  private let picture: PixelSize
  /// The corrected one, for the thumbnail's place; the page is not what was published.
  private var place: Transition
  private let stage: Stage
  private var transition: OriginalTransition
  private var view: OriginalImageView
  private var layer: Motion<ViewLayer>
  private var mask = Motion(1.0)
  private var isClosing = false
  /// When the turn under way is completed; of several only the last is kept.
  private var turnEnds: Double?

  init(_ scene: ZoomScene, picture: PixelSize, _ transition: Transition) {
    self.picture = picture
    stage = scene.stage
    place = transition
    view = OriginalImageView(frame: transition.full, viewport: scene.screen.size)
    layer = Motion(view.layer)
    self.transition = Self.transition(from: transition.full, to: transition, stage)
  }

  var isMoving: Bool { layer.isMoving || mask.isMoving || turnEnds != nil }

  mutating func advance(to time: Double) {
    layer.advance(to: time)
    mask.advance(to: time)
    if let ends = turnEnds, time >= ends {
      view.completeTurn()
      turnEnds = nil
    }
  }

  mutating func present(at time: Double) {
    view = OriginalImageView(frame: place.full, viewport: view.viewport)
    transition = Self.transition(from: place.full, to: place, stage)
    var start = view.layer
    start.transform = transition.startTransform
    layer.rest(at: start)
    send(at: time, for: TransitionTiming.present, TransitionTiming.presentCurve)
    isClosing = false
    mask.rest(at: 0)
    mask.move(to: 1, at: time, for: TransitionTiming.mask, .linear)
  }

  mutating func dismiss(at time: Double) {
    transition = Self.transition(from: view.layer.frame, to: place, stage)
    view.layer.transform = transition.startTransform
    send(at: time, for: TransitionTiming.dismiss, TransitionTiming.dismissCurve)
    isClosing = true
    mask.rest(at: 0)
    mask.move(to: 1, at: time, for: TransitionTiming.mask, .linear)
  }

  mutating func pan(by translation: ViewPoint, at time: Double) {
    view.pan(by: translation)
    layer.rest(at: view.layer)
  }

  mutating func endPan(velocity: ViewPoint, at time: Double) {
    let inertia = view.endPan(velocity: velocity)
    let curve: TimingCurve =
      inertia.isThrown
      ? .spring(dampingRatio: inertia.damping, velocity: inertia.duration) : .easeInEaseOut
    send(at: time, for: inertia.duration, curve)
  }

  mutating func beginPinch(at centre: ViewPoint, time: Double) {
    view.beginPinch(at: centre)
    layer.rest(at: view.layer)
  }

  mutating func pinch(_ pinch: FingerTracker.Pinch, at time: Double) {
    view.pan(by: pinch.shift)
    view.pinch(by: pinch.step)
    layer.rest(at: view.layer)
  }

  mutating func endPinch(at time: Double) {
    view.endPinch()
    send(at: time, for: TransitionTiming.pinchEnd, .easeInEaseOut)
  }

  /// Nothing was published for it: the picture stays as it is (TI-B12).
  mutating func cancel(at time: Double) {}

  mutating func singleTap(at time: Double) -> Bool {
    if view.singleTap() { return true }
    send(at: time, for: TransitionTiming.change, .easeInEaseOut)
    return false
  }

  mutating func doubleTap(_ point: ViewPoint, at time: Double) -> ZoomEvent? {
    guard view.doubleTap() else { return nil }
    send(at: time, for: TransitionTiming.change, .easeInEaseOut)
    return .zoomIn
  }

  mutating func turn(to device: DeviceOrientation, isShown: Bool, at time: Double) -> Bool {
    guard isShown else { return false }
    let before = view.layer
    view.turn(to: device)
    send(at: time, for: TransitionTiming.change, .easeInEaseOut)
    turnEnds = time + TransitionTiming.change
    return view.layer != before
  }

  /// Takes the thumbnail's new place; the picture is not refitted.
  mutating func change(to screen: Screen, _ transition: Transition) {
    place = transition
    view.viewport = screen.size
  }

  func layer(at time: Double) -> PictureLayer {
    let shown = layer.value(at: time)
    var drawn = PictureLayer(whole: picture, in: view.layer.size.atOrigin)
    drawn.transform = shown.toParent
    let share = mask.value(at: time)
    guard isClosing || share < 1 else { return drawn }
    let mask = isClosing ? transition.mask(closedBy: share) : transition.mask(openedBy: share)
    // A mask shows nothing of a layer beside the layer.
    drawn.mask = mask.intersection(view.layer.size.atOrigin)
    let end = transition.maskRadius
    drawn.cornerRadius =
      isClosing ? 0.0.moved(towards: end, by: share) : end.moved(towards: 0, by: share)
    return drawn
  }

  /// Animates what is seen to where the handlers have put the view.
  private mutating func send(at time: Double, for duration: Double, _ curve: TimingCurve) {
    layer.move(to: view.layer, at: time, for: duration, curve)
  }

  private static func transition(
    from frame: ViewRect, to place: Transition, _ stage: Stage
  ) -> OriginalTransition {
    OriginalTransition(
      frame: frame, thumbnail: place.thumbnail, ownThumbnail: stage.view,
      cornerRadius: stage.cornerRadius)
  }
}

extension ViewRect {
  /// What two rectangles have in common; empty if that is nothing.
  fileprivate func intersection(_ other: ViewRect) -> ViewRect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return ViewRect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }
}
