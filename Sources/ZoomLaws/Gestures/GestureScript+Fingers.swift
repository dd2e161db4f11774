package import ZoomGeometry

extension Sequence<GestureEvent> {
  /// Where the fingers are after some events, by their numbers.
  package func fingers() -> [Int: ViewPoint] {
    var down: [Int: ViewPoint] = [:]
    for event in self { event.follow(&down) }
    return down
  }
}

extension GestureEvent {
  /// Brings the places of the fingers that are down up to date.
  package func follow(_ down: inout [Int: ViewPoint]) {
    switch kind {
    case .touches(let phase, let touches):
      for touch in touches {
        down[touch.id] = phase == .began || phase == .moved ? touch.point : nil
      }
    case .cancelAll: down = [:]
    case .device, .interface, .screen, .close: break
    }
  }
}
