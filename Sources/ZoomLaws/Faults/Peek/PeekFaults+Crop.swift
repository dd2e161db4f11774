internal import ZoomGeometry

extension PeekFaults {
  static let cropFaults: [SeededFault<PeekSubject>] = [
    SeededFault(
      "no left clamp", "The crop begins before the left edge where the touch is near it."
    ) {
      $0.changingCrop { input, crop in crop.x = min(crop.x, input.freeOrigin(crop).x) }
    },
    SeededFault(
      "no right clamp", "The crop ends past the right edge where the touch is near it."
    ) {
      $0.changingCrop { input, crop in crop.x = max(crop.x, input.freeOrigin(crop).x) }
    },
    SeededFault("no top clamp", "The crop begins above the top edge where the touch is near it.") {
      $0.changingCrop { input, crop in crop.y = min(crop.y, input.freeOrigin(crop).y) }
    },
    SeededFault(
      "no bottom clamp", "The crop ends below the bottom edge where the touch is near it."
    ) {
      $0.changingCrop { input, crop in crop.y = max(crop.y, input.freeOrigin(crop).y) }
    },
    SeededFault(
      "clamp to the last pixel",
      "The crop begins at most at the picture's end, not its own length "
        + "before it.", origin: "FlexMonkey/ForceZoom FZ-B2"
    ) {
      $0.changingCrop { input, crop in
        crop.x = max(crop.x, min(input.freeOrigin(crop).x, Double(input.pictureWidth)))
        crop.y = max(crop.y, min(input.freeOrigin(crop).y, Double(input.pictureHeight)))
      }
    },
    SeededFault(
      "offset of the width", "Half the crop is subtracted as a fraction of the width on both axes.",
      origin: "FlexMonkey/ForceZoom FZ-B1"
    ) {
      $0.changingCrop { input, crop in
        let (width, height) = (Double(input.pictureWidth), Double(input.pictureHeight))
        crop.y = (input.touchedPixel.y - crop.width / 2 * height / width)
          .clamped(to: 0...max(0, height - crop.height))
      }
    },
    SeededFault(
      "recentred at the border", "A crop held at the left or right edge goes to the middle height.",
      origin: "darktable#21040"
    ) {
      $0.changingCrop { input, crop in
        guard crop.x != input.freeOrigin(crop).x else { return }
        crop.y = (Double(input.pictureHeight) - crop.height) / 2
      }
    },
    SeededFault(
      "half a pixel further", "The crop begins half a pixel right of where it should, if it can.",
      origin: "libvips#703"
    ) {
      $0.changingCrop { input, crop in
        crop.x = min(crop.x + 0.5, max(crop.x, Double(input.pictureWidth) - crop.width))
      }
    },
    SeededFault(
      "snapped to points", "The crop begins at a whole point of the screen.",
      origin: "klokantech/iiifserver#21"
    ) {
      $0.changingCrop { input, crop in
        let axis = input.axes.across
        crop.x = axis.pixel(at: axis.point(of: crop.x).rounded())
          .clamped(to: 0...max(0, axis.side - crop.width))
      }
    },
    SeededFault("clipped, not moved", "A crop that reaches past the right edge is cut short.") {
      $0.changingCrop { input, crop in
        let origin = max(0, input.freeOrigin(crop).x)
        crop.width -= max(0, origin - crop.x)
        crop.x = origin
      }
    },
    SeededFault("one pixel short of the end", "The crop never reaches the last column.") {
      $0.changingCrop { input, crop in
        crop.x = min(crop.x, max(0, Double(input.pictureWidth) - crop.width - 1))
      }
    },
    SeededFault("one pixel shorter", "The crop is a pixel shorter than asked for.") {
      $0.changingCrop { _, crop in crop.height = max(1, crop.height - 1) }
    },
    SeededFault("centred on whole pixels", "The touched place is rounded down to a whole pixel.") {
      $0.changingCrop { input, crop in
        crop.x = (input.touchedPixel.x.rounded(.down) - crop.width / 2)
          .clamped(to: 0...max(0, Double(input.pictureWidth) - crop.width))
      }
    },
    SeededFault("mirrored", "The crop is where the mirrored picture's would be.") {
      $0.changingCrop { input, crop in crop.x = Double(input.pictureWidth) - crop.maxX }
    },
    SeededFault("single precision", "The crop's origin is calculated in 24 bits.") {
      $0.changingCrop { _, crop in
        crop.x = Double(Float(crop.x).nextDown)
        if crop.x < 0 { crop.x = 0 }
      }
    },
    SeededFault("one in twenty", "One touch of twenty shows a crop a pixel to the side.") {
      $0.changingCrop { input, crop in
        let bits = (input.touch.x.bitPattern ^ input.touch.y.bitPattern) &* 0x9E37_79B9_7F4A_7C15
        guard (bits >> 32) % 20 == 0 else { return }
        crop.x = crop.x >= 1 ? crop.x - 1 : crop.x + 1
      }
    },
    SeededFault(
      "origin of the uncut length", "Half of k P is subtracted where the crop was cut short.",
      origin: "react-native-gesture-image-viewer#194",
      equivalence: "A crop that was cut is as long as the picture, so that its origin is clamped "
        + "to 0...0 whatever was subtracted."
    ) {
      $0.changingCrop { input, crop in
        let touched = input.touchedPixel
        let half = input.wantedLength / 2
        if crop.width == Double(input.pictureWidth) {
          crop.x = (touched.x - half).clamped(to: 0...0)
        }
        if crop.height == Double(input.pictureHeight) {
          crop.y = (touched.y - half).clamped(to: 0...0)
        }
      }
    },
  ]
}

extension PeekInput {
  /// Where a crop centred on the touched pixel begins, kept inside the picture or not.
  fileprivate func freeOrigin(_ crop: PictureRect) -> PicturePoint {
    PicturePoint(x: touchedPixel.x - crop.width / 2, y: touchedPixel.y - crop.height / 2)
  }
}
