package import Measurement

/// The result of a load on one subject, with its findings.
package struct LoadReport: Sendable, Codable {
  package static let schema = "zoombench.load/1"

  package var schema = LoadReport.schema
  package let subject: String
  package let pictures: [String]
  package let command: [String]
  package let bound: LoadBound
  package let seed: UInt64
  package let environment: MachineDescription
  package let steps: [LoadStep]
  package let capacity: LoadCapacity?
  package let fairness: LoadFairness?
  package let series: [ResourceSeries]
  /// The lowest rate at which an answer was wrong, short or mixed up; nil if all were right.
  package let lowestWrongRate: Double?
  /// The findings, each in one line.
  package let findings: [String]

  package init(
    subject: String, pictures: [String], command: [String], settings: LoadSettings,
    steps: [LoadStep], capacity: LoadCapacity?, fairness: LoadFairness?, series: [ResourceSeries]
  ) {
    (self.subject, self.pictures, self.command) = (subject, pictures, command)
    (bound, seed) = (settings.bound, settings.seed)
    (self.steps, self.capacity, self.fairness, self.series) = (steps, capacity, fairness, series)
    environment = .current()
    lowestWrongRate = steps.filter { $0.wrong > 0 }.compactMap(\.rate).min()
    findings = Self.findings(steps, fairness, series)
  }

  /// Whether no step decided about the bound: the generator was too late, or views were too few.
  package var isUndecided: Bool {
    steps.allSatisfy { $0.verdict == .undecided || $0.verdict == .late }
  }

  private static func findings(
    _ steps: [LoadStep], _ fairness: LoadFairness?, _ series: [ResourceSeries]
  ) -> [String] {
    var findings: [String] = []
    let wrong = steps.filter { $0.wrong > 0 }
    if let first = wrong.min(by: { ($0.rate ?? .infinity) < ($1.rate ?? .infinity) }) {
      findings.append(
        "\(first.wrong) of \(first.compared) answers are wrong at \(first.load), the lowest load with a wrong"
          + " answer: \(first.firstFault ?? "")")
    }
    // A server may shed load above its capacity, but not while it holds the bound.
    if let step = steps.first(where: { $0.verdict == .holds && $0.failed + $0.unfinished > 0 }) {
      let kinds = step.outcomes.filter { $0.key != LoadAnswer.Kind.answered.rawValue }
        .sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      let givenUp = step.unfinished > 0 ? ["views given up \(step.unfinished)"] : []
      findings.append(
        "requests lack an answer at \(step.load), where the bound holds: "
          + (kinds + givenUp + step.reasons).joined(separator: ", "))
    }
    if let step = steps.first(where: {
      $0.verdict == .holds && $0.retries >= max(fewestRetries, $0.answers / answersPerRetry)
    }) {
      findings.append(
        "\(step.retries) of \(step.answers) requests were sent again at \(step.load), because the server ended"
          + " connections that it had kept")
    }
    if let quiet = steps.min(by: { ($0.rate ?? .infinity) < ($1.rate ?? .infinity) }),
      quiet.verdict == .holds, quiet.answers >= fewestAnswers,
      Double(quiet.slow) >= Double(quiet.answers) * slowShare
    {
      findings.append(
        "\(quiet.slow) of \(quiet.answers) requests take more than ten times the median of their reduction at"
          + " \(quiet.load), the lowest load"
          + (quiet.slowFirstBytes > 0 ? "; \(quiet.slowFirstBytes) wait for the first byte" : ""))
    }
    // With --fair, viewers of a large picture wait longer than others, and are compared with themselves.
    if fairness == nil, let step = steps.first(where: { !$0.starved.isEmpty }) {
      findings.append(
        "\(step.starved.count) of \(step.viewers) viewers wait beyond the bound most of the time at"
          + " \(step.load), where it holds for all together")
    }
    if let starved = fairness?.starved, starved > 0 {
      findings.append(
        "\(starved) viewers of small pictures wait more than four times the median of the others")
    }
    for each in series {
      for growth in each.growths {
        findings.append(
          "\(growth.resource) of \(each.process) grows from \(Int(growth.from)) to \(Int(growth.to)),"
            + " by \(decimals(growth.perAnswer)) per answer")
      }
    }
    return findings
  }

  /// The share of slow requests that is a finding at the lowest load; pauses of a busy machine are rarer.
  private static let slowShare = 0.005
  /// A server may end a connection that it has kept just when a request comes, but not more often than this.
  private static let answersPerRetry = 2000
  private static let fewestRetries = 3
  /// The fewest answers by which the share is judged: one pause of a machine makes a handful slow.
  private static let fewestAnswers = 1000
}

extension LoadStep {
  /// The load in words: "4 views/s" or "8 viewers".
  package var load: String {
    rate.map { "\(decimals($0)) views/s" } ?? "\(viewers) viewer\(viewers == 1 ? "" : "s")"
  }
}

/// Returns a number with at most two decimals.
private func decimals(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}
