/// The reason that two builds could not be compared.
public enum ComparisonRunError: Error, Sendable, Hashable {
  /// A worker failed; the case is nil if this happened during listing.
  case worker(WorkerError, case: String?)
  /// The builds do not share a gated case.
  case noCommonCase(base: [String], candidate: [String])
  /// Requested names that neither build has.
  case unknownCases([String], known: [String])
  /// A case that has different roles in the two builds.
  case roleDiffers(case: String)
  /// A case whose samples are shorter than a millisecond even with the most repeats.
  case tooShort(case: String, repeats: Int)
  /// A build could not be linked in another order.
  case notLinked(String)
  /// The settings contradict themselves.
  case invalidSettings(String)
  /// The run was cancelled.
  case cancelled
}

extension ComparisonRunError: CustomStringConvertible {
  /// The error, its reason and the remedy, in one line without a full stop.
  public var description: String {
    switch self {
    case .worker(let error, let name):
      if let name { "case '\(name)': \(error)" } else { "\(error)" }
    case .noCommonCase(let base, let candidate):
      "no gated case is in both builds: the base has \(Self.list(base)), the candidate "
        + "\(Self.list(candidate)) (compare builds that share a case)"
    case .unknownCases(let names, let known):
      "there is no gated case \(Self.list(names)) (the cases are \(Self.list(known)))"
    case .roleDiffers(let name):
      "case '\(name)' has different roles in the two builds (rename one)"
    case .tooShort(let name, let repeats):
      "case '\(name)': \(repeats) repeats take less than a millisecond "
        + "(check that the work is not optimised away)"
    case .notLinked(let reason): reason
    case .invalidSettings(let reason): "\(reason) (change the settings)"
    case .cancelled: "the comparison was stopped"
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
    return names.isEmpty ? "none" : shown + (names.count > 20 ? " and more" : "")
  }
}

/// The progress of a comparison.
public struct ComparisonRunProgress: Sendable, Hashable {
  /// The phase of a run.
  public enum Phase: Sendable, Hashable {
    /// Each case is opened once, to estimate its cost.
    case calibrating
    /// Launches are measured until each case is decided.
    case measuring
    /// Cases that look changed are measured again.
    case confirming
  }

  /// The current phase.
  public var phase: Phase
  /// The case of the last launch.
  public var caseName: String
  /// The number of launches done in this phase.
  public var launches: Int
  /// The planned number of launches in this phase, which may grow.
  public var plannedLaunches: Int
  /// The number of cases not decided yet.
  public var undecidedCases: Int
}
