internal import ZoomGeometry

/// The orientation and profile in a JPEG's headers, read by libvips' rules.
///
/// Opening a JPEG through libvips takes longer than a small peek. So libvips is asked only if
/// `isCertain` is false, because headers are irregular. The rules are those of libvips 8.14 with
/// libjpeg-turbo and libexif; a test compares the two on random and damaged headers.
struct JPEGMetadata: Sendable {
  /// Whether libvips would return the same values.
  var isCertain = true
  private(set) var orientation = Orientation.up
  private(set) var profileLength = 0
  /// Whether the picture is stored in several scans.
  var isMultiscan = false

  private var hasEXIF = false
  private var adobeTransform: Int?
  private var profilePieces: (read: Int, all: Int) = (0, 0)

  static let jfif = Array("JFIF\0".utf8)
  private static let exif = Array("Exif\0\0".utf8)
  private static let adobe = Array("Adobe".utf8)
  private static let profile = Array("ICC_PROFILE\0".utf8)
  /// The length of a profile segment's head: name, number from 1 on, and number of segments.
  static let profileHeadLength = 14
  /// The maximum width and height that libjpeg accepts.
  static let largestSide = 65_500

  /// Checks quantisation or Huffman tables, which a decoder rejects unless they are regular.
  mutating func readTables(_ marker: UInt8, _ body: ArraySlice<UInt8>) {
    var rest = body
    while let head = rest.first {
      var count = 65
      if marker == 0xDB {
        if head >> 4 == 1 { count += 64 }
      } else {
        guard rest.count >= 17 else { break }
        let codes = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
        guard codes <= 256 else { break }
        count = 17 + codes
      }
      guard head >> 4 <= 1, head & 15 <= 3, count <= rest.count else { break }
      rest = rest.dropFirst(count)
    }
    if !rest.isEmpty { isCertain = false }
  }

  /// Reads the orientation of the first directory of an EXIF segment (CIPA DC-008, TIFF 6.0).
  mutating func readEXIF(_ body: ArraySlice<UInt8>) {
    // Other segments, such as XMP, do not hold an orientation.
    guard body.starts(with: Self.exif.prefix(4)) else { return }
    guard !hasEXIF, let found = Self.orientation(body) else {
      isCertain = false
      return
    }
    hasEXIF = true
    orientation = found
  }

  /// Returns the orientation; nil if the segment is irregular in any way.
  private static func orientation(_ body: ArraySlice<UInt8>) -> Orientation? {
    guard body.starts(with: exif) else { return nil }
    let tiff = body.dropFirst(6)
    guard tiff.count >= 14 else { return nil }
    let order = (tiff.byte(at: 0), tiff.byte(at: 1))
    guard order == (0x49, 0x49) || order == (0x4D, 0x4D) else { return nil }
    let isLittle = order.0 == 0x49
    func short(_ place: Int) -> Int {
      isLittle
        ? tiff.byte(at: place) | tiff.byte(at: place + 1) << 8 : tiff.number(at: place)
    }
    func long(_ place: Int) -> Int {
      isLittle ? short(place) | short(place + 2) << 16 : short(place) << 16 | short(place + 2)
    }
    let start = long(4)
    guard short(2) == 42, start >= 8, start <= tiff.count - 2 else { return nil }
    let count = short(start)
    // The offset of the next directory follows the entries.
    guard start + 2 + 12 * count + 4 <= tiff.count else { return nil }
    var found: Orientation?
    for entry in stride(from: start + 2, to: start + 2 + 12 * count, by: 12) {
      switch short(entry) {
      case 0x0112:
        guard found == nil, short(entry + 2) == 3, long(entry + 4) == 1,
          let orientation = Orientation(rawValue: short(entry + 8))
        else { return nil }
        found = orientation
      case 0x0201, 0x0202, 0x8769, 0x8825, 0xA005:
        // If a thumbnail or directory is beyond the end, libexif (0.6.24) skips the rest.
        guard long(entry + 8) < tiff.count else { return nil }
      default: break
      }
    }
    return found ?? .up
  }

  /// Reads the start of a segment that may hold a piece of a colour profile (ICC.1, B.4).
  mutating func readProfile(_ head: ArraySlice<UInt8>, length: Int) {
    guard head.starts(with: Self.profile.dropLast()) else { return }
    guard head.starts(with: Self.profile), length > Self.profileHeadLength else {
      isCertain = false
      return
    }
    let (number, all) = (head.byte(at: 12), head.byte(at: 13))
    // libvips accepts at most 100 pieces.
    if number != profilePieces.read + 1 || number > all || all > 100
      || (number > 1 && all != profilePieces.all)
    {
      isCertain = false
    }
    profilePieces = (number, all)
    profileLength += length - Self.profileHeadLength
  }

  mutating func readAdobe(_ body: ArraySlice<UInt8>) {
    guard adobeTransform == nil, body.count >= 12, body.starts(with: Self.adobe) else {
      isCertain = false
      return
    }
    adobeTransform = body.byte(at: 11)
  }

  mutating func finish(componentCount: Int) {
    // 0 is RGB or CMYK, 1 YCbCr, 2 YCCK; decoders differ in how they handle other values.
    let known = componentCount == 4 ? [0, 2] : [0, 1]
    if let adobeTransform, !known.contains(adobeTransform) { isCertain = false }
    if profilePieces.read != profilePieces.all { isCertain = false }
  }
}

extension ArraySlice<UInt8> {
  func byte(at place: Int) -> Int { Int(self[startIndex + place]) }

  func number(at place: Int) -> Int { byte(at: place) << 8 | byte(at: place + 1) }
}
