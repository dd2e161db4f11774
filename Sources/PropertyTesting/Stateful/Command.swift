/// An operation on a subject, with the effect that a model predicts.
///
/// The subject is the real system, such as a zoomed view; the model is a value simple enough to be right by inspection.
/// Reports show a command by `String(describing:)`, so structures and enumerations need no custom description.
///
/// Only `run(on:)` accesses the subject. The other functions must be pure, because they are called repeatedly while a
/// sequence is drawn and shrunk.
public protocol Command<Subject, Model>: Sendable {
  /// The system under test.
  associatedtype Subject
  /// The model that defines how the subject should behave.
  associatedtype Model: Sendable
  /// The response of the subject.
  associatedtype Response

  /// Whether the command makes sense in this state; inapplicable commands are left out.
  func isApplicable(to model: Model) -> Bool

  /// Runs the command on the subject.
  ///
  /// - Throws: An error of the subject, which fails the step.
  func run(on subject: inout Subject) async throws -> Response

  /// Applies the expected effect to the model.
  func apply(to model: inout Model)

  /// Compares the response of the subject with the model.
  ///
  /// - Parameters:
  ///   - response: the result of `run(on:)`.
  ///   - before: the model before this command.
  ///   - after: the model after this command.
  /// - Throws: An error if the response is wrong.
  func verify(_ response: Response, before: Model, after: Model) throws
}

extension Command {
  /// Whether the command makes sense in this state; true by default.
  public func isApplicable(to model: Model) -> Bool { true }

  /// Accepts any response, for commands that only invariants check.
  public func verify(_ response: Response, before: Model, after: Model) throws {}
}

extension Gen {
  /// Returns a generator that erases the type of its commands, for mixing commands of several types.
  ///
  /// - Parameter command: generates the commands.
  /// - Returns: The same commands, in a form that `oneOf` and `weighted` accept.
  public static func command<Subject, Model, Drawn: Command<Subject, Model>>(
    _ command: Gen<Drawn>
  ) -> Gen where Value == any Command<Subject, Model> {
    command.map { $0 }
  }
}

/// An initial model and a sequence of commands, each applicable after the previous ones.
public struct CommandSequence<Subject, Model: Sendable>: Sendable, CustomStringConvertible {
  /// The initial model.
  public let model: Model
  /// The commands in the order of execution.
  public let commands: [any Command<Subject, Model>]

  /// The initial model, then one numbered command per line.
  public var description: String {
    var lines = ["begin with \(model)"]
    for (index, command) in commands.enumerated() { lines.append("\(index + 1). \(command)") }
    return lines.joined(separator: "\n")
  }
}

/// The number of consecutive inapplicable commands that ends a sequence.
///
/// If one command in five is applicable, 20 consecutive ones are inapplicable with a probability of 1 in 87 (0.8^20).
/// So few sequences end early, and a state without applicable commands is detected quickly.
private let mostRejectionsInARow = 20

extension Gen {
  /// Returns a generator of command sequences for a state machine; shorter sequences are simpler.
  ///
  /// Each command is drawn for the model after the previous commands. Deleting a command also deletes later ones that
  /// become inapplicable, so a shrunk sequence is always valid.
  ///
  /// - Parameters:
  ///   - machine: defines the commands.
  ///   - count: the allowed numbers of commands; from 0. If too few are applicable, the case is discarded.
  /// - Returns: A generator of sequences.
  public static func commands<Subject, Model>(
    of machine: StateMachine<Subject, Model>, count: ClosedRange<Int> = 1...50
  ) -> Gen where Value == CommandSequence<Subject, Model> {
    precondition(count.lowerBound >= 0, "commands(of:count:) needs a count of at least 0")
    return Gen { testCase throws(Discarded) in
      let model = try testCase.span(.argument, machine.model.body)
      return CommandSequence(
        model: model, commands: try testCase.commands(of: machine, from: model, count: count))
    }
  }
}

extension TestCase {
  /// Draws commands until a choice ends the sequence.
  ///
  /// The mean length is the middle of the range, longer than for lists, because faults of a machine often need many
  /// steps.
  fileprivate mutating func commands<Subject, Model>(
    of machine: StateMachine<Subject, Model>, from model: Model, count: ClosedRange<Int>
  ) throws(Discarded) -> [any Command<Subject, Model>] {
    let more = 1 - 1 / (1 + Double(count.upperBound - count.lowerBound) / 2)
    var (model, drawn) = (model, [any Command<Subject, Model>]())
    var rejections = 0
    while drawn.count < count.upperBound, rejections < mostRejectionsInARow {
      let start = choices.count
      let level = depth
      depth = level + 1
      let goesOn =
        drawn.count < count.lowerBound
        || index(upTo: 1, sample: { $0.nextUnit() < more ? 1 : 0 }) == 1
      // A command that cannot be drawn counts as inapplicable.
      let command = goesOn ? try? machine.commands(model).body(&self) : nil
      depth = level
      guard goesOn else { break }
      if let command, command.isApplicable(to: model) {
        endSpan(.element, start: start)
        command.apply(to: &model)
        drawn.append(command)
        rejections = 0
      } else {
        endSpan(.rejected, start: start)
        rejections += 1
      }
    }
    guard drawn.count >= count.lowerBound else { throw Discarded() }
    return drawn
  }
}
