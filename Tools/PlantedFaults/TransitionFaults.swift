import ZoomGeometry
package import ZoomLaws

/// Mistakes of a transition from a thumbnail and of the gestures at full screen.
package enum TransitionFaults {
  package static let all: [SeededFault<TransitionSubject>] = crops + gestures + ends

  typealias Fault = SeededFault<TransitionSubject>

  private static let crops: [Fault] = [
    crop("fit-for-fill", "The picture is fitted into the thumbnail instead of filling it.") {
      crop, setup in
      crop.scale = min(
        setup.thumbnail.width / crop.full.width, setup.thumbnail.height / crop.full.height)
      crop.transform = scaled(crop, to: crop.scale, in: setup)
    },
    crop("mask-in-the-corner", "The mask starts in the frame's corner.") { crop, _ in
      (crop.mask.x, crop.mask.y) = (0, 0)
    },
    crop("mask-of-the-other-ratio", "The mask's ratio is the picture's.") { crop, _ in
      crop.mask = ViewRect(x: 0, y: 0, width: crop.full.width, height: crop.full.height)
    },
    crop("radius-unscaled", "The mask has the thumbnail's radius in the frame's points.") {
      $0.radius = $1.cornerRadius
    },
    crop("moved-before-scaled", "The way to the thumbnail is scaled with the picture.") {
      crop, setup in
      let (full, thumbnail) = (crop.full, setup.thumbnail)
      let (x, y) = (
        thumbnail.x + thumbnail.width / 2 - full.x - full.width / 2,
        thumbnail.y + thumbnail.height / 2 - full.y - full.height / 2
      )
      crop.transform.tx += (crop.scale - 1) * x
      crop.transform.ty += (crop.scale - 1) * y
    },
    crop("corner-to-corner", "The frame's corner is brought onto the thumbnail's.") {
      crop, setup in
      (crop.transform.tx, crop.transform.ty) = (setup.thumbnail.x, setup.thumbnail.y)
    },
    crop("full-of-the-width", "The full frame always has the screen's width.") { crop, setup in
      let screen = setup.screen.size
      let height = screen.width * Double(setup.picture.height) / Double(setup.picture.width)
      crop.full = ViewRect(
        x: 0, y: (screen.height - height) / 2, width: screen.width, height: height)
    },
    Fault("one-side-jumps", "Only the mask's longer way is animated.") { faulty, sound in
      faulty.mask = { setup, share, isClosing in
        var mask = try sound.mask(setup, share, isClosing)
        let end = try sound.mask(setup, 1, isClosing)
        (mask.y, mask.height) = (end.y, end.height)
        return mask
      }
    },
    Fault("mask-eases", "The mask opens by the square of the time.") { faulty, sound in
      faulty.mask = { try sound.mask($0, $1 * $1, $2) }
    },
    Fault("back-from-the-zoomed-frame", "The way back starts from the zoomed frame.") {
      faulty, sound in
      faulty.dismissed = { setup, steps in
        var crop = try sound.dismissed(setup, steps)
        let scale = try sound.view(setup.picture, setup.screen, steps).scale
        crop.transform = scaled(crop, to: crop.scale / scale, in: setup)
        return crop
      }
    },
    Fault(
      "back-with-square-corners", "The corners are not rounded on the way back.", in: \.dismissed
    ) { crop, _, _ in crop.radius = 0 },
  ]

  private static let ends: [Fault] = [
    Fault(
      "lasts-as-long-as-it-is-fast", "The duration of a pan has no upper bound.", in: \.landing
    ) { $0.duration = max($0.duration, 0.0004 * speed($1)) },
    Fault("damping-of-nothing", "A pan that overshoots far swings for ever.", in: \.landing) {
      landing, _ in landing.damping = 1 - 2 * (1 - landing.damping)
    },
    Fault("threshold-of-a-throw", "At 200 pt/s the duration jumps.", in: \.landing) {
      if speed($1) >= 200 { $0.duration = min(0.0004 * speed($1), 0.8) }
    },
    Fault("single-and-double", "A double tap is a single tap before.", in: \.taps) { taps, _, _ in
      taps = taps.flatMap { tap -> [TapArbiter.Tap] in
        guard tap.isDouble else { return [tap] }
        var single = tap
        single.isDouble = false
        return [single, tap]
      }
    },
    singleTaps("impatient", "A single tap is decided without the delay.", moved: -0.1),
    singleTaps("late", "A single tap waits a tenth of a second longer.", moved: 0.1),
    Fault("slow-double-taps", "A second tap may come after twice the delay.") { faulty, sound in
      faulty.taps = { try sound.taps($0, 2 * $1) }
    },
    Fault("pans-tap", "A finger that moves away taps.") { faulty, sound in
      faulty.taps = { events, delay in
        // Where the finger came down, wherever it is lifted.
        var starts: [Int: ViewPoint] = [:]
        let still = events.compactMap { event -> GestureEvent? in
          guard case .touches(let phase, let touches) = event.kind else { return event }
          if phase == .moved { return nil }
          if phase == .began { for touch in touches { starts[touch.id] = touch.point } }
          let unmoved = touches.map { Touch(id: $0.id, point: starts[$0.id] ?? $0.point) }
          return GestureEvent(time: event.time, kind: .touches(phase, unmoved))
        }
        return try sound.taps(still, delay)
      }
    },
  ]

  private static func singleTaps(
    _ name: String, _ summary: String, moved seconds: Double
  ) -> Fault {
    Fault(name, summary, in: \.taps) { taps, _, _ in
      for place in taps.indices where !taps[place].isDouble { taps[place].time += seconds }
    }
  }

  private static func speed(_ end: TransitionSubject.Throw) -> Double {
    (end.velocity.x * end.velocity.x + end.velocity.y * end.velocity.y).squareRoot()
  }

  /// A fault of the way there and of the way back.
  private static func crop(
    _ name: String, _ summary: String,
    _ change:
      @escaping @Sendable (inout TransitionSubject.ThumbnailCrop, TransitionSubject.Presentation) ->
      Void
  ) -> Fault {
    Fault(name, summary) { faulty, sound in
      @Sendable func changed(
        _ crop: TransitionSubject.ThumbnailCrop, _ setup: TransitionSubject.Presentation
      ) -> TransitionSubject.ThumbnailCrop {
        var crop = crop
        change(&crop, setup)
        return crop
      }
      faulty.presented = { changed(try sound.presented($0), $0) }
      faulty.dismissed = { changed(try sound.dismissed($0, $1), $0) }
    }
  }

  /// The full frame at a scale, in the middle of the thumbnail.
  private static func scaled(
    _ crop: TransitionSubject.ThumbnailCrop, to scale: Double,
    in setup: TransitionSubject.Presentation
  ) -> Affine {
    let place = setup.thumbnail
    return Affine.translation(x: -crop.full.width / 2, y: -crop.full.height / 2)
      .then(.scale(scale))
      .then(.translation(x: place.x + place.width / 2, y: place.y + place.height / 2))
  }
}
