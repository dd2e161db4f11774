/// The double tap live: a picture in a scroll view as large as the screen.
///
/// A point of the unscaled picture is one of its pixels. Double taps in the picture toggle between
/// the whole of it and a part, single taps are reported, taps beside it are not. One finger scrolls,
/// without inertia, once the picture has been zoomed into for the first time. There is nothing to
/// close, and turning the device does nothing until the screen changes its size.
struct DoubleTapEngine<Form: DoubleTapForm>: ZoomEngine {
  private let picture: PixelSize
  private var screen: Screen
  private var form: Form
  private var position: Motion<ScrollPosition>
  private var taps = TapArbiter()
  private var tracker: FingerTracker
  /// The position at the beginning of a pan, and the movement of the finger since; nil without a pan.
  private var pan: (start: ScrollPosition, push: ViewPoint)?
  /// Whether it has been zoomed into: published, scrolling is never disabled again.
  private var canScroll = false
  private var now = 0.0
  private(set) var events: [ZoomEvent] = []
  private(set) var recogniser = RecogniserState.possible

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    form = try Form(picture: picture, screen: scene.screen)
    position = Motion(form.fitted)
    tracker = FingerTracker(slop: taps.slop)
  }

  /// Nothing here is driven by force.
  var force: Double { 0 }

  var isMoving: Bool { position.isMoving || taps.pendingUntil != nil }

  mutating func clearEvents() { events.removeAll(keepingCapacity: true) }

  mutating func advance(to time: Double) throws(GeometryError) {
    taps.advance(to: time)
    try decideTaps()
    now = time
    position.advance(to: time)
  }

  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      if phase == .began, !fingers.wasTouched { recogniser = .possible }
      tracker.handle(phase, touches, fingers)
      for index in tracker.changes.indices { take(tracker.changes[index]) }
      taps.handle(phase, touches, fingers)
      try decideTaps()
    case .screen(let screen):
      try change(to: screen, fingers)
    case .cancelAll:
      taps.cancel()
      guard fingers.wasTouched else { return }
      if pan != nil { endPan(.cancelled) }
      tracker.abandon()
      events.append(.cancelled)
    case .device, .interface, .close:
      break
    }
  }

  func draw(into layers: inout [Layer]) {
    var layer = PictureLayer(whole: picture, in: form.image.atOrigin)
    layer.transform = position.value(at: now).transform
    layers.append(.picture(layer))
  }

  private mutating func change(
    to screen: Screen, _ fingers: FingerTable
  ) throws(GeometryError) {
    let isResized = screen.size != self.screen.size
    if isResized {
      taps.screenChanged(fingers)
      try decideTaps()
    } else {
      // The scroll view fills the screen whatever its insets.
      guard screen.scale != self.screen.scale else { return self.screen = screen }
    }
    self.screen = screen
    let end = try form.resize(to: screen, from: position.end)
    // A pan is moved onto the pixels of another scale when it ends.
    if isResized || pan == nil && end != position.end { position.rest(at: end) }
    if isResized, pan != nil { pan = (position.end, ViewPoint(x: 0, y: 0)) }
  }

  /// Does what the decided taps ask for.
  private mutating func decideTaps() throws(GeometryError) {
    while let tap = taps.nextTap() {
      let shown = position.value(at: tap.time)
      let place = shown.imagePoint(at: tap.point)
      // Taps beside the picture are not seen; its border is the picture's.
      guard form.image.atOrigin.contains(place) else { continue }
      guard tap.isDouble else {
        events.append(.singleTap)
        continue
      }
      let target = try form.toggled(shown: shown, target: position.end, tapped: place)
      // 0.3 s is what UIKit's own animations take.
      position.move(from: shown, to: target, at: tap.time, for: 0.3, .easeInEaseOut)
      let zoomsIn = target.zoom > form.fitScale
      canScroll = canScroll || zoomsIn
      recogniser = .ended
      events.append(.doubleTap)
      events.append(zoomsIn ? .zoomIn : .zoomOut)
    }
  }

  /// Scrolls as one finger does.
  ///
  /// Movement while the picture may not scroll is lost, so that nothing
  /// jumps afterwards; two fingers scroll nothing.
  private mutating func take(_ change: FingerTracker.Change) {
    switch change {
    case .panned(let way) where canScroll && !position.isMoving:
      recogniser = pan == nil ? .began : .changed
      if pan == nil { events.append(.panBegan) }
      // From the beginning, so that a finger that comes back from beyond the end of the picture has
      // under it what it had (as in UIScrollView).
      let (start, push) = pan ?? (position.end, ViewPoint(x: 0, y: 0))
      pan = (start, push + way)
      position.rest(at: start.scrolled(by: push + way, image: form.image, bounds: form.bounds))
    case .panEnded, .panHandedOver: if pan != nil { endPan(.ended) }
    case .cancelled:
      if pan != nil { endPan(.cancelled) }
      events.append(.cancelled)
    case .panBegan, .panned, .panLeft, .pinchBegan, .pinched, .pinchEnded: break
    }
  }

  private mutating func endPan(_ terminal: RecogniserState) {
    pan = nil
    position.rest(at: form.aligned(position.end))
    events.append(.panEnded)
    recogniser = terminal
  }
}
