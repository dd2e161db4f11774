internal import Foundation

package enum MutantState: Sendable, Hashable {
  /// A check failed or crashed, with the line that reports it.
  case killed(String)
  case timedOut
  case survived
  case notCovered
  /// The mutant does not compile, with the compiler's reason.
  case unviable(String)
  /// The mutant behaves like the original, with the argument for it.
  case equivalent(String)

  /// Whether the checks could have noticed the mutant, but did not.
  package var isUnnoticed: Bool { self == .survived || self == .notCovered }

  fileprivate var column: Int {
    switch self {
    case .killed: 0
    case .timedOut: 1
    case .survived: 2
    case .notCovered: 3
    case .equivalent: 4
    case .unviable: 5
    }
  }
}

package struct MutantResult: Sendable, Hashable {
  package let mutant: Mutant
  package var state: MutantState
}

extension [MutantResult] {
  /// The numbers of mutants in each state, in the order of a report's columns.
  fileprivate var counts: [Int] { (0..<6).map { column in count { $0.state.column == column } } }

  /// The percentage of noticed mutants among those that compile and are not equivalent.
  package var score: Double? {
    let counts = counts[..<4]
    let valid = counts.reduce(0, +)
    return valid == 0 ? nil : 100 * Double(counts[0] + counts[1]) / Double(valid)
  }
}

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
      let note = result.state == .notCovered ? " (not reached)" : ""
      lines.append(
        "\(result.mutant.file):\(result.mutant.line): \(Self.words(for: result.mutant))\(note)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the words for a mutant, which stay the same when lines move.
  static func words(for mutant: Mutant) -> String { "\(mutant.function): \(mutant.name)" }

  /// Whether a forbidden mutant (a dropped limit, an exchanged axis) was not noticed; a campaign of tests then fails.
  package var hasForbiddenSurvivor: Bool {
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
    (results.counts + [results.count]).map { "\($0)" }
      + [results.score.map { String(format: "%.1f %%", $0) } ?? "-"]
  }
}

/// A list of mutants that behave like the original, each with the argument for that.
///
/// Mutants are identified by file, function and mistake, so that a list stays valid when lines move.
package struct EquivalentList: Sendable, Codable {
  package struct Entry: Sendable, Codable {
    let file: String
    let function: String
    /// The mistakes, as named in reports.
    let mutants: [String]
    let because: String
  }

  let entries: [Entry]

  /// Marks listed survivors as equivalent; also returns an error for each listed mutant that does not exist or did not
  /// survive, in the files that the results cover.
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
