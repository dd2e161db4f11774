/// An operation on a subject, with the effect that a model predicts.
///
/// The subject is the real system, such as a zoomed view; the model is a value simple enough to be right by inspection.
/// Reports show a command by `String(describing:)`, so structures and enumerations need no custom description.
///
/// Only `run(on:)` accesses the subject. The other functions must be pure, because drawing and shrinking repeat them.
public protocol Command<Subject, Model>: Sendable {
  /// The system under test.
  associatedtype Subject
  /// The model that defines how the subject should behave.
  associatedtype Model: Sendable
  /// The response of the subject.
  associatedtype Response

  /// Whether the command makes sense in this state; inapplicable commands are left out.
  func isApplicable(to model: Model) -> Bool

  /// Runs the command on the subject; an error fails the step.
  func run(on subject: inout Subject) async throws -> Response

  /// Applies the expected effect to the model.
  func apply(to model: inout Model)

  /// Compares the response of the subject with the model before and after the command; throws if the response is wrong.
  func verify(_ response: Response, before: Model, after: Model) throws
}

extension Command {
  /// Whether the command makes sense in this state; true by default.
  public func isApplicable(to model: Model) -> Bool { true }

  /// Accepts any response, for commands that only invariants check.
  public func verify(_ response: Response, before: Model, after: Model) throws {}
}

extension Gen {
  /// Returns a generator that erases the type of its commands, so that `oneOf` and `weighted` can mix several types.
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

extension Gen {
  /// Returns a generator of command sequences for a state machine; shorter sequences are simpler.
  ///
  /// Each command is drawn for the model after the previous commands. Deleting a command also deletes later ones that
  /// become inapplicable, so a shrunk sequence is always valid.
  ///
  /// `count` is the range of the number of commands; its lower bound is at least 0. If too few are applicable, the case
  /// is discarded.
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
    // If one command in five is applicable, 20 in a row are inapplicable with a probability of 1 in 87 (0.8^20).
    while drawn.count < count.upperBound, rejections < 20 {
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

/// A collection of values that some commands create and later commands use.
///
/// The subject has a bundle of the values, and the model one of its knowledge about them. A command that creates a value
/// adds to both; the keys agree because the commands run in the same order. A later command holds a key drawn with
/// `Gen.key(of:)`, which is drawn again when shrinking deletes the creator.
///
/// ```swift
/// struct Write: Command {
///   let document: BundleKey
///   func run(on app: inout App) { app.documents[document]?.write("x") }
///   func apply(to model: inout Model) { model.documents[document]? += "x" }
/// }
/// let machine = StateMachine<App, Model>(startingAt: Model()) { model in
///   .oneOf(
///     .command(.constant(Open())),
///     .command(Gen.key(of: model.documents).map { Write(document: $0) }))
/// }
/// ```
public struct ValueBundle<Value> {
  private var values: [(key: BundleKey, value: Value)] = []
  private var next = 1

  /// Creates an empty bundle.
  public init() {}

  /// The keys of the values, the oldest first.
  public var keys: [BundleKey] { values.map(\.key) }

  /// Adds a value.
  ///
  /// - Returns: The key of the value: the first is 1, and no key is reused.
  @discardableResult
  public mutating func add(_ value: Value) -> BundleKey {
    let key = BundleKey(number: next)
    next += 1
    values.append((key, value))
    return key
  }

  /// The value with a key, nil if there is none; assigning nil removes it.
  public subscript(key: BundleKey) -> Value? {
    get { values.first { $0.key == key }?.value }
    set {
      guard let place = values.firstIndex(where: { $0.key == key }) else { return }
      if let newValue { values[place].value = newValue } else { values.remove(at: place) }
    }
  }
}

extension ValueBundle: Sendable where Value: Sendable {}

/// The key of a value of a bundle, in the model and in the subject.
public struct BundleKey: Hashable, Sendable, CustomStringConvertible {
  let number: Int

  /// The number of the value, from 1: `#2`.
  public var description: String { "#\(number)" }
}

extension Gen where Value == BundleKey {
  /// Returns a generator of the keys of a bundle, the oldest first; while the bundle is empty, commands with a key are
  /// left out.
  public static func key<Item>(of bundle: ValueBundle<Item>) -> Gen {
    let keys = bundle.keys
    guard !keys.isEmpty else { return Gen { _ throws(Discarded) in throw Discarded() } }
    return .element(of: keys)
  }
}
