import ZoomGeometry

/// An event of one finger.
func finger(
  _ time: Double, _ phase: TouchPhase, _ x: Double, _ y: Double, id: Int = 1
) -> GestureEvent {
  GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: ViewPoint(x: x, y: y))]))
}

/// A tap that takes a twentieth of a second.
func tap(_ time: Double, _ x: Double, _ y: Double) -> [GestureEvent] {
  [finger(time, .began, x, y), finger(time + 0.05, .ended, x, y)]
}

/// Two taps; the second comes up a fifth of a second after the time.
func twoTaps(_ time: Double, _ x: Double, _ y: Double) -> [GestureEvent] {
  tap(time, x, y) + tap(time + 0.15, x, y)
}

/// The screen turns on its side, or becomes another.
func resize(_ time: Double, _ width: Double, _ height: Double) throws -> GestureEvent {
  let size = ViewSize(width: width, height: height)
  return GestureEvent(time: time, kind: .screen(try Screen(size: size)))
}

/// Plays events on the phone's screen to the end.
func play(
  _ system: ZoomSystem, _ events: [GestureEvent], picture: PixelSize, form: ZoomForm = .corrected,
  screen: ViewSize = phone
) throws -> [ZoomState] {
  let script = try GestureScript(screen: Screen(size: screen), events: events)
  var player = try GesturePlayer(script, system: system, picture: picture, form: form)
  var states: [ZoomState] = []
  while let state = try player.next() { states.append(state) }
  return states
}

extension [ZoomState] {
  /// What happened, in order.
  var happened: [ZoomEvent] { flatMap(\.events) }
}
