package import ZoomGeometry

/// A metadata segment to be written into a JPEG.
package struct JPEGSegment: Sendable, Hashable {
  package let code: UInt8
  /// The contents after the length, at most 65,533 bytes.
  package let body: [UInt8]

  package init(code: UInt8, body: [UInt8]) {
    self.code = code
    self.body = body
  }

  /// Appends the marker, the length (which includes its own two bytes) and the body.
  func append(to bytes: inout [UInt8]) {
    let length = body.count + 2
    for byte in [0xFF, code, UInt8(length >> 8), UInt8(length & 0xFF)] { bytes.append(byte) }
    bytes += body
  }

  /// Passes the class and number and the contents of each table of a DHT or DQT segment to `take`.
  /// - Returns: False if the segment ends inside a table or `take` returns false.
  func readTables(_ take: (_ head: UInt8, _ table: ArraySlice<UInt8>) -> Bool) -> Bool {
    var rest = body[...]
    while let head = rest.first {
      // A DHT has the numbers of codes of 16 lengths, and their values (T.81, B.2.4.2); a DQT has
      // 64 steps of one or two bytes (B.2.4.1).
      let values = rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
      let length = code == 0xC4 ? 16 + values : head >> 4 == 0 ? 64 : 128
      let table = rest.dropFirst().prefix(length)
      guard table.count == length, take(head, table) else { return false }
      rest = rest.dropFirst(1 + length)
    }
    return true
  }

  /// Returns an EXIF segment with an orientation and the mandatory tags (CIPA DC-008, 4.6.8).
  ///
  /// It is big-endian. Its only directory is at offset 8; the five entries end at 74, where the two
  /// resolutions of 72/1 follow.
  package static func exif(_ orientation: Orientation) -> JPEGSegment {
    let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    let entries: [[UInt8]] = [
      [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0],
      [0x01, 0x1A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 74],
      [0x01, 0x1B, 0, 5, 0, 0, 0, 1, 0, 0, 0, 82],
      [0x01, 0x28, 0, 3, 0, 0, 0, 1, 0, 2, 0, 0],
      [0x02, 0x13, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0],
    ]
    let resolution: [UInt8] = [0, 0, 0, 72, 0, 0, 0, 1]
    let directory = [0, UInt8(entries.count)] + entries.flatMap(\.self) + [0, 0, 0, 0]
    return JPEGSegment(
      code: 0xE1, body: JPEGMetadata.exif + header + directory + resolution + resolution)
  }

  /// Returns the segments of a colour profile (ICC.1:2022, B.4); nil if it needs more than 255.
  package static func profile(_ profile: [UInt8]) -> [JPEGSegment]? {
    let size = 65_533 - JPEGMetadata.profileHeadLength
    let starts = Array(stride(from: 0, to: profile.count, by: size))
    guard starts.count <= 255 else { return nil }
    return starts.enumerated().map { number, start in
      let head = JPEGMetadata.profile + [UInt8(number + 1), UInt8(starts.count)]
      return JPEGSegment(
        code: 0xE2, body: head + profile[start..<min(profile.count, start + size)])
    }
  }

  /// Inserts segments at the start of a JPEG, but after the JFIF marker, which must be first.
  static func insert(_ segments: [JPEGSegment], into encoded: inout [UInt8]) {
    var place = 2
    if encoded.count > 6, encoded[2] == 0xFF, encoded[3] == 0xE0 {
      place += 2 + Int(encoded[4]) << 8 + Int(encoded[5])
    }
    let bytes = segments.reduce(into: []) { $1.append(to: &$0) }
    encoded.insert(contentsOf: bytes, at: min(place, encoded.count))
  }
}
