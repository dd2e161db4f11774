import ZoomGeometry

extension ForceFaults {
  static let exhibits: [Fault] = [
    shadow("radius-less-force", "The force is taken off the radius as it is.") {
      $0.radius = $1.radius - $2
    },
    shadow("published-maximum", "The offset is divided by 6.6, whatever the hardware.") {
      $0.offset.x = $1.offset.x * (1 - $2 / 6.6)
    },
    shadow("shadow-upside-down", "The shadow goes to the other side in height.") { shadow, _, _ in
      shadow.offset.y = -shadow.offset.y
    },
    shadow("shadow-grows", "The shadow is blurred more by a harder press.") { shadow, button, _ in
      shadow.radius = button.radius - shadow.radius
    },
    shadow("never-flat", "A tenth of the shadow stays.") { shadow, button, _ in
      shadow.radius = max(shadow.radius, button.radius / 10)
    },
    Fault("button-shrinks", "The button becomes smaller under a harder press.") { sound in
      var faulty = sound
      faulty.buttonScale = { 2 - (try sound.buttonScale($0, $1)) }
      return faulty
    },
    Fault("anchor-unclamped", "A finger beside the view zooms about a place beside it.") { sound in
      var faulty = sound
      faulty.anchor = { press in
        ViewPoint(
          x: (press.finger.x - press.frame.x) / press.frame.width,
          y: (press.finger.y - press.frame.y) / press.frame.height)
      }
      return faulty
    },
    frame("about-the-middle", "The view is zoomed about its middle.") { frame, press in
      ViewRect(
        x: press.frame.x + (press.frame.width - frame.width) / 2,
        y: press.frame.y + (press.frame.height - frame.height) / 2,
        width: frame.width, height: frame.height)
    },
    Fault(
      "about-the-corner", "The focal point of a zoom is (0, 0).",
      origin: "Theta-Limited/OpenAthenaAndroid#128"
    ) { sound in
      var faulty = sound
      faulty.frame = { press in
        var frame = try sound.frame(press)
        (frame.x, frame.y) = (press.frame.x, press.frame.y)
        return frame
      }
      return faulty
    },
    frame("one-axis", "Only the width is zoomed.") { frame, press in
      ViewRect(x: frame.x, y: press.frame.y, width: frame.width, height: press.frame.height)
    },
    frame("whole-points", "The zoomed frame is rounded to whole points.") { frame, _ in
      ViewRect(
        x: frame.x.rounded(), y: frame.y.rounded(), width: frame.width.rounded(),
        height: frame.height.rounded())
    },
    Fault("in-steps", "The zoom goes in steps of one.") { sound in
      var faulty = sound
      faulty.frame = { press in
        var stepped = press
        stepped.force = press.force.rounded(.down)
        return try sound.frame(stepped)
      }
      return faulty
    },
    Fault("zooms-out", "A press makes the view smaller.") { sound in
      var faulty = sound
      faulty.frame = { press in
        let frame = try sound.frame(press)
        return ViewRect(
          x: press.frame.x * 2 - frame.x, y: press.frame.y * 2 - frame.y,
          width: press.frame.width * 2 - frame.width, height: press.frame.height * 2 - frame.height)
      }
      return faulty
    },
    Fault("end-out-of-reach", "The animation's end is at a force of 7.") { sound in
      var faulty = sound
      faulty.time = { force, _ in min(max(force / 7, 0), 1) * ForcePose.duration }
      return faulty
    },
    Fault("past-the-end", "A force beyond the largest leaves the animation behind.") { sound in
      var faulty = sound
      faulty.time = { force, maximum in force / maximum * ForcePose.duration }
      return faulty
    },
    Fault("snaps-back", "At its end the animation is taken away.") { sound in
      var faulty = sound
      faulty.pose = { force, maximum in
        force >= maximum ? .rest : try sound.pose(force, maximum)
      }
      return faulty
    },
    Fault("there-and-back", "A press beyond half plays the animation backwards.") { sound in
      var faulty = sound
      faulty.time = { force, maximum in
        let time = try sound.time(force, maximum)
        return time > 0.5 && time < 1 ? 1 - time : time
      }
      return faulty
    },
  ]

  private static func shadow(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout Shadow, ForceSubject.Button, Double) -> Void
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.shadow = { button, force in
        var shadow = try sound.shadow(button, force)
        change(&shadow, button, force)
        return shadow
      }
      return faulty
    }
  }

  private static func frame(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (ViewRect, ForceSubject.Press) -> ViewRect
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.frame = { change(try sound.frame($0), $0) }
      return faulty
    }
  }
}
