internal import Synchronization
internal import SystemPackage

/// The headers of a JPEG, read once and shared by all that read the picture.
final class JPEGHeaders: Sendable {
  let structure: JPEGStructure
  private let path: FilePath
  private let made = Mutex<Result<ScanTables, PipelineError>?>(nil)

  init(_ structure: JPEGStructure, of path: FilePath) {
    self.structure = structure
    self.path = path
  }

  /// The tables of the first scan, built when they are first asked for.
  /// - Throws: `unsupported` when a table is missing or senseless.
  func tables() throws(PipelineError) -> ScanTables {
    try made.withLock { made in
      if let made { return made }
      let result = Result { () throws(PipelineError) in try ScanTables(structure, of: path) }
      made = result
      return result
    }.get()
  }
}

/// A picture whose file is a JPEG that we and libvips read alike.
struct OpenedJPEG: Sendable {
  let file: FileReader
  let headers: JPEGHeaders
  /// What it was opened for, as errors name it.
  private let operation: String

  var jpeg: JPEGStructure { headers.structure }

  /// Takes a picture's JPEG headers.
  /// - Parameters:
  ///   - picture: the picture.
  ///   - operation: what it is opened for, as errors name it.
  /// - Throws: `unsupported` for what is no JPEG, or has headers that libvips reads in another way: one
  ///   of the two is misled.
  init(_ picture: Picture, for operation: String) throws(PipelineError) {
    guard let jpeg = picture.jpeg else {
      throw PipelineError(
        .unsupported, operation: operation, file: picture.path, reason: "it is not a JPEG")
    }
    file = picture.file
    headers = try jpeg.get()
    self.operation = operation
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

extension Picture {
  /// What the headers of a JPEG say; nil for other formats, and where they cannot be read strictly.
  package var jpegStructure: JPEGStructure? { try? jpeg?.get().structure }
}
