internal import SystemPackage
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomPipeline

extension TestPicture {
  /// Writes the picture's file, unless it does not fit the container.
  func write(_ stored: Pixels, to path: FilePath) throws(PipelineError) {
    switch container {
    case .png:
      guard orientation == .up else {
        throw Self.unfit(path, "a PNG gets no orientation tag")
      }
      try image(of: stored).write(to: path, settings: "[compression=1]")
    case .tiledTIFF(let side):
      guard side >= 16, side.isMultiple(of: 16) else {
        throw Self.unfit(path, "\(side) px are not a multiple of 16")
      }
      try image(of: stored).write(
        to: path,
        settings: "[tile,tile-width=\(side),tile-height=\(side),compression=deflate,"
          + "predictor=horizontal]")
      guard orientation != .up else { return }
      // libvips writes only orientation 1 here, so the tag of the finished file is patched.
      let file = try FileReader(path)
      var bytes = try file.bytes(at: 0, count: file.length)
      guard let at = Self.orientationOffset(in: bytes) else {
        throw Self.unfit(path, "libvips wrote a TIFF without orientation tag")
      }
      bytes[at] = UInt8(orientation.rawValue)
      try AtomicFile.write(bytes, to: path)
    case .jpeg(let encoding):
      guard depth == .eight else { throw Self.unfit(path, "a baseline JPEG has 8 bits") }
      try AtomicFile.write(try jpeg(stored, encoding, path), to: path)
    }
  }

  /// Whether the picture is in CMYK, for which no profile is made.
  var hasInks: Bool { bands == 4 && !container.isLossless }

  private var profile: [UInt8]? {
    guard hasProfile, !hasInks else { return nil }
    return bands == 1 ? ColourProfile.grey : ColourProfile.swapped
  }

  private func image(of stored: Pixels) throws(PipelineError) -> Image {
    let image = try Image(stored)
    guard let profile else { return image }
    return try image.carrying(profile: profile)
  }

  private func jpeg(
    _ stored: Pixels, _ encoding: JPEGEncoding, _ path: FilePath
  ) throws(PipelineError) -> [UInt8] {
    var encoding = encoding
    if bands != 3 {
      encoding.colour = bands == 1 ? .gray : .cmyk
      encoding.sampling = encoding.colour.usualSampling
    }
    encoding.metadata.icc = profile
    encoding.metadata.orientation = orientation == .up ? nil : orientation.rawValue
    do { return try JPEGEncoder.encode(stored.bytes, size: stored.size, encoding) } catch {
      throw Self.unfit(path, error.reason)
    }
  }

  private static func unfit(_ path: FilePath, _ reason: String) -> PipelineError {
    PipelineError(.unsupported, operation: "make a test picture", file: path, reason: reason)
  }

  /// Returns the offset of the orientation's byte in a TIFF (TIFF 6.0, section 2).
  ///
  /// On all machines that Swift supports, libvips writes little-endian classic TIFFs.
  private static func orientationOffset(in bytes: [UInt8]) -> Int? {
    func number(_ at: Int, _ count: Int) -> Int? {
      guard at >= 0, at + count <= bytes.count else { return nil }
      return (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    guard bytes.starts(with: [0x49, 0x49, 42, 0]), let directory = number(4, 4),
      let count = number(directory, 2)
    else { return nil }
    return (0..<count).lazy.map { directory + 2 + 12 * $0 }
      .first { number($0, 2) == 274 && number($0 + 2, 2) == 3 }.map { $0 + 8 }
  }
}
