import PropertyTesting
import Synchronization
import Testing

@testable import PropertyTestingBridge

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
