import PropertyTesting
import Synchronization
import Testing

@testable import PropertyTestingBridge

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

@Suite("A property and its test")
struct ExpectToPassTests {
  @Test func `a property outside of a test is not run and fails`() async throws {
    let place = #_sourceLocation
    let runs = Counter()
    let issues = try await recordedIssues {
      await expectToPass("a law", in: nil, at: place) { name, settings in
        runs.increment()
        return await Property.check(name, .bool, settings: settings) { _, _ in }
      }
    }
    #expect(runs.value == 0)
    #expect(issues.map(\.isFailure) == [true])
    #expect(issues.first?.sourceLocation == place)
  }

  @Test(.property(cases: 1)) func `an issue after its case has ended is not lost`() async throws {
    let issues = try await recordedIssues {
      let (ends, end) = AsyncStream<Void>.makeStream()
      let late = Mutex<Task<Void, Never>?>(nil)
      await expectForAll(.constant(0)) { _ in
        let task = Task {
          for await _ in ends {}
          Issue.record("late")
        }
        late.withLock { $0 = task }
      }
      end.finish()
      await late.withLock { $0 }?.value
    }
    #expect(issues.map(\.text) == ["late"])
  }
}

/// Runs a function and returns the issues that it records, which do not fail the current test.
func recordedIssues(
  _ body: @escaping @Sendable () async throws -> Void
) async throws -> [Issue] {
  let test = try #require(Test.current)
  let issues = Mutex<[Issue]>([])
  let trait = IssueHandlingTrait.compactMapIssues { issue in
    issues.withLock { $0.append(issue) }
    return nil
  }
  try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
  return issues.withLock { $0 }
}

/// A counter for concurrent tasks.
final class Counter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func increment() { number.withLock { $0 += 1 } }
}

extension Issue {
  /// The comments of the issue.
  var text: String { comments.map(\.rawValue).joined(separator: "\n") }
}
