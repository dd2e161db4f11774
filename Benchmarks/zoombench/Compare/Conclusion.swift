internal import Measurement

/// The result of a case or a comparison, most important first.
///
/// Pixels, failing and missing cases and counters are exact, so they are findings even in a contaminated run;
/// the times of such a run decide nothing.
enum Conclusion: String, Hashable, CaseIterable {
  case pixelsDiffer = "pixels differ"
  /// The candidate crashes, hangs or refuses where the base answers.
  case caseFails = "case fails"
  /// The base has the case, the candidate does not.
  case caseMissing = "case missing"
  case counterRose = "counter rose"
  case contaminated
  case slower
  /// Of a comparison: no case could be decided, or there is none.
  case inconclusive
  /// Only of a comparison: some cases could not be decided, and no other case is a finding.
  case partlyInconclusive = "partly inconclusive"
  case faster
  case same

  /// What is known of one gated case.
  struct CaseFacts: Hashable {
    /// What its time alone says.
    var verdict: Verdict
    var hasDifferingPixels = false
    var isFailing = false
    var isMissing = false
    /// Whether a counter rose that `--allow-counter` does not name.
    var hasRisenCounter = false
  }

  /// Concludes from the facts of one gated case.
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

  /// Concludes from the conclusions of all gated cases: the first in the order of precedence.
  init(of cases: [Conclusion], isContaminated: Bool) {
    let found = Set(cases).union(isContaminated ? [.contaminated] : [])
    let first = Self.allCases.first { found.contains($0) } ?? .inconclusive
    let isDecidedInPart = first == .inconclusive && found.count > 1
    self = isDecidedInPart ? .partlyInconclusive : first
  }

  /// The exit code of `compare`.
  func exitStatus(strict: Bool) -> ExitStatus {
    switch self {
    case .pixelsDiffer, .caseFails, .caseMissing, .counterRose, .slower: .finding
    case .contaminated, .inconclusive: .inconclusive
    case .partlyInconclusive: strict ? .inconclusive : .success
    case .faster, .same: .success
    }
  }

  /// As the first words of a line.
  var title: String { Format.title(rawValue) }
}

/// The outcome of a case as a build server needs it.
enum CaseOutcome: Hashable {
  case passed
  /// A finding: its name, such as "slower", and what was found.
  case failed(String, message: String)
  /// Neither: a case that could not be decided must not read as passed.
  case undecided(message: String)
  /// Nothing was measured: the picture or the source could not be read.
  case unmeasured(message: String)

  /// Why it does not pass.
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
