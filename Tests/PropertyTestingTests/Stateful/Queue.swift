import PropertyTesting

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
