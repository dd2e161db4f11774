package import Foundation

/// The state of a mutant after a campaign.
package enum MutantState: Sendable, Hashable {
  /// A check failed or crashed, with the line that reports it.
  case killed(String)
  /// The checks did not end.
  case timedOut
  /// Every check passed.
  case survived
  /// No check reaches the mutant.
  case notCovered
  /// The mutant does not compile, with the compiler's reason.
  case unviable(String)
  /// The mutant behaves like the original, with the argument for it.
  case equivalent(String)

  /// Whether the mutant could be noticed and is not.
  var isUnnoticed: Bool { self == .survived || self == .notCovered }
}

/// A mutant and its state.
package struct MutantResult: Sendable, Hashable {
  package let mutant: Mutant
  package var state: MutantState

  package init(mutant: Mutant, state: MutantState) {
    self.mutant = mutant
    self.state = state
  }
}

/// The numbers of mutants by state.
package struct MutationCounts: Sendable, Hashable {
  package private(set) var killed = 0
  package private(set) var timedOut = 0
  package private(set) var survived = 0
  package private(set) var notCovered = 0
  package private(set) var equivalent = 0
  package private(set) var unviable = 0

  package init(_ results: some Sequence<MutantResult>) {
    for result in results {
      switch result.state {
      case .killed: killed += 1
      case .timedOut: timedOut += 1
      case .survived: survived += 1
      case .notCovered: notCovered += 1
      case .equivalent: equivalent += 1
      case .unviable: unviable += 1
      }
    }
  }

  package var all: Int { valid + equivalent + unviable }

  /// The number of mutants that compile and are not equivalent.
  package var valid: Int { killed + timedOut + survived + notCovered }

  /// The percentage of valid mutants that are noticed; nil without valid mutants.
  package var score: Double? { valid == 0 ? nil : 100 * Double(killed + timedOut) / Double(valid) }
}

/// The result of a campaign.
package struct MutationReport: Sendable {
  private let results: [MutantResult]
  private let seconds: Double

  package init(results: [MutantResult], seconds: Double) {
    self.results = results
    self.seconds = seconds
  }

  /// The counts by folder and by operator, and the list of all mutants that nothing noticed.
  package var text: String {
    var lines = [
      "Mutation testing. Score: share of killed and timed out mutants, without equivalent and unviable ones.",
      "Duration: \(Int((seconds / 60).rounded(.up))) min", "",
    ]
    lines += table("Folder") { $0.file.split(separator: "/").dropLast().joined(separator: "/") }
    lines.append("")
    lines += table("Operator") { $0.mutationOperator.rawValue }
    let left = results.filter(\.state.isUnnoticed)
    lines += ["", left.isEmpty ? "Nothing survived." : "Survivors:"]
    for result in left {
      let mutant = result.mutant
      let note = result.state == .notCovered ? " (not reached)" : ""
      lines.append("\(mutant.file):\(mutant.start.line): \(mutant)\(note)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Whether a dropped limit or an exchanged axis went unnoticed, which fails a campaign of tests.
  package var hasSurvivorThatNoneMayBe: Bool {
    results.contains {
      [.clamp, .axis].contains($0.mutant.mutationOperator) && $0.state.isUnnoticed
    }
  }

  private static let columns = [
    "killed", "timed out", "survived", "no coverage", "equivalent", "unviable", "all", "score",
  ]

  private func table(_ title: String, by name: (Mutant) -> String) -> [String] {
    let groups = Dictionary(grouping: results) { name($0.mutant) }.sorted { $0.key < $1.key }
    let rows =
      [[title] + Self.columns]
      + (groups.map { ($0.key, $0.value) } + [("all", results)]).map { [$0.0] + cells($0.1) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { index, cell in
        let pad = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + pad : pad + cell.0
      }.joined(separator: "  ")
    }
  }

  private func cells(_ results: [MutantResult]) -> [String] {
    let counts = MutationCounts(results)
    let score = counts.score.map { String(format: "%.1f %%", $0) } ?? "-"
    return [
      counts.killed, counts.timedOut, counts.survived, counts.notCovered, counts.equivalent,
      counts.unviable, counts.all,
    ].map { "\($0)" } + [score]
  }
}

/// A list of mutants that behave like the original, each with an argument for it.
///
/// Mutants are identified by file, function and mistake, so that a list stays valid when lines move.
package struct EquivalentList: Sendable, Codable {
  /// The mutants of one function that share an argument.
  package struct Entry: Sendable, Codable {
    let file: String
    let function: String
    /// The mistakes, as named in reports.
    let mutants: [String]
    /// The argument why no check can notice them.
    let because: String

    package init(file: String, function: String, mutants: [String], because: String) {
      (self.file, self.function) = (file, function)
      (self.mutants, self.because) = (mutants, because)
    }
  }

  let entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }

  /// Reads a list from a JSON file.
  package init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(EquivalentList.self, from: Data(contentsOf: file))
  }

  /// Marks the survivors that are listed.
  ///
  /// - Parameter results: The results for the mutants of some files.
  /// - Returns: The results, and a sentence for each wrong entry about these files: no mutant has its
  ///   name, or the mutant did not survive.
  package func applied(to results: [MutantResult]) -> (results: [MutantResult], errors: [String]) {
    var results = results
    var errors: [String] = []
    let places = Dictionary(
      uniqueKeysWithValues: results.enumerated().map { place, result in
        ("\(result.mutant.file) \(result.mutant.function) \(result.mutant.name)", place)
      })
    let files = Set(results.map(\.mutant.file))
    for entry in entries where files.contains(entry.file) {
      for name in entry.mutants {
        let full = "\(entry.file) \(entry.function) \(name)"
        guard let place = places[full] else {
          errors.append("listed as equivalent, but does not exist: \(full)")
          continue
        }
        if results[place].state.isUnnoticed {
          results[place].state = .equivalent(entry.because)
        } else {
          errors.append("listed as equivalent, but did not survive: \(full)")
        }
      }
    }
    return (results, errors)
  }
}
