public import Foundation

/// A report as JSON of Stryker's mutation-testing-report-schema, version 2.
public struct StrykerReport: Sendable, Codable {
  struct File: Sendable, Codable {
    var language = "swift"
    let source: String
    var mutants: [Entry]
  }

  struct Entry: Sendable, Codable {
    let id: String
    let mutatorName: String
    let description: String
    let replacement: String
    let location: Location
    let status: String
    let statusReason: String?
  }

  struct Location: Sendable, Codable {
    let start: Mutant.Place
    let end: Mutant.Place
  }

  struct Thresholds: Sendable, Codable {
    let high: Int
    let low: Int
  }

  var schemaVersion = "2"
  let thresholds: Thresholds
  let files: [String: File]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - results: The results of all mutants.
  ///   - target: The target score, in percent.
  ///   - source: Returns the text of a file by its path.
  public init(
    _ results: [MutantResult], target: Int, source: (String) throws -> String
  ) rethrows {
    thresholds = Thresholds(high: target, low: target)
    var files: [String: File] = [:]
    for (path, results) in Dictionary(grouping: results, by: \.mutant.file) {
      files[path] = File(source: try source(path), mutants: results.map(Entry.init))
    }
    self.files = files
  }

  /// Reads a report.
  ///
  /// - Parameter file: JSON from `data()`.
  /// - Throws: An error of Foundation, or `DecodingError`.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(StrykerReport.self, from: Data(contentsOf: file))
  }

  /// The states of the mutants that were noticed, by file and description.
  public var noticed: [String: MutantState] {
    var states: [String: MutantState] = [:]
    for (path, file) in files {
      for entry in file.mutants {
        switch entry.status {
        case "Killed": states["\(path) \(entry.description)"] = .killed(entry.statusReason ?? "")
        case "Timeout": states["\(path) \(entry.description)"] = .timedOut
        default: break
        }
      }
    }
    return states
  }

  /// Returns the report as JSON.
  ///
  /// - Throws: An error of Foundation.
  public func data() throws -> Data {
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
    location = .init(start: mutant.start, end: mutant.end)
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
