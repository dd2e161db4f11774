/// One thing that can be done to a subject, and what a model says should come of it.
///
/// A subject is the real thing, such as a zoomed view; its model is a value simple enough to be
/// right by inspection. A report shows a command as `String(describing:)` does, so structures and
/// enumerations need no description of their own.
///
/// Only `run(on:)` sees the subject. The others are pure, because they are asked again and again
/// while a sequence is drawn and shrunk.
public protocol Command<Subject, Model>: Sendable {
  /// What is under test.
  associatedtype Subject
  /// What says how the subject should behave.
  associatedtype Model: Sendable
  /// What the subject answers.
  associatedtype Response

  /// Whether the command makes sense at this point; one that does not is left out.
  func isApplicable(to model: Model) -> Bool

  /// Does it to the subject.
  ///
  /// - Throws: Whatever the subject throws, which fails the step.
  func run(on subject: inout Subject) async throws -> Response

  /// Does to the model what the subject should do.
  func apply(to model: inout Model)

  /// Compares what the subject answered to the model.
  ///
  /// - Parameters:
  ///   - response: what `run(on:)` returned.
  ///   - before: the model before this command.
  ///   - after: the model once the command is applied to it.
  /// - Throws: Any error when the answer is wrong.
  func verify(_ response: Response, before: Model, after: Model) throws
}

extension Command {
  /// True: without a condition of its own a command always makes sense.
  public func isApplicable(to model: Model) -> Bool { true }

  /// Accepts any answer, for commands that invariants alone judge.
  public func verify(_ response: Response, before: Model, after: Model) throws {}
}

extension Gen {
  /// A command of one type among commands of several types.
  ///
  /// - Parameter command: what makes the command.
  /// - Returns: The same commands, as `oneOf` and `weighted` can mix them with others.
  public static func command<Subject, Model, Drawn: Command<Subject, Model>>(
    _ command: Gen<Drawn>
  ) -> Gen where Value == any Command<Subject, Model> {
    command.map { $0 }
  }
}

/// A model to begin with, and commands that all make sense one after the other.
public struct CommandSequence<Subject, Model: Sendable>: Sendable, CustomStringConvertible {
  /// The model at the beginning.
  public let model: Model
  /// What is done, in this order.
  public let commands: [any Command<Subject, Model>]

  /// The model at the beginning, then one numbered command a line.
  public var description: String {
    var lines = ["begin with \(model)"]
    for (index, command) in commands.enumerated() { lines.append("\(index + 1). \(command)") }
    return lines.joined(separator: "\n")
  }
}

/// How many commands in a row may be inapplicable before a sequence ends.
///
/// Were only one command of five applicable, twenty drawn in a row would all be inapplicable in
/// one case of 87 (0.8^20), so that ends few sequences that could go on, and a state that no
/// command leaves is given up quickly.
private let mostRejectionsInARow = 20

extension Gen {
  /// Sequences of commands of a machine; the shorter is the simpler.
  ///
  /// Each command is drawn for the model that the commands before it lead to. Leaving out one
  /// leaves out those that are not applicable without it, so a sequence shrinks as a sequence.
  ///
  /// - Parameters:
  ///   - machine: says which commands there are.
  ///   - count: how many; from 0. The case is discarded when too few are applicable.
  /// - Returns: Such a generator.
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
  /// Draws commands until a choice says that there are no more.
  ///
  /// Lists stop early, at a handful of elements; a machine's faults often lie many steps in, so
  /// the mean here is the middle of the range.
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
      // What cannot be drawn is as good as inapplicable.
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
