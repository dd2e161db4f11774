/// A value for which a property does not hold.
public struct Counterexample<Value: Sendable>: Sendable {
  /// The value that was met first.
  public let original: Value
  /// The simplest value found that fails in the same way.
  public let minimal: Value
  /// The minimal value, as text.
  public let description: String
  /// What the property threw for the minimal value.
  public let error: any Error
  /// That error, as text.
  public let message: String
  /// Where it came from.
  public let origin: Origin
  /// Names the minimal case, for `PropertySettings.reproducing`; nil for a value that was given and
  /// not generated.
  public let token: ReplayToken?
  /// The number of the case in which it was met, from 1; 0 when it was met while shrinking.
  public let foundAt: Int
  /// How often the property ran to shrink the value.
  public let evaluations: Int
  /// How the value was met.
  public let phase: Phase
  /// How likely the minimal value fails, a 95 % interval; nil when it failed every time.
  public let failureRate: ClosedRange<Double>?
  /// What matters and what does not; empty when not looked into.
  public let explanation: [Explanation]
  /// What the property drew by hand or noted for the minimal value.
  public let notes: [String]

  /// What tells failures apart: those of the same type and place are taken for one.
  public struct Origin: Hashable, Sendable {
    /// The type of the error.
    public let errorType: String
    /// The place in the source, where known.
    public let place: String?
  }
}

/// Whether an argument of a counterexample matters.
public struct Explanation: Hashable, Sendable {
  /// Which argument, from 0, in the order they are drawn.
  public let argument: Int
  /// Whether the failure depends on it: false when it failed in the same way whatever was drawn.
  public let matters: Bool
  /// How many other values were tried.
  public let trials: Int
}
