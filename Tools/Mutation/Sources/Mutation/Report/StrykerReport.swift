package import Foundation

/// A report as JSON of Stryker's mutation-testing-report-schema, version 2.
package struct StrykerReport: Sendable, Encodable {
  struct File: Sendable, Encodable {
    var language = "swift"
    let source: String
    let mutants: [Entry]
  }

  struct Entry: Sendable, Encodable {
    let id, mutatorName, description, replacement: String
    let location: [String: Mutant.Place]
    let status: String
    let statusReason: String?
  }

  var schemaVersion = "2"
  let thresholds: [String: Int]
  let files: [String: File]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - results: The results of all mutants.
  ///   - target: The target score, in percent.
  ///   - source: Returns the text of a file by its path.
  package init(
    _ results: [MutantResult], target: Int, source: (String) throws -> String
  ) rethrows {
    thresholds = ["high": target, "low": target]
    files = try Dictionary(
      uniqueKeysWithValues: Dictionary(grouping: results, by: \.mutant.file).map { path, results in
        (path, File(source: try source(path), mutants: results.map(Entry.init)))
      })
  }

  /// Returns the report as JSON.
  package func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

extension StrykerReport.Entry {
  fileprivate init(_ result: MutantResult) {
    let mutant = result.mutant
    id = "\(mutant.id)"
    mutatorName = mutant.mutationOperator.rawValue
    description = mutant.description
    replacement = mutant.replacement
    location = ["start": mutant.start, "end": mutant.end]
    switch result.state {
    case .killed(let line): (status, statusReason) = ("Killed", line)
    case .timedOut: (status, statusReason) = ("Timeout", nil)
    case .survived: (status, statusReason) = ("Survived", nil)
    case .notCovered: (status, statusReason) = ("NoCoverage", nil)
    case .unviable(let reason): (status, statusReason) = ("CompileError", reason)
    case .equivalent(let argument): (status, statusReason) = ("Ignored", argument)
    }
  }
}
