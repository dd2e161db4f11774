import ZoomGeometry
package import ZoomLaws

/// Mistakes of a transition from a thumbnail and of the gestures at full screen.
package enum TransitionFaults {
  /// Those of the picture, planted in the engine that is shipped.
  package static let all: [SeededFault<ReplaySubject>] = [
    fault(
      "scale-clamped-translation-kept",
      "A scale beyond the largest is brought back about the picture's middle.", .aboutTheMiddle,
      origin: "saseungmin/react-native-gesture-image-viewer#194"),
    fault(
      "recentred-while-pinched",
      "A picture is kept on the screen while it is pinched, which takes it from the fingers near a "
        + "border.", .recentred, origin: "darktable-org/darktable#21040"),
    fault(
      "focal-point-in-the-corner", "The focal point of a pinch is (0, 0).", .focusInTheCorner,
      origin: "Theta-Limited/OpenAthenaAndroid#128"),
    fault(
      "frozen-centre", "The middle of the fingers is taken when they come, and never again.",
      .frozenCentre),
    fault(
      "band-by-events", "The rubber band takes the root of every event's factor.", .bandByEvents),
    fault("ratio-upside-down", "Fingers that part make the picture smaller.", .upsideDown),
    fault("no-largest-scale", "A picture may rest at any scale above the fit.", .largeStays),
    fault("no-smallest-scale", "A picture may rest smaller than the fit.", .smallStays),
    fault("left-where-it-is", "A pan that ends beside the screen stays there.", .panStays),
    fault("settles-again-and-again", "Each end of a pan moves the picture by a point.", .creeps),
    fault("thrown-back", "A picture is thrown against the way of the finger.", .thrownBack),
    fault("taps-always-dismiss", "A single tap dismisses a zoomed picture too.", .tapsDismiss),
    fault("taps-never-dismiss", "A single tap dismisses nothing.", .tapsNeverDismiss),
    fault("turns-add-up", "A turn is made from the one before, not from upright.", .turnsAddUp),
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
      "moved-before-scaled", "The way to the thumbnail is scaled with the picture.",
      .movedBeforeScaled),
    fault(
      "corner-to-corner", "The frame's corner is brought onto the thumbnail's.", .cornerToCorner),
    fault("full-of-the-width", "The full frame always has the screen's width.", .fullOfTheWidth),
    fault("one-side-jumps", "Only the mask's longer way is animated.", .sideJumps),
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

  /// Those of the formulas that end a pan, and of taps.
  package static let throwsAndTaps: [SeededFault<ThrowSubject>] = [
    SeededFault(
      "lasts-as-long-as-it-is-fast", "The duration of a pan has no upper bound.", in: \.landing
    ) { $0.duration = max($0.duration, 0.0004 * $1.velocity.length) },
    SeededFault("damping-of-nothing", "A pan that overshoots far swings for ever.", in: \.landing) {
      landing, _ in landing.damping = 1 - 2 * (1 - landing.damping)
    },
    SeededFault("threshold-of-a-throw", "At 200 pt/s the duration jumps.", in: \.landing) {
      let speed = $1.velocity.length
      if speed >= 200 { $0.duration = min(0.0004 * speed, 0.8) }
    },
    SeededFault("single-and-double", "A double tap is a single tap before.", in: \.taps) {
      taps, _, _ in
      taps = taps.flatMap { tap -> [TapArbiter.Tap] in
        var single = tap
        single.isDouble = false
        return tap.isDouble ? [single, tap] : [tap]
      }
    }, singleTaps("impatient", "A single tap is decided without the delay.", moved: -0.1),
    singleTaps("late", "A single tap waits a tenth of a second longer.", moved: 0.1),
    SeededFault("slow-double-taps", "A second tap may come after twice the delay.") {
      faulty, sound in faulty.taps = { try sound.taps($0, 2 * $1) }
    },
    SeededFault("pans-tap", "A finger that moves away taps.") { faulty, sound in
      faulty.taps = { events, delay in
        // Where the finger came down, wherever it is lifted.
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
