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
