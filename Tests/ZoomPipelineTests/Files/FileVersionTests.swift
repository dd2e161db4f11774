import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct FileVersionTests {
  private let folder: TestFolder
  private let path: FilePath

  init() throws {
    folder = try TestFolder()
    path = try folder.write([1, 2, 3], as: "a")
  }

  /// Waits longer than a step of the file system's clock.
  private func letTimePass() { Thread.sleep(forTimeInterval: 0.05) }

  private func overwrite() throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: path.string))
    try handle.write(contentsOf: Data([9]))
    try handle.close()
  }

  private func version(changed: FileVersion.Moment) -> FileVersion {
    FileVersion(device: 1, inode: 2, length: 3, modified: changed, changed: changed)
  }

  @Test func `a version stays until the file is replaced, touched or appended to`() throws {
    let first = try FileVersion(of: path)
    #expect(try FileVersion(of: path) == first)
    #expect(first.length == 3)
    // Replaced by the same bytes.
    try AtomicFile.write([1, 2, 3], to: path)
    let replaced = try FileVersion(of: path)
    #expect(replaced != first && !replaced.hasSameContent(as: first))
    try setModified(path, to: FileVersion.Moment(seconds: 1_000_000, nanoseconds: 7))
    let touched = try FileVersion(of: path)
    #expect(touched != replaced && !touched.hasSameContent(as: replaced))
    let handle = try #require(FileHandle(forWritingAtPath: path.string))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    #expect(try FileVersion(of: path).length == 4)
  }

  @Test func `permissions and links change the version but not the content`() throws {
    let before = try FileVersion(of: path)
    letTimePass()
    #expect(chmod(path.string, 0o600) == 0)
    let after = try FileVersion(of: path)
    #expect(after != before && after.hasSameContent(as: before))
    letTimePass()
    #expect(link(path.string, folder.path.appending("b").string) == 0)
    let linked = try FileVersion(of: path)
    #expect(linked != after && linked.hasSameContent(as: before))
  }

  @Test func `a symbolic link and an open descriptor have the version of the file`() throws {
    let link = folder.path.appending("link")
    #expect(symlink("a", link.string) == 0)
    #expect(try FileVersion(of: link) == FileVersion(of: path))
    #expect(try FileReader(link).version == FileVersion(of: path))
  }

  @Test func `a version is settled when no difference of clocks can hide a change`() {
    let changed = FileVersion.Moment(seconds: 1000, nanoseconds: 500)
    let version = version(changed: changed)
    for (seconds, isSettled) in [(1005, true), (1004, false), (1000, false), (900, false)] {
      let now = FileVersion.Moment(seconds: seconds, nanoseconds: 999_999_999)
      #expect(version.isSettled(at: now) == isSettled, "\(seconds)")
    }
    // The comparison does not overflow for any time.
    let extremes = [Int.min, -1, 0, 4, Int.max]
    for one in extremes {
      for other in extremes {
        let version = self.version(changed: FileVersion.Moment(seconds: one, nanoseconds: 0))
        let now = FileVersion.Moment(seconds: other, nanoseconds: 0)
        #expect(version.isSettled(at: now) == (Double(other) - Double(one) >= 5))
      }
    }
  }

  /// Stored indexes rely on this law; here writes follow as soon as possible.
  @Test func `every change after a settled version was taken shows`() throws {
    for _ in 0..<20 {
      try overwrite()
      let settled = try FileVersion.settled(of: path)
      try overwrite()
      try setModified(path, to: settled.modified)
      let after = try FileVersion(of: path)
      #expect(after != settled && after.hasSameContent(as: settled))
    }
  }

  @Test func `a file settles by its own clock, be it ahead of ours or behind`() throws {
    for skew in [-3600, -1, 0, 1, 3600] {
      try overwrite()
      let settled = try FileVersion.settled(of: path) {
        FileVersion.Moment(seconds: FileVersion.Moment.now().seconds + skew, nanoseconds: 0)
      }
      #expect(try FileVersion(of: path) == settled)
    }
  }

  @Test func `a file that is written to all the time never settles`() throws {
    expectError(.changed) {
      try FileVersion.settled(of: path) {
        // The file changes whenever it is examined.
        _ = chmod(path.string, 0o600)
        return .now()
      }
    }
  }
}
