import Foundation
import PropertyTesting
import PropertyTestingBridge
import Synchronization
import Testing

@testable import MeasurementHistory

@Suite struct HistoryStoreTests {
  @Test func `a missing history and its folder are created only on request`() throws {
    let folder = try HistoryFolder()
    let path = folder.file("some/folder/history.sqlite")
    #expect(throws: HistoryError.noDatabase(path: path)) {
      try HistoryStore(path: path, createsFile: false)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("some")))
    #expect(try HistoryStore(path: path, createsFile: true).runs().isEmpty)
    #expect(try HistoryStore(path: path, createsFile: false).runs().isEmpty)
  }

  @Test func `a new history without content is removed`() throws {
    let folder = try HistoryFolder()
    try folder.store().discardIfEmpty()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `a history with content, or that existed before, is not removed`() throws {
    let folder = try HistoryFolder()
    let kept = try folder.store("kept", [PlainRun.make(1)])
    try kept.discardIfEmpty()
    #expect(try kept.check() == 1)
    let blessed = try folder.store("blessed")
    try blessed.bless(
      Baseline(
        commit: "base", reason: "a release", decidedAt: "2027-01-15T08:00:00Z", decidedBy: "me"))
    try blessed.discardIfEmpty()
    #expect(try folder.store("blessed").baseline()?.commit == "base")
    _ = try folder.store("there")
    try folder.store("there").discardIfEmpty()
    #expect(try folder.store("there").check() == 0)
  }

  @Test func `a process that waits for a removed history gets an error`() throws {
    let folder = try HistoryFolder()
    let maker = try folder.store()
    let other = try folder.store()
    try maker.discardIfEmpty()
    #expect(throws: HistoryError.self) { try other.append(PlainRun.make(1)) }
    #expect(try folder.store().check() == 0)
  }

  @Test func `one file is the whole history`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store("history.sqlite", [PlainRun.make(1)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["history.sqlite"])
    try folder.write(try folder.bytes("history.sqlite"), to: "copy.sqlite")
    #expect(try folder.store("copy.sqlite").everything() == store.everything())
  }

  @Test func `processes that create the same file at once all write to it`() throws {
    let folder = try HistoryFolder()
    // Several files, because two writers rarely create the same file at the same moment.
    for file in 0..<10 {
      let failures = Mutex<[any Error]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        // SQLite treats separate connections as it does separate processes.
        do {
          let store = try folder.store("\(file)")
          for run in 0..<5 { try store.append(PlainRun.make(UInt64(10 * number + run))) }
        } catch {
          failures.withLock { $0.append(error) }
        }
      }
      #expect(failures.withLock { $0.isEmpty }, "\(failures.withLock { $0 })")
      #expect(try folder.store("\(file)").check() == 20)
    }
  }

  @Test func `another program's database is refused and left as it is`() throws {
    let folder = try HistoryFolder()
    _ = try folder.store("foreign")
    try Self.patch(folder, "foreign", at: Header.applicationID, [0, 0, 0, 7])
    let bytes = try folder.bytes("foreign")
    let error = #expect(throws: HistoryError.self) { try folder.store("foreign") }
    guard case .foreign = error else { throw Unexpected(error: error) }
    #expect(try folder.bytes("foreign") == bytes)
  }

  @Test func `a history of a later version is refused and left as it is`() throws {
    let folder = try HistoryFolder()
    _ = try folder.store("later")
    try Self.patch(folder, "later", at: Header.userVersion, [0, 0, 0, 9])
    let bytes = try folder.bytes("later")
    #expect(
      throws: HistoryError.newer(path: folder.file("later"), found: 9, known: HistorySchema.version)
    ) {
      try folder.store("later")
    }
    #expect(try folder.bytes("later") == bytes)
  }

  @Test(arguments: ["a text, and rather long for that", String(repeating: "?", count: 5_000)])
  func `a text file is reported as damaged, and not changed`(text: String) throws {
    let folder = try HistoryFolder()
    try folder.write(Array(text.utf8), to: "text")
    let error = #expect(throws: HistoryError.self) { try folder.store("text") }
    guard case .damaged = error else { throw Unexpected(error: error) }
    #expect(try folder.bytes("text") == Array(text.utf8))
  }

  @Test func `a file that SQLite may not write is readable, and reported as read-only`() throws {
    let folder = try HistoryFolder()
    _ = try folder.store("fixed", [PlainRun.make(1)])
    // A write version above 2 in the header means: read, do not write. Permissions would not stop root,
    // and build servers run tests as root.
    try Self.patch(folder, "fixed", at: Header.writeVersion, [3])
    let store = try folder.store("fixed")
    #expect(try store.everything() == [PlainRun.make(1)])
    #expect(throws: HistoryError.readOnly(path: folder.file("fixed"))) {
      try store.append(PlainRun.make(2))
    }
  }

  @Test func `a file that was removed while open refuses runs`() throws {
    let folder = try HistoryFolder()
    let store = try folder.store("gone")
    try FileManager.default.removeItem(atPath: folder.file("gone"))
    #expect(
      throws: HistoryError.cannotOpen(
        path: folder.file("gone"), reason: "it was moved or removed meanwhile")
    ) { try store.append(PlainRun.make(1)) }
  }

  @Test func `folders and pipes are refused`() throws {
    let folder = try HistoryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path] {
      #expect(throws: HistoryError.foreign(path: path, reason: "it is not a regular file")) {
        try HistoryStore(path: path, createsFile: true)
      }
    }
  }

  @Test func `an empty file becomes a history`() throws {
    let folder = try HistoryFolder()
    try folder.write([], to: "empty")
    #expect(try folder.store("empty", [PlainRun.make(1)]).check() == 1)
  }

  @Test(.property(cases: 150))
  func `damage at any offset is at worst an error`() async throws {
    let folder = try HistoryFolder()
    let runs = (0..<8).map { PlainRun.make($0, baseline: "base", counters: ["bytes": 1]) }
    let store = try folder.store("sound", runs)
    let sound = try folder.bytes("sound")
    _ = try store.check()
    let damages = Gen<[Damage]>.array(
      of: Gens.zip(Gen<Int>.integer(in: 0...(sound.count - 1)), Gen<UInt8>.integer(in: 1...255))
        .map { Damage(place: $0, change: $1) }, count: 1...40)
    await expectForAll(damages) { damages in
      var bytes = sound
      for damage in damages { bytes[damage.place] ^= damage.change }
      let folder = try HistoryFolder()
      try folder.write(bytes, to: "damaged")
      do {
        let store = try folder.store("damaged")
        _ = try store.everything()
        _ = try store.check()
        try store.append(PlainRun.make(20))
      } catch is HistoryError {}
    }
  }

  private struct Damage: Sendable {
    let place: Int
    let change: UInt8
  }

  /// Offsets in SQLite's file header ("Database File Format", 1.3).
  private enum Header {
    static let writeVersion = 18
    static let userVersion = 60
    static let applicationID = 68
  }

  private struct Unexpected: Error { let error: HistoryError? }

  private static func patch(
    _ folder: HistoryFolder, _ name: String, at place: Int, _ bytes: [UInt8]
  ) throws {
    var content = try folder.bytes(name)
    content.replaceSubrange(place..<(place + bytes.count), with: bytes)
    try folder.write(content, to: name)
  }
}
