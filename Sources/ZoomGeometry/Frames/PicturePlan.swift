/// How a picture layer gets onto a screen: which of the screen's pixels it touches, which of the
/// picture's pixels that takes, and what is done to them on the way.
///
/// Numbers only. Pixel i of picture and screen covers i ... i + 1, and pixel j of a picture reduced
/// by n covers n j ... n j + n; a screen pixel shows what the map's inverse finds at its centre.
public struct PicturePlan: Sendable, Hashable {
  /// What screen pixels are made with where none is a copy.
  public enum Kernel: String, Sendable, Hashable, Codable {
    /// Between the four nearest pixels, by their distances.
    case bilinear
  }

  /// What is done to picture pixels.
  public enum Kind: Sendable, Hashable {
    /// They are copied, turned but not changed: each becomes one screen pixel.
    case exact(QuarterTurn)
    /// They are stretched by a kernel.
    case resampled(Kernel)
  }

  /// The map from picture pixels to screen pixels.
  public let map: Affine

  /// The screen pixels that the layer touches: its bounding box, clipped to the screen.
  public let target: PixelRegion

  /// The picture pixels that are needed, inside the picture, whole blocks of `reduction * shrink`.
  ///
  /// A block counts from the picture's top left corner; the last of a row or column may be a part.
  public let region: PixelRegion

  /// How many picture pixels a side are to be decoded into one: 1, 2, 4 or 8.
  ///
  /// The largest of them with which no direction is reduced below what the screen shows. So where
  /// the map does not shrink below 1/8, a decoded pixel is at least half a screen pixel a side, and
  /// at most about four are decoded for each one shown, and a margin for the kernel. A map that
  /// shrinks further needs more of them, by the square.
  public let reduction: Int

  /// How many decoded pixels a side are averaged into one before they are stretched; 1 for none.
  ///
  /// More than 1 only where the map shrinks below 1/8, where a kernel of four pixels would skip most
  /// of the picture.
  public let shrink: Int

  /// What is done to the pixels.
  public let kind: Kind

  /// The pixels, or the blocks of `reduction * shrink`, that the target's pixels look at.
  package let samples: SampleBox

  /// What of the layer's visible content lies in the picture, in its pixels; nil when nothing does.
  ///
  /// What does not is smeared: it shows the picture's nearest edge pixel.
  public let inside: PictureRect?

  /// Whether some of what is seen lies out of the picture.
  public let isSmeared: Bool

  /// Plans a layer; nil when nothing of it is seen.
  ///
  /// That is: it is off the screen, fully transparent, of no size, squeezed to a line, or its numbers
  /// are not finite.
  /// - Parameters:
  ///   - layer: what is to be shown.
  ///   - screen: where.
  ///   - picture: the size of the whole upright picture.
  public init?(_ layer: PictureLayer, on screen: Screen, picture: PixelSize) {
    guard layer.opacity > 0, let visible = layer.visible,
      let map = layer.map(to: screen), let inverse = map.inverted(),
      let target = screen.touched(
        by: layer.transform.then(.scale(screen.scale)).boundingBox(of: visible))
    else { return nil }
    let content = layer.content(of: visible)
    guard content.isFinite else { return nil }
    self.map = map
    if layer.mask == nil, let copy = layer.copy, copy.region.isInside(picture),
      layer.isPlaced(as: PictureLayer(copy, scale: screen.scale))
    {
      // From the geometry to the pixels in integers: nothing is found again by rounding.
      guard let shown = copy.clipped(to: screen.pixels) else { return nil }
      self.target = shown.target
      region = shown.region
      samples = SampleBox(columns: region.x..<region.maxX, rows: region.y..<region.maxY)
      kind = .exact(.none)
      (reduction, shrink) = (1, 1)
      (inside, isSmeared) = (content, false)
      return
    }
    self.target = target
    inside = content.clipped(to: picture)
    isSmeared = inside != content
    if let exact = ExactMap(map, inverse, target) {
      kind = .exact(exact.turn)
      reduction = 1
      shrink = 1
      samples = exact.box
    } else {
      kind = .resampled(.bilinear)
      let largest = map.stretches.largest
      reduction = Self.reduction(largest)
      shrink = reduction < 8 ? 1 : Self.shrink(largest, picture)
      samples = SampleBox(of: target, inverse, content: content, block: reduction * shrink)
    }
    region = samples.region(of: picture, block: reduction * shrink)
  }

  /// The largest of a decoder's reductions after which the picture is not smaller than shown.
  private static func reduction(_ largest: Double) -> Int {
    [8, 4, 2].first { Double($0) * largest <= roundedUpOne } ?? 1
  }

  /// How many pixels reduced by 8 go into one of the screen, at least 1; no more than there are.
  private static func shrink(_ largest: Double, _ picture: PixelSize) -> Int {
    let most = max(picture.width, picture.height) / 8 + 1
    let blocks = roundedUpOne / (8 * largest)
    return blocks < Double(most) ? max(1, Int(blocks)) : most
  }

  /// One, with room for the rounding of a few multiplications.
  ///
  /// So that a map by 0.1149 / 0.2298 counts as a half; a picture a billionth too small loses nothing.
  private static let roundedUpOne = 1 + 1e-9
}

extension PictureLayer {
  /// Whether it shows the same in the same place as another, to the last bit.
  ///
  /// A layer shows what its copy does if it is placed as the copy's own; one that was read from a
  /// file may say something else in its numbers than in its integers.
  fileprivate func isPlaced(as other: PictureLayer) -> Bool {
    content == other.content && size == other.size && transform == other.transform
  }
}

extension PixelCopy {
  /// What of it is on a screen: the screen's pixels and the picture's; nil if nothing is.
  ///
  /// It is called for what touches the screen, so that no sum overflows.
  fileprivate func clipped(to screen: PixelSize) -> (target: PixelRegion, region: PixelRegion)? {
    let placed = PixelRegion(uncheckedX: x, y: y, width: region.width, height: region.height)
    guard let target = placed.intersection(PixelRegion(whole: screen)) else { return nil }
    return (
      target,
      PixelRegion(
        uncheckedX: region.x + target.x - x, y: region.y + target.y - y, width: target.width,
        height: target.height)
    )
  }
}

extension PicturePlan {
  /// Where the region's pixels stand on the screen, for an exact plan: the origin may be off it.
  package var copiesTo: (x: Int, y: Int) {
    let box = map.boundingBox(
      of: ViewRect(
        x: Double(region.x), y: Double(region.y), width: Double(region.width),
        height: Double(region.height)))
    return (Int(SampleBox.bounded(box.x.rounded())), Int(SampleBox.bounded(box.y.rounded())))
  }
}
