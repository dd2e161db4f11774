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
      depth += 1
      let goesOn =
        drawn.count < count.lowerBound
        || index(upTo: 1, sample: { $0.nextUnit() < more ? 1 : 0 }) == 1
      let command = goesOn ? try machine.commands(model).body(&self) : nil
      depth -= 1
      guard let command else { break }
      if command.isApplicable(to: model) {
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
