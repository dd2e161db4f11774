/// The orientation of a stored picture: the eight values of the EXIF tag.
///
/// The transform that turns the stored pixels upright is one rotation, then at most one mirroring:
///
/// | tag | case | clockwise | then mirror left-right | in one word |
/// |---|---|---|---|---|
/// | 1 | `up` | 0° | no | identity |
/// | 2 | `upMirrored` | 0° | yes | mirror left-right |
/// | 3 | `down` | 180° | no | half turn |
/// | 4 | `downMirrored` | 180° | yes | mirror top-bottom |
/// | 5 | `leftMirrored` | 90° | yes | transpose (main diagonal) |
/// | 6 | `right` | 90° | no | quarter turn clockwise |
/// | 7 | `rightMirrored` | 270° | yes | transpose (other diagonal) |
/// | 8 | `left` | 270° | no | quarter turn counter-clockwise |
///
/// It equals libvips' `autorot`; the names are ImageIO's. Geometry uses upright pixels
/// only; the stored ones matter to a decoder that reads a part. FlexMonkey/ForceZoom mixes the
/// two: it divides by the upright size and crops the stored bitmap (FZ-B13).
public enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// The number of clockwise quarter turns, 0 to 3, that the transform starts with.
  public var quarterTurnsClockwise: Int {
    switch self {
    case .up, .upMirrored: 0
    case .leftMirrored, .right: 1
    case .down, .downMirrored: 2
    case .rightMirrored, .left: 3
    }
  }

  /// Whether a left-right mirroring follows the quarter turns.
  public var mirrorsHorizontally: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    case .up, .down, .right, .left: false
    }
  }

  /// Whether the stored width is the upright height.
  public var swapsAxes: Bool { !quarterTurnsClockwise.isMultiple(of: 2) }

  /// The orientation with the inverse transform.
  ///
  /// Half turns and all mirrored orientations are their own inverses.
  public var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    case .up, .upMirrored, .down, .downMirrored, .leftMirrored, .rightMirrored: self
    }
  }

  /// Returns the size of the upright picture.
  public func uprightSize(ofStored size: PixelSize) -> PixelSize {
    swapsAxes ? size.transposed : size
  }
}

// One formula maps stored pixels to upright ones; the inverse orientation maps them back.
extension Orientation {
  /// Returns the stored region that holds the pixels of an upright one.
  ///
  /// Crop this from the stored picture, turn it `quarterTurnsClockwise`, mirror it if
  /// `mirrorsHorizontally`: the result is the upright region, pixel for pixel.
  ///
  /// - Throws: `GeometryError` if the region is not inside the upright picture.
  public func storedRegion(
    forUpright region: PixelRegion, storedSize: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try inverse.turned(region, of: uprightSize(ofStored: storedSize))
  }

  /// Returns the upright region that holds the pixels of a stored one.
  ///
  /// - Throws: `GeometryError` if the region is not inside the stored picture.
  public func uprightRegion(
    forStored region: PixelRegion, storedSize: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    try turned(region, of: storedSize)
  }

  /// Returns the position in the stored picture of a pixel of the upright one.
  ///
  /// - Throws: `GeometryError` if the pixel is not inside the upright picture.
  public func storedPoint(
    forUpright point: PixelPoint, storedSize: PixelSize
  ) throws(GeometryError) -> PixelPoint {
    try inverse.turned(point, of: uprightSize(ofStored: storedSize))
  }

  private func turned(_ point: PixelPoint, of size: PixelSize) throws(GeometryError) -> PixelPoint {
    guard PixelRegion(whole: size).contains(x: point.x, y: point.y) else {
      throw GeometryError(argument: "point", value: point, reason: .outside(size))
    }
    let region = try turned(
      PixelRegion(uncheckedX: point.x, y: point.y, width: 1, height: 1), of: size)
    return PixelPoint(x: region.x, y: region.y)
  }

  /// Applies the transform to a region of a picture of this size: rotate, then mirror.
  private func turned(
    _ region: PixelRegion, of size: PixelSize
  ) throws(GeometryError) -> PixelRegion {
    guard region.isInside(size) else {
      throw GeometryError(argument: "region", value: region, reason: .outside(size))
    }
    // The left edge is at the top after one quarter turn, at the right after two, and at the bottom
    // after three.
    let (x, y) =
      switch quarterTurnsClockwise {
      case 1: (size.height - region.maxY, region.x)
      case 2: (size.width - region.maxX, size.height - region.maxY)
      case 3: (region.y, size.width - region.maxX)
      default: (region.x, region.y)
      }
    let turned = swapsAxes ? region.size.transposed : region.size
    let mirroredX = uprightSize(ofStored: size).width - (x + turned.width)
    return PixelRegion(
      uncheckedX: mirrorsHorizontally ? mirroredX : x, y: y,
      width: turned.width, height: turned.height)
  }
}
