import Testing

@testable import ZoomGeometry

func finger(
  _ time: Double, _ phase: TouchPhase, _ x: Double, _ y: Double, id: Int = 1
) -> GestureEvent {
  GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: ViewPoint(x, y))]))
}

/// Creates a system on the phone that takes events one by one.
func live(_ system: ZoomSystem, press: PressSource = .force(.usual)) throws -> LiveZoom {
  let scene = ZoomScene(screen: try Screen(size: phone), press: press)
  return try LiveZoom(system, picture: forest, scene: scene)
}

extension FingerTable {
  mutating func accept(_ kind: GestureEvent.Kind, at time: Double) {
    do {
      try take(GestureEvent(time: time, kind: kind))
    } catch {
      Issue.record(error)
    }
  }
}
