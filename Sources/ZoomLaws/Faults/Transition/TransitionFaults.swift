import ZoomGeometry

/// Mistakes of a transition from a thumbnail and of the gestures at full screen.
public enum TransitionFaults {
  /// All of them.
  public static let all: [SeededFault<TransitionSubject>] = crops + gestures + ends

  typealias Fault = SeededFault<TransitionSubject>
  typealias Crop = TransitionSubject.Crop
  typealias Setup = TransitionSubject.Setup

  private static let crops: [Fault] = [
    crop("fit-for-fill", "The picture is fitted into the thumbnail instead of filling it.") {
      crop, setup in
      let fitted = min(
        setup.thumbnail.width / crop.full.width, setup.thumbnail.height / crop.full.height)
      crop.transform = scaled(crop, to: fitted, in: setup)
      crop.scale = fitted
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
      let middle = ViewPoint(
        x: crop.full.x + crop.full.width / 2, y: crop.full.y + crop.full.height / 2)
      let thumbnail = setup.thumbnail
      let (x, y) = (
        thumbnail.x + thumbnail.width / 2 - middle.x, thumbnail.y + thumbnail.height / 2 - middle.y
      )
      crop.transform.tx += (crop.scale - 1) * x
      crop.transform.ty += (crop.scale - 1) * y
    },
    crop("corner-to-corner", "The frame's corner is brought onto the thumbnail's.") {
      crop, setup in
      (crop.transform.tx, crop.transform.ty) = (setup.thumbnail.x, setup.thumbnail.y)
    },
    crop("full-of-the-width", "The full frame always has the screen's width.") { crop, setup in
      let height =
        setup.screen.size.width * Double(setup.picture.height) / Double(setup.picture.width)
      crop.full = ViewRect(
        x: 0, y: (setup.screen.size.height - height) / 2, width: setup.screen.size.width,
        height: height)
    },
    Fault("one-side-jumps", "Only the mask's longer way is animated.") { sound in
      var faulty = sound
      faulty.mask = { setup, share, isClosing in
        var mask = try sound.mask(setup, share, isClosing)
        let end = try sound.mask(setup, 1, isClosing)
        (mask.y, mask.height) = (end.y, end.height)
        return mask
      }
      return faulty
    },
    Fault("mask-eases", "The mask opens by the square of the time.") { sound in
      var faulty = sound
      faulty.mask = { try sound.mask($0, $1 * $1, $2) }
      return faulty
    },
    Fault("back-from-the-zoomed-frame", "The way back starts from the zoomed frame.") { sound in
      var faulty = sound
      faulty.dismissed = { setup, steps in
        var crop = try sound.dismissed(setup, steps)
        let scale = try sound.view(setup.picture, setup.screen, steps).scale
        crop.transform = scaled(crop, to: crop.scale / scale, in: setup)
        return crop
      }
      return faulty
    },
    Fault("back-with-square-corners", "The corners are not rounded on the way back.") { sound in
      var faulty = sound
      faulty.dismissed = { setup, steps in
        var crop = try sound.dismissed(setup, steps)
        crop.radius = 0
        return crop
      }
      return faulty
    },
  ]

  /// A fault of the way there and of the way back.
  private static func crop(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout Crop, Setup) -> Void
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.presented = { setup in
        var crop = try sound.presented(setup)
        change(&crop, setup)
        return crop
      }
      faulty.dismissed = { setup, steps in
        var crop = try sound.dismissed(setup, steps)
        change(&crop, setup)
        return crop
      }
      return faulty
    }
  }

  /// The full frame at a scale, in the middle of the thumbnail.
  private static func scaled(_ crop: Crop, to scale: Double, in setup: Setup) -> Affine {
    let place = setup.thumbnail
    return Affine.translation(x: -crop.full.width / 2, y: -crop.full.height / 2)
      .then(.scale(scale))
      .then(
        .translation(x: place.x + place.width / 2, y: place.y + place.height / 2))
  }
}
