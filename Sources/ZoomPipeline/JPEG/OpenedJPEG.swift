internal import ZoomGeometry

/// A picture's JPEG file, open, with headers that libvips reads alike.
struct OpenedJPEG: Sendable {
  let file: FileReader
  let jpeg: JPEGStructure
  /// What it was opened for, as errors name it.
  private let operation: String

  /// Opens the file and reads its headers.
  /// - Parameters:
  ///   - picture: the picture, as libvips reads its header.
  ///   - operation: what it is opened for, as errors name it.
  /// - Throws: `unsupported` for what is no JPEG, or has headers that libvips reads in another way: one
  ///   of the two is misled.
  init(_ picture: Picture, for operation: String) throws(PipelineError) {
    func refused(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: operation, file: picture.path, reason: reason)
    }
    guard picture.loader == "jpegload" else { throw refused("it is not a JPEG") }
    file = try FileReader(picture.path)
    jpeg = try JPEGParser.parse(file)
    self.operation = operation
    guard jpeg.size == picture.storedSize else {
      throw refused("libvips gives it another size than its headers")
    }
  }

  /// Refuses a JPEG whose first scan's codes cannot be followed to every pixel.
  /// - Parameter remedy: what else to say then.
  /// - Throws: `unsupported` for one.
  func assertSequential(remedy: String? = nil) throws(PipelineError) {
    guard let reason = jpeg.scanRefusal else { return }
    throw PipelineError(
      .unsupported, operation: operation, file: file.path,
      reason: reason + (remedy.map { ", and \($0)" } ?? ""))
  }
}
