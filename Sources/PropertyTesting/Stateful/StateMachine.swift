/// Says which commands a subject takes, what they should do, and what holds at all times.
public struct StateMachine<Subject, Model: Sendable>: Sendable {
  /// What must hold before the first command and after every one.
  package struct Invariant: Sendable {
    package let name: String
    package let verify: @Sendable (inout Subject, Model) async throws -> Void
  }

  package let model: Gen<Model>
  package let commands: @Sendable (Model) -> Gen<any Command<Subject, Model>>
  package private(set) var invariants: [Invariant] = []

  /// A machine that begins in a state that is drawn too.
  ///
  /// - Parameters:
  ///   - model: the model at the beginning, such as the size of an image that is shown.
  ///   - commands: what may come next. The generator may depend on the model, so that a touch can
  ///     be drawn inside the image of this very case; the earlier of its alternatives are the
  ///     simpler.
  public init(
    model: Gen<Model>,
    commands: @escaping @Sendable (Model) -> Gen<any Command<Subject, Model>>
  ) {
    self.model = model
    self.commands = commands
  }

  /// A machine that always begins in the same state.
  ///
  /// - Parameters:
  ///   - model: the model at the beginning.
  ///   - commands: what may come next; see `init(model:commands:)` for generated models.
  public init(
    startingAt model: Model,
    commands: @escaping @Sendable (Model) -> Gen<any Command<Subject, Model>>
  ) {
    self.init(model: .constant(model), commands: commands)
  }

  /// The machine with one more thing to hold before the first command and after every one.
  ///
  /// - Parameters:
  ///   - name: what a report calls it.
  ///   - verify: looks at the subject, which it may ask but should not change, and at the model;
  ///     throws any error where they do not agree.
  /// - Returns: Such a machine; invariants are looked at in the order they were added.
  public func invariant(
    _ name: String, _ verify: @escaping @Sendable (inout Subject, Model) async throws -> Void
  ) -> StateMachine {
    var machine = self
    machine.invariants.append(Invariant(name: name, verify: verify))
    return machine
  }
}
