import PropertyTesting
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

struct FileReaderTests {
  private let folder: TestFolder
  private let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

  init() throws { folder = try TestFolder() }

  @Test func `C code gets the descriptor of the open file`() throws {
    let reader = try FileReader(folder.write(content, as: "a"))
    let length = reader.withDescriptor { descriptor in lseek(descriptor, 0, SEEK_END) }
    #expect(length == 1000)
    // Each read has a separate offset.
    #expect(try reader.bytes(at: 3, count: 4) == Array(content[3..<7]))
  }

  @Test func `memory is filled up to the end of a file or of other bytes`() throws {
    var random = SplitMix64(seed: 5)
    for length in [0, 1, 2, 300] {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let places = (0..<200).map { _ in
        (
          Int.random(in: 0...length + 3, using: &random),
          Int.random(in: 0...length + 3, using: &random)
        )
      }
      let path = try folder.write(bytes, as: "some")
      for source in [try FileReader(path), MemoryFile(bytes, madeFrom: path)] as [any CodedSource] {
        #expect(source.length == length)
        for (offset, count) in places + [(Int.max, 9), (0, 0)] {
          var target = [UInt8](repeating: 0xEE, count: count)
          let got = try target.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
          let expected = Array(bytes.dropFirst(offset).prefix(count))
          #expect(got == expected.count)
          #expect(target == expected + [UInt8](repeating: 0xEE, count: count - got))
          #expect(try source.bytes(at: offset, count: count) == expected)
        }
        #expect(try source.bytes(at: 1, count: .max) == Array(bytes.dropFirst()))
      }
    }
  }

  @Test func `bytes read are counted`() throws {
    let reader = try FileReader(folder.write(content, as: "a"))
    #expect(reader.bytesRead == 0)
    _ = try reader.bytes(at: 990, count: 500)
    _ = try reader.bytes(at: 0, count: 5)
    #expect(reader.bytesRead == 15)
  }

  @Test func `no count is too large, and appended bytes are not read`() throws {
    let path = try folder.write(content, as: "a")
    let reader = try FileReader(path)
    try reader.assertUntouched()
    #expect(try reader.bytes(at: 1, count: .max) == Array(content.dropFirst()))
    let handle = try #require(FileHandle(forWritingAtPath: path.string))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    #expect(try reader.bytes(at: 0, count: .max) == content)
    expectError(.changed) { try reader.assertUntouched() }
    // Another file that now has the name is not read, either.
    try AtomicFile.write([1, 2], to: path)
    #expect(try reader.bytes(at: 0, count: 2000) == content)
  }
}
