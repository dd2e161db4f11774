internal import SystemPackage

extension SidecarIdentity {
  /// Reads a picture's file.
  /// - Parameters:
  ///   - file: the open file.
  ///   - version: settled, taken before anything was read that the sidecar tells of.
  ///   - headerLength: bytes up to the first coded one.
  /// - Throws: `PipelineError` when it cannot be read, or is not as it was when it was seen.
  init(
    of file: FileReader, seen version: FileVersion, headerLength: Int
  ) throws(PipelineError) {
    self.init(
      version: version, headerLength: headerLength,
      headerDigest: try Self.digest(of: file, count: headerLength),
      sampleDigest: try Self.sampleDigest(of: file),
      contentDigest: try Self.digest(of: file, count: file.length))
    guard try FileVersion(of: file.path) == version else {
      throw PipelineError(
        .changed, operation: "index", file: file.path, reason: "the file changed meanwhile",
        advice: "index it again")
    }
  }

  /// Compares a file with the one of which this was taken.
  ///
  /// The whole file is read only where the cheap signs leave a doubt.
  /// - Parameter file: the file, open.
  /// - Returns: what differs; nil when it is the same file with the same content.
  /// - Throws: `PipelineError` when it cannot be read.
  func difference(from file: FileReader) throws(PipelineError) -> String? {
    if let found = try differenceNow(from: file) { return found }
    // Stamps before it was opened and after all is read: what was read is what stands there.
    return try FileVersion(of: file.path) == file.version ? nil : "the picture changed just now"
  }

  private func differenceNow(from file: FileReader) throws(PipelineError) -> String? {
    if file.length != length { return "the picture has \(file.length) bytes, not \(length)" }
    if try Self.digest(of: file, count: headerLength) != headerDigest {
      return "the picture's headers differ"
    }
    if try Self.sampleDigest(of: file) != sampleDigest { return "the picture's content differs" }
    if file.version == version { return nil }
    return try Self.digest(of: file, count: length) == contentDigest
      ? nil : "the picture's content differs"
  }

  private static func sampleDigest(of file: FileReader) throws(PipelineError) -> [UInt8] {
    var hash = SHA256()
    for offset in sampleOffsets(length: file.length) {
      hash.append(try file.bytes(at: offset, count: sampleByteCount))
    }
    return hash.finish()
  }

  /// The digest of the first `count` bytes, or of all when there are fewer.
  private static func digest(of file: FileReader, count: Int) throws(PipelineError) -> [UInt8] {
    var hash = SHA256()
    var position = 0
    while position < count {
      // Large enough to make system calls rare, small enough to stay in the second-level cache.
      let piece = try file.bytes(at: position, count: min(1 << 18, count - position))
      if piece.isEmpty { break }
      hash.append(piece)
      position += piece.count
    }
    return hash.finish()
  }
}
