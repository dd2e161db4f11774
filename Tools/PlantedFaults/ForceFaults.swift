import ZoomGeometry
package import ZoomLaws

package enum ForceFaults {
  package static let all: [SeededFault<ForceSubject>] = [
    Fault(
      "A second finger begins the gesture again.", origin: "Produkt/3dForceTouchExamples FT-B1",
      in: \.recognise
    ) { steps, inputs, _ in
      for (place, input) in inputs.enumerated() where steps[place].entered == [.cancelled] {
        if case .touches(.began, _) = input { steps[place].entered = [.began] }
      }
    },
    // FT-P2: the other laws accept a gesture without an end.
    Fault(
      "A cancelled gesture gets no terminal state.", origin: "Produkt/3dForceTouchExamples FT-B3",
      in: \.recognise
    ) { steps, _, _ in
      for place in steps.indices { steps[place].entered.removeAll { $0 == .cancelled } }
    },
    Fault(
      "The force is in multiples of an average touch's force, not a fraction of the largest force.",
      origin: "Produkt/3dForceTouchExamples FT-B14",
      in: \.recognise
    ) { steps, _, maximum in for place in steps.indices { steps[place].share *= maximum } },
    Fault(
      "When a gesture ends, its force stays.",
      origin: "Produkt/3dForceTouchExamples FT-B4", in: \.recognise
    ) { steps, _, _ in
      for place in steps.indices.dropFirst() where steps[place].entered.last?.isTerminal == true {
        steps[place].share = steps[place - 1].share
      }
    },
    Fault(
      "At the largest force the shadow's radius is not 0.",
      origin: "Produkt/3dForceTouchExamples FT-B7", in: \.shadow
    ) { shadow, button, force in
      shadow.radius += (force / button.maximumForce).clamped(to: 0...1) * button.radius / 20
    },
    Fault("The harder the press, the smaller the button.", in: \.buttonScale) { scale, _, _ in
      scale = 1 / scale
    },
    // Only FT-P8 finds this: FT-P9 tries only a force of 0 and the largest force, and there the button is right.
    Fault(
      "Just below the largest force the button is larger than at the largest.", in: \.buttonScale
    ) { scale, button, force in
      let share = (force / button.maximumForce).clamped(to: 0...1)
      scale += share * (1 - share) / 7
    },
    Fault("The vertical offset of the shadow is reversed.", in: \.shadow) { shadow, _, _ in
      shadow.offset.y = -shadow.offset.y
    },
    Fault("Near the largest force the shadow's radius is negative.", in: \.shadow) {
      shadow, button, force in
      if force > 0.9 * button.maximumForce { shadow.radius = -shadow.radius }
    },
    Fault("A finger beside the view zooms about its own place, outside the view.", in: \.anchor) {
      anchor, press in
      anchor = ViewPoint(
        x: (press.finger.x - press.frame.x) / press.frame.width,
        y: (press.finger.y - press.frame.y) / press.frame.height)
    },
    Fault("Only the width is zoomed.", in: \.frame) { frame, press in
      (frame.y, frame.height) = (press.frame.y, press.frame.height)
    },
    Fault("The zoomed frame is rounded to whole points.", in: \.frame) { frame, _ in
      frame = ViewRect(
        x: frame.x.rounded(), y: frame.y.rounded(), width: frame.width.rounded(),
        height: frame.height.rounded())
    },
    Fault("The zoom follows the force in whole steps.") { faulty, sound in
      faulty.frame = { press in
        var press = press
        press.force = press.force.rounded(.down)
        return try sound.frame(press)
      }
    },
    Fault("A force below zero shows a moment before the animation.") { faulty, sound in
      faulty.time = { force, maximum in
        force < 0 ? force / maximum * ForcePose.duration : try sound.time(force, maximum)
      }
    },
    Fault(
      "At its end the animation is removed.", origin: "Produkt/3dForceTouchExamples FT-B17",
      in: \.pose
    ) { pose, force, maximum in if force >= maximum { pose = .rest } },
    Fault("A press above half plays the animation backwards.", in: \.time) { time, _, _ in
      if time > 0.5 && time < 1 { time = 1 - time }
    },
  ]

  private typealias Fault = SeededFault<ForceSubject>
}
