import ZoomGeometry
import ZoomLaws

extension GestureFaults {
  /// Faults of two-finger gestures.
  static let pinches: [Fault] = [
    frozen,
    shift(
      "jumps-to-the-last-finger",
      "When one of two fingers lifts, the middle point jumps to the other.",
      origin: "Glazzes/react-native-zoom-toolkit#36"
    ) { Lift($0)?.way },
    shift(
      "scales-about-the-last-finger",
      "When one of two fingers lifts, the pinch scale is applied again about the other.",
      origin: "brandtnewlabs/react-native-livechart#251"
    ) { past in Lift(past).map { $0.way.scaled(by: 1 - $0.ratio) } }, stale,
    shift(
      "jumps-when-the-second-comes",
      "When the second finger comes, the content under the first jumps between them, and back when "
        + "it goes.", origin: "mozilla-mobile/focus-android#1185"
    ) { past in
      let down = past.fingers()
      guard down.count == 2, let one = down[0], let other = down[1] else { return nil }
      return (other - one).scaled(by: 0.5)
    },
    touches(
      "drifts", "Each event of a pinch moves the picture by a hundredth of a point.",
      origin: "haxiomic/firefox-multi-touch-zoom#36, tomayac/SVGcode#46", from: 0.0
    ) { touches, off, contact in
      guard contact.phase == .moved, touches.count > 1 else { return }
      off += 0.01
      for place in touches.indices { touches[place].point.x += off }
    }, wholePoints,
    states("pinch-forgotten", "While two fingers are down the picture is a state late.") {
      states, script in
      let sound = states
      for place in states.indices.dropFirst() {
        let past = script.events.prefix { $0.time <= states[place].time + 1e-6 }
        if past.fingers().count > 1 { states[place].layers = sound[place - 1].layers }
      }
    },
  ]

  /// Returns a fault that moves the picture by a vector computed from the events up to a state.
  private static func shift(
    _ name: String, _ summary: String, origin: String,
    _ shift: @escaping @Sendable (ArraySlice<GestureEvent>) -> ViewPoint?
  ) -> Fault {
    Fault(name, summary, origin: origin, in: \.play) { states, script, _ in
      for place in states.indices {
        // Due to rounding, the time of a state may lie just before the event that it shows.
        let past = script.events.prefix { $0.time <= states[place].time + 1e-6 }
        guard let way = shift(past) else { continue }
        states[place].changePictures {
          $0.transform = $0.transform.then(.translation(x: way.x, y: way.y))
        }
      }
    }
  }

  /// The lift of one of two fingers while the other one stays.
  private struct Lift {
    /// The vector from the middle of the two fingers to the finger that stays.
    var way: ViewPoint
    /// The ratio of the last distance of the fingers to the first.
    var ratio: Double

    /// Finds the last lift in the events; nil if both fingers are down, or neither.
    init?(_ events: some Sequence<GestureEvent>) {
      var down: [Int: ViewPoint] = [:]
      var start = 1.0
      var lift: (way: ViewPoint, ratio: Double)?
      for event in events {
        let before = down
        event.follow(&down)
        if before.count < 2, down.count == 2 {
          start = Self.distance(down)
          lift = nil
        }
        if before.count == 2, down.count == 1, let (id, _) = down.first, let one = before[id],
          let other = before.first(where: { $0.key != id })?.value
        {
          lift = ((one - other).scaled(by: 0.5), Self.distance(before) / max(1, start))
        }
        if down.isEmpty { lift = nil }
      }
      guard let lift else { return nil }
      (way, ratio) = lift
    }

    private static func distance(_ down: [Int: ViewPoint]) -> Double {
      let points = Array(down.values)
      return points[0].distance(to: points[1])
    }
  }

  private static let frozen = touches(
    "frozen-on-the-first-finger", "A pinch zooms about the start of the first finger.",
    origin: "Suwayomi/Suwayomi-Tsumiru#377", from: ViewPoint?.none
  ) { touches, anchor, contact in
    let down = contact.down
    if contact.before.count < 2 { anchor = contact.before.values.first ?? down[0] }
    guard contact.phase == .moved, down.count == 2, touches.count == 2, let anchor else { return }
    let middle = (touches[0].point + touches[1].point).scaled(by: 0.5)
    for place in touches.indices { touches[place].move(by: anchor - middle) }
  }

  private static let stale = touches(
    "stale-finger",
    "When one of two fingers lifts, the other is assumed where it was before the pinch.",
    origin: "osmandapp/OsmAnd#24275", from: (pair: [Int: ViewPoint](), off: ViewPoint(x: 0, y: 0))
  ) { touches, state, contact in
    let (before, down) = (contact.before, contact.down)
    if before.count < 2, down.count == 2 { state.pair = down }
    if before.count == 2, down.count == 1, let (id, now) = down.first, let then = state.pair[id] {
      state.off = now - then
    }
    if before.isEmpty { state.off = ViewPoint(x: 0, y: 0) }
    guard contact.phase == .moved, down.count == 1 else { return }
    for place in touches.indices { touches[place].move(by: state.off) }
  }
}
