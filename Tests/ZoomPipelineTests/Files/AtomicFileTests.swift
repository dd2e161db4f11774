import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

/// Checks that readers see the old file or the new one, and that a failure leaves the old one.
struct AtomicFileTests {
  private struct Failure: Error {}
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// The longer name is the longest that a file can have.
  @Test(arguments: ["a.bin", String(repeating: "n", count: 251) + ".bin"])
  func `bytes are written whole, over an old file too`(_ name: String) throws {
    let path = folder.path.appending(name)
    for content in [[1, 2, 3], [], [UInt8](repeating: 9, count: 100_000)] {
      try AtomicFile.write(content, to: path)
      #expect(isSame(try bytes(of: path), content))
      #expect(try folder.names() == [name])
    }
  }

  @Test func `the temporary file keeps the suffix, is hidden, and is beside the target`() throws {
    let path = folder.path.appending("picture.png")
    try AtomicFile.write(to: path) { temporary throws(PipelineError) in
      #expect(temporary.extension == "png")
      #expect(temporary.removingLastComponent() == folder.path)
      #expect(temporary.lastComponent?.string.hasPrefix(".picture.") == true)
      try AtomicFile.write([7], to: temporary)
    }
    #expect(try bytes(of: path) == [7])
    #expect(try folder.names() == ["picture.png"])
  }

  @Test func `a body that fails leaves the old file and no other`() async throws {
    let path = try folder.write([1, 2, 3], as: "a.bin")
    let reason = PipelineError(.fault, operation: "test", file: nil, reason: "wanted")
    let thrown = #expect(throws: PipelineError.self) {
      try AtomicFile.write(to: path) { temporary throws(PipelineError) in
        try AtomicFile.write([9, 9], to: temporary)
        throw reason
      }
    }
    #expect(thrown == reason)
    await #expect(throws: Failure.self) {
      try await AtomicFile.stream(to: path) { write in
        try write([4, 5])
        throw Failure()
      }
    }
    // An empty file is not written.
    expectError(.unwritable) { try AtomicFile.write(to: path) { _ throws(PipelineError) in } }
    #expect(try bytes(of: path) == [1, 2, 3])
    #expect(try folder.names() == ["a.bin"])
  }

  /// Runs in a separate process: each cleans a folder once, and new folders may reuse inodes.
  @Test func `files that killed writers left are removed by the next, and no others`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let word = TemporaryName.word()
      let names = [
        ".a.zoombench-\(word).bin", ".a.zoombench-\(word)", ".a.zoombench-\(word.dropLast()).bin",
        ".a.zoombench-\(word)0.bin", "a.zoombench-\(word).bin", ".a.zoombench-\(word)x.bin",
        ".a.zoombench-secret.bin", ".a.zoombench-backup", ".a.zoombench-\(word.dropLast())x",
        ".zoombench", ".zoombench-", ".a.b.bin",
      ]
      for name in names { try makeOld(folder.write([1], as: name)) }
      // Too new to be abandoned.
      try folder.write([1], as: ".b.zoombench-\(word)")
      try AtomicFile.write([1, 2], to: folder.path.appending("a.bin"))
      let left = try folder.names()
      precondition(
        left == (names.dropFirst(2) + ["a.bin", ".b.zoombench-\(word)"]).sorted(), "left: \(left)")
    }
  }

  @Test func `pieces are written in order, to a file not mistaken for an abandoned one`()
    async throws
  {
    let path = folder.path.appending("a.bin")
    try await AtomicFile.stream(to: path) { write in
      for piece in 0..<5 { try write([UInt8](repeating: UInt8(piece), count: piece)) }
      let name = try #require(try folder.names().first)
      #expect(TemporaryName.isOne(name))
      #expect(OwnerLock.claim(folder.path.appending(name)) == nil)
      #expect(throws: PipelineError.self) { try FileVersion(of: path) }
    }
    #expect(try bytes(of: path) == [1, 2, 2, 3, 3, 3, 4, 4, 4, 4])
    #expect(try folder.names() == ["a.bin"])
    // The lock was released with the temporary name.
    let lock = try #require(OwnerLock.claim(path))
    try lock.close()
  }

  @Test func `places that cannot be written are named`() async throws {
    let inner = folder.path.appending("inner")
    try createFolder(inner)
    for path in [
      folder.path.appending("missing/a.bin"), inner, FilePath("/"), FilePath("/dev/null/a"),
    ] {
      expectError(.unwritable, of: path) { try AtomicFile.write([1], to: path) }
      let streamed = await #expect(throws: PipelineError.self) {
        try await AtomicFile.stream(to: path) { write in try write([1]) }
      }
      #expect(streamed?.code == .unwritable)
    }
    #expect(try folder.names() == ["inner"])
  }

  @Test func `two writers at once leave one whole file`() async throws {
    let path = folder.path.appending("a.bin")
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          try? AtomicFile.write([UInt8](repeating: UInt8(writer), count: 50_000), to: path)
        }
      }
    }
    let content = try bytes(of: path)
    #expect(content.count == 50_000)
    #expect(Set(content).count == 1)
    #expect(try folder.names() == ["a.bin"])
  }
}
