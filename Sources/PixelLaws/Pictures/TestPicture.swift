public import ZoomGeometry

/// A picture to be made: what it shows, in what samples, and in what kind of file.
///
/// A value, so that it can be drawn from choices, shrunk, printed and cached by.
public struct TestPicture: Sendable, Hashable {
  /// What it shows, the simplest first.
  public enum Motif: Sendable, Hashable {
    /// One level, 0 ... 255, everywhere.
    case flat(Int)
    /// Black and white squares of so many pixels a side.
    case checker(Int)
    /// Slopes along both axes, another in each band.
    case gradient
    /// Smooth crossing waves of 12 and 9 pixels, by which a shift can be measured.
    case waves
    /// Rings that become finer outwards, down to two pixels.
    case zonePlate
    /// Each pixel of another colour, which tells where it was; the number is the seed.
    case noise(UInt64)
  }

  /// Bits of a sample.
  public enum SampleDepth: Int, Sendable, Hashable, CaseIterable {
    /// 8 bits.
    case eight = 8
    /// 16 bits.
    case sixteen = 16
  }

  /// The picture as its file stores it, before the orientation tag.
  public var size: PixelSize
  /// 1, 3 or 4.
  public var bands: Int
  /// Bits of a sample; JPEG has 8 only.
  public var depth: SampleDepth
  /// What it shows.
  public var content: Motif
  /// The EXIF tag; a PNG has none.
  public var orientation: Orientation
  /// The kind of file.
  public var container: PictureContainer
  /// What is done to the picture before it is stored.
  package var change: PictureChange

  package init(
    size: PixelSize, bands: Int = 3, depth: SampleDepth = .eight, content: Motif = .noise(1),
    orientation: Orientation = .up, container: PictureContainer = .png,
    change: PictureChange = .none
  ) {
    self.size = size
    self.bands = bands
    self.depth = depth
    self.content = content
    self.orientation = orientation
    self.container = container
    self.change = change
  }

  /// The size of the picture as it is to be seen.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: storedSize) }

  /// The size in the file, after the change.
  package var storedSize: PixelSize { change.size(of: size) }

  /// The same picture with another change in place of its own.
  package func changed(_ change: PictureChange) -> TestPicture {
    var copy = self
    copy.change = change
    return copy
  }
}

extension TestPicture: CustomStringConvertible {
  /// In words: "64x31 RGB 8 bit noise in a PNG, orientation 6".
  public var description: String {
    let colours = [1: "grey", 3: "RGB", 4: "4 bands"][bands] ?? "\(bands) bands"
    var words = "\(size) \(colours) \(depth.rawValue) bit \(contentInWords) in a \(container)"
    if orientation != .up { words += ", orientation \(orientation.rawValue)" }
    if change != .none { words += ", \(change)" }
    return words
  }

  private var contentInWords: String {
    switch content {
    case .flat(let level): "flat \(level)"
    case .checker(let side): "checker of \(side) px"
    case .gradient: "gradient"
    case .waves: "waves"
    case .zonePlate: "zone plate"
    case .noise(let seed): "noise \(seed)"
    }
  }
}

/// What is done to a test picture before it is stored: the other one of a pair.
package enum PictureChange: Sendable, Hashable, CustomStringConvertible {
  /// Nothing.
  case none
  /// One of the eight turns and mirrorings, done to the pixels and not told by a tag.
  case symmetry(Orientation)
  /// So many columns on the left and rows at the top are put before it.
  case padded(left: Int, top: Int)
  /// Every sample is so many 8-bit levels higher; they wrap around, so keep it where they do not.
  case raised(Int)

  /// A picture's size after the change.
  func size(of size: PixelSize) -> PixelSize {
    switch self {
    case .none, .raised: size
    case .symmetry(let turn): turn.uprightSize(ofStored: size)
    case .padded(let left, let top):
      // Sides of test pictures are far below the largest.
      (try? PixelSize(width: size.width + left, height: size.height + top)) ?? size
    }
  }

  package var description: String {
    switch self {
    case .none: "unchanged"
    case .symmetry(let turn): "pixels turned as by tag \(turn.rawValue)"
    case .padded(let left, let top): "\(left) columns and \(top) rows put before it"
    case .raised(let levels): "raised by \(levels)"
    }
  }
}
