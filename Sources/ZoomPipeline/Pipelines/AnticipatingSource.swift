/// A source that is told what it will be asked, so that part of an answer can be made beforehand.
///
/// A benchmark tells it outside of what is timed; nothing else has a use for such a source.
package protocol AnticipatingSource: RegionSource {
  /// Gets ready for a request, which is read next.
  /// - Parameter request: the request.
  /// - Throws: `PipelineError` when it cannot be answered.
  func anticipate(_ request: RegionRequest) throws(PipelineError)
}
