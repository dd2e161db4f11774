/// The way in which a picture of the set is made; each format uses some of it.
struct ConformanceRecipe: Decodable, Sendable {
  /// The name of the file, with the suffix of its format.
  let file: String
  private let width, height: Int?
  /// Without a value, samples have 8 bits, and there are three bands.
  let bands, bits: Int?
  let jpeg: PictureRecipe.Encoding?
  let change: JPEGChange?
  /// The bytes of a comment's line in a PNM.
  let commentLength: Int?
  /// The colour type of a PNG, 2 (RGB) without a value, and a factor of all bytes of its rows.
  let colourType, step: Int?
  /// The filters of a PNG's rows, in turn; all five without a value.
  let filters: [Int]?
  /// The chunks between a PNG's header and its data, in the order of their types.
  let chunks: [String: [UInt8]]?
  /// The values of a TIFF's tags, which are 16 bits each.
  let tags: [Int: [Int]]?
  /// The flags of a PNG (the first) and of a TIFF (the others).
  ///
  /// `isBig` gives offsets 64 bits, `isReversed` reverses the blocks in the file, `isPlain` expects
  /// the pattern itself, because libvips (8.14) refuses the file, and `levelsRoundUp` rounds the
  /// sides of its two smaller copies up; it has none without a value.
  let isInterlaced, isBigEndian, isBig, isReversed, isPlain, levelsRoundUp: Bool?

  /// The columns and rows, usually odd.
  ///
  /// A JPEG usually has fourteen rows of MCUs, the last partial, so that restart markers after each
  /// row are numbered from 0 to 7 and on.
  var sides: (width: Int, height: Int) { (width ?? 99, height ?? (jpeg == nil ? 117 : 211)) }
}

/// A change of a JPEG of one scan that leaves its pixels alone.
enum JPEGChange: String, Decodable, Sendable {
  /// Two fill bytes before every marker but the first.
  case fillBytes
  /// The height in a DNL segment.
  case lateHeight
  /// Bytes like markers in a comment and after the end.
  case falseMarkers

  func applied(to jpeg: [UInt8]) -> [UInt8] {
    // All markers but the first: in our encoder's files, 0xFF begins a marker or precedes a 0.
    let places = (2..<jpeg.count - 1).filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] != 0 }
    var changed = jpeg
    switch self {
    case .fillBytes:
      for place in places.reversed() { changed.insert(contentsOf: [0xFF, 0xFF], at: place) }
    case .lateHeight:
      guard let frame = places.first(where: { jpeg[$0 + 1] == 0xC0 }) else {
        preconditionFailure("a JPEG of the set has a baseline frame")
      }
      // The height follows the marker, the length and the precision.
      let height = frame + 5..<frame + 7
      changed.replaceSubrange(height, with: [0, 0])
      changed.insert(contentsOf: [0xFF, 0xDC, 0, 4] + jpeg[height], at: jpeg.count - 2)
    case .falseMarkers:
      let comment: [UInt8] = [0xFF, 0xD9, 0xFF, 0xDA, 0, 8, 0xFF, 0xC0, 0, 17, 0xFF, 0xD3]
      // After JFIF's segment, which is the first.
      changed.insert(contentsOf: [0xFF, 0xFE, 0, 14] + comment, at: places[1])
      changed += [0xFF, 0xD8, 0xFF, 0xD0, 0xFF, 0xDA, 0, 8]
    }
    return changed
  }
}
