/// Says at which step of a sequence a subject and its model parted.
public struct StepFailure: Error, CustomStringConvertible {
  /// What was being done.
  public enum Stage: Sendable, Hashable {
    /// The subject was being made.
    case making
    /// The command threw.
    case running
    /// The answer was wrong.
    case verifying
    /// The invariant of this name did not hold.
    case invariant(String)
  }

  /// How many commands had been begun: 0 before the first.
  public let step: Int
  /// How many commands there were.
  public let count: Int
  /// The command of the step as text; nil before the first.
  public let command: String?
  /// What was being done.
  public let stage: Stage
  /// What was thrown.
  public let underlying: any Error

  /// The step, its command, and what went wrong.
  public var description: String {
    let place = command.map { "step \(step) of \(count), \($0)" } ?? "before the first step"
    let trouble =
      switch stage {
      case .making: "the subject could not be made"
      case .running: "the command threw"
      case .verifying: "the answer is wrong"
      case .invariant(let name): "the invariant \"\(name)\" does not hold"
      }
    return "\(place): \(trouble): \(underlying)"
  }
}
