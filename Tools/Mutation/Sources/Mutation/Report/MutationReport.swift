internal import Foundation

/// The result of a campaign.
public struct MutationReport: Sendable {
  /// The results of all mutants.
  public let results: [MutantResult]
  /// The duration of the campaign.
  public let seconds: Double

  /// Creates a report.
  public init(results: [MutantResult], seconds: Double) {
    self.results = results
    self.seconds = seconds
  }

  /// The counts by folder and by operator, and the list of all mutants that no test noticed.
  public var text: String {
    var lines = [
      "Mutation testing. Score: share of killed and timed out mutants, without equivalent and unviable ones.",
      "Duration: \(Int((seconds / 60).rounded(.up))) min", "",
    ]
    lines += table("Folder") { $0.file.split(separator: "/").dropLast().joined(separator: "/") }
    lines.append("")
    lines += table("Operator") { $0.mutationOperator.rawValue }
    let left = results.filter { $0.state == .survived || $0.state == .notCovered }
    lines += ["", left.isEmpty ? "Nothing survived." : "Survivors:"]
    for result in left {
      let mutant = result.mutant
      let note = result.state == .notCovered ? " (reached by no test)" : ""
      lines.append("\(mutant.file):\(mutant.start.line): \(mutant)\(note)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Whether a dropped limit or an exchanged axis went unnoticed, which always fails the campaign.
  public var hasSurvivorThatNoneMayBe: Bool {
    results.contains {
      [.clamp, .axis].contains($0.mutant.mutationOperator)
        && ($0.state == .survived || $0.state == .notCovered)
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
