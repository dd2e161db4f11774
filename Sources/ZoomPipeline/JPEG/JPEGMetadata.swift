internal import ZoomGeometry

/// The orientation and profile in a JPEG's headers, read by libvips' rules.
///
/// The rules are those of libvips 8.14 with libjpeg-turbo and libexif; a test compares the two on
/// random and damaged headers.
struct JPEGMetadata: Sendable {
  /// Whether libvips would return the same values.
  ///
  /// If not, because headers are irregular, libvips is asked. Opening every JPEG through libvips
  /// would take 150 us, some 15 % of a warm peek, so these rules are worth their code.
  var isCertain = true
  private(set) var orientation = Orientation.up
  private(set) var profileLength = 0
  /// Whether the picture is stored in several scans.
  var isMultiscan = false
  /// Whether a segment of ISO 21496-1 or a name space in XMP announces a gain map.
  private(set) var hasGainMap = false

  private var hasEXIF = false
  private var adobeTransform: Int?
  private var profilePieces: (read: Int, all: Int) = (0, 0)

  static let exif = Array("Exif\0\0".utf8)
  static let profile = Array("ICC_PROFILE\0".utf8)
  static let gainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
  /// The length of a profile segment's head: name, number from 1 on, and number of segments.
  static let profileHeadLength = 14
  /// The maximum width and height that libjpeg accepts.
  static let largestSide = 65_500

  /// Checks Huffman or quantisation tables, which a decoder rejects unless they are regular.
  mutating func readTables(_ segment: JPEGSegment) {
    // A Huffman table has 16 counts and at most 256 values.
    let isRegular = segment.readTables { head, table in
      head >> 4 <= 1 && head & 15 <= 3 && table.count <= 16 + 256
    }
    if !isRegular { isCertain = false }
  }

  /// Reads XMP, or the orientation in the first directory of EXIF (CIPA DC-008, TIFF 6.0).
  mutating func readEXIFOrXMP(_ body: ArraySlice<UInt8>) {
    if body.starts(with: "http://ns.adobe.com/xap/".utf8) {
      let name = Array("/hdr-gain-map/".utf8)
      let isNamed = body.indices.contains { body[$0] == name[0] && body[$0...].starts(with: name) }
      hasGainMap = hasGainMap || isNamed
    }
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
    let isLittle = tiff.starts(with: "II".utf8)
    guard isLittle || tiff.starts(with: "MM".utf8) else { return nil }
    func short(_ offset: Int) -> Int {
      let number = tiff.number(at: offset)
      return isLittle ? number >> 8 | number << 8 & 0xFF00 : number
    }
    func long(_ offset: Int) -> Int {
      let (first, second) = (short(offset), short(offset + 2))
      return isLittle ? first | second << 16 : first << 16 | second
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

  /// Reads the start of a segment, which may hold a piece of a colour profile (ICC.1, B.4).
  mutating func readProfile(_ head: ArraySlice<UInt8>, length: Int) {
    if head.starts(with: Self.gainMap) { hasGainMap = true }
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
    guard adobeTransform == nil, body.count >= 12, body.starts(with: "Adobe".utf8) else {
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
  func byte(at offset: Int) -> Int { Int(self[startIndex + offset]) }

  /// Returns the number in two bytes, the highest first.
  func number(at offset: Int) -> Int { byte(at: offset) << 8 | byte(at: offset + 1) }
}
