extension PictureLayer {
  /// The part of the layer's own space that is drawn, or nil if there is none.
  ///
  /// Core Animation draws a layer's contents only in its bounds, even under a larger mask.
  package var visible: ViewRect? {
    guard isDrawable else { return nil }
    let seen = self.seen
    let (left, top) = (max(0, seen.x), max(0, seen.y))
    let (right, bottom) = (min(size.width, seen.maxX), min(size.height, seen.maxY))
    guard left < right, top < bottom else { return nil }
    return ViewRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private var isDrawable: Bool {
    content.isFinite && seen.isFinite && transform.isFinite && size.atOrigin.isFinite
      && content.width > 0 && content.height > 0 && size.width > 0 && size.height > 0
  }

  /// Returns the map from picture pixels to screen pixels, or nil if its numbers are not finite.
  func map(to screen: Screen) -> Affine? {
    let map = toScreen.then(.scale(screen.scale))
    return map.isFinite ? map : nil
  }

  /// The map from picture pixels to points of the screen.
  package var toScreen: Affine {
    Affine.translation(x: -content.x, y: -content.y)
      .then(.scale(x: size.width / content.width, y: size.height / content.height))
      .then(transform)
  }

  /// The bounding box on the screen of the part that the mask shows, in points.
  package var box: ViewRect { transform.boundingBox(of: seen) }

  /// Returns the picture pixels that a part of the layer's own space shows.
  func content(of part: ViewRect) -> PictureRect {
    let across = content.width / size.width
    let down = content.height / size.height
    return PictureRect(
      x: content.x + part.x * across, y: content.y + part.y * down, width: part.width * across,
      height: part.height * down)
  }

  /// Returns the layer moved by less than a screen pixel onto whole pixels of the screen, if each
  /// picture pixel covers a rectangle of whole screen pixels; otherwise returns it unchanged.
  ///
  /// Between screen pixels each picture pixel would be smeared over two or four.
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

extension Screen {
  /// Returns the screen pixels that a rectangle in screen pixels touches, or nil if there are none.
  ///
  /// A pixel that is covered by at most 1/1024 does not count: a coverage below 1/510 rounds to 0
  /// of 255. So rounding cannot make a rectangle of whole pixels touch one more.
  package func touched(by rect: ViewRect) -> PixelRegion? {
    guard rect.isFinite else { return nil }
    let slack = 1.0 / 1024
    // Clipped before the conversion, so that every coordinate fits an integer.
    let left = max(0, (rect.x + slack).rounded(.down))
    let top = max(0, (rect.y + slack).rounded(.down))
    let right = min(Double(pixels.width), (rect.maxX - slack).rounded(.up))
    let bottom = min(Double(pixels.height), (rect.maxY - slack).rounded(.up))
    guard left < right, top < bottom else { return nil }
    return PixelRegion(
      uncheckedX: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
  }
}
