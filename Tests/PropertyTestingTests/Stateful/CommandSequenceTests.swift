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

  @Test func `a machine whose commands are never applicable gives up`() {
    let stuck = StateMachine<Queue, QueueModel>(startingAt: QueueModel(room: 1)) { _ in
      .command(.constant(Pop()))
    }
    #expect(Gen.commands(of: stuck, count: 1...9).sample(20).isEmpty)
    let empty = Gen.commands(of: stuck, count: 0...9).sample(20)
    #expect(empty.count == 20 && empty.allSatisfy { $0.commands.isEmpty })
  }
}

/// A desk of documents; if it is broken, it loses the third write to a document.
private struct Desk: Sendable {
  var documents = ValueBundle<String>()
  let isBroken: Bool
}

/// The expected length of each document.
private struct DeskModel: Sendable { var documents = ValueBundle<Int>() }

private struct Open: Command {
  func run(on desk: inout Desk) { desk.documents.add("") }
  func apply(to model: inout DeskModel) { model.documents.add(0) }
}

private struct Write: Command {
  let document: BundleKey
  func isApplicable(to model: DeskModel) -> Bool { model.documents[document] != nil }
  func run(on desk: inout Desk) -> Int {
    let text = desk.documents[document] ?? ""
    desk.documents[document] = desk.isBroken && text.count == 2 ? text : text + "x"
    return desk.documents[document]?.count ?? -1
  }
  func apply(to model: inout DeskModel) { model.documents[document]? += 1 }
  func verify(_ response: Int, before: DeskModel, after: DeskModel) throws {
    try Property.require(response == after.documents[document], "\(response) letters")
  }
}

private struct Close: Command {
  let document: BundleKey
  func run(on desk: inout Desk) { desk.documents[document] = nil }
  func apply(to model: inout DeskModel) { model.documents[document] = nil }
}

@Suite struct BundleTests {
  private let machine = StateMachine<Desk, DeskModel>(startingAt: DeskModel()) { model in
    .oneOf(
      .command(.constant(Open())),
      .command(Gen.key(of: model.documents).map { Write(document: $0) }),
      .command(Gen.key(of: model.documents).map { Close(document: $0) }))
  }

  @Test func `a value is known by its key until it is removed`() {
    var bundle = ValueBundle<String>()
    let (one, two) = (bundle.add("one"), bundle.add("two"))
    #expect(bundle.keys == [one, two] && bundle[two] == "two")
    bundle[one] = nil
    bundle[one] = "again"
    #expect(bundle.keys == [two] && bundle[one] == nil)
    #expect(bundle.add("three").description == "#3")
  }

  @Test func `no command uses a value that no command before it made`() {
    var uses = 0
    for sequence in Gen.commands(of: machine, count: 0...40).sample(300) {
      var model = sequence.model
      for command in sequence.commands {
        switch command {
        case let write as Write: #expect(model.documents[write.document] != nil)
        case let close as Close: #expect(model.documents[close.document] != nil)
        default: break
        }
        if command is Write || command is Close { uses += 1 }
        command.apply(to: &model)
      }
    }
    #expect(uses >= 300)
  }

  @Test func `makers and users shrink together`() async throws {
    for seed in 0..<UInt64(8) {
      let report = await Property.checkConforms(
        "desk", machine, settings: PropertySettings(cases: 500, seed: seed)
      ) { _ in Desk(isBroken: true) }
      let failure = try #require(report.failures.first)
      #expect(
        failure.minimal.commands.map { "\($0)" } == ["Open()"]
          + Array(repeating: "Write(document: #1)", count: 3))
    }
  }
}
