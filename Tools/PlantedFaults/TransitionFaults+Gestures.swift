import ZoomGeometry
import ZoomLaws

extension TransitionFaults {
  /// A fault of the gestures: a rule that is taken wrong.
  private static func rule(
    _ name: String, _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout TransitionRules) -> Void
  ) -> Fault {
    Fault(name, summary, origin: origin) { faulty, _ in
      var rules = TransitionRules()
      change(&rules)
      faulty.view = TransitionSubject.viewing(rules)
    }
  }

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
}
