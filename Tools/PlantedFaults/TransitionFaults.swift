import ZoomGeometry
package import ZoomLaws

/// Faults of a transition from a thumbnail and of the gestures at full screen.
package enum TransitionFaults {
  /// Faults of the picture, planted in the shipped engine.
  package static let all: [SeededFault<ReplaySubject>] = [
    fault(
      "scale-clamped-translation-kept",
      "A scale above the largest is corrected about the picture's middle.", .aboutTheMiddle,
      origin: "saseungmin/react-native-gesture-image-viewer#194"),
    fault(
      "recentred-while-pinched",
      "A picture is kept on the screen during a pinch, so it leaves the fingers near a "
        + "border.", .recentred, origin: "darktable-org/darktable#21040"),
    fault(
      "focal-point-in-the-corner", "The focal point of a pinch is (0, 0).", .focusInTheCorner,
      origin: "Theta-Limited/OpenAthenaAndroid#128"),
    fault(
      "frozen-centre", "The middle of the fingers is read at their start only.",
      .frozenCentre),
    fault(
      "band-by-events", "The rubber band takes the root of every event's factor.", .bandByEvents),
    fault("ratio-upside-down", "Fingers that move apart make the picture smaller.", .upsideDown),
    fault("no-largest-scale", "A picture may rest at any scale above the fit.", .largeStays),
    fault("no-smallest-scale", "A picture may rest smaller than the fit.", .smallStays),
    fault("left-where-it-is", "A pan that ends off the screen stays there.", .panStays),
    fault("settles-again-and-again", "Each end of a pan moves the picture by a point.", .creeps),
    fault("thrown-back", "A picture is thrown against the finger's direction.", .thrownBack),
    fault("taps-always-dismiss", "A single tap also dismisses a zoomed picture.", .tapsDismiss),
    fault("taps-never-dismiss", "A single tap dismisses nothing.", .tapsNeverDismiss),
    fault(
      "turns-add-up", "A turn is added to the previous one instead of replacing it.", .turnsAddUp),
    fault(
      "fit-for-fill", "The picture is fitted into the thumbnail instead of filling it.", .fitForFill
    ), fault("mask-in-the-corner", "The mask starts in the frame's corner.", .maskInTheCorner),
    fault("mask-of-the-other-ratio", "The mask's ratio is the picture's.", .maskOfTheOtherRatio),
    fault(
      "radius-unscaled", "The mask has the thumbnail's radius in the frame's points.",
      .radiusUnscaled),
    fault(
      "back-with-square-corners", "The corners are not rounded on the way back.", .radiusSquare),
    fault(
      "moved-before-scaled", "The move to the thumbnail is scaled with the picture.",
      .movedBeforeScaled),
    fault(
      "corner-to-corner", "The frame's corner is moved to the thumbnail's corner.", .cornerToCorner),
    fault("full-of-the-width", "The full frame always has the screen's width.", .fullOfTheWidth),
    fault("one-side-jumps", "Only one axis of the mask is animated.", .sideJumps),
    fault(
      "back-from-the-zoomed-frame", "The way back starts from the zoomed frame.",
      .backFromTheZoomed),
  ]

  private static func fault(
    _ name: String, _ summary: String, _ mistake: FaultyTransition.Mistake, origin: String? = nil
  ) -> SeededFault<ReplaySubject> {
    SeededFault(name, summary, origin: origin) { faulty, _ in
      faulty.play = { script, picture in
        let transition = try Transition(
          picture: picture, screen: script.screen, stage: script.stage)
        let form = try FaultyTransition(
          script.scene, picture: picture, transition, mistake: mistake)
        let engine = TransitionEngine(script.scene, picture: picture, transition, form)
        var player = GesturePlayer(
          script, zoom: LiveZoom(.transition, engine: engine, screen: script.screen))
        return try player.states()
      }
    }
  }

  /// Faults of the formulas that end a pan, and of taps.
  package static let throwsAndTaps: [SeededFault<ThrowSubject>] = [
    SeededFault(
      "lasts-as-long-as-it-is-fast", "The duration of a pan is unbounded.", in: \.landing
    ) { $0.duration = max($0.duration, 0.0004 * $1.velocity.length) },
    SeededFault(
      "damping-of-nothing", "A pan that overshoots far oscillates forever.", in: \.landing
    ) {
      landing, _ in landing.damping = 1 - 2 * (1 - landing.damping)
    },
    SeededFault("threshold-of-a-throw", "At 200 pt/s the duration jumps.", in: \.landing) {
      let speed = $1.velocity.length
      if speed >= 200 { $0.duration = min(0.0004 * speed, 0.8) }
    },
    SeededFault("single-and-double", "A double tap is preceded by a single tap.", in: \.taps) {
      taps, _, _ in
      taps = taps.flatMap { tap -> [TapArbiter.Tap] in
        var single = tap
        single.isDouble = false
        return tap.isDouble ? [single, tap] : [tap]
      }
    }, singleTaps("impatient", "A single tap is recognised 0.1 s early.", moved: -0.1),
    singleTaps("late", "A single tap is recognised 0.1 s late.", moved: 0.1),
    SeededFault("slow-double-taps", "A second tap may come after twice the delay.") {
      faulty, sound in faulty.taps = { try sound.taps($0, 2 * $1) }
    },
    SeededFault("pans-tap", "A finger that moves away still taps.") { faulty, sound in
      faulty.taps = { events, delay in
        // The place where the finger came down, wherever it is lifted.
        var starts: [Int: ViewPoint] = [:]
        let still = events.compactMap { event in
          event.withTouches { phase, touches in
            if phase == .moved { return [] }
            if phase == .began { for touch in touches { starts[touch.id] = touch.point } }
            return touches.map { Touch(id: $0.id, point: starts[$0.id] ?? $0.point) }
          }
        }
        return try sound.taps(still, delay)
      }
    },
  ]

  private static func singleTaps(
    _ name: String, _ summary: String, moved seconds: Double
  ) -> SeededFault<ThrowSubject> {
    SeededFault(name, summary, in: \.taps) { taps, _, _ in
      for place in taps.indices where !taps[place].isDouble { taps[place].time += seconds }
    }
  }
}
