import Synchronization
import Testing

@testable import zoombench

/// Serialized: the list of actions is one for the process.
@Suite(.serialized) struct InterruptionTests {
  private final class Counter: Sendable {
    let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
  }

  @Test func `each action is done once, however often the process is asked to end`() {
    let first = Counter()
    let second = Counter()
    Interruption.onEnd { first.add() }
    Interruption.onEnd { second.add() }
    Interruption.cleanUp()
    Interruption.cleanUp()
    #expect(first.count.withLock { $0 } == 1)
    #expect(second.count.withLock { $0 } == 1)
  }

  @Test func `an action may register another one`() {
    let late = Counter()
    Interruption.onEnd { Interruption.onEnd { late.add() } }
    Interruption.cleanUp()
    Interruption.cleanUp()
    #expect(late.count.withLock { $0 } == 1)
  }
}
