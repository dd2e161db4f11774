import SystemPackage
import Testing

@testable import ZoomPipeline

/// Expects an error of one of two codes that names the file, if one is given.
@discardableResult
func expectError<Result>(
  _ code: PipelineError.Code, or other: PipelineError.Code? = nil, of file: FilePath? = nil,
  _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  in body: () throws -> Result
) -> PipelineError? {
  let error = #expect(
    throws: PipelineError.self, comment, sourceLocation: sourceLocation, performing: body)
  guard let error else { return nil }
  #expect([code, other].contains(error.code), comment, sourceLocation: sourceLocation)
  if let file { #expect(error.file == file, comment, sourceLocation: sourceLocation) }
  return error
}
