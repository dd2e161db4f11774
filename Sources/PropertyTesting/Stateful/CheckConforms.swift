/// Checks that a subject does what its model says, whatever is done to it in whatever order.
///
/// A failure names the step at which subject and model part, and its counterexample is the
/// shortest sequence found, one command a line, with what the subject answered as notes.
///
/// - Parameters:
///   - name: of the property; failures are stored under it.
///   - machine: says what can be done and what holds.
///   - steps: how many commands a sequence has; from 0.
///   - settings: how to run it.
///   - makeSubject: makes a subject in the state of the model at the beginning; every case gets a
///     subject of its own.
/// - Returns: What was found.
public func checkConforms<Subject, Model>(
  _ name: String, _ machine: StateMachine<Subject, Model>, steps: ClosedRange<Int> = 1...50,
  settings: PropertySettings = PropertySettings(),
  makeSubject: @escaping @Sendable (Model) async throws -> Subject
) async -> PropertyReport<CommandSequence<Subject, Model>> {
  await check(name, .commands(of: machine, count: steps), settings: settings) {
    sequence, testCase in
    try await machine.run(sequence, noting: &testCase, makeSubject: makeSubject)
  }
}
