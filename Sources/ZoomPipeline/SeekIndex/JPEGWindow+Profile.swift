extension JPEGWindow {
  /// A segment's length counts itself (2 bytes); the marker's name and two numbers take 14 of the rest.
  private static let profileBytesInSegment = 65_535 - 2 - 14

  /// The file with a colour profile in it (ICC.1:2022, B.4).
  ///
  /// Tiles on a page can do without: a profile may be larger than they are.
  /// - Parameter profile: as the picture has it.
  /// - Returns: nil when the profile is longer than the 255 segments that can be numbered.
  public func bytes(withProfile profile: [UInt8]) -> [UInt8]? {
    let starts = stride(from: 0, to: profile.count, by: Self.profileBytesInSegment)
    let count = Array(starts).count
    guard count <= 255 else { return nil }
    var segments: [UInt8] = []
    for (number, start) in starts.enumerated() {
      let part = profile[start..<min(profile.count, start + Self.profileBytesInSegment)]
      let length = 2 + 14 + part.count
      segments += [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]
      segments += Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)]
      segments += part
    }
    var encoded = bytes
    JPEGStructure.insert(segments, into: &encoded)
    return encoded
  }
}
