/// Touches whose beginning or end a ``LiveZoom`` refused.
///
/// Without it one event with a bad number would make later events of the same touch fail, too.
struct LostTouches: Sendable {
  /// The touches whose beginning was refused and that have not ended, the oldest first.
  private var unseen: [Int] = []
  /// The touches whose end was refused: they are down, unless another touch is reported first.
  private var overdue: [Int] = []

  /// Whether no touch is lost.
  var isEmpty: Bool { unseen.isEmpty && overdue.isEmpty }

  /// Remembers the touches that begin or end in a refused event.
  ///
  /// - Parameters:
  ///   - event: The refused event.
  ///   - fingers: The fingers that are down.
  mutating func refuse(_ event: GestureEvent, _ fingers: FingerTable) {
    if event.kind == .cancelAll {
      for finger in fingers.fingers where !finger.isLifted { Self.add(finger.id, to: &overdue) }
    }
    guard case .touches(let phase, let touches) = event.kind else { return }
    for touch in touches {
      switch (phase, fingers.isDown(touch.id)) {
      case (.began, let isDown) where !isDown || overdue.contains(touch.id):
        Self.add(touch.id, to: &unseen)
      case (.ended, true), (.cancelled, true): Self.add(touch.id, to: &overdue)
      default: break
      }
    }
  }

  /// Returns what is left of an event without touches that were never seen; nil if nothing is left.
  mutating func withoutUnseen(_ event: GestureEvent) -> GestureEvent? {
    guard case .touches(let phase, let touches) = event.kind, !unseen.isEmpty else { return event }
    if phase == .began {
      unseen.removeAll { id in touches.contains { $0.id == id } }
      return event
    }
    let seen = touches.filter { !unseen.contains($0.id) }
    if phase != .moved { unseen.removeAll { id in touches.contains { $0.id == id } } }
    // An event without touches is refused elsewhere.
    guard seen.count < touches.count else { return event }
    return seen.isEmpty ? nil : GestureEvent(time: event.time, kind: .touches(phase, seen))
  }

  /// Returns a cancellation of the touches that have gone, as an event shows: their end was refused,
  /// and it reports others or their number begins again, or has begun again; nil if there are none.
  mutating func takeGone(before event: GestureEvent, at time: Double) -> GestureEvent? {
    if event.kind == .cancelAll { self = LostTouches() }
    guard case .touches(let phase, let touches) = event.kind else { return nil }
    let gone = overdue.filter { id in
      phase == .began || unseen.contains(id) || !touches.contains { $0.id == id }
    }
    overdue.removeAll()
    // Their ends may be reported again, and are passed over then.
    for id in gone { Self.add(id, to: &unseen) }
    guard !gone.isEmpty else { return nil }
    let cancelled = gone.map { Touch(id: $0, point: ViewPoint(x: 0, y: 0)) }
    return GestureEvent(time: time, kind: .touches(.cancelled, cancelled))
  }

  private static func add(_ id: Int, to ids: inout [Int]) {
    ids.removeAll { $0 == id }
    // Events may be refused for ever: of that many touches the oldest are forgotten.
    if ids.count == FingerTable.mostFingers { ids.removeFirst() }
    ids.append(id)
  }
}
