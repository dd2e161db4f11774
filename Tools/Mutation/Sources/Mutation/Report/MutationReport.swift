internal import Foundation

/// What a campaign found.
public struct MutationReport: Sendable {
  /// What became of each mutant.
  public let results: [MutantResult]
  /// How long the campaign took.
  public let seconds: Double

  /// Makes a report.
  public init(results: [MutantResult], seconds: Double) {
    self.results = results
    self.seconds = seconds
  }

  /// The counts by folder and by operator, and every mutant that nobody noticed.
  public var text: String {
    var lines = [
      "Mutation testing. Score: killed and timed out, of all but equivalent and unviable.",
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

  /// Tells whether a dropped limit or an exchanged axis went unnoticed, which is never good enough.
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
