extension Picture {
  /// The structure of a JPEG; nil for other formats, and if the headers cannot be read strictly.
  package var jpegStructure: JPEGStructure? { try? jpeg?.get() }

  /// Returns the structure of a JPEG; errors name the operation.
  /// - Throws: `unsupported` for other formats, and the errors of the parser.
  func anyJPEG(for operation: String) throws(PipelineError) -> JPEGStructure {
    guard let jpeg else { throw .refusal(operation, path, "it is not a JPEG") }
    return try jpeg.get()
  }
}
