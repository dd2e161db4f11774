/// The way in which a picture of the set is made; each format uses some of it.
struct ConformanceRecipe: Decodable, Sendable {
  /// The file's name; its suffix tells the format.
  let file: String
  private let width, height: Int?
  /// Without a value, samples have 8 bits, and there are three bands.
  let bands, bits: Int?

  let jpeg: PictureRecipe.Encoding?
  let change: JPEGChange?

  /// PNG: 2, RGB, without a value.
  let colourType: Int?
  /// PNG: the filters of the rows, in turn; all five without a value.
  let filters: [Int]?
  let isInterlaced: Bool?
  /// PNG: a factor of all bytes of the rows.
  let step: Int?
  /// PNG: the chunks between the header and the data, in the order of their types.
  let chunks: [String: [UInt8]]?

  /// TIFF: the values of tags, which are 16 bits each.
  let tags: [Int: [Int]]?
  let isBigEndian: Bool?
  /// TIFF: whether offsets have 64 bits.
  let isBig: Bool?
  /// TIFF: whether the blocks are in the file in the reverse order.
  let isReversed: Bool?
  /// TIFF: whether the pattern itself is expected, because libvips (8.14) refuses the file.
  let isPlain: Bool?
  let levels: Levels?

  /// PNM: the bytes of a comment's line.
  let commentLength: Int?

  /// The columns and rows, usually odd.
  ///
  /// A JPEG usually has fourteen rows of MCUs, the last partial, so that restart markers after each
  /// row are numbered from 0 to 7 and on.
  var sides: (width: Int, height: Int) { (width ?? 99, height ?? (jpeg == nil ? 117 : 211)) }

  /// The rounding of the sides of a TIFF's two smaller copies.
  enum Levels: String, Decodable, Sendable {
    case down, up
  }
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
    let places = Self.markers(in: jpeg)
    var changed = jpeg
    switch self {
    case .fillBytes:
      for place in places.reversed() { changed.insert(contentsOf: [0xFF, 0xFF], at: place) }
    case .lateHeight:
      guard let frame = places.first(where: { jpeg[$0 + 1] == 0xC0 }), let end = places.last else {
        preconditionFailure("a JPEG has a frame")
      }
      // The height follows the marker, the length and the precision.
      let height = frame + 5..<frame + 7
      changed.replaceSubrange(height, with: [0, 0])
      changed.insert(contentsOf: [0xFF, 0xDC, 0, 4] + jpeg[height], at: end)
    case .falseMarkers:
      let comment: [UInt8] = [0xFF, 0xD9, 0xFF, 0xDA, 0, 8, 0xFF, 0xC0, 0, 17, 0xFF, 0xD3]
      // After JFIF's segment, which is the first.
      changed.insert(contentsOf: [0xFF, 0xFE, 0, 14] + comment, at: places[1])
      changed += [0xFF, 0xD8, 0xFF, 0xD0, 0xFF, 0xDA, 0, 8]
    }
    return changed
  }

  /// Returns the offsets of all markers but the first of a JPEG that our encoder wrote.
  private static func markers(in jpeg: [UInt8]) -> [Int] {
    var places: [Int] = []
    var place = 2
    while place + 1 < jpeg.count {
      let code = jpeg[place + 1]
      guard jpeg[place] == 0xFF, code != 0 else {
        place += 1
        continue
      }
      places.append(place)
      place += 2
      // Restart markers and the end have no length.
      if !(0xD0...0xD9).contains(code) { place += Int(jpeg[place]) << 8 | Int(jpeg[place + 1]) }
    }
    return places
  }
}
