/// A state machine that defines the commands of a subject, their effects and the invariants.
public struct StateMachine<Subject, Model: Sendable>: Sendable {
  /// A condition that must hold before the first command and after every command.
  package struct Invariant: Sendable {
    package let name: String
    package let verify: @Sendable (inout Subject, Model) async throws -> Void
  }

  package let model: Gen<Model>
  package let commands: @Sendable (Model) -> Gen<any Command<Subject, Model>>
  package private(set) var invariants: [Invariant] = []

  /// Creates a machine whose initial state is generated.
  ///
  /// - Parameters:
  ///   - model: generates the initial model, such as the size of a displayed image.
  ///   - commands: returns the generator of the next command. It may depend on the model, so that a touch can be drawn
  ///     inside the image of the same case; earlier alternatives are simpler.
  public init(
    model: Gen<Model>,
    commands: @escaping @Sendable (Model) -> Gen<any Command<Subject, Model>>
  ) {
    self.model = model
    self.commands = commands
  }

  /// Creates a machine that always begins in the same state.
  ///
  /// - Parameters:
  ///   - model: the initial model.
  ///   - commands: returns the generator of the next command; see `init(model:commands:)`.
  public init(
    startingAt model: Model,
    commands: @escaping @Sendable (Model) -> Gen<any Command<Subject, Model>>
  ) {
    self.init(model: .constant(model), commands: commands)
  }

  /// Returns the machine with an additional invariant, which must hold before the first command and after every
  /// command.
  ///
  /// - Parameters:
  ///   - name: the name of the invariant in reports.
  ///   - verify: examines the subject, which it should not change, and the model; throws an error if they disagree.
  /// - Returns: The extended machine; invariants are checked in the order in which they were added.
  public func invariant(
    _ name: String, _ verify: @escaping @Sendable (inout Subject, Model) async throws -> Void
  ) -> StateMachine {
    var machine = self
    machine.invariants.append(Invariant(name: name, verify: verify))
    return machine
  }
}
