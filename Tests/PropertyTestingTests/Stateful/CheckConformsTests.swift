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
}

/// A queue of limited capacity with an optional fault, the subject of the tests.
struct Queue: Sendable {
  enum Fault: Sendable {
    /// Drops an element pushed after two elements equal to it.
    case losesThirdEqual
    /// Throws when the last element is popped.
    case throwsWhenEmptied
    /// Counts one element too many if there are three or more.
    case countsTooMany
  }

  struct Trouble: Error {}

  let room: Int
  var fault: Fault?
  private(set) var elements: [Int] = []

  init(room: Int, fault: Fault? = nil) {
    self.room = room
    self.fault = fault
  }

  mutating func push(_ element: Int) {
    if fault == .losesThirdEqual, elements.suffix(2) == [element, element] { return }
    elements.append(element)
  }

  mutating func pop() throws -> Int? {
    if fault == .throwsWhenEmptied, elements.count == 1 { throw Trouble() }
    return elements.isEmpty ? nil : elements.removeFirst()
  }

  var count: Int { elements.count + (fault == .countsTooMany && elements.count > 2 ? 1 : 0) }
}

/// The expected content of a queue.
struct QueueModel: Sendable, Hashable {
  let room: Int
  var elements: [Int] = []
}

struct Push: Command {
  let element: Int
  func isApplicable(to model: QueueModel) -> Bool { model.elements.count < model.room }
  func run(on subject: inout Queue) async { subject.push(element) }
  func apply(to model: inout QueueModel) { model.elements.append(element) }
}

struct Pop: Command {
  func isApplicable(to model: QueueModel) -> Bool { !model.elements.isEmpty }
  func run(on subject: inout Queue) throws -> Int? { try subject.pop() }
  func apply(to model: inout QueueModel) { model.elements.removeFirst() }
  func verify(_ response: Int?, before: QueueModel, after: QueueModel) throws {
    try Property.require(response == before.elements.first, "popped the wrong element")
  }
}

/// A machine of queues with various capacities; drawn elements are within the capacity of the queue.
let queueMachine = StateMachine<Queue, QueueModel>(
  model: Gen<Int>.integer(in: 1...6).map { QueueModel(room: $0) }
) { model in
  .oneOf(
    .command(.constant(Pop())),
    .command(Gen<Int>.integer(in: 1...model.room).map { Push(element: $0) }))
}
