import ZoomGeometry
import ZoomLaws

/// A corrected system with a mistake, as an engine.
struct FaultyEngine: ZoomEngine {
  enum Mistake: Sendable {
    case flashes, losesPans, countsTen, settlesLate, jumpsToFinger, keepsScale
  }

  private var zoom: LiveZoom
  private let mistake: Mistake
  /// The time of the last double tap.
  private var tapped = -1.0
  /// The time of the last change of the screen during an animation.
  private var changed = -1.0
  private var down: [Int: ViewPoint] = [:]
  /// Half of the vector from the lifted finger to the remaining one, while only that one is down; otherwise zero.
  private var jump = ViewPoint.zero
  /// The scale and time when a cancellation interrupted the fingers; the scale is 0 once another event has followed.
  private var kept = (scale: 0.0, time: -1.0)
  private(set) var events: [ZoomEvent] = []

  init(_ zoom: LiveZoom, _ mistake: Mistake) { (self.zoom, self.mistake) = (zoom, mistake) }

  var recogniser: RecogniserState { zoom.recogniser }
  var force: Double { zoom.force }
  var isMoving: Bool { zoom.isMoving || isLate }
  private var isLate: Bool { mistake == .settlesLate && zoom.time < changed + 0.1 }

  mutating func clearEvents() { events = [] }

  mutating func advance(to time: Double) throws(GeometryError) {
    try zoom.advance(to: time)
    report()
  }

  mutating func handle(_ event: GestureEvent, _ fingers: FingerTable) throws(GeometryError) {
    if mistake == .countsTen, fingers.fingers.count > 10 {
      // Any error of the geometry will do, and this initialiser throws one.
      _ = try ForceRange(maximum: -1)
    }
    if case .screen = event.kind, zoom.isMoving { changed = event.time }
    if mistake == .keepsScale {
      let isCancelled = event.kind == .cancelAll || event.phase == .cancelled
      if !isCancelled {
        kept.scale = 0
      } else if kept.scale == 0, !zoom.isMoving {
        kept = (try scale(), event.time)
      }
    }
    let before = down
    event.follow(&down)
    if down.count != 1 || before.count > 2 { jump = .zero }
    if mistake == .jumpsToFinger, before.count == 2, down.count == 1, let stays = down.first,
      let one = before[stays.key], let other = before.first(where: { $0.key != stays.key })
    {
      jump = (one - other.value).scaled(by: 0.5)
    }
    try zoom.handle(event)
    if zoom.events.contains(.doubleTap) { tapped = event.time }
    guard mistake == .losesPans, case .touches(.began, _) = event.kind else { return report() }
    report(without: .panEnded)
  }

  private mutating func scale() throws(GeometryError) -> Double {
    for case .picture(let picture) in try zoom.layers() { return picture.scale }
    return 0
  }

  private mutating func report(without lost: ZoomEvent? = nil) {
    events += zoom.events.filter { $0 != lost }
    zoom.clearEvents()
  }

  func draw(into layers: inout [Layer]) throws(GeometryError) {
    var shown = zoom
    if mistake == .flashes, zoom.time < tapped + 0.01 { try shown.advance(to: zoom.time + 1) }
    layers += try shown.layers().map { layer in
      guard case .picture(var picture) = layer else { return layer }
      picture.transform.tx += jump.x + (isLate ? 3 : 0)
      picture.transform.ty += jump.y
      // Only for a second, so that the picture does not jump at a later event.
      let share = kept.scale / picture.scale
      if kept.scale > 0, zoom.time < kept.time + 1, abs(share - 1) > 1e-9 {
        let scaled = Affine.scale(share).about(picture.box.centre)
        picture.transform = picture.transform.then(scaled)
      }
      return .picture(picture)
    }
  }
}

extension PictureLayer {
  fileprivate var scale: Double { transform.determinant.squareRoot() }
}
