import ZoomGeometry
package import ZoomLaws

/// Faults of force presses.
package enum ForceFaults {
  package static let all: [SeededFault<ForceSubject>] = recogniser + exhibits

  private typealias Fault = SeededFault<ForceSubject>

  /// Returns a fault that changes the steps of the recogniser one by one.
  private static func steps<State>(
    _ name: String, _ summary: String, from state: State,
    _ change:
      @escaping @Sendable (inout ForceSubject.RecogniserStep, inout State, _ maximum: Double) ->
      Void
  ) -> Fault where State: Sendable {
    Fault(name, summary, in: \.recognise) { steps, _, maximum in
      var state = state
      for place in steps.indices { change(&steps[place], &state, maximum) }
    }
  }

  private static func inputs(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (ForceSubject.RecogniserInput) -> ForceSubject.RecogniserInput
  ) -> Fault {
    Fault(name, summary) { faulty, sound in
      faulty.recognise = { try sound.recognise($0.map(change), $1) }
    }
  }

  private static let recogniser: [Fault] = [
    inputs("second-finger-unseen", "Only the first finger is examined.") { input in
      guard case .touches(let phase, let touches) = input else { return input }
      // An unrelated touch keeps inputs and steps aligned.
      let first = touches.filter { $0.id == 0 }
      return .touches(
        first.isEmpty ? .moved : phase,
        first.isEmpty ? [Touch(id: 99, point: ViewPoint(x: 0, y: 0))] : first)
    },
    inputs("cancellation-unheard", "A cancelled touch counts as one that rests.") { input in
      if case .touches(.cancelled, let touches) = input { .touches(.moved, touches) } else { input }
    },
    steps("force-survives", "The force of the last touch stays after its end.", from: 0.0) {
      step, last, _ in if step.finger == nil { step.share = last } else { last = step.share }
    },
    steps(
      "zoom-survives", "Zoom and animation are reset when a touch ends, not when it fails.",
      from: ForceSubject.RecogniserStep?.none
    ) { step, last, _ in
      if step.entered.last == .ended || step.finger != nil { last = step }
      if step.finger == nil, let last { step.finger = last.finger }
    },
    steps("changes-first", "The first event of a touch is a change.", from: ()) { step, _, _ in
      step.entered = step.entered.map { $0 == .began ? .changed : $0 }
    },
    steps("begins-again", "Every change begins the gesture again.", from: ()) { step, _, _ in
      step.entered = step.entered.map { $0 == .changed ? .began : $0 }
    },
    steps("ends-and-fails", "A gesture that has ended also fails.", from: ()) { step, _, _ in
      if step.entered.last == .ended { step.entered.append(.failed) }
    },
    steps(
      "fraction-of-an-average", "The force is a fraction of an average touch.", from: ()
    ) { step, _, maximum in step.share *= maximum },
  ]

  private static let exhibits: [Fault] = [
    Fault("radius-less-force", "The force is subtracted from the radius unscaled.", in: \.shadow) {
      $0.radius = $1.radius - $2
    },
    Fault(
      "published-maximum", "The offset is divided by 6.6, whatever the hardware.", in: \.shadow
    ) { $0.offset.x = $1.offset.x * (1 - $2 / 6.6) },
    Fault(
      "shadow-upside-down", "The vertical offset of the shadow is reversed.", in: \.shadow
    ) { shadow, _, _ in shadow.offset.y = -shadow.offset.y },
    Fault(
      "shadow-grows", "The shadow is blurred more by a harder press.", in: \.shadow
    ) { shadow, button, _ in shadow.radius = button.radius - shadow.radius },
    Fault("past-flat-and-back", "The shadow swings past its end shortly before it.", in: \.shadow) {
      shadow, button, force in
      if force > 0.9 * button.maximumForce { shadow.radius = -shadow.radius }
    },
    Fault("never-flat", "A tenth of the shadow remains.", in: \.shadow) { shadow, button, _ in
      shadow.radius = max(shadow.radius, button.radius / 10)
    },
    Fault(
      "button-shrinks", "The button becomes smaller under a harder press.", in: \.buttonScale
    ) { scale, _, _ in scale = 2 - scale },
    Fault(
      "anchor-unclamped", "A finger beside the view zooms about a place outside.", in: \.anchor
    ) { anchor, press in
      anchor = ViewPoint(
        x: (press.finger.x - press.frame.x) / press.frame.width,
        y: (press.finger.y - press.frame.y) / press.frame.height)
    },
    Fault("about-the-middle", "The view is zoomed about its middle.", in: \.frame) { frame, press in
      frame.x = press.frame.x + (press.frame.width - frame.width) / 2
      frame.y = press.frame.y + (press.frame.height - frame.height) / 2
    },
    Fault(
      "about-the-corner", "The focal point of a zoom is (0, 0).",
      origin: "Theta-Limited/OpenAthenaAndroid#128", in: \.frame
    ) { frame, press in (frame.x, frame.y) = (press.frame.x, press.frame.y) },
    Fault("one-axis", "Only the width is zoomed.", in: \.frame) { frame, press in
      (frame.y, frame.height) = (press.frame.y, press.frame.height)
    },
    Fault("whole-points", "The zoomed frame is rounded to whole points.", in: \.frame) { frame, _ in
      frame = ViewRect(
        x: frame.x.rounded(), y: frame.y.rounded(), width: frame.width.rounded(),
        height: frame.height.rounded())
    },
    Fault("in-steps", "The zoom goes in steps of one.", before: \.frame) {
      $0.force = $0.force.rounded(.down)
    },
    Fault("zooms-out", "A press makes the view smaller.", in: \.frame) { frame, press in
      frame = ViewRect(
        x: press.frame.x * 2 - frame.x, y: press.frame.y * 2 - frame.y,
        width: press.frame.width * 2 - frame.width, height: press.frame.height * 2 - frame.height)
    },
    Fault("end-out-of-reach", "The animation's end is at a force of 7.") { faulty, _ in
      faulty.time = { force, _ in min(max(force / 7, 0), 1) * ForcePose.duration }
    },
    Fault("before-the-start", "A force below zero shows a moment before the animation.") {
      faulty, sound in
      faulty.time = { force, maximum in
        force < 0 ? force / maximum * ForcePose.duration : try sound.time(force, maximum)
      }
    },
    Fault("past-the-end", "A force above the largest passes the animation's end.") { faulty, _ in
      faulty.time = { force, maximum in force / maximum * ForcePose.duration }
    },
    Fault("snaps-back", "At its end the animation is removed.", in: \.pose) {
      pose, force, maximum in if force >= maximum { pose = .rest }
    },
    Fault("there-and-back", "A press above half plays the animation backwards.", in: \.time) {
      time, _, _ in if time > 0.5 && time < 1 { time = 1 - time }
    },
  ]
}
