import Testing

@testable import ZoomGeometry

/// A script for the full-screen system and the states that it gives.
///
/// Sixty frames a second: a zoom lasts 12 frames, a rotation 15.
struct FullscreenPlay {
  var size = ViewSize(width: 375, height: 667)
  var device = DeviceOrientation.portrait
  var interface = InterfaceOrientation.portrait
  var stage = Stage(view: ViewRect(x: 20, y: 30, width: 100, height: 50))
  var picture = (width: 1600, height: 1200)
  var events: [GestureEvent] = []

  /// A finger that comes down and up.
  mutating func tap(_ x: Double, _ y: Double, at time: Double) {
    let touch = Touch(id: 1, point: ViewPoint(x: x, y: y))
    events.append(GestureEvent(time: time, kind: .touches(.began, [touch])))
    events.append(GestureEvent(time: time, kind: .touches(.ended, [touch])))
  }

  mutating func event(_ kind: GestureEvent.Kind, at time: Double) {
    events.append(GestureEvent(time: time, kind: kind))
  }

  mutating func resize(_ width: Double, _ height: Double, at time: Double) throws {
    let screen = try Screen(size: ViewSize(width: width, height: height))
    events.append(GestureEvent(time: time, kind: .screen(screen)))
  }

  /// Everything that is shown.
  func states(_ form: ZoomForm) throws -> [ZoomState] {
    let script = try GestureScript(
      screen: Screen(size: size), device: device, interface: interface, stage: stage,
      events: events)
    var player = try GesturePlayer(
      script, system: .fullscreen,
      picture: PixelSize(width: picture.width, height: picture.height), form: form)
    var states: [ZoomState] = []
    while let state = try player.next() { states.append(state) }
    return states
  }
}

extension [ZoomState] {
  /// The last state not after a time.
  func shown(at time: Double) throws -> ZoomState {
    try #require(last { $0.time <= time + 1e-9 })
  }
}

extension ZoomState {
  /// The rectangles of one shade, from back to front.
  func fills(_ shade: Double) -> [ViewRect] {
    layers.compactMap { layer in
      guard case .fill(let fill) = layer, fill.shade == shade else { return nil }
      return fill.transform.boundingBox(of: fill.rect)
    }
  }

  /// What the picture covers.
  func pictureFrame() throws -> ViewRect {
    let layer = try #require(picture)
    return layer.transform.boundingBox(
      of: ViewRect(x: 0, y: 0, width: layer.size.width, height: layer.size.height))
  }

  /// Where the picture's up points.
  func up() throws -> ViewPoint { direction(0, -1, under: try #require(picture).transform) }

  /// Whether the caption stands before the picture.
  var isCaptionInFront: Bool {
    guard case .fill(let fill) = layers.last else { return false }
    return fill.shade == FullscreenPage.captionShade
  }
}
