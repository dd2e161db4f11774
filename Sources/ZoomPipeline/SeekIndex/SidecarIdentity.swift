/// What a sidecar remembers of its picture's file, so that it is never used for another one.
///
/// An edit that keeps length and modification time is found too: either the change time tells that
/// something may have happened, and then the whole file is hashed, or the file is as it was. Its
/// limit is what a file system does not write down: FAT keeps no change time, and Linux stamps a page
/// written through a mapping when it is first written to, not at each store.
struct SidecarIdentity: Sendable, Hashable {
  /// The file before the first byte of it was read, when a later change had to show in its version.
  let version: FileVersion
  /// Bytes up to the first coded one.
  let headerLength: Int
  /// SHA-256 of these.
  let headerDigest: [UInt8]
  /// SHA-256 of pieces spread over the file.
  let sampleDigest: [UInt8]
  /// SHA-256 of all its bytes.
  let contentDigest: [UInt8]

  /// The file's length in bytes.
  var length: Int { version.length }

  /// 16 pieces of a page: 64 KB cost less than a peek and meet most edits, which rewrite the file.
  static let sampleCount = 16
  /// See `sampleCount`.
  static let sampleByteCount = 4096

  /// Where the pieces begin in a file of a given length; the last one ends with the file.
  static func sampleOffsets(length: Int) -> [Int] {
    let room = max(0, length - sampleByteCount)
    let steps = sampleCount - 1
    // room * number / steps, which could overflow for a sparse file of exabytes.
    return (0...steps).map { room / steps * $0 + room % steps * $0 / steps }
  }
}
