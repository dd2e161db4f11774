import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

/// A picture that is not the one that was indexed is always found, and the same one never refused.
@Suite struct SidecarIdentityTests {
  private let folder: TestFolder
  private let content: [UInt8]

  init() throws {
    folder = try TestFolder()
    var random = SplitMix64(seed: 31)
    content = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func identity(of path: FilePath) throws -> SidecarIdentity {
    let seen = try FileVersion.settled(of: path)
    return try SidecarIdentity(of: try FileReader(path), seen: seen, headerLength: 600)
  }

  /// A place of the content that is in no sample and no header.
  private var unsampled: Int {
    let offsets = SidecarIdentity.sampleOffsets(length: content.count)
    return offsets[1] + SidecarIdentity.sampleByteCount + 100
  }

  /// Overwrites a byte in place and gives the file its modification time back.
  private func edit(_ path: FilePath, at place: Int) throws {
    let before = try FileVersion(of: path)
    let handle = try #require(FileHandle(forUpdatingAtPath: path.string))
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data([content[place] ^ 1]))
    try handle.close()
    try setModified(path, to: before.modified)
    #expect(try FileVersion(of: path).hasSameContent(as: before))
  }

  @Test(arguments: [0, 1, 599, 4095, 4096, 4097, 65_536, 200_000])
  func `an unchanged file is the same, of whatever length`(length: Int) throws {
    let path = try folder.write(Array(content.prefix(length)), as: "a")
    let identity = try identity(of: path)
    #expect(try identity.difference(from: FileReader(path)) == nil)
  }

  @Test func `a copy, a new link and another modification time are the same content`() throws {
    let path = try folder.write(content, as: "a")
    let identity = try identity(of: path)
    let copy = try folder.write(content, as: "b")
    #expect(try identity.difference(from: FileReader(copy)) == nil)
    try FileManager.default.linkItem(
      atPath: path.string, toPath: folder.path.appending("c").string)
    try setModified(path, to: FileVersion.Moment(seconds: 1_000_000, nanoseconds: 7))
    #expect(try identity.difference(from: FileReader(path)) == nil)
  }

  @Test func `another length is another picture`() throws {
    let path = try folder.write(content, as: "a")
    let identity = try identity(of: path)
    for other in [Array(content.dropLast()), content + [0], []] {
      try folder.write(other, as: "a")
      #expect(try identity.difference(from: FileReader(path)) != nil)
    }
  }

  @Test func `an edit that keeps length and modification time is found, wherever it is`() throws {
    for place in [0, 599, 600, unsampled, content.count - 1] {
      let path = try folder.write(content, as: "a")
      let identity = try identity(of: path)
      try edit(path, at: place)
      #expect(try identity.difference(from: FileReader(path)) != nil, "\(place)")
    }
  }

  @Test func `a file that was seen otherwise has no identity`() throws {
    let path = try folder.write(content, as: "a")
    let seen = try FileVersion.settled(of: path)
    try AtomicFile.write(content, to: path)
    let error = #expect(throws: PipelineError.self) {
      try SidecarIdentity(of: try FileReader(path), seen: seen, headerLength: 600)
    }
    #expect(error?.code == .changed)
  }

  @Test func `samples lie inside the file, spread evenly, the last at its end`() {
    for length in [0, 1, 4096, 4097, 65_536, 200_000, 1 << 40, Int.max] {
      let offsets = SidecarIdentity.sampleOffsets(length: length)
      #expect(offsets.count == 16)
      #expect(offsets.first == 0)
      #expect(offsets.last == max(0, length - 4096))
      let gaps = zip(offsets, offsets.dropFirst()).map { $1 - $0 }
      let spread = (gaps.max() ?? 0) - (gaps.min() ?? 0)
      #expect(spread <= 1, "\(length)")
    }
  }
}
