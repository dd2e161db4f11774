import Foundation
import Synchronization
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests that take all turns; two at the same time might wait for each other.
@Suite(.serialized)
struct ReadTurnTests {
  /// Returns the most reads that were under way at once, of threads that each read some pixels; nil if they did not end
  /// in a minute.
  private static func most(pixels: Int, threads: Int) -> Int? {
    let counts = Mutex((now: 0, most: 0))
    let group = DispatchGroup()
    for _ in 0..<threads {
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
    return group.wait(timeout: .now() + 60) == .success ? counts.withLock(\.most) : nil
  }

  @Test func `only as many large reads run at once as there are turns, and all get one`() {
    let most = Self.most(pixels: 1 << 24, threads: ReadTurn.most + 4)
    #expect((1...ReadTurn.most).contains(most ?? 0))
  }

  @Test func `small reads do not wait for large ones`() {
    let large = (0..<ReadTurn.most).map { _ in ReadTurn.begin(pixels: 1 << 24) }
    let most = Self.most(pixels: 1 << 20, threads: 4)
    large.forEach { $0.end() }
    #expect(most != nil)
  }

  /// Reads a region while all turns are taken, and again when they are free.
  /// - Returns: The pixels that had come before, which are nil, and those that came in the end.
  private static func read(
    _ region: PixelRegion, of source: any RegionSource, after time: Duration
  ) -> (before: Pixels?, then: Pixels?) {
    let turns = (0..<ReadTurn.most).map { _ in ReadTurn.begin(pixels: region.area) }
    let pixels = Mutex<Pixels?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let answer = try? source.read(RegionRequest(region)).pixels
      pixels.withLock { $0 = answer }
      done.signal()
    }
    // Not an asynchronous pause: other tests that wait for their turns may take all threads of tasks.
    Thread.sleep(forTimeInterval: time / .seconds(1))
    let before = pixels.withLock { $0 }
    turns.forEach { $0.end() }
    _ = done.wait(timeout: .now() + 60)
    return (before, pixels.withLock { $0 })
  }

  @Test func `a large region of a JPEG is read only when it is its turn`() async throws {
    let source = try PartialPipeline().open(try await CorpusPictures.file("pharmacy"))
    let region = try PixelRegion(x: 1, y: 333, width: 4533, height: 1000)
    #expect(region.area > ReadTurn.mostPixelsOfSmall)
    // The first read grows the index.
    let right = try source.read(RegionRequest(region)).pixels
    let start = ContinuousClock().now
    _ = try source.read(RegionRequest(region))
    let time = start.duration(to: .now)
    // Without turns, it would be read by then.
    let (before, then) = Self.read(
      region, of: source, after: min(max(time * 3, .seconds(0.5)), .seconds(3)))
    #expect(before == nil && then == right)
  }
}
