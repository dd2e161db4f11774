import PropertyTesting
import Testing

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

  @Test func `what keeps to its model passes`() async {
    let report = await Property.checkConforms(
      "desk", machine, settings: PropertySettings(cases: 200, seed: 1)
    ) { _ in Desk(isBroken: false) }
    #expect(report.verdict == .passed)
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
