import ZoomGeometry

extension GestureFaults {
  /// Mistakes about two fingers.
  static let pinches: [Fault] = [
    events(
      "frozen-on-the-first-finger", "A pinch is about where the first finger came down.",
      origin: "Suwayomi/Suwayomi-Tsumiru#377"
    ) { frozen($0) },
    shift(
      "jumps-to-the-last-finger",
      "When one of two fingers goes, what was between them jumps to the other.",
      origin: "Glazzes/react-native-zoom-toolkit#36"
    ) { past in
      guard let lift = Lift(past) else { return nil }
      return ViewPoint(x: lift.stays.x - lift.middle.x, y: lift.stays.y - lift.middle.y)
    },
    shift(
      "scales-about-the-last-finger",
      "When one of two fingers goes, the scale of the pinch is made again about the other.",
      origin: "brandtnewlabs/react-native-livechart#251"
    ) { past in
      guard let lift = Lift(past) else { return nil }
      return ViewPoint(
        x: (lift.stays.x - lift.middle.x) * (1 - lift.ratio),
        y: (lift.stays.y - lift.middle.y) * (1 - lift.ratio))
    },
    events(
      "stale-finger",
      "When one of two fingers goes, the other is looked for where it was before the pinch.",
      origin: "osmandapp/OsmAnd#24275"
    ) { stale($0) },
    shift(
      "jumps-when-the-second-comes",
      "As soon as the second finger comes, what is under the first jumps between them, and back when "
        + "it goes.", origin: "mozilla-mobile/focus-android#1185"
    ) { past in
      let down = past.fingers()
      guard down.count == 2, let one = down[0], let other = down[1] else { return nil }
      return ViewPoint(x: (other.x - one.x) / 2, y: (other.y - one.y) / 2)
    },
    events(
      "drifts", "Each event of a pinch moves the picture by a hundredth of a point.",
      origin: "haxiomic/firefox-multi-touch-zoom#36, tomayac/SVGcode#46"
    ) { events in
      var off = 0.0
      return events.map { event in
        guard case .touches(.moved, let touches) = event.kind, touches.count > 1
        else { return event }
        off += 0.01
        let moved = touches.map {
          Touch(id: $0.id, point: ViewPoint(x: $0.point.x + off, y: $0.point.y))
        }
        return GestureEvent(time: event.time, kind: .touches(.moved, moved))
      }
    },
    events("whole-points", "The fingers' places are rounded to whole points.") { events in
      events.map { event in
        guard case .touches(let phase, let touches) = event.kind else { return event }
        let rounded = touches.map {
          Touch(
            id: $0.id, point: ViewPoint(x: $0.point.x.rounded(), y: $0.point.y.rounded()),
            force: $0.force)
        }
        return GestureEvent(time: event.time, kind: .touches(phase, rounded))
      }
    },
    states("pinch-forgotten", "While two fingers are down the picture trails by a state.") {
      states, script in
      states.indices.map { place in
        let past = script.events.prefix { $0.time <= states[place].time + 1e-6 }
        guard place > 0, past.fingers().count > 1 else { return states[place] }
        var trailing = states[place]
        trailing.layers = states[place - 1].layers
        return trailing
      }
    },
  ]

  /// One of two fingers that has gone, while the other one stays.
  private struct Lift {
    /// Where the one is that stays, when the other goes.
    var stays: ViewPoint
    /// What was between them.
    var middle: ViewPoint
    /// The distance of the two over that at the beginning.
    var ratio: Double

    /// Finds the last one in some events; nil if both are there, or none is any more.
    init?(_ events: some Sequence<GestureEvent>) {
      var down: [Int: ViewPoint] = [:]
      var start = 1.0
      var lift: Lift?
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
          let middle = ViewPoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
          lift = Lift(
            stays: one, middle: middle, ratio: Self.distance(before) / max(1, start))
        }
        if down.isEmpty { lift = nil }
      }
      guard let lift else { return nil }
      self = lift
    }

    private init(stays: ViewPoint, middle: ViewPoint, ratio: Double) {
      self.stays = stays
      self.middle = middle
      self.ratio = ratio
    }

    private static func distance(_ down: [Int: ViewPoint]) -> Double {
      let points = Array(down.values)
      let (x, y) = (points[0].x - points[1].x, points[0].y - points[1].y)
      return (x * x + y * y).squareRoot()
    }
  }

  /// The fingers as far apart as they are, about where the first one came down.
  private static func frozen(_ events: [GestureEvent]) -> [GestureEvent] {
    var down: [Int: ViewPoint] = [:]
    var anchor: ViewPoint?
    return events.map { event in
      let before = down
      event.follow(&down)
      if before.count < 2 { anchor = before.values.first ?? down[0] }
      guard case .touches(.moved, let touches) = event.kind, down.count == 2,
        touches.count == 2, let anchor
      else { return event }
      let middle = ViewPoint(
        x: (touches[0].point.x + touches[1].point.x) / 2,
        y: (touches[0].point.y + touches[1].point.y) / 2)
      let frozen = touches.map {
        Touch(
          id: $0.id,
          point: ViewPoint(
            x: $0.point.x - middle.x + anchor.x, y: $0.point.y - middle.y + anchor.y))
      }
      return GestureEvent(time: event.time, kind: .touches(.moved, frozen))
    }
  }

  /// The finger that stays, moved by what it moved while there were two.
  private static func stale(_ events: [GestureEvent]) -> [GestureEvent] {
    var down: [Int: ViewPoint] = [:]
    var pair: [Int: ViewPoint] = [:]
    var off = ViewPoint(x: 0, y: 0)
    return events.map { event in
      let before = down
      event.follow(&down)
      if before.count < 2, down.count == 2 { pair = down }
      if before.count == 2, down.count == 1, let (id, now) = down.first, let then = pair[id] {
        off = ViewPoint(x: now.x - then.x, y: now.y - then.y)
      }
      if down.isEmpty { off = ViewPoint(x: 0, y: 0) }
      guard case .touches(.moved, let touches) = event.kind, down.count == 1
      else { return event }
      let moved = touches.map {
        Touch(
          id: $0.id, point: ViewPoint(x: $0.point.x + off.x, y: $0.point.y + off.y))
      }
      return GestureEvent(time: event.time, kind: .touches(.moved, moved))
    }
  }
}
