import Testing

@testable import ZoomGeometry

/// Returns an event of one finger.
func finger(
  _ time: Double, _ phase: TouchPhase, _ x: Double, _ y: Double, id: Int = 1
) -> GestureEvent {
  GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: ViewPoint(x, y))]))
}

/// Returns a tap of a twentieth of a second.
func tap(_ time: Double, _ x: Double, _ y: Double) -> [GestureEvent] {
  [finger(time, .began, x, y), finger(time + 0.05, .ended, x, y)]
}

/// Returns a change to another screen.
func resize(_ time: Double, _ width: Double, _ height: Double) throws -> GestureEvent {
  let size = ViewSize(width, height)
  return GestureEvent(time: time, kind: .screen(try Screen(size: size)))
}

/// Returns the states of a system that plays events to the end.
func play(
  _ system: ZoomSystem, _ events: [GestureEvent], picture: PixelSize = forest,
  form: ZoomForm = .corrected, screen: ViewSize = phone, scale: Double = 1,
  insets: ViewInsets = .none, maximumForce: Double = GestureScript.usualMaximumForce,
  press: PressKind? = nil, device: DeviceOrientation = .portrait,
  interface: InterfaceOrientation = .portrait, stage: Stage = Stage()
) throws -> [ZoomState] {
  let script = try GestureScript(
    screen: Screen(size: screen, scale: scale, insets: insets), maximumForce: maximumForce,
    press: press, device: device, interface: interface, stage: stage, events: events)
  var player = try GesturePlayer(script, system: system, picture: picture, form: form)
  var states: [ZoomState] = []
  while let state = try player.next() { states.append(state) }
  return states
}

/// Creates a system that takes events one by one.
func live(
  _ system: ZoomSystem, _ form: ZoomForm = .corrected, picture: PixelSize = forest,
  screen: Screen? = nil, press: PressSource = .force(.usual)
) throws -> LiveZoom {
  let scene = ZoomScene(screen: try screen ?? Screen(size: phone), press: press)
  return try LiveZoom(system, picture: picture, scene: scene, form: form)
}

extension Layer {
  /// The fill layer; nil for other layers.
  var fill: FillLayer? { if case .fill(let layer) = self { layer } else { nil } }
}

extension ViewSize {
  /// The size with width and height exchanged.
  var transposed: ViewSize { ViewSize(height, width) }
}
