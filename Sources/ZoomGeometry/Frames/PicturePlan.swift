/// The plan to draw a picture layer on a screen: the screen pixels that it touches, the picture
/// pixels that are read, and the operation between them.
///
/// Pixel i of picture and screen covers i ... i + 1, and pixel j of a picture reduced by n covers
/// n j ... n j + n. A screen pixel shows the picture at the inverse image of its centre.
public struct PicturePlan: Sendable, Hashable {
  /// The operation on the picture pixels.
  public enum Kind: Sendable, Hashable {
    /// Each pixel is copied to one screen pixel, after a turn.
    case exact(QuarterTurn)
    /// Each screen pixel is interpolated from the four nearest pixels by their distances.
    case bilinear
  }

  /// The map from picture pixels to screen pixels.
  public let map: Affine
  /// The screen pixels that the layer touches: its bounding box, clipped to the screen.
  public let target: PixelRegion
  /// The picture pixels that are read, inside the picture, in whole blocks of `reduction * shrink`.
  ///
  /// Blocks start at the picture's top left corner; the last of a row or column may be smaller.
  public let region: PixelRegion
  /// The side in picture pixels of the block that is decoded into one pixel: 1, 2, 4, 8, or the
  /// factor of a reduced copy in the file.
  ///
  /// It is the largest that loses no visible detail in any direction. Unless the map shrinks below 1/8, at most
  /// about four pixels are decoded for each one shown, plus a margin for the kernel. If a map shrinks further
  /// than the largest factor, the decoded pixels per shown pixel grow with the square of the excess.
  public let reduction: Int
  /// The side in decoded pixels of the block that is averaged into one pixel before resampling.
  ///
  /// It exceeds 1 only where the map shrinks below 1/8. Without it, a kernel of four pixels could
  /// skip most of the picture there.
  public let shrink: Int
  /// The operation on the pixels.
  public let kind: Kind
  /// The pixels, or the blocks of `reduction * shrink`, that the target's pixels sample.
  package let samples: SampleBox

  /// Creates the plan of a layer over an upright picture; nil if the layer is invisible.
  ///
  /// It is invisible if it is off the screen, transparent, of no size, squeezed to a line, or if its
  /// numbers are not finite. `stored` has the factors, from 2 on, by which copies in the picture's
  /// file are reduced.
  public init?(
    _ layer: PictureLayer, on screen: Screen, picture: PixelSize, stored: [Int] = []
  ) {
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
      // Integers need no rounding.
      guard let shown = copy.clipped(to: screen.pixels) else { return nil }
      self.target = shown.target
      region = shown.region
      samples = SampleBox(columns: region.x..<region.maxX, rows: region.y..<region.maxY)
      kind = .exact(.none)
      (reduction, shrink) = (1, 1)
      return
    }
    self.target = target
    if let exact = ExactMap(map, inverse, target) {
      kind = .exact(exact.turn)
      (reduction, shrink, samples) = (1, 1, exact.box)
    } else {
      kind = .bilinear
      let largest = map.largestStretch
      reduction = Self.reduction(largest, stored)
      shrink = reduction < 8 ? 1 : Self.shrink(largest, reduction, picture)
      samples = SampleBox(of: target, inverse, content: content, block: reduction * shrink)
    }
    region = samples.region(of: picture, block: reduction * shrink)
  }

  /// Returns the largest reduction, by a decoder or of a stored copy, that is no smaller than the shown picture.
  private static func reduction(_ largest: Double, _ stored: [Int]) -> Int {
    ([2, 4, 8] + stored).filter { Double($0) * largest <= roundedUpOne }.reduce(1, max)
  }

  /// Returns how many pixels of the reduced picture fall on a screen pixel along one axis, rounded down.
  ///
  /// It is at least 1 and at most about the reduced picture's longer side.
  private static func shrink(_ largest: Double, _ reduction: Int, _ picture: PixelSize) -> Int {
    let most = max(picture.width, picture.height) / reduction + 1
    let blocks = roundedUpOne / (Double(reduction) * largest)
    return blocks < Double(most) ? max(1, Int(blocks)) : most
  }

  /// One and an allowance for the rounding of a few multiplications.
  ///
  /// With it the scale 0.1149 / 0.2298 counts as 1/2, although rounding may put it slightly above.
  private static let roundedUpOne = 1 + 1e-9
}

extension PictureLayer {
  /// Returns whether the layer has the content and the frame of another, to the last bit.
  ///
  /// A layer from a file may contradict its own copy.
  fileprivate func isPlaced(as other: PictureLayer) -> Bool {
    content == other.content && size == other.size && transform == other.transform
  }
}

extension PixelCopy {
  /// Returns the part on the screen, in screen pixels and in picture pixels; nil if there is none.
  ///
  /// The caller has checked that the copy touches the screen, so no sum overflows.
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
  /// The screen position of the region's corner in an exact plan; it may be off the screen.
  package var copiesTo: (x: Int, y: Int) {
    let box = map.boundingBox(
      of: ViewRect(
        x: Double(region.x), y: Double(region.y), width: Double(region.width),
        height: Double(region.height)))
    return (Int(SampleBox.bounded(box.x.rounded())), Int(SampleBox.bounded(box.y.rounded())))
  }
}
