import ZoomGeometry
import ZoomLaws

extension PeekFaults {
  static let crops: [Fault] = [
    crop(
      "no left clamp", "The crop begins before the left edge for a touch near it."
    ) { crop, input in crop.x = min(crop.x, input.freeOrigin(crop).x) },
    crop(
      "no right clamp", "The crop ends past the right edge for a touch near it."
    ) { crop, input in crop.x = max(crop.x, input.freeOrigin(crop).x) },
    crop("no top clamp", "The crop begins above the top edge for a touch near it.") {
      crop, input in crop.y = min(crop.y, input.freeOrigin(crop).y)
    },
    crop(
      "no bottom clamp", "The crop ends below the bottom edge for a touch near it."
    ) { crop, input in crop.y = max(crop.y, input.freeOrigin(crop).y) },
    crop(
      "clamp to the last pixel",
      "The crop begins at most at the picture's end, not its own length "
        + "before it.", origin: "FlexMonkey/ForceZoom FZ-B2"
    ) { crop, input in
      crop.x = max(crop.x, min(input.freeOrigin(crop).x, Double(input.pictureWidth)))
      crop.y = max(crop.y, min(input.freeOrigin(crop).y, Double(input.pictureHeight)))
    },
    crop(
      "offset of the width", "Half the crop is subtracted as a fraction of the width on both axes.",
      origin: "FlexMonkey/ForceZoom FZ-B1"
    ) { crop, input in
      let (width, height) = (Double(input.pictureWidth), Double(input.pictureHeight))
      crop.y = (input.touchedPixel.y - crop.width / 2 * height / width)
        .clamped(to: 0...max(0, height - crop.height))
    },
    crop(
      "recentred at the border", "A crop at the left or right edge moves to the middle height.",
      origin: "darktable#21040"
    ) { crop, input in
      guard crop.x != input.freeOrigin(crop).x else { return }
      crop.y = (Double(input.pictureHeight) - crop.height) / 2
    },
    crop(
      "half a pixel further", "The crop begins half a pixel too far right, if possible.",
      origin: "libvips#703"
    ) { crop, input in
      crop.x = min(crop.x + 0.5, max(crop.x, Double(input.pictureWidth) - crop.width))
    },
    crop(
      "snapped to points", "The crop begins at a whole point of the screen.",
      origin: "klokantech/iiifserver#21"
    ) { crop, input in
      let axis = input.axes.across
      crop.x = axis.pixel(at: axis.point(of: crop.x).rounded())
        .clamped(to: 0...max(0, axis.side - crop.width))
    },
    crop("clipped, not moved", "A crop that reaches past the right edge is clipped.") {
      crop, input in
      let origin = max(0, input.freeOrigin(crop).x)
      crop.width -= max(0, origin - crop.x)
      crop.x = origin
    },
    crop("one pixel short of the end", "The crop never reaches the last column.") { crop, input in
      crop.x = min(crop.x, max(0, Double(input.pictureWidth) - crop.width - 1))
    },
    crop("one pixel shorter", "The crop is a pixel shorter than requested.") { crop, _ in
      crop.height = max(1, crop.height - 1)
    },
    crop("centred on whole pixels", "The touched place is rounded down to a whole pixel.") {
      crop, input in
      crop.x = (input.touchedPixel.x.rounded(.down) - crop.width / 2)
        .clamped(to: 0...max(0, Double(input.pictureWidth) - crop.width))
    },
    crop("mirrored", "The crop belongs to the mirrored picture.") { crop, input in
      crop.x = Double(input.pictureWidth) - crop.maxX
    },
    crop("single precision", "The crop's origin is calculated in 24 bits.") { crop, _ in
      crop.x = Double(Float(crop.x).nextDown)
      if crop.x < 0 { crop.x = 0 }
    },
    crop("one in twenty", "One touch of twenty shows a crop a pixel to the side.") { crop, input in
      let bits = (input.touch.x.bitPattern ^ input.touch.y.bitPattern) &* 0x9E37_79B9_7F4A_7C15
      guard (bits >> 32) % 20 == 0 else { return }
      crop.x = crop.x >= 1 ? crop.x - 1 : crop.x + 1
    },
    crop(
      "origin of the uncut length", "Half of k P is subtracted even from a shortened crop.",
      origin: "react-native-gesture-image-viewer#194",
      equivalence: "A shortened crop is as long as the picture, so its origin is clamped "
        + "to 0...0 in any case."
    ) { crop, input in
      let touched = input.touchedPixel
      let half = input.wantedLength / 2
      if crop.width == Double(input.pictureWidth) { crop.x = (touched.x - half).clamped(to: 0...0) }
      if crop.height == Double(input.pictureHeight) {
        crop.y = (touched.y - half).clamped(to: 0...0)
      }
    },
  ]

