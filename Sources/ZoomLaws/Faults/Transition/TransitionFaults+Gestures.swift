import ZoomGeometry

extension TransitionFaults {
  /// A fault of the gestures: a rule that is taken wrong.
  private static func rule(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout TransitionRules) -> Void
  ) -> Fault {
    Fault(name, summary, origin: origin) { sound in
      var rules = TransitionRules()
      change(&rules)
      var faulty = sound
      faulty.view = TransitionSubject.viewing(rules)
      return faulty
    }
  }

  private static let still = ViewPoint(x: 0, y: 0)

  static let gestures: [Fault] = [
    rule(
      "scale-clamped-translation-kept",
      "A scale beyond the largest is brought back about the picture's middle, and the picture stays "
        + "where it was.", origin: "saseungmin/react-native-gesture-image-viewer#194"
    ) {
      $0.settled = { fit, pose, _, velocity in
        try fit.thrown(pose, about: pose.centre, velocity: velocity).pose
      }
    },
    rule(
      "bounds-of-the-screen",
      "How far a picture may be moved is made from the screen's size, not from the picture's.",
      origin: "saseungmin/react-native-gesture-image-viewer#191"
    ) {
      $0.settled = { fit, pose, point, velocity in
        var settled = try fit.thrown(pose, about: point, velocity: velocity).pose
        let scale = settled.scale / fit.scale
        let free = (fit.viewport.width * (scale - 1) / 2, fit.viewport.height * (scale - 1) / 2)
        let middle = fit.fitted.centre
        settled.centre.x = min(max(pose.centre.x, middle.x - free.0), middle.x + free.0)
        settled.centre.y = min(max(pose.centre.y, middle.y - free.1), middle.y + free.1)
        return settled
      }
    },
    rule(
      "recentred-while-pinched",
      "A picture is kept on the screen while it is pinched, which takes it from the fingers near a "
        + "border.", origin: "darktable-org/darktable#21040"
    ) {
      $0.pinched = { event in
        let pose = try event.pinch.pose(ratio: event.ratio, centre: event.centre)
        let settled = try event.fit.settled(pose, about: event.centre)
        return TransitionPose(centre: settled.centre, scale: pose.scale, turn: pose.turn)
      }
    },
    rule(
      "focal-point-in-the-corner", "The focal point of a pinch is (0, 0).",
      origin: "Theta-Limited/OpenAthenaAndroid#128"
    ) {
      $0.pinched = { event in
        var pose = event.pose
        let scale = try event.pinch.pose(ratio: event.ratio, centre: event.centre).scale
        pose.centre = ViewPoint(
          x: pose.centre.x * scale / pose.scale, y: pose.centre.y * scale / pose.scale)
        pose.scale = scale
        return pose
      }
    },
    rule(
      "frozen-centre", "The middle of the fingers is taken when they come, and never again."
    ) {
      $0.pinched = { try $0.pinch.pose(ratio: $0.ratio, centre: $0.start) }
    },
    rule("band-by-events", "The rubber band takes the root of every event's factor.") {
      $0.pinched = { event in
        let isBelow = event.pose.scale < event.fit.scale
        let factor = isBelow ? event.step.squareRoot() : event.step
        var pose = try event.pinch.pose(ratio: event.ratio, centre: event.centre)
        pose.scale = event.pose.scale * factor
        return pose
      }
    },
    rule("ratio-upside-down", "Fingers that part make the picture smaller.") {
      $0.pinched = { try $0.pinch.pose(ratio: 1 / $0.ratio, centre: $0.centre) }
    },
    rule("no-largest-scale", "A picture may rest at any scale above the fit.") {
      $0.settled = { fit, pose, point, velocity in
        pose.scale > fit.scale * fit.band.maximum
          ? pose : try fit.thrown(pose, about: point, velocity: velocity).pose
      }
    },
    rule("no-smallest-scale", "A picture may rest smaller than the fit.") {
      $0.settled = { fit, pose, point, velocity in
        pose.scale < fit.scale
          ? pose : try fit.thrown(pose, about: point, velocity: velocity).pose
      }
    },
    rule("left-where-it-is", "A pan that ends beside the screen stays there.") {
      $0.settled = { fit, pose, point, velocity in
        var settled = try fit.thrown(pose, about: point, velocity: velocity).pose
        settled.centre = pose.centre
        return settled
      }
    },
    rule("settles-again-and-again", "Each end of a pan moves the picture by half a point.") {
      $0.settled = { fit, pose, point, velocity in
        var settled = try fit.thrown(pose, about: point, velocity: velocity).pose
        settled.centre.x += 0.5
        return settled
      }
    },
    rule("fitted-to-the-bit", "A single tap dismisses at a scale of exactly the fit only.") {
      $0.singleTapped = { $1.scale == $0.scale ? nil : $0.fitted }
    },
    rule("taps-always-dismiss", "A single tap dismisses a zoomed picture too.") {
      $0.singleTapped = { _, _ in nil }
    },
    rule("turns-add-up", "A turn is made from the one before, not from upright.") {
      $0.turned = { device, before in device.contentTurn.map { before + $0 } }
    },
  ]

  static let ends: [Fault] = [
    landing("lasts-as-long-as-it-is-fast", "The duration of a pan has no upper bound.") {
      let velocity = $1.velocity
      let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
      $0.duration = max($0.duration, 0.0004 * speed)
    },
    landing("damping-of-nothing", "A pan that overshoots far swings for ever.") {
      landing, _ in
      landing.damping = 1 - 2 * (1 - landing.damping)
    },
    landing("threshold-of-a-throw", "At 200 pt/s the duration jumps.") { landing, end in
      let speed = (end.velocity.x * end.velocity.x + end.velocity.y * end.velocity.y).squareRoot()
      if speed >= 200 { landing.duration = min(0.0004 * speed, 0.8) }
    },
    taps("single-and-double", "A double tap is a single tap before.") { taps in
      taps.flatMap { tap -> [TapArbiter.Tap] in
        guard tap.isDouble else { return [tap] }
        var single = tap
        single.isDouble = false
        return [single, tap]
      }
    },
    taps("impatient", "A single tap is decided without the delay.") { taps in
      taps.map { tap in
        var early = tap
        if !tap.isDouble { early.time -= 0.1 }
        return early
      }
    },
    taps("late", "A single tap waits a tenth of a second longer.") { taps in
      taps.map { tap in
        var late = tap
        if !tap.isDouble { late.time += 0.1 }
        return late
      }
    },
    Fault("slow-double-taps", "A second tap may come after twice the delay.") { sound in
      var faulty = sound
      faulty.taps = { try sound.taps($0, 2 * $1) }
      return faulty
    },
    Fault("pans-tap", "A finger that moves away taps.") { sound in
      var faulty = sound
      faulty.taps = { events, delay in
        let still = events.filter {
          if case .touches(.moved, _) = $0.kind { false } else { true }
        }
        // Where the finger came down, wherever it is lifted.
        var starts: [Int: ViewPoint] = [:]
        return try sound.taps(
          still.map { event in
            guard case .touches(let phase, let touches) = event.kind else { return event }
            if phase == .began { for touch in touches { starts[touch.id] = touch.point } }
            let unmoved = touches.map { Touch(id: $0.id, point: starts[$0.id] ?? $0.point) }
            return GestureEvent(time: event.time, kind: .touches(phase, unmoved))
          }, delay)
      }
      return faulty
    },
  ]

  private static func landing(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout TransitionSubject.Landing, TransitionSubject.Throw) -> Void
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.landing = { end in
        var landing = try sound.landing(end)
        change(&landing, end)
        return landing
      }
      return faulty
    }
  }

  private static func taps(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable ([TapArbiter.Tap]) -> [TapArbiter.Tap]
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.taps = { change(try sound.taps($0, $1)) }
      return faulty
    }
  }
}
