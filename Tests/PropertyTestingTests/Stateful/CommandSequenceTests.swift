import Testing

@testable import PropertyTesting

@Suite("Sequences of commands")
struct CommandSequenceTests {
  private let generator = Gen.commands(of: queueMachine, count: 2...30)

  @Test func `each command is applicable and depends on the model it meets`() {
    let sequences = generator.sample(500)
    #expect(sequences.count > 400)
    for sequence in sequences {
      #expect((2...30).contains(sequence.commands.count))
      var model = sequence.model
      for command in sequence.commands {
        #expect(command.isApplicable(to: model))
        if let push = command as? Push { #expect((1...model.room).contains(push.element)) }
        command.apply(to: &model)
      }
    }
  }

  @Test func `sequences of every length come up, long ones often`() {
    let counts = generator.sample(1000).map(\.commands.count)
    #expect(Set(counts).isSuperset(of: 2...20))
    // The mean without rejections is near 16, because the limit of 30 cuts off the tail; the distribution of lists
    // would give 7.
    #expect(counts.reduce(0, +) / counts.count >= 10)
  }

  @Test func `each command is one element and each that is not applicable was rejected`() throws {
    var testCase = TestCase()
    var drawn = 0
    for index in 0..<300 {
      testCase.begin(seed: 3, index: UInt64(index))
      guard let sequence = try? generator.body(&testCase) else { continue }
      drawn += 1
      let elements = testCase.spans.filter { $0.kind == .element }
      #expect(elements.count == sequence.commands.count)
      // Without the rejected spans the same sequence is drawn.
      var rest = testCase.choices
      for span in testCase.spans.reversed() where span.kind == .rejected {
        rest.removeSubrange(span.start..<span.end)
      }
      var again = TestCase()
      again.begin(replaying: rest, tail: .simplest)
      #expect(try generator.body(&again).description == sequence.description)
      #expect(!again.spans.contains { $0.kind == .rejected })
    }
    #expect(drawn >= 150)
  }

  @Test func `leaving out an element leaves the commands after it alone`() throws {
    let pushes = StateMachine<Queue, QueueModel>(startingAt: QueueModel(room: 99)) { _ in
      .command(Gen<Int>.integer(in: 1...9).map { Push(element: $0) })
    }
    let generator = Gen.commands(of: pushes, count: 0...40)
    var testCase = TestCase()
    testCase.begin(seed: 5, index: 1)
    let whole = try generator.body(&testCase).commands.map { "\($0)" }
    let elements = testCase.spans.filter { $0.kind == .element }
    for (index, span) in elements.enumerated() {
      var (choices, expected) = (testCase.choices, whole)
      choices.removeSubrange(span.start..<span.end)
      expected.remove(at: index)
      var shorter = TestCase()
      shorter.begin(replaying: choices, tail: .simplest)
      #expect(try generator.body(&shorter).commands.map { "\($0)" } == expected)
    }
    #expect(elements.count > 3)
  }

  @Test func `a machine whose commands are never applicable gives up`() {
    let stuck = StateMachine<Queue, QueueModel>(startingAt: QueueModel(room: 1)) { _ in
      .command(.constant(Pop()))
    }
    #expect(Gen.commands(of: stuck, count: 1...9).sample(20).isEmpty)
    let empty = Gen.commands(of: stuck, count: 0...9).sample(20)
    #expect(empty.count == 20 && empty.allSatisfy { $0.commands.isEmpty })
  }

  @Test func `a sequence is described one command a line`() {
    let sequence = CommandSequence<Queue, QueueModel>(
      model: QueueModel(room: 3), commands: [Push(element: 2), Pop()])
    #expect(
      sequence.description == """
        begin with QueueModel(room: 3, elements: [])
        1. Push(element: 2)
        2. Pop()
        """)
  }
}
