import PropertyTesting
import PropertyTestingBridge
import Testing

/// A counter that stops counting at 3 if it is broken.
private struct Tally {
  var number = 0
  let isBroken: Bool
  mutating func increment() { if !isBroken || number < 3 { number += 1 } }
}

private struct Increment: Command {
  func run(on subject: inout Tally) -> Int {
    subject.increment()
    return subject.number
  }
  func apply(to model: inout Int) { model += 1 }
  func verify(_ response: Int, before: Int, after: Int) {
    #expect(response == after)
  }
}

@Suite("Expecting a subject to follow its model")
struct ExpectConformsTests {
  private let machine = StateMachine<Tally, Int>(startingAt: 0) { _ in
    .command(.constant(Increment()))
  }

  @Test func `a subject that follows its model passes`() async {
    await expectConforms(machine) { _ in Tally(isBroken: false) }
  }

  @Test func `an expectation within a command names its step`() async throws {
    let issues = try await recordedIssues {
      await expectConforms(machine) { _ in Tally(isBroken: true) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("step 4 of 4, Increment()") == true)
    #expect(issues.first?.text.contains("5. Increment()") == false)
  }

  @Test func `an expectation within an invariant names the invariant`() async throws {
    let watched = machine.invariant("small") { subject, model in #expect(subject.number < 2) }
    let issues = try await recordedIssues {
      await expectConforms(watched) { _ in Tally(isBroken: false) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.contains("step 2 of 2") == true)
    #expect(issues.first?.text.contains("the invariant \"small\" does not hold") == true)
  }
}
