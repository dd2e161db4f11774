import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

@Suite struct BoundedFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a file up to the limit is read whole, a larger one not at all`() throws {
    let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    let path = try folder.write(content, as: "a")
    for limit in [1000, 1001, 1 << 40, Int.max] {
      let isSame = try BoundedFile.read(path, atMost: limit) == content
      #expect(isSame)
    }
    for limit in [0, 1, 999] {
      let error = #expect(throws: PipelineError.self) {
        try BoundedFile.read(path, atMost: limit)
      }
      #expect(error?.code == .overBudget)
    }
    let empty = try folder.write([], as: "b")
    #expect(try BoundedFile.read(empty, atMost: 0) == [])
  }

  @Test func `no file is nil; what is no regular file is an error, without waiting`() throws {
    let path = try folder.write([1], as: "a")
    #expect(try BoundedFile.read(folder.path.appending("missing"), atMost: 9) == nil)
    #expect(try BoundedFile.read(path.appending("below"), atMost: 9) == nil)
    let pipe = folder.path.appending("pipe")
    #expect(mkfifo(pipe.string, 0o600) == 0)
    for other in [folder.path, pipe, FilePath("/dev/null")] {
      let error = #expect(throws: PipelineError.self) {
        try BoundedFile.read(other, atMost: 9)
      }
      #expect(error?.code == .unreadable)
    }
  }
}
