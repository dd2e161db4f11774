internal import Synchronization
internal import SystemPackage

/// The headers of a JPEG, read once and shared by all readers of the picture.
final class JPEGHeaders: Sendable {
  let structure: JPEGStructure
  private let path: FilePath
  private let made = Mutex<ScanTables?>(nil)

  init(_ structure: JPEGStructure, of path: FilePath) {
    self.structure = structure
    self.path = path
  }

  /// Returns the tables of the first scan, which are built at the first call.
  /// - Throws: `unsupported` when a table is missing or invalid.
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
  /// The structure of a JPEG; nil for other formats, and if the headers cannot be read strictly.
  package var jpegStructure: JPEGStructure? { try? jpeg?.get().structure }

  /// Returns the headers of a JPEG; errors name the operation.
  /// - Throws: `unsupported` for other formats, and the errors of the parser.
  func jpegHeaders(for operation: String) throws(PipelineError) -> JPEGHeaders {
    guard let jpeg else { throw .refusal(operation, path, "it is not a JPEG") }
    return try jpeg.get()
  }
}
