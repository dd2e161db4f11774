extension StateMachine {
  /// Does a sequence to a subject and compares it to the model at every step.
  ///
  /// - Parameters:
  ///   - sequence: what is done.
  ///   - testCase: keeps a line for every step that was run, with the subject's answer.
  ///   - makeSubject: makes the subject in the state of the model at the beginning.
  /// - Throws: `StepFailure` for the first step that fails, or `Discarded` and `CancellationError`
  ///   as they are, which are no failures of the subject.
  public func run(
    _ sequence: CommandSequence<Subject, Model>, noting testCase: inout TestCase,
    makeSubject: @Sendable (Model) async throws -> Subject
  ) async throws {
    try await run(sequence, noting: &testCase, makeSubject: makeSubject, checkpoint: {})
  }

  /// Does a sequence, and asks a checkpoint after each part of a step whether it failed.
  ///
  /// The checkpoint is for code that reports failures elsewhere instead of throwing them.
  package func run(
    _ sequence: CommandSequence<Subject, Model>, noting testCase: inout TestCase,
    makeSubject: @Sendable (Model) async throws -> Subject, checkpoint: () throws -> Void
  ) async throws {
    var place = Place(step: 0, count: sequence.commands.count, command: nil)
    var model = sequence.model
    var subject: Subject
    do {
      subject = try await makeSubject(model)
      try checkpoint()
    } catch {
      throw place.naming(error, .making)
    }
    try await verifyInvariants(&subject, model, at: place, checkpoint)
    for (index, command) in sequence.commands.enumerated() {
      place = Place(step: index + 1, count: place.count, command: command)
      try await run(command, on: &subject, &model, at: place, checkpoint, noting: &testCase)
      try await verifyInvariants(&subject, model, at: place, checkpoint)
    }
  }

  private func run<Next: Command<Subject, Model>>(
    _ command: Next, on subject: inout Subject, _ model: inout Model, at place: Place,
    _ checkpoint: () throws -> Void, noting testCase: inout TestCase
  ) async throws {
    let response: Next.Response
    do {
      response = try await command.run(on: &subject)
      try checkpoint()
    } catch {
      testCase.note("\(place.step). \(command) threw \(error)")
      throw place.naming(error, .running)
    }
    testCase.note("\(place.step). \(command) answered \(response)")
    let before = model
    command.apply(to: &model)
    do {
      try command.verify(response, before: before, after: model)
      try checkpoint()
    } catch {
      throw place.naming(error, .verifying)
    }
  }

  private func verifyInvariants(
    _ subject: inout Subject, _ model: Model, at place: Place,
    _ checkpoint: () throws -> Void
  ) async throws {
    for invariant in invariants {
      do {
        try await invariant.verify(&subject, model)
        try checkpoint()
      } catch {
        throw place.naming(error, .invariant(invariant.name))
      }
    }
  }

  /// Where in a sequence a run is.
  private struct Place {
    let step: Int
    let count: Int
    let command: (any Command<Subject, Model>)?

    /// The error with its step, unless it is no failure of the subject.
    func naming(_ error: any Error, _ stage: StepFailure.Stage) -> any Error {
      if error.isDiscard || error is CancellationError { return error }
      return StepFailure(
        step: step, count: count, command: command.map { "\($0)" }, stage: stage,
        underlying: error)
    }
  }
}

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
  /// The number of commands.
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
