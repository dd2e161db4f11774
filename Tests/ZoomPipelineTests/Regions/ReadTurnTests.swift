import Foundation
import Synchronization
import Testing

@testable import ZoomPipeline

struct ReadTurnTests {
  /// Returns the most reads that were under way at once, of eight threads that each read some pixels.
  private static func most(pixels: Int) -> Int {
    let counts = Mutex((now: 0, most: 0))
    let group = DispatchGroup()
    for _ in 0..<8 {
      group.enter()
      // Dispatch has only as many threads as there are cores.
      Thread.detachNewThread {
        let turn = ReadTurn.begin(pixels: pixels)
        counts.withLock { counts in
          counts.now += 1
          counts.most = max(counts.most, counts.now)
        }
        Thread.sleep(forTimeInterval: 0.05)
        counts.withLock { $0.now -= 1 }
        turn.end()
        group.leave()
      }
    }
    group.wait()
    return counts.withLock(\.most)
  }

  @Test func `at most two large reads run at once, and all get their turn`() {
    #expect(Self.most(pixels: 1 << 24) <= 2)
  }

  @Test func `small reads do not wait for large ones`() {
    let large = (0..<2).map { _ in ReadTurn.begin(pixels: 1 << 24) }
    #expect(Self.most(pixels: 1 << 20) > 0)
    large.forEach { $0.end() }
  }
}
