import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ZoomPipeline

struct ScratchFolderTests {
  private func exists(_ path: FilePath) -> Bool {
    FileManager.default.fileExists(atPath: path.string)
  }

  @Test func `a scratch folder is new, private, and removed with its content`() throws {
    var path = FilePath("")
    do {
      let scratch = try ScratchFolder()
      path = scratch.path
      #expect(try ScratchFolder().path != path)
      #expect(path.lastComponent?.string.hasPrefix("zoombench.") == true)
      let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path.string) == [
          ScratchFolder.marker.string
        ])
      for name in ["a.tif", ".hidden", "b c"] {
        try AtomicFile.write([1], to: path.appending(name))
      }
      #expect(exists(path))
      withExtendedLifetime(scratch) {}
    }
    #expect(!exists(path))
  }

  private final class Event: Sendable { let isOver = Mutex(false) }

  @Test func `at a signal, the temporary entries of all threads are removed and none is added`()
    async throws
  {
    // In a process of its own, which can create no temporary entry from then on.
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let target = folder.path.appending("a")
      // Far below a process's limit of open files, since each entry keeps one open.
      let most = 50
      let removal = Event()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask {
            // Kept, because an entry that is released removes itself.
            var made: [ScratchFolder] = []
            while true {
              while made.count == most, !removal.isOver.withLock({ $0 }) { await Task.yield() }
              let isFull = made.count == 2 * most
              guard !isFull, let one = try? ScratchFolder(beside: target) else { break }
              made.append(one)
              await Task.yield()
            }
            return withExtendedLifetime(made) { made.count < 2 * most }
          }
        }
        while try folder.names().isEmpty { await Task.yield() }
        ScratchFolder.removeAll()
        removal.isOver.withLock { $0 = true }
        #expect(try folder.names() == [])
        for try await isRefused in group { #expect(isRefused) }
        #expect(try folder.names() == [])
      }
      expectError(.unwritable) { try AtomicFile.write([1], to: target) }
      #expect(try folder.names() == [])
    }
  }

  @Test func `a folder created beside a name is published under it with its content`() throws {
    let parent = try TestFolder()
    let target = parent.path.appending("out")
    for isThere in [false, true] {
      if isThere {
        try FileManager.default.removeItem(atPath: target.string)
        try createFolder(target)
      }
      let folder = try ScratchFolder(beside: target)
      #expect(folder.path.removingLastComponent() == parent.path)
      try AtomicFile.write([1], to: folder.path.appending("a"))
      try folder.publish(as: target)
      folder.remove()
      #expect(try parent.names() == ["out"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: target.string) == ["a"])
      let attributes = try FileManager.default.attributesOfItem(atPath: target.string)
      #expect(attributes[.posixPermissions] as? Int == 0o755)
    }
    // A folder that is not empty keeps what it has.
    do {
      let folder = try ScratchFolder(beside: target)
      expectError(.unwritable) { try folder.publish(as: target) }
      // If the process is killed now, a later run still finds out what the folder is.
      #expect(exists(folder.path.pushing(ScratchFolder.marker)))
      withExtendedLifetime(folder) {}
    }
    #expect(try parent.names() == ["out"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: target.string) == ["a"])
  }

  /// Runs in a separate process, which gives up root's right to change every folder.
  @Test func `the target of a link stays, even if the link cannot be removed`() async {
    await #expect(processExitsWith: .success) {
      if geteuid() == 0 { precondition(setgid(65534) == 0 && setuid(65534) == 0) }
      let target = try TestFolder()
      try target.write([1], as: "kept")
      try createFolder(target.path.appending("inner"))
      let scratch = try ScratchFolder()
      let inner = scratch.path.appending("read-only")
      try createFolder(inner)
      try AtomicFile.write([1], to: inner.appending("a"))
      for (name, path) in [("link", target.path), ("file", target.path.appending("kept"))] {
        try FileManager.default.createSymbolicLink(
          atPath: inner.appending(name).string, withDestinationPath: path.string)
      }
      precondition(chmod(inner.string, 0o500) == 0)
      scratch.remove()
      let kept = try target.names()
      precondition(kept == ["inner", "kept"], "left: \(kept)")
      precondition(access(scratch.path.string, F_OK) != 0, "the folder itself is left")
    }
  }

  @Test func `deep folders and names of any bytes are removed`() throws {
    let scratch = try ScratchFolder()
    var path = scratch.path
    for _ in 0..<150 {
      path = path.appending("d")
      try createFolder(path)
    }
    let odd = [UInt8]("\(scratch.path)/".utf8) + [0xFF, 0xFE]
    let made = (odd + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
    }
    #expect(made >= 0)
    close(made)
    // Removing twice is safe.
    for _ in 0..<2 {
      scratch.remove()
      #expect(!exists(scratch.path))
    }
  }

  /// Runs in a separate process with a separate folder.
  @Test func `leftovers of killed runs are removed, and a living run keeps its folder`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let temporary = try TestFolder()
      setenv("TMPDIR", temporary.path.string, 1)
      let words = (0..<7).map { _ in TemporaryName.word() }
      func folder(_ name: String, holding files: [String], isOld: Bool = true) throws {
        try createFolder(temporary.path.appending(name))
        for file in files { try temporary.write([1], as: "\(name)/\(file)") }
        if isOld { try makeOld(temporary.path.appending(name)) }
      }
      // Leftovers of a killed run: their locks are free.
      let marker = ScratchFolder.marker.string
      try folder("\(TemporaryName.scratch)\(words[0])", holding: [marker, "1.tif"])
      try folder(".out.zoombench-\(words[1])", holding: [marker, "1.tif"])
      try folder(".empty.zoombench-\(words[2])", holding: [])
      try makeOld(temporary.write([1], as: ".photo.zoombench-\(words[3]).png"))
      // Files and folders of others, which must stay.
      var kept = [
        ".notes.zoombench-secret.txt", ".photo.backup.png", ".photo.zoombench-backup",
        ".b.zoombench-\(words[4])", "\(TemporaryName.scratch)backup", "zoombench.mine",
      ]
      try makeOld(temporary.write([1], as: kept[0]))
      try makeOld(temporary.write([1], as: kept[1]))
      for name in kept.dropFirst(2) { try folder(name, holding: ["precious"]) }
      // A folder in use on another host, where the lock may be invisible.
      kept.append("\(TemporaryName.scratch)\(words[5])")
      try folder(kept[6], holding: [marker], isOld: false)
      // A folder in use on this host.
      kept.append("\(TemporaryName.scratch)\(words[6])")
      try folder(kept[7], holding: [marker])
      let used = temporary.path.appending(kept[7])
      let lock = try FileDescriptor.open(used, .readOnly, options: .directory)
      precondition(OwnerLock.take(lock, at: used))
      let scratch = try ScratchFolder()
      let names = try temporary.names()
      let wanted = kept + [scratch.path.lastComponent?.string].compactMap(\.self)
      precondition(names == wanted.sorted(), "left: \(names)")
      for name in kept[2..<6] {
        let inside = try bytes(of: temporary.path.appending(name).appending("precious"))
        precondition(inside == [1])
      }
      precondition(OwnerLock.claim(scratch.path) == nil, "it is not locked")
      scratch.remove()
      try lock.close()
    }
  }

  @Test func `an error names the folder in which none can be created`() async {
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

/// Sets a file's or folder's modification time to two hours ago.
func makeOld(_ path: FilePath) throws {
  let now = FileVersion.Moment.now()
  try setModified(path, to: .init(seconds: now.seconds - 2 * OpenFolder.leastAge, nanoseconds: 0))
}

func createFolder(_ path: FilePath) throws {
  try FileManager.default.createDirectory(
    atPath: path.string, withIntermediateDirectories: false)
}
