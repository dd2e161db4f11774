import PropertyTesting

/// A queue of limited room, the subject of the tests, with a fault that can be switched on.
struct Queue: Sendable {
  enum Fault: Sendable {
    /// Forgets what is pushed on to two elements that are equal to it.
    case losesThirdEqual
    /// Throws when it is emptied.
    case throwsWhenEmptied
    /// Counts one too many from the third element.
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

/// What a queue should hold.
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

/// Queues of some rooms; an element drawn is within the queue's own room.
let queueMachine = StateMachine<Queue, QueueModel>(
  model: Gen<Int>.integer(in: 1...6).map { QueueModel(room: $0) }
) { model in
  .oneOf(
    .command(.constant(Pop())),
    .command(Gen<Int>.integer(in: 1...model.room).map { Push(element: $0) }))
}
