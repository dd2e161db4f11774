extension PictureLayer {
  /// What of the layer's own space shows something: what is seen, inside the layer; nil for nothing.
  ///
  /// Core Animation draws a layer's contents in its bounds only; a mask that is larger hides less,
  /// but shows no more.
  package var visible: ViewRect? {
    guard isPlain else { return nil }
    let seen = self.seen
    let left = max(0, seen.x)
    let top = max(0, seen.y)
    let right = min(size.width, seen.maxX)
    let bottom = min(size.height, seen.maxY)
    guard left < right, top < bottom else { return nil }
    return ViewRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Whether the layer has a size and content, in numbers that can be calculated with.
  private var isPlain: Bool {
    content.isFinite && seen.isFinite && transform.isFinite && content.width > 0
      && content.height > 0 && size.width > 0 && size.height > 0 && size.width.isFinite
      && size.height.isFinite
  }

  /// The map from picture pixels to screen pixels; nil when its numbers are not finite.
  func map(to screen: Screen) -> Affine? {
    let map = Affine.translation(x: -content.x, y: -content.y)
      .then(.scale(x: size.width / content.width, y: size.height / content.height))
      .then(transform).then(.scale(screen.scale))
    return map.isFinite ? map : nil
  }

  /// The picture pixels that a part of the layer's own space shows.
  func content(of part: ViewRect) -> PictureRect {
    let across = content.width / size.width
    let down = content.height / size.height
    return PictureRect(
      x: content.x + part.x * across, y: content.y + part.y * down, width: part.width * across,
      height: part.height * down)
  }
}

extension PictureLayer {
  /// The layer moved by less than a screen pixel, so that what is shown 1:1, or each pixel as a
  /// square of whole ones, lies on whole pixels of the screen; any other as it is.
  ///
  /// Between them each picture pixel would be smeared over two or four.
  func aligned(to screen: Screen) -> PictureLayer {
    let pixel = ViewSize(width: size.width / content.width, height: size.height / content.height)
    let shown = transform.boundingBox(of: pixel.atOrigin)
    guard screen.showsWhole(pixelOf: shown.width), screen.showsWhole(pixelOf: shown.height),
      transform.a == 0 || transform.b == 0
    else { return self }
    let box = transform.boundingBox(of: size.atOrigin)
    var aligned = self
    aligned.transform = transform.then(
      .translation(x: screen.onPixel(box.x) - box.x, y: screen.onPixel(box.y) - box.y))
    return aligned
  }
}

extension PictureRect {
  /// The part inside a picture; nil where there is none.
  ///
  /// Edges that miss the picture's by less than a millionth of a pixel count as on it: a formula's
  /// rounding is no smear.
  func clipped(to picture: PixelSize) -> PictureRect? {
    let slack = ExactMap.tolerance
    let isInside =
      x >= -slack && y >= -slack && maxX <= Double(picture.width) + slack
      && maxY <= Double(picture.height) + slack
    if isInside { return self }
    let left = max(0, x)
    let top = max(0, y)
    let right = min(Double(picture.width), maxX)
    let bottom = min(Double(picture.height), maxY)
    guard left < right, top < bottom else { return nil }
    return PictureRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension Screen {
  /// The pixels that a rectangle touches, clipped to the screen; nil when there are none.
  ///
  /// A pixel of which less than 1/1024 is touched does not count: its coverage, below 1/510, rounds
  /// to none of 255, so that a rectangle a rounding wider than whole pixels takes no more of them.
  /// - Parameter rect: in screen pixels.
  /// - Returns: a region of the screen, in its pixels.
  package func touched(by rect: ViewRect) -> PixelRegion? {
    guard rect.isFinite else { return nil }
    let slack = 1.0 / 1024
    // Clipped as floating point first: no coordinate is too large for an integer then.
    let left = max(0, (rect.x + slack).rounded(.down))
    let top = max(0, (rect.y + slack).rounded(.down))
    let right = min(Double(pixels.width), (rect.maxX - slack).rounded(.up))
    let bottom = min(Double(pixels.height), (rect.maxY - slack).rounded(.up))
    guard left < right, top < bottom else { return nil }
    return PixelRegion(
      uncheckedX: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
  }
}
