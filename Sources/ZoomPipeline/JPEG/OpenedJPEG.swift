internal import ZoomGeometry

/// A picture's JPEG file, open, with headers that its coded data can be followed by.
struct OpenedJPEG: Sendable {
  let file: FileReader
  let jpeg: JPEGStructure

  /// Opens the file and reads its headers.
  /// - Parameters:
  ///   - picture: the picture, as libvips reads its header.
  ///   - operation: what it is opened for, as errors name it.
  /// - Throws: `unsupported` for what is no JPEG, cannot be followed, or has headers that libvips reads
  ///   in another way: one of the two is misled.
  init(_ picture: Picture, for operation: String) throws(PipelineError) {
    func refused(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: operation, file: picture.path, reason: reason)
    }
    guard picture.loader == "jpegload" else { throw refused("it is not a JPEG") }
    file = try FileReader(picture.path)
    jpeg = try JPEGParser.parse(file)
    if let reason = jpeg.scanRefusal { throw refused(reason) }
    guard jpeg.size == picture.storedSize else {
      throw refused("libvips gives it another size than its headers")
    }
  }
}
