import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct FileStampTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a write shows in the stamp though the modification time is set back`() throws {
    let path = try folder.write([1, 2, 3], as: "a")
    let before = try FileStamp(of: path)
    #expect(try FileStamp(of: path) == before)
    // Beyond the step of the clock that stamps files, which is 10 ms at most on Linux.
    Thread.sleep(forTimeInterval: 0.05)
    let handle = try #require(FileHandle(forUpdatingAtPath: path.string))
    try handle.write(contentsOf: Data([9]))
    try handle.close()
    let time = before.identity.modified
    let stamp = timespec(tv_sec: time.seconds, tv_nsec: time.nanoseconds)
    #expect(utimensat(AT_FDCWD, path.string, [stamp, stamp], 0) == 0)
    let after = try FileStamp(of: path)
    #expect(after.identity == before.identity)
    #expect(after != before)
  }

  @Test func `permissions and links change the stamp but not the identity`() throws {
    let path = try folder.write([1, 2, 3], as: "a")
    let before = try FileStamp(of: path)
    Thread.sleep(forTimeInterval: 0.05)
    #expect(chmod(path.string, 0o600) == 0)
    let after = try FileStamp(of: path)
    #expect(after.identity == before.identity)
    #expect(after.changed != before.changed)
  }

  @Test func `a sighting is settled two seconds after the last change, not before`() throws {
    let stamp = try FileStamp(of: try folder.write([1], as: "a"))
    let changed = FileTime(seconds: 1000, nanoseconds: 500)
    let old = FileStamp(identity: stamp.identity, changed: changed)
    func isSettled(_ seconds: Int, _ nanoseconds: Int) -> Bool {
      FileSighting(stamp: old, time: FileTime(seconds: seconds, nanoseconds: nanoseconds)).isSettled
    }
    #expect(isSettled(1002, 500))
    #expect(isSettled(1003, 0))
    #expect(!isSettled(1002, 499))
    #expect(!isSettled(1000, 500))
    // A change in the future, as a clock that was put back leaves it.
    #expect(!isSettled(900, 0))
  }

  @Test func `no time makes the comparison overflow`() {
    let extremes = [Int.min, -1, 0, Int.max].map { FileTime(seconds: $0, nanoseconds: 999_999_999) }
    for one in extremes {
      for other in extremes {
        let isAdjacent = one.seconds == -1 && other.seconds == 0
        let expected = one.seconds < other.seconds && !isAdjacent
        #expect(one.isBefore(other, bySeconds: 2) == expected)
      }
    }
  }

  @Test func `a sighting is of now`() throws {
    let path = try folder.write([1], as: "a")
    let before = FileTime.now()
    let sighting = try FileSighting(of: path)
    #expect(before.isBefore(sighting.time, bySeconds: 0))
    #expect(sighting.time.isBefore(.now(), bySeconds: 0))
    #expect(sighting.stamp == (try FileStamp(of: path)))
    #expect(!sighting.isSettled)
  }
}
