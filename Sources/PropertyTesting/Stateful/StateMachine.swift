/// A state machine that defines the commands of a subject, their effects and the invariants.
public struct StateMachine<Subject, Model: Sendable>: Sendable {
  private typealias Invariant = @Sendable (inout Subject, Model) async throws -> Void

  let model: Gen<Model>
  let commands: @Sendable (Model) -> Gen<any Command<Subject, Model>>
  private var invariants: [(name: String, verify: Invariant)] = []

  /// Creates a machine whose initial state is generated.
  ///
  /// `commands` returns the generator of the next command, which may depend on the model, so that a touch can be drawn
  /// inside the image of the same case; earlier alternatives are simpler.
  public init(
    model: Gen<Model>,
    commands: @escaping @Sendable (Model) -> Gen<any Command<Subject, Model>>
  ) {
    self.model = model
    self.commands = commands
  }

  /// Creates a machine that always begins in the same state; see `init(model:commands:)`.
  public init(
    startingAt model: Model,
    commands: @escaping @Sendable (Model) -> Gen<any Command<Subject, Model>>
  ) {
    self.init(model: .constant(model), commands: commands)
  }

  /// Returns the machine with an additional invariant, which must hold before the first and after every command.
  ///
  /// `verify` examines the subject, which it should not change, and the model; it throws an error if they disagree.
  public func invariant(
    _ name: String, _ verify: @escaping @Sendable (inout Subject, Model) async throws -> Void
  ) -> StateMachine {
    var machine = self
    machine.invariants.append((name, verify))
    return machine
  }

  /// Runs a sequence on a subject and compares it with the model at every step.
  ///
  /// The test case receives a note with the response of the subject for every step. `checkpoint` throws the failure of
  /// the part of a step that has just run, for code that reports failures instead of throwing them.
  package func run(
    _ sequence: CommandSequence<Subject, Model>, noting testCase: inout TestCase,
    makeSubject: @Sendable (Model) async throws -> Subject, checkpoint: () throws -> Void = {}
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
    for (name, verify) in invariants {
      do {
        try await verify(&subject, model)
        try checkpoint()
      } catch {
        throw place.naming(error, .invariant(name))
      }
    }
  }

  /// A position in a sequence.
  private struct Place {
    let step, count: Int
    let command: (any Command<Subject, Model>)?

    /// Returns the error with its step, or unchanged if it is not a failure of the subject.
    func naming(_ error: any Error, _ stage: StepFailure.Stage) -> any Error {
      if error.isDiscard || error is CancellationError { return error }
      return StepFailure(
        step: step, count: count, command: command.map { "\($0)" }, stage: stage,
        underlying: error)
    }
  }
}

/// The error of a step at which a subject and its model differ.
public struct StepFailure: Error, CustomStringConvertible {
  /// The part of a step that failed.
  public enum Stage: Sendable, Hashable {
    /// The creation of the subject, the command, or the comparison of its response.
    case making, running, verifying
    /// The invariant with this name.
    case invariant(String)
  }

  /// The number of commands that had begun, and of all commands in the sequence.
  public let step, count: Int
  /// The command of the step as text; nil before the first.
  public let command: String?
  /// The part of the step that failed.
  public let stage: Stage
  /// The error that the part threw.
  public let underlying: any Error

  /// The step, its command, and the error.
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
