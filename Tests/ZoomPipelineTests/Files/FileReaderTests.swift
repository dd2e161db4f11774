import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

struct FileReaderTests {
  private let folder: TestFolder
  private let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

  init() throws { folder = try TestFolder() }

  @Test func `reads are exact inside the file and end with it`() throws {
    let reader = try FileReader(folder.write(content, as: "a"))
    #expect(reader.length == 1000)
    for (offset, count) in [(0, 1000), (0, 0), (5, 10), (999, 1), (1000, 0)] {
      #expect(try reader.bytes(at: offset, count: count) == Array(content[offset..<offset + count]))
    }
    #expect(try reader.bytes(at: 990, count: 500) == Array(content[990...]))
    #expect(try reader.bytes(at: 1000, count: 5) == [])
    #expect(try reader.bytes(at: 1 << 40, count: 5) == [])
  }

  @Test func `the open file is lent as it is`() throws {
    let reader = try FileReader(folder.write(content, as: "a"))
    let length = reader.withDescriptor { descriptor in lseek(descriptor, 0, SEEK_END) }
    #expect(length == 1000)
    // Reads name their own offsets.
    #expect(try reader.bytes(at: 3, count: 4) == Array(content[3..<7]))
  }

  @Test func `a prefix and a suffix stand around what was read, however little that is`() throws {
    let reader = try FileReader(folder.write(content, as: "a"))
    let ends: ([UInt8], [UInt8]) = ([0xAA, 0xBB], [0xCC])
    for (offset, count) in [(3, 4), (998, 10), (2000, 7), (0, 0)] {
      let got = try reader.bytes(prefix: ends.0, at: offset, count: count, suffix: ends.1)
      let middle = content.dropFirst(offset).prefix(count)
      #expect(got == ends.0 + middle + ends.1)
    }
  }

  @Test func `many threads read one file`() async throws {
    let reader = try FileReader(folder.write(content, as: "a"))
    let expected = content
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<100).filter { step in
            let offset = (task * 37 + step * 9) % 990
            return (try? reader.bytes(at: offset, count: 10))
              != Array(expected[offset..<offset + 10])
          }.count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }

  @Test func `what is no readable regular file is refused`() throws {
    let missing = #expect(throws: PipelineError.self) {
      try FileReader(folder.path.appending("missing"))
    }
    #expect(missing?.code == .noSuchFile)
    let directory = #expect(throws: PipelineError.self) { try FileReader(folder.path) }
    #expect(directory?.code == .unreadable)
    let device = #expect(throws: PipelineError.self) { try FileIdentity(of: FilePath("/dev/null")) }
    #expect(device?.code == .unreadable)
  }

  @Test func `an identity tells every version of a file from the next`() throws {
    let path = try folder.write(content, as: "a")
    let first = try FileIdentity(of: path)
    #expect(try FileIdentity(of: path) == first)
    #expect(first.length == 1000)
    // Replaced by the same bytes.
    try AtomicFile.write(content, to: path)
    let replaced = try FileIdentity(of: path)
    #expect(replaced != first)
    // The same length at another time.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path.string)
    #expect(try FileIdentity(of: path) != replaced)
    // Longer.
    let handle = try #require(FileHandle(forWritingAtPath: path.string))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    #expect(try FileIdentity(of: path).length == 1001)
  }

  @Test func `a link has the identity of its file`() throws {
    let path = try folder.write(content, as: "a")
    let link = folder.path.appending("link")
    try FileManager.default.createSymbolicLink(
      atPath: link.string, withDestinationPath: path.string)
    #expect(try FileIdentity(of: link) == FileIdentity(of: path))
  }
}
