internal import Measurement

/// The conclusion of a run, which alone sets the exit code and the headline of every output.
struct Conclusion: Codable {
  var word = Word.undecided
  /// One line: "Slower: 1 of 6 cases".
  var title = ""
  var standing = Standing.undecided
  var exitCode = ExitStatus.inconclusive.rawValue
  /// The reason that the run does not pass, in one line; nil if it passes.
  var explanation: String?
  /// The number of gated rows for each verdict.
  var tally: [String: Int] = [:]

  init() {}

  /// Concludes from all gated rows: the most important verdict that occurs.
  init(of result: RunResult) {
    if [.index, .inspect].contains(result.kind) {
      self = FileSums(result).conclusion
      return
    }
    let rows = result.rows.filter { $0.role == .gated }
    let strict = result.settings.strict == true
    var words = Set(rows.map(\.verdict.word))
    if result.contamination?.isEmpty == false { words.insert(.contaminated) }
    if strict, rows.contains(where: { $0.law?.isDeviation == true }) { words.insert(.deviates) }
    let wordsWithoutRows: [RunResult.Kind: Word] = [.bench: .reference, .verify: .held]
    // Pages may lack what all chosen laws need.
    let isPageUntried =
      result.kind == .verify && rows.isEmpty && result.contenders.contains { $0.kind == .viewer }
    if isPageUntried { words.insert(.undecided) }
    word = Word.allCases.first { words.contains($0) } ?? wordsWithoutRows[result.kind] ?? .undecided
    // A program on which verify could try no case is undecided.
    let untried = result.contenders.first { contender in
      let own = rows.filter { $0.contender == contender.name }
      return result.kind == .verify && !own.isEmpty
        && own.allSatisfy { $0.figures.cases == 0 && $0.verdict.word == .undecided }
    }
    standing = word == .deviates && strict ? .failed : word.standing
    if standing != .failed, untried != nil {
      (word, standing) = (.undecided, .undecided)
    } else if word == .undecided, words.count > 1 {
      word = .partlyUndecided
    }
    tally = rows.reduce(into: [:]) { $0[$1.verdict.word.rawValue, default: 0] += 1 }
    let status: ExitStatus =
      switch standing {
      case .passed: .success
      case .failed: .finding
      case .unmeasured: .badInput
      case .undecided:
        switch (result.kind, word) {
        case (.bench, _): .success
        case (.compare, .undecided), (.compare, .contaminated), (.load, _): .inconclusive
        default: strict || untried != nil || isPageUntried ? .inconclusive : .success
        }
      }
    exitCode = status.rawValue
    // The reference is compared with nothing, so it is not a case that could agree.
    let judged = rows.filter { $0.verdict.word != .reference || word == .reference }
    let sentences = Sentences(result: result, rows: judged, word: word)
    title = "\(Format.title(word.rawValue)): \(sentences.extent)\(sentences.unchecked)"
    var text = standing == .passed ? "" : sentences.explanation
    if let untried, standing != .failed {
      let reason = rows.first { $0.contender == untried.name }?.verdict.reason
      text =
        "no law could be tried on \(untried.name)\(reason.map { ": \($0)" } ?? "") (give it more "
        + "--budget)"
    }
    explanation = text.isEmpty ? nil : text
  }

  /// The number of gated rows for each verdict: "slower: 1, same: 5".
  var tallied: String {
    Word.allCases.compactMap { word in tally[word.rawValue].map { "\(word.rawValue): \($0)" } }
      .joined(separator: ", ")
  }

  /// Throws the failure that sets the exit code; returns if the code is 0.
  func check() throws {
    guard let status = ExitStatus(rawValue: exitCode), status != .success else { return }
    throw Failure(status, explanation ?? title)
  }
}

/// The sentences of a conclusion.
private struct Sentences {
  let result: RunResult
  /// The gated rows, without the reference.
  let rows: [Row]
  let word: Word

  private var noun: String {
    guard result.kind == .verify else { return result.kind == .load ? "load" : "case" }
    return rows.allSatisfy { $0.law?.kind == .server } ? "rule" : "law"
  }

  /// The rows that have the word of the run.
  private var own: [Row] {
    if word == .deviates { return rows.filter { $0.law?.isDeviation == true } }
    let searched = word == .partlyUndecided ? .undecided : word
    return rows.filter { $0.verdict.word == searched }
  }

  /// The rows that the conclusion is about: "1 of 6 cases".
  var extent: String {
    let all = Format.count(rows.count, noun)
    switch word {
    case .contaminated: return "no time of this run counts"
    case .undecided where rows.isEmpty:
      return result.kind == .verify ? "no law could be tried" : "nothing was compared"
    case .undecided where own.count == rows.count: return "none of \(all) decided"
    case .undecided, .partlyUndecided: return "\(own.count) of \(all) not decided"
    case .faster: return "\(own.count) of \(all), none slower"
    case _ where word.standing == .passed && own.count == rows.count:
      return rows.count == 1 ? "the one \(noun)" : "all \(all)"
    default: return "\(own.count) of \(all)"
    }
  }

  /// The checks that are missing from a comparison's verdict about times.
  var unchecked: String {
    guard [.slower, .faster, .same, .partlyUndecided].contains(word) else { return "" }
    let checks = result.rows.filter { $0.role != .gated && $0.verdict.word == .undecided }
    return checks.isEmpty
      ? "" : ", without a check: " + checks.map(\.name).joined(separator: ", ")
  }

  /// The reason that the run does not pass, with its most important case.
  var explanation: String {
    switch result.kind {
    case .bench: answers
    case .verify: laws
    case .compare: comparison
    case .load: own.first?.verdict.reason ?? ""
    case .index, .inspect: ""
    }
  }

  private var comparison: String {
    // The slowest case first, others in their order.
    func severity(_ row: Row) -> Double {
      row.verdict.word == .slower ? row.comparison?.change.ratio ?? 0 : 0
    }
    if word == .contaminated {
      return "the run is contaminated: \(result.contamination?.first ?? "") (measure again)"
    }
    guard let first = own.max(by: { severity($0) < severity($1) }) else {
      return "nothing was compared (choose other cases)"
    }
    let reason = (first.verdict.reason ?? "") + Format.andMore(own.count - 1, "case")
    return word.standing == .undecided
      ? "\(first.name): \(reason) (give it a longer --budget or a quieter machine)"
      : "\(first.name): \(word.rawValue): \(reason)\(unchecked)"
  }

  private var answers: String {
    if word == .unmeasured {
      return (own.first?.verdict.reason ?? "") + Format.andMore(own.count - 1, "picture")
    }
    let (compared, differing) = result.agreement
    let failed = result.failedContenders
    return [
      differing > 0 ? "\(differing) of \(compared) answers differ from naive's pixels" : nil,
      failed.isEmpty ? nil : "\(failed.joined(separator: ", ")) failed and could not be compared",
    ].compactMap(\.self).joined(separator: "; ")
  }

  private var laws: String {
    switch word {
    case .broken:
      "\(own.count) of \(rows.count) \(noun)s \(own.count == 1 ? "is" : "are") broken"
    case .deviates:
      "\(Format.count(own.count, "recommended rule")) \(own.count == 1 ? "is" : "are") not kept"
    case _ where rows.isEmpty:
      extent + (result.leftOut?.first.map { ": \($0)" } ?? "")
        + Format.andMore((result.leftOut?.count ?? 0) - 1, "reason")
    default: "\(own.count) of \(rows.count) checks are undecided (use more --cases)"
    }
  }
}
