internal import PropertyTesting
internal import ZoomLaws

/// What `zoombench verify` is going to try.
struct VerifyPlan: Sendable {
  /// A law to be held against a subject, and how to ask for just that again.
  struct Item: Sendable {
    let trial: LawTrial
    let kind: Domain
    /// The system or source.
    let choice: String
    /// The options and files that choose the subject: `--systems peek --original`.
    let selection: [String]
    /// How many cases.
    let cases: Int
  }

  /// What a law speaks of.
  enum Domain: String, Sendable, Codable {
    case geometry, pixels
  }

  /// A billion cases of every law would take weeks.
  static let mostCases = 1_000_000_000
  /// All laws together take less than a minute so on two cores.
  static let standardCases = 300

  /// How many cases a law is given: fewer where one costs more, and 10 at least.
  static func cases(of trial: LawTrial, asked: Int) -> Int {
    max(min(asked, 10), asked / trial.caseCost)
  }

  let items: [Item]
  let seed: UInt64
  /// All of it may take so long; nil to try every case.
  let seconds: Double?
  /// How many laws are tried at a time.
  let jobs: Int
  /// Repeats these cases alone.
  let replay: ReplayToken?

  /// The settings of one item, which may take a share of the time budget.
  func settings(of item: Item, share: Duration?) -> PropertySettings {
    var settings = PropertySettings(cases: item.cases, seed: seed)
    settings.timeBudget = share
    // Where there are fewer laws than cores, each is tried by several.
    settings.parallelism = item.kind == .pixels ? 1 : max(1, jobs / max(1, items.count))
    if let replay {
      settings.reproducing = [replay]
      settings.phases = [.reuse]
    }
    return settings
  }
}
