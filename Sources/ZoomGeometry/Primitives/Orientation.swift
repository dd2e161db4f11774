/// How a stored picture has to be turned to stand upright: the eight values of the EXIF tag.
///
/// The transform that turns the stored pixels upright is one rotation followed by at most one
/// mirroring, in this order:
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
/// This is what libvips' `autorot` carries out, and the names are those of ImageIO. All of geometry
/// speaks of upright pixels; the stored ones matter only to a decoder that reads a part. The
/// published ForceZoom mixes the two: it divides by the upright size and crops the stored bitmap
/// (FZ-B13).
public enum Orientation: Int, Sendable, Hashable, Codable, CaseIterable {
  /// Tag 1: stored upright.
  case up = 1
  /// Tag 2: stored mirrored left-right.
  case upMirrored = 2
  /// Tag 3: stored upside down.
  case down = 3
  /// Tag 4: stored mirrored top-bottom.
  case downMirrored = 4
  /// Tag 5: stored with rows and columns swapped.
  case leftMirrored = 5
  /// Tag 6: stored a quarter turn counter-clockwise, so that it must be turned clockwise.
  case right = 6
  /// Tag 7: stored with rows and columns swapped and each counted from the far end.
  case rightMirrored = 7
  /// Tag 8: stored a quarter turn clockwise, so that it must be turned counter-clockwise.
  case left = 8

  /// The quarter turns clockwise, 0 to 3, that come first on the way upright.
  public var quarterTurnsClockwise: Int {
    switch self {
    case .up, .upMirrored: 0
    case .leftMirrored, .right: 1
    case .down, .downMirrored: 2
    case .rightMirrored, .left: 3
    }
  }

  /// Whether a mirroring left-right follows the quarter turns on the way upright.
  public var mirrorsHorizontally: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    case .up, .down, .right, .left: false
    }
  }

  /// Whether the stored width is the upright height.
  public var swapsAxes: Bool { !quarterTurnsClockwise.isMultiple(of: 2) }

  /// The orientation whose transform undoes this one's.
  ///
  /// Only the two quarter turns differ from their inverses; half turns and mirrorings undo
  /// themselves.
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