  static let outlines: [Fault] = [
    answer(
      "frame about the touch", "The frame is centred on the touch, even at the borders.",
      origin: "FlexMonkey/ForceZoom FZ-B5"
    ) { answer, input in
      answer.frame.x = input.touch.x - answer.frame.width / 2
      answer.frame.y = input.touch.y - answer.frame.height / 2
    },
    answer("frame with its stroke", "The frame is larger by half the stroke on each side.") {
      answer, _ in
      answer.frame = ViewRect(
        x: answer.frame.x - 2, y: answer.frame.y - 2, width: answer.frame.width + 4,
        height: answer.frame.height + 4)
    },
    answer("frame without the letterbox", "The position of the frame ignores the letterbox.") {
      answer, input in
      answer.frame.x -= input.axes.across.start
      answer.frame.y -= input.axes.down.start
    },
    answer("contents by the width", "The contents rectangle is computed from the width alone.") {
      answer, input in
      answer.contentsRect.y = answer.crop.y / Double(input.pictureWidth)
      answer.contentsRect.height = answer.crop.height / Double(input.pictureWidth)
    },
    answer("contents of a pixel more", "The contents rectangle is a pixel wider.") {
      answer, input in answer.contentsRect.width += 1 / Double(input.pictureWidth)
    },
    answer("size in pixels", "The peek has as many points as the crop has pixels.") { answer, _ in
      answer.size = ViewSize(width: answer.crop.width, height: answer.crop.height)
    },
    answer("always square", "The peek is square even for small pictures.") { answer, _ in
      let side = max(answer.size.width, answer.size.height)
      answer.size = ViewSize(width: side, height: side)
    },
  ]

  static let regions: [Fault] = [
    region(
      "halves to even", "The region's length rounds halves to even; the rest rounds up.",
      origin: "Cantaloupe#418"
    ) { region, _, answer in region.width = Int(answer.crop.width.rounded(.toNearestOrEven)) },
    region(
      "beginning rounded up", "The region begins at the next whole pixel.",
      origin: "openseadragon#2321"
    ) { region, input, answer in
      region.x = min(Int(answer.crop.x.rounded(.up)), input.pictureWidth - region.width)
    },
    region(
      "length rounded up", "The region's length is rounded up.",
      origin: "openseadragon#2701"
    ) { region, input, answer in
      region.height = Int(answer.crop.height.rounded(.up))
      region.y = min(region.y, input.pictureHeight - region.height)
    },
    region(
      "length rounded down", "The region's length is rounded down and leaves a strip.",
      origin: "Cantaloupe#80"
    ) { region, _, answer in region.width = Int(answer.crop.width.rounded(.down)) },
    region("beginning rounded down", "The region begins at the previous whole pixel.") {
      region, _, answer in region.y = Int(answer.crop.y.rounded(.down))
    },
    region(
      "sides swapped", "The region's width and height are swapped, which a square does not show.",
      origin: "image-validator#25"
    ) { region, _, _ in
      (region.width, region.height) = (region.height, region.width)
    },
    region(
      "last column cut", "A region at the right edge lacks a column.",
      origin: "iipsrv#283"
    ) { region, input, _ in
      if region.x + region.width == input.pictureWidth { region.width -= 1 }
    },
    region(
      "last row twice", "A region at the bottom edge begins a row too early.",
      origin: "libvips#131"
    ) { region, input, _ in
      if region.y + region.height == input.pictureHeight, region.y > 0 { region.y -= 1 }
    },
    region("two pixels lose one", "Only one of two columns is decoded.", origin: "libvips#4864") {
      region, _, _ in if region.width == 2 { region.width = 1 }
    },
    region("off by one", "The region begins a pixel late, if possible.") { region, input, _ in
      region.x = min(region.x + 1, input.pictureWidth - region.width)
    },
  ]
}

extension PeekInput {
  /// Returns the unclamped origin of a crop that is centred on the touched pixel.
  fileprivate func freeOrigin(_ crop: PictureRect) -> PicturePoint {
    PicturePoint(x: touchedPixel.x - crop.width / 2, y: touchedPixel.y - crop.height / 2)
  }
}
