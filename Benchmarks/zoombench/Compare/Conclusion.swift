internal import Measurement

/// The result of a case or a comparison, most important first.
///
/// Pixels, counters, and failing or missing cases are exact, so they are findings even in a contaminated run;
/// the times of such a run are not used.
enum Conclusion: String, Hashable, CaseIterable {
  case pixelsDiffer = "pixels differ"
  /// The candidate crashes, hangs or refuses where the base answers.
  case caseFails = "case fails"
  case caseMissing = "case missing"
  case counterRose = "counter rose"
  case contaminated
  case slower
  /// For a comparison: all cases are undecided, or the comparison is empty.
  case inconclusive
  /// Only for a comparison: some cases could not be decided, and no other case is a finding.
  case partlyInconclusive = "partly inconclusive"
  case faster
  case same

  struct CaseFacts: Hashable {
    var verdict: Verdict
    var hasDifferingPixels = false
    var isFailing = false
    var isMissing = false
    /// Whether a counter rose that `--allow-counter` does not name.
    var hasRisenCounter = false
  }

  init(of facts: CaseFacts, isContaminated: Bool) {
    self =
      if facts.hasDifferingPixels {
        .pixelsDiffer
      } else if facts.isFailing {
        .caseFails
      } else if facts.isMissing {
        .caseMissing
      } else if facts.hasRisenCounter {
        .counterRose
      } else if isContaminated {
        .contaminated
      } else {
        switch facts.verdict {
        case .slower: .slower
        case .inconclusive: .inconclusive
        case .faster: .faster
        case .same: .same
        }
      }
  }

  /// Concludes from all gated cases: the most important conclusion that occurs.
  init(of cases: [Conclusion], isContaminated: Bool) {
    let found = Set(cases).union(isContaminated ? [.contaminated] : [])
    let first = Self.allCases.first { found.contains($0) } ?? .inconclusive
    let isDecidedInPart = first == .inconclusive && found.count > 1
    self = isDecidedInPart ? .partlyInconclusive : first
  }

  func exitStatus(strict: Bool) -> ExitStatus {
    switch self {
    case .pixelsDiffer, .caseFails, .caseMissing, .counterRose, .slower: .finding
    case .contaminated, .inconclusive: .inconclusive
    case .partlyInconclusive: strict ? .inconclusive : .success
    case .faster, .same: .success
    }
  }

  var title: String { Format.title(rawValue) }
}

/// The outcome of a case in the terms of a build server.
enum CaseOutcome: Hashable {
  case passed
  /// A finding: its name, such as "slower", and what was found.
  case failed(String, message: String)
  /// An undecided case, which must not be read as passed.
  case undecided(message: String)
  /// A case without measurements: the picture or the source could not be read.
  case unmeasured(message: String)

  /// The reason that the case does not pass.
  var message: String? {
    switch self {
    case .passed: nil
    case .failed(_, let message), .undecided(let message), .unmeasured(let message): message
    }
  }

  var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .undecided: "undecided"
    case .unmeasured: "unmeasured"
    }
  }
}
