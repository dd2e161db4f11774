extension PropertyReport: CustomStringConvertible {
  /// The report as several lines of text that begin with the verdict.
  public var description: String {
    let verdict =
      if case .gaveUp(let reason) = verdict { "gave up: \(reason)" } else { "\(verdict)" }
    var lines = ["\(name): \(verdict)", "  \(counts)"]
    lines += classes.map { "  \($0)" }
    for table in tables { lines += table.lines.map { "  \($0)" } }
    lines += bestScores.sorted { $0.key < $1.key }.map { "  best \($0.key): \($0.value)" }
    lines += healthFindings.map { "  health: \($0.message) (\($0.check.rawValue))" }
    lines += storeProblems.map { "  store: \($0)" }
    let texts = failures.map(\.text).joined(separator: "\n")
    if !failures.isEmpty {
      lines += texts.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
    }
    if unreportedFailures > 0 {
      lines.append("  \(unreportedFailures) failures of other origins are not shown")
    }
    return lines.joined(separator: "\n")
  }

  private var counts: String {
    var parts = [wasExhaustive ? "\(cases) cases (all possible ones)" : "\(cases) cases"]
    if discards > 0 { parts.append("\(discards) discarded") }
    if oversized > 0 { parts.append("\(oversized) too large") }
    parts += ["seed \(seed)", "\(elapsed)", "engine \(percent(engineShare))"]
    return parts.joined(separator: ", ")
  }
}

extension GaveUpReason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .invalidSettings(let problem): "the settings are invalid: \(problem)"
    case .nothingRun: "no case was run"
    case .tooFewValidCases: "too few cases are valid"
    case .unhealthy: "a health check failed"
    case .missedClasses(let names):
      "too few cases belong to " + names.joined(separator: ", ")
    case .undecidedClasses(let names):
      "more cases are needed to know whether enough belong to " + names.joined(separator: ", ")
    case .cancelled: "it was cancelled"
    }
  }
}

extension ClassReport: CustomStringConvertible {
  /// The class as one line of text.
  public var description: String {
    let line = "\(percent(share)) \(name) (\(count) of \(total))"
    guard let requiredShare else { return line }
    return line + ", at least \(percent(requiredShare)) required: \(verdict.rawValue)"
  }
}

extension ValueTable {
  fileprivate var lines: [String] {
    let shown = rows.prefix(20)
    let rest = rows.dropFirst(shown.count).reduce(others) { $0 + $1.count }
    let entries = shown.map { ($0.value, $0.count) } + (rest > 0 ? [("others", rest)] : [])
    return ["\(name):"]
      + entries.map { value, count in
        "  \(percent(total == 0 ? 0 : Double(count) / Double(total))) \(value) (\(count))"
      }
  }
}

extension Counterexample: CustomStringConvertible {
  var text: String {
    var lines = ["counterexample: \(description)", "failed with: \(message)"]
    lines += notes.map { "note: \($0)" }
    let idle = explanation.filter { !$0.matters }.map { "\($0.argument + 1)" }
    if !idle.isEmpty {
      lines.append("fails whatever is drawn for argument " + idle.joined(separator: ", "))
    }
    if let failureRate {
      lines.append(
        "flaky: fails in \(percent(failureRate.lowerBound)) to "
          + "\(percent(failureRate.upperBound)) of runs")
    }
    if let token { lines.append("replay: \(token)") }
    return lines.joined(separator: "\n")
  }
}

/// Returns a share in percent with at most two decimal places, rounded down so that only a full share is 100 %.
func percent(_ share: Double) -> String {
  // The product may be just below the exact whole number, as 0.57 * 10,000 is.
  let nearest = (share * 10_000).rounded()
  let hundredths = Int(nearest / 10_000 <= share ? nearest : nearest - 1)
  let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
  guard rest > 0 else { return "\(whole) %" }
  let digits = rest < 10 ? "0\(rest)" : "\(rest)"
  return "\(whole).\(digits.hasSuffix("0") ? String(digits.dropLast()) : digits) %"
}
