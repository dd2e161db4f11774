internal import Synchronization
internal import SystemPackage

/// The headers of a JPEG, read once and shared by all that read the picture.
final class JPEGHeaders: Sendable {
  let structure: JPEGStructure
  private let path: FilePath
  private let made = Mutex<ScanTables?>(nil)

  init(_ structure: JPEGStructure, of path: FilePath) {
    self.structure = structure
    self.path = path
  }

  /// The tables of the first scan, built when they are first asked for.
  /// - Throws: `unsupported` when a table is missing or makes no sense.
  func tables() throws(PipelineError) -> ScanTables {
    try made.withLock { made throws(PipelineError) in
      if let made { return made }
      let tables = try ScanTables(structure, of: path)
      made = tables
      return tables
    }
  }
}

extension Picture {
  /// What the headers of a JPEG say; nil for other formats, and where they cannot be read strictly.
  package var jpegStructure: JPEGStructure? { try? jpeg?.get().structure }

  /// The headers of a JPEG, for an operation that errors name.
  /// - Throws: `unsupported` for other formats, with the reason given, and for headers that libvips reads in
  ///   another way.
  func jpegHeaders(
    for operation: String, otherwise reason: String = "it is not a JPEG"
  ) throws(PipelineError) -> JPEGHeaders {
    guard let jpeg else { throw unsupported(operation, reason) }
    return try jpeg.get()
  }

  /// The headers of a JPEG whose first scan's codes can be followed to every pixel.
  /// - Throws: `unsupported` for others, with `remedy` behind the reason.
  func sequentialJPEG(
    for operation: String, remedy: String? = nil
  ) throws(PipelineError) -> JPEGHeaders {
    let headers = try jpegHeaders(for: operation)
    guard let reason = headers.structure.scanRefusal else { return headers }
    throw unsupported(operation, reason + (remedy.map { ", and \($0)" } ?? ""))
  }

  private func unsupported(_ operation: String, _ reason: String) -> PipelineError {
    PipelineError(.unsupported, operation: operation, file: path, reason: reason)
  }
}
