/// Why two builds could not be compared.
public enum ComparisonRunError: Error, Sendable, Hashable {
  /// A worker did not do its part; the case is nil while the cases were listed.
  case worker(WorkerError, case: String?)
  /// The builds have no gated case in common.
  case noCommonCase(base: [String], candidate: [String])
  /// Names that were asked for and that neither build has.
  case unknownCases([String], known: [String])
  /// A case that has different roles in the two builds.
  case roleDiffers(case: String)
  /// A case whose sample is shorter than a millisecond however often it is repeated.
  case tooShort(case: String, repeats: Int)
  /// A build could not be linked in another order.
  case notLinked(String)
  /// The settings contradict themselves.
  case invalidSettings(String)
  /// The run was told to stop.
  case cancelled
}

extension ComparisonRunError: CustomStringConvertible {
  /// What, why and what to do, in one line without a full stop.
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
        + "(see that the work is not optimised away)"
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

/// How far a comparison is.
public struct ComparisonRunProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: Sendable, Hashable {
    /// Each case is opened once, to see how long it takes.
    case calibrating
    /// Launches are measured until each case is decided.
    case measuring
    /// What was slower is measured again.
    case confirming
  }

  /// What is being done.
  public var phase: Phase
  /// The case of the last launch.
  public var caseName: String
  /// Launches done in this phase.
  public var launches: Int
  /// How many this phase will have unless more are needed.
  public var plannedLaunches: Int
  /// Cases that are not decided yet.
  public var undecidedCases: Int
  /// Wall time since the run began.
  public var elapsedSeconds: Double
}
