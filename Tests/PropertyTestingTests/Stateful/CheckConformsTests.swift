import PropertyTesting
import Testing

@Suite("A subject and its model")
struct CheckConformsTests {
  /// Checks queues with or without a fault.
  private func report(
    _ fault: Queue.Fault?, _ machine: StateMachine<Queue, QueueModel> = queueMachine
  ) async -> PropertyReport<CommandSequence<Queue, QueueModel>> {
    await Property.checkConforms(
      "a queue", machine, settings: PropertySettings(cases: 300, seed: 1),
      makeSubject: { Queue(room: $0.room, fault: fault) })
  }

  private func failure(
    _ fault: Queue.Fault?, _ machine: StateMachine<Queue, QueueModel> = queueMachine
  ) async throws -> (
    minimal: CommandSequence<Queue, QueueModel>, step: StepFailure, notes: [String]
  ) {
    let report = await report(fault, machine)
    let found = try #require(report.failures.first)
    return (found.minimal, try #require(found.error as? StepFailure), found.notes)
  }

  @Test func `a subject that follows its model passes`() async {
    let report = await report(nil)
    #expect(report.verdict == .passed)
    #expect(report.cases == 300)
  }

  @Test func `a wrong answer names the step and shrinks to the shortest sequence`() async throws {
    let (minimal, step, notes) = try await failure(.losesThirdEqual)
    // Two equal elements, the third, which is lost, and pops until the response is wrong.
    let shortest = ["Push(element: 1)", "Push(element: 1)", "Push(element: 1)", "Pop()", "Pop()"]
    #expect(minimal.commands.map { "\($0)" } == shortest + ["Pop()"])
    #expect(minimal.model.room == 3)
    #expect(step.step == 6 && step.count == 6 && step.stage == .verifying)
    #expect(step.command == "Pop()")
    #expect(step.description.hasPrefix("step 6 of 6, Pop(): the answer is wrong: "))
    #expect(notes.last == "6. Pop() answered nil")
  }

  @Test(arguments: [false, true])
  func `an error that says nothing about the subject discards its case`(isDiscard: Bool) async {
    let report = await Property.checkConforms(
      "a queue", queueMachine, settings: PropertySettings(cases: 10, seed: 1)
    ) { _ -> Queue in throw RunEndTests.Interrupted(discardsCase: isDiscard) }
    #expect(report.failures.isEmpty == isDiscard)
    #expect((report.discards > 0) == isDiscard)
  }

  @Test func `a command that throws fails its step`() async throws {
    let (minimal, step, notes) = try await failure(.throwsWhenEmptied)
    #expect(minimal.commands.map { "\($0)" } == ["Push(element: 1)", "Pop()"])
    #expect(step.step == 2 && step.stage == .running)
    #expect(step.underlying is Queue.Trouble)
    #expect(notes == ["1. Push(element: 1) answered ()", "2. Pop() threw Trouble()"])
  }

  @Test func `an invariant is named and looked at after every step`() async throws {
    let watched = queueMachine.invariant("counts agree") { subject, model in
      try Property.require(subject.count == model.elements.count)
    }
    let (minimal, step, _) = try await failure(.countsTooMany, watched)
    #expect(minimal.commands.count == 3)
    #expect(step.step == 3 && step.stage == .invariant("counts agree"))
  }

  @Test func `an invariant that never holds fails before the first step`() async throws {
    let watched = queueMachine.invariant("impossible") { _, _ in throw Queue.Trouble() }
    let (minimal, step, notes) = try await failure(nil, watched)
    #expect(minimal.commands.count == 1)
    #expect(step.step == 0 && step.command == nil && notes.isEmpty)
    #expect(step.description.hasPrefix("before the first step: "))
  }

  @Test func `a subject that cannot be made fails and one that declines does not`() async {
    let broken = await Property.checkConforms("a queue", queueMachine) { (_: QueueModel) -> Queue in
      throw Queue.Trouble()
    }
    #expect((broken.failures.first?.error as? StepFailure)?.stage == .making)
    let declined = await Property.checkConforms("a queue", queueMachine) { model -> Queue in
      guard model.room > 1 else { throw Discarded() }
      return Queue(room: model.room)
    }
    #expect(declined.failures.isEmpty && declined.discards > 0)
  }

  @Test func `failures of different origin are told apart`() async throws {
    // The origin comes from the thrown error, not from the wrapper, so it distinguishes the faults.
    let first = await report(.losesThirdEqual).failures.first?.origin
    let second = await report(.throwsWhenEmptied).failures.first?.origin
    #expect(first != nil && first?.place != nil)
    #expect(second != nil && first != second)
  }
}
