/// The engine of the double tap: a picture in a scroll view as large as the screen.
///
/// An unscaled picture has one point per pixel. Double taps in the picture toggle between all of it
/// and a part. Single taps are reported, and taps beside the picture are ignored. One finger
/// scrolls, without inertia, after the first zoom into the picture. Turning the device has no
/// effect until the screen changes its size.
struct DoubleTapEngine<Form: DoubleTapForm>: ZoomEngine {
  private let picture: PixelSize
  private var screen: Screen
  private var form: Form
  private var position: Motion<ScrollPosition>
  /// The position before its alignment to pixels; later ones are computed from it, so that roundings
  /// do not add up while a screen is dragged through many sizes.
  private var exact: ScrollPosition
  private var taps = TapArbiter()
  private var tracker: FingerTracker
  /// The position at the beginning of the current pan, and the movement of the finger since.
  private var pan: (start: ScrollPosition, push: ViewPoint)?
  /// Whether the picture has been zoomed; scrolling then stays enabled, as published.
  private var canScroll = false
  private var now = 0.0
  private(set) var events: [ZoomEvent] = []
  private(set) var recogniser = RecogniserState.possible

  init(_ scene: ZoomScene, picture: PixelSize) throws(GeometryError) {
    self.picture = picture
    screen = scene.screen
    form = try Form(picture: picture, scale: 1, bounds: screen.size)
    exact = form.fitted
    position = Motion(exact)
    tracker = FingerTracker(slop: taps.slop)
    position.rest(at: aligned(exact))
  }

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
    case .device, .interface, .close, .wheel:
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
    } else if screen.scale == self.screen.scale {
      // The scroll view fills the screen whatever its insets.
      return
    }
    self.screen = screen
    exact = try form.resize(to: screen.size, from: exact)
    let end = aligned(exact)
    // During a pan, alignment to the new pixels waits for its end.
    if isResized || pan == nil && end != position.end { position.rest(at: end) }
    if isResized, pan != nil { pan = (position.end, ViewPoint(x: 0, y: 0)) }
  }

  private mutating func decideTaps() throws(GeometryError) {
    while let tap = taps.nextTap() {
      let shown = position.value(at: tap.time)
      let place = shown.imagePoint(at: tap.point)
      // Taps beside the picture are ignored; its border belongs to it.
      guard form.image.atOrigin.contains(place) else { continue }
      guard tap.isDouble else {
        events.append(.singleTap)
        continue
      }
      exact = try form.toggled(shown: shown, end: position.end, tapped: place)
      let end = aligned(exact)
      // UIKit's animations take 0.3 s.
      position.move(from: shown, to: end, at: tap.time, for: 0.3, .easeInEaseOut)
      let zoomsIn = end.zoom > form.fitScale
      canScroll = canScroll || zoomsIn
      recogniser = .ended
      events.append(.doubleTap)
      events.append(zoomsIn ? .zoomIn : .zoomOut)
    }
  }

  /// Scrolls with one finger.
  ///
  /// Movement while the picture may not scroll is dropped, so that nothing jumps afterwards. Two fingers do not scroll.
  private mutating func take(_ change: FingerTracker.Change) {
    switch change {
    case .panned(let way) where canScroll && !position.isMoving:
      recogniser = pan == nil ? .began : .changed
      if pan == nil { events.append(.panBegan) }
      // The push counts from the pan's beginning, as in UIScrollView: a finger that returns from beyond the picture's
      // end has the same content under it again.
      var (scrolled, push) = pan ?? (position.end, ViewPoint(x: 0, y: 0))
      push = push + way
      pan = (scrolled, push)
      scrolled.offset = limits(scrolled.zoom).clamped(scrolled.offset - push)
      exact = scrolled
      position.rest(at: scrolled)
    case .panEnded, .panHandedOver: if pan != nil { endPan(.ended) }
    case .cancelled:
      if pan != nil { endPan(.cancelled) }
      events.append(.cancelled)
    case .panBegan, .panned, .panReleased, .pinchBegan, .pinched, .pinchEnded: break
    }
  }

  private func limits(_ zoom: Double) -> ScrollLimits {
    ScrollLimits(image: form.image, bounds: form.bounds, zoom: zoom)
  }

  private mutating func endPan(_ terminal: RecogniserState) {
    pan = nil
    position.rest(at: aligned(position.end))
    events.append(.panEnded)
    recogniser = terminal
  }

  /// Returns the position; the corrected form aligns it to screen pixels if each picture pixel covers whole ones.
  private func aligned(_ position: ScrollPosition) -> ScrollPosition {
    guard Form.form == .corrected, screen.showsWhole(pixelOf: position.zoom) else {
      return position
    }
    var aligned = position
    aligned.origin.x = screen.onPixel(position.origin.x)
    aligned.origin.y = screen.onPixel(position.origin.y)
    let furthest = limits(position.zoom).furthest
    aligned.offset.x = screen.onPixel(position.offset.x, upTo: furthest.x)
    aligned.offset.y = screen.onPixel(position.offset.y, upTo: furthest.y)
    return aligned
  }
}

protocol DoubleTapForm: Sendable {
  static var form: ZoomForm { get }

  init(picture: PixelSize, scale: Double, bounds: ViewSize) throws(GeometryError)

  /// The unscaled size of the picture, in points.
  var image: ViewSize { get }
  var bounds: ViewSize { get }
  var fitScale: Double { get }
  var fitted: ScrollPosition { get }

  /// Returns the position after a double tap in the picture.
  ///
  /// `shown` is the visible position, `end` the position after the current animation, and `place`
  /// the tapped image point. With checked events it does not throw.
  func toggled(
    shown: ScrollPosition, end: ScrollPosition, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition

  mutating func resize(
    to bounds: ViewSize, from position: ScrollPosition
  ) throws(GeometryError) -> ScrollPosition
}
