internal import ZoomGeometry

/// A description of a generated picture: contents, sample format and container.
///
/// It is a value, so that it can be drawn from choices, shrunk, printed and used as a cache key.
struct TestPicture: Sendable, Hashable {
  /// The contents, the simplest first.
  enum Motif: Sendable, Hashable {
    /// One level, 0...255, everywhere.
    case flat(Int)
    /// Black and white squares of this many pixels a side.
    case checker(Int)
    /// Gradients along both axes, different in each band.
    case gradient
    /// Smooth crossing waves of 12 and 9 pixels, which allow a shift to be measured.
    case waves
    /// Rings that become finer outwards; beyond half the longer side they alias.
    case zonePlate
    /// A random colour per pixel, which identifies its place; the number is the seed.
    case noise(UInt64)
  }

  /// The number of bits per sample.
  enum SampleDepth: Int, Sendable, Hashable, CaseIterable {
    case eight = 8
    case sixteen = 16
  }

  /// The size before the change and the orientation tag.
  var size: PixelSize
  /// The number of bands: 1, 3 or 4.
  var bands = 3
  /// The sample depth; JPEG allows 8 bits only.
  var depth = SampleDepth.eight
  var content = Motif.noise(1)
  /// The EXIF orientation; a PNG has none.
  var orientation = Orientation.up
  var container = PictureContainer.png
  /// The change applied before the picture is stored.
  var change = PictureChange.none
  /// Whether the file has a profile, which swaps red and green or lightens grey; inks have none.
  var hasProfile = false

  /// The size of the upright picture.
  var uprightSize: PixelSize { orientation.uprightSize(ofStored: storedSize) }

  /// The size in the file, after the change.
  var storedSize: PixelSize {
    switch change {
    case .none, .raised: size
    case .symmetry(let turn): turn.uprightSize(ofStored: size)
    case .padded(let left, let top):
      PixelRegion.checked(0, 0, size.width + left, size.height + top).size
    }
  }

  func changed(_ change: PictureChange) -> TestPicture {
    var copy = self
    copy.change = change
    return copy
  }
}

extension TestPicture: CustomStringConvertible {
  /// A phrase such as "64x31 RGB 8 bit noise(1) in a PNG, orientation 6".
  var description: String {
    let colours = [1: "grey", 3: "RGB", 4: "4 bands"][bands] ?? "\(bands) bands"
    var words = "\(size) \(colours) \(depth.rawValue) bit \(content) in a \(container)"
    if orientation != .up { words += ", orientation \(orientation.rawValue)" }
    if change != .none { words += ", \(change)" }
    if hasProfile { words += ", with a profile" }
    return words
  }
}

/// A change applied to a test picture before it is stored, to make the second picture of a pair.
enum PictureChange: Sendable, Hashable {
  /// No change.
  case none
  /// One of the eight orientations, applied to the pixels instead of written as a tag.
  case symmetry(Orientation)
  /// Adds this many copies of the first column on the left and of the first row at the top.
  case padded(left: Int, top: Int)
  /// Raises every sample by this many 8-bit levels; samples wrap around, so choose contents that
  /// leave room above.
  case raised(Int)
}
