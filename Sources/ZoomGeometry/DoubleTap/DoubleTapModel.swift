/// The double tap as a machine: a picture in a scroll view as large as the screen.
///
/// A point of the unscaled picture is one of its pixels. Double taps in the picture toggle between
/// the whole of it and a part, single taps are reported, taps beside it are not. One finger scrolls,
/// without inertia, once the picture has been zoomed into for the first time. There is nothing to
/// close, and turning the device does nothing until the screen changes its size.
struct DoubleTapModel: ZoomModel, Sendable {
  /// How long zooming takes, in seconds: what UIKit's own animations take.
  static let duration = 0.3

  private let picture: PixelSize
  private var geometry: DoubleTapGeometry
  /// Where the picture is, or where the animation leads.
  private var target: ScrollPosition
  private var start: ScrollPosition
  private var animation: Animation?
  private var arbiter = TapArbiter()
  private var pan = PanTracker()
  /// Whether it has been zoomed into: published, scrolling is never disabled again.
  private var canScroll = false
  private var now = 0.0
  private var events: [ZoomEvent] = []

  private(set) var recogniser: RecogniserState = .possible

  var force: Double { 0 }

  init(_ script: GestureScript, picture: PixelSize, form: ZoomForm) throws(GeometryError) {
    self.picture = picture
    geometry = try DoubleTapGeometry(picture: picture, bounds: script.screen.size, form: form)
    target = geometry.fitted
    start = target
  }

  var isMoving: Bool { animation != nil || arbiter.pendingUntil != nil }

  mutating func advance(to time: Double) throws(GeometryError) {
    arbiter.advance(to: time)
    try decideTaps()
    now = time
    if animation?.isOver(at: time) == true { animation = nil }
  }

  mutating func handle(_ event: GestureEvent) throws(GeometryError) {
    switch event.kind {
    case .touches(let phase, let touches):
      follow(
        pan.handle(
          phase, touches, slop: arbiter.slop, isEnabled: canScroll && animation == nil))
      try arbiter.handle(phase, touches, at: event.time)
      try decideTaps()
    case .screen(let screen):
      guard screen.size != geometry.bounds else { return }
      target = try geometry.resize(to: screen.size, from: target)
      animation = nil
      pan.screenChanged()
    case .cancelAll:
      follow(pan.cancel())
      arbiter.cancel()
      events.append(.cancelled)
    case .device, .interface, .close:
      break
    }
  }

  func layers() throws(GeometryError) -> [Layer] {
    var layer = PictureLayer(whole: picture, in: geometry.image.atOrigin)
    layer.transform = shown(at: now).transform
    return [.picture(layer)]
  }

  mutating func takeEvents() -> [ZoomEvent] {
    defer {
      events = []
      // A gesture that is over has been seen to be.
      if recogniser.isTerminal { recogniser = .possible }
    }
    return events
  }

  /// What is shown at a time.
  private func shown(at time: Double) -> ScrollPosition {
    guard let animation else { return target }
    return start.moved(towards: target, by: animation.progress(at: time))
  }

  /// Does what the taps ask for that have been told from each other.
  private mutating func decideTaps() throws(GeometryError) {
    for tap in arbiter.takeTaps() {
      let shown = shown(at: tap.time)
      let place = shown.imagePoint(at: tap.point)
      guard geometry.contains(place) else { continue }
      guard tap.isDouble else {
        events.append(.singleTap)
        continue
      }
      start = shown
      target = try geometry.toggled(shown: shown, target: target, tapped: place)
      animation = Animation(start: tap.time, duration: Self.duration, curve: .easeInEaseOut)
      let zoomsIn = target.zoom > geometry.fitScale
      canScroll = canScroll || zoomsIn
      recogniser = .ended
      events += [.doubleTap, zoomsIn ? .zoomIn : .zoomOut]
    }
  }

  /// Scrolls as a finger does.
  private mutating func follow(_ steps: [PanTracker.Step]) {
    for step in steps {
      switch step {
      case .began(let push):
        events.append(.panBegan)
        recogniser = .began
        scroll(by: push)
      case .changed(let push):
        recogniser = .changed
        scroll(by: push)
      case .ended:
        events.append(.panEnded)
        recogniser = .ended
      case .cancelled:
        events.append(.panEnded)
        recogniser = .cancelled
      }
    }
  }

  private mutating func scroll(by push: ViewPoint) {
    target = target.scrolled(by: push, image: geometry.image, bounds: geometry.bounds)
  }
}
