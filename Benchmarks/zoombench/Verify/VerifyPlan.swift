internal import PropertyTesting
internal import ZoomLaws

/// What `zoombench verify` is going to try.
struct VerifyPlan: Sendable {
  /// A law to be held against a subject, and how to ask for just that again.
  struct Item: Sendable {
    let trial: LawTrial
    let kind: Domain
    /// The options and files that choose the subject: `--system peek --original`.
    let selection: [String]
    /// How many cases.
    let cases: Int
  }

  /// What a law speaks of.
  enum Domain: String, Sendable, Codable {
    case geometry, pixels
  }

  let items: [Item]
  let seed: UInt64
  /// All of it may take so long; nil to try every case.
  let seconds: Double?
  /// How many cases of a law of geometry are tried at a time.
  let workers: Int
  /// Repeats these cases alone.
  let replay: ReplayToken?

  /// The settings of one item.
  ///
  /// With a time budget each item gets an equal share of what is left of it.
  func settings(of item: Item, left: Duration?, itemsLeft: Int) -> PropertySettings {
    var settings = PropertySettings(cases: item.cases, seed: seed)
    // A source has a state, such as what it keeps; what a read costs depends on it, so the laws of
    // pixels have the source to themselves. How it bears several readers is a law of its own.
    settings.parallelism = item.kind == .pixels ? 1 : workers
    if let left { settings.timeBudget = left / max(1, itemsLeft) }
    if let replay {
      settings.reproducing = [replay]
      settings.phases = [.reuse]
    }
    return settings
  }
}
