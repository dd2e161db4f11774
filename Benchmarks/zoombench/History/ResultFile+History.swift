internal import Foundation
internal import Measurement
internal import MeasurementHistory

extension ResultFile {
  /// What was measured, as far as the file tells.
  ///
  /// - Parameters:
  ///   - commit: what a person named instead.
  ///   - branch: the branch it was on.
  /// - Returns: what git knows of it here, or the name alone.
  /// - Throws: a `Failure` where neither the file nor a person names a commit.
  func revision(commit: String?, branch: String?) async throws -> RunRecord.Revision {
    let build: BuildComparison.Build? =
      if case .comparison(let result) = self { result.candidate } else { nil }
    guard let name = commit ?? build?.commit else {
      throw Failure(
        .badInput, "the file does not say which revision was measured (name it with --commit)")
    }
    var revision = await RevisionFacts.named(name)
    revision.branch = branch
    revision.isDirty = commit == nil && build?.isDirty == true
    return revision
  }

  /// The run; `baseline` is the commit that is pinned.
  func run(of revision: RunRecord.Revision, baseline: String?) throws -> RunRecord {
    switch self {
    case .comparison(let result):
      try RunRecord(result, revision: revision, baseline: baseline)
    case .bench(let report): try RunRecord(report, revision: revision)
    }
  }
}
