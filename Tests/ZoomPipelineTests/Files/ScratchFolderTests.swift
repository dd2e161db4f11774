import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

struct ScratchFolderTests {
  private func exists(_ path: FilePath) -> Bool {
    FileManager.default.fileExists(atPath: path.string)
  }

  @Test func `it is new, private, and goes with all it holds`() throws {
    var path = FilePath("")
    do {
      let scratch = try ScratchFolder()
      path = scratch.path
      #expect(try ScratchFolder().path != path)
      #expect(path.lastComponent?.string.hasPrefix("zoombench.") == true)
      let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      for name in ["a.tif", ".hidden", "b c"] {
        try AtomicFile.write([1], to: path.appending(name))
      }
      #expect(exists(path))
      withExtendedLifetime(scratch) {}
    }
    #expect(!exists(path))
  }

  @Test func `removing twice is safe`() throws {
    let scratch = try ScratchFolder()
    try AtomicFile.write([1], to: scratch.path.appending("a"))
    scratch.remove()
    #expect(!exists(scratch.path))
    scratch.remove()
  }

  @Test func `a folder made beside a name becomes the name's own, with all it holds`() throws {
    let parent = try ScratchFolder()
    let target = parent.path.appending("out")
    for isThere in [false, true] {
      if isThere {
        try FileManager.default.removeItem(atPath: target.string)
        try FileManager.default.createDirectory(
          atPath: target.string, withIntermediateDirectories: false)
      }
      let folder = try ScratchFolder(beside: target)
      #expect(folder.path.removingLastComponent() == parent.path)
      try AtomicFile.write([1], to: folder.path.appending("a"))
      try folder.publish(as: target)
      folder.remove()
      #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path.string) == ["out"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: target.string) == ["a"])
      let attributes = try FileManager.default.attributesOfItem(atPath: target.string)
      #expect(attributes[.posixPermissions] as? Int == 0o755)
    }
    withExtendedLifetime(parent) {}
  }

  @Test func `a name that is taken keeps what it has`() throws {
    let parent = try ScratchFolder()
    let target = parent.path.appending("out")
    try FileManager.default.createDirectory(
      atPath: target.string, withIntermediateDirectories: false)
    try AtomicFile.write([7], to: target.appending("old"))
    do {
      let folder = try ScratchFolder(beside: target)
      expectError(.unwritable) { try folder.publish(as: target) }
      withExtendedLifetime(folder) {}
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path.string) == ["out"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.string) == ["old"])
    withExtendedLifetime(parent) {}
  }

  @Test func `without a place for it the error says where`() async {
    await #expect(processExitsWith: .success) {
      setenv("TMPDIR", "/no/such/folder", 1)
      do throws(PipelineError) {
        _ = try ScratchFolder()
        exit(1)
      } catch {
        precondition(error.code == .unwritable)
        precondition(error.file == FilePath("/no/such/folder"))
      }
    }
  }
}

/// Makes a folder.
func createFolder(_ path: FilePath) throws {
  try FileManager.default.createDirectory(
    atPath: path.string, withIntermediateDirectories: false)
}
