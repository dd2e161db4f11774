internal import ForeignPipelines
internal import Measurement

/// The result of a load on one subject, with its findings.
package struct LoadReport: Sendable, Codable {
  package var subject = ""
  /// The viewers' screen and pace, in words.
  package var workload = ""
  package let bound: LoadBound
  package var steps: [LoadStep] = []
  package var capacity: LoadCapacity?
  /// The median times in milliseconds of viewers who were compared with single ones; the first has the largest picture.
  ///
  /// A median is nil if half of the views never became full. Others without views, in a short step, are left out.
  package var together: [Double?]?
  /// The resources of this process and of the server during a soak.
  package var soak: [ResourceSeries] = []
  /// The results of all steps together, which tables and pages show.
  package var lines: [String] = []
  package private(set) var findings: [String] = []

  /// A number that no run has, and that sums and conversions may not survive; nil if there is none.
  package var contradiction: String? {
    let isInterval = capacity?.interval.map { $0.lower <= $0.upper } ?? true
    let isPossible = hasPossibleNumbers(self) && isInterval && steps.allSatisfy(\.isConsistent)
    return isPossible ? nil : "has an impossible number"
  }

  private func lowest(of steps: [LoadStep]) -> LoadStep? {
    steps.min { $0.amount < $1.amount }
  }

  /// Finds again what is wrong in the steps.
  package mutating func judge() {
    findings = []
    if let first = lowest(of: steps.filter { $0.checks.wrong > 0 }) {
      findings.append(
        "\(first.checks.wrong) of \(first.checks.compared) answers are wrong at \(first.load), the"
          + " lowest load with a wrong answer: \(first.checks.first ?? "")")
    }
    // A server may shed load above its capacity, but not while it holds the bound, nor at the lowest load.
    let least = lowest(of: steps)?.amount
    let held = steps.filter { $0.verdict == .holds }.map(\.amount).max() ?? 0
    let short = steps.first {
      $0.verdict == .holds && $0.counts.isShort
        || $0.verdict != .late
          && ($0.counts.isLacking && $0.amount == least || $0.counts.isDead && $0.amount <= held)
    }
    if let short {
      let place = short.amount == least ? "the lowest load" : "where the bound holds"
      findings.append(
        "at \(short.load), \(place), not all requests were answered at once: "
          + (short.counts.shortfalls + short.counts.reasons).joined(separator: ", "))
    }
    // Pauses of a busy machine are rarer, and one of them makes a handful slow.
    if let quiet = lowest(of: steps), quiet.verdict == .holds, quiet.counts.answers >= 1000,
      quiet.slow * 200 >= quiet.counts.answers
    {
      findings.append(
        "\(quiet.slow) of \(quiet.counts.answers) requests take more than ten times the median of"
          + " their reduction at \(quiet.load), the lowest load"
          + (quiet.slowFirstBytes > 0 ? "; \(quiet.slowFirstBytes) wait for the first byte" : ""))
    }
    // With --fair, viewers of the largest picture wait longer than others, and are compared with themselves.
    if together == nil, let step = steps.first(where: { $0.starved > 0 }) {
      findings.append(
        "\(step.starved) of \(step.viewers) viewers \(step.starved == 1 ? "waits" : "wait") beyond the bound"
          + " most of the time at \(step.load), where it holds for all together")
    }
    let times = (together ?? []).dropFirst().map { $0 ?? .infinity }.sorted()
    // A viewer at or below the lower median of all is not slower than the others.
    let starved = times.count {
      $0 > max(4 * times[(times.count - 1) / 2], bound.nanoseconds / 1e6)
    }
    if starved > 0 {
      findings.append(
        "\(starved) of \(times.count) other viewers \(starved == 1 ? "waits" : "wait") beyond the bound,"
          + " and more than four times their median")
    }
    if !soak.isEmpty, let step = steps.first(where: { $0.verdict == .broken }) {
      findings.append("\(bound) is broken in the soak at \(step.load)")
    }
    for series in soak {
      // Without /proc, this process cannot be read from the start.
      if series.isLost, series.server != nil || !series.readings.isEmpty {
        let last = series.readings.last?.seconds ?? 0
        findings.append("\(series.process) could not be read any more after \(decimals(last)) s")
      }
      findings += series.growths.map { growth in
        "\(growth.resource) of \(series.process) grows from \(growth.from) to \(growth.to), by"
          + " \(decimals(growth.perAnswer)) per answer"
      }
    }
  }
}

/// Returns whether a value has only numbers that sums survive, and conversions to other units.
private func hasPossibleNumbers(_ value: Any) -> Bool {
  switch value {
  case let count as Int: (0...1 << 50).contains(count)
  case let number as Double: (0...1e300).contains(number)
  default: Mirror(reflecting: value).children.allSatisfy { hasPossibleNumbers($0.value) }
  }
}
