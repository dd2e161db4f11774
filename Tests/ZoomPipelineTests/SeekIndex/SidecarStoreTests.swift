import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus

@testable import ZoomPipeline

@Suite struct SidecarStoreTests {
  private let folder: TestFolder
  private let picture: FilePath

  init() throws {
    folder = try TestFolder()
    picture = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
  }

  private func store(
    _ place: SidecarStore.Place? = nil, key: String = "index.key"
  ) -> SidecarStore {
    SidecarStore(
      place ?? .folder(folder.path.appending("cache/index")),
      key: SidecarKeyFile(folder.path.appending(key)))
  }

  /// Gives the picture's own sidecar an odd change, with its file's bytes.
  private func rewrite(
    _ store: SidecarStore, _ change: ([UInt8]) throws -> [UInt8]
  ) throws {
    let location = try store.location(for: picture)
    try AtomicFile.write(try change(try bytes(of: location)), to: location)
  }

  @Test(arguments: [true, false])
  func `what is saved is loaded, and counted as it stands on disk`(isBeside: Bool) throws {
    let store = store(isBeside ? .beside : nil)
    #expect(try store.refusal(for: picture) == .absent)
    let facts = try store.build(for: picture)
    #expect(try bytes(of: facts.path).count == facts.byteCount)
    let sidecar = try store.load(for: picture).get()
    let jpeg = try JPEGStructure(of: picture)
    #expect(try sidecar.index.whole() == SeekIndex.build(of: FileReader(picture), jpeg))
    #expect(sidecar.header.frame == SidecarHeader.Frame(jpeg))
    #expect(
      sidecar.header.frame
        == SidecarHeader.Frame(
          width: 150, height: 203, restartInterval: jpeg.restartInterval,
          factors: [0x22, 0x11, 0x11]))
    #expect(sidecar.header.version == (try FileVersion(of: picture)))
    #expect(sidecar.header.contentDigest == SHA256.digest(of: try bytes(of: picture)))
    #expect(sidecar.payload == nil)
    #expect(facts.mcuCount == jpeg.mcuCount)
    #expect(facts.pointCount == sidecar.header.pointCount)
    #expect(facts.pixelCount == 150 * 203)
    #expect(try store.refusal(for: picture) == nil)
    #expect(try store.remove(for: picture))
    #expect(try !store.remove(for: picture))
    #expect(try store.refusal(for: picture) == .absent)
  }

  @Test func `beside a picture its name gets a suffix; in a folder it is the path's digest`() throws
  {
    let real = picture.string.hasPrefix("/private") ? picture : try resolved(picture)
    #expect(try store(.beside).location(for: picture) == FilePath(real.string + ".zidx"))
    let named = try store().location(for: picture)
    #expect(named.removingLastComponent() == folder.path.appending("cache/index"))
    let digest = SHA256.digest(of: Array(real.string.utf8))
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(named.lastComponent?.string == digest + ".zidx")
    let missing = #expect(throws: PipelineError.self) {
      try store().location(for: folder.path.appending("missing.jpg"))
    }
    #expect(missing?.code == .noSuchFile)
  }

  private func resolved(_ path: FilePath) throws -> FilePath {
    let name = try #require(realpath(path.string, nil))
    defer { free(name) }
    return FilePath(platformString: name)
  }

  @Test func `a picture has one sidecar, by whatever link it is called`() throws {
    let link = folder.path.appending("link.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: link.string, withDestinationPath: "a.jpg")
    for place in [nil, SidecarStore.Place.beside] {
      let store = store(place)
      #expect(try store.location(for: link) == store.location(for: picture))
    }
  }

  @Test func `every reason for which it is refused is told`() throws {
    let store = store()
    try store.build(for: picture)
    let whole = try bytes(of: try store.location(for: picture))
    try rewrite(store) { Array($0.dropLast()) }
    guard case .failure(.damaged) = try store.load(for: picture) else {
      Issue.record("a cut sidecar was not called damaged")
      return
    }
    for version in [1, 9] {
      try rewrite(store) { _ in
        var other = whole
        other[4] = UInt8(version)
        return other
      }
      #expect(try store.refusal(for: picture) == .version(version))
    }
    try rewrite(store) { _ in whole }
    #expect(try store.refusal(for: picture) == nil)
    // Another key, no key, and a key file that holds none.
    _ = try self.store(key: "other.key").key.readOrMake()
    try folder.write([1], as: "broken.key")
    for name in ["other.key", "no.key", "broken.key"] {
      guard case .failure(.notOurs) = try self.store(key: name).load(for: picture) else {
        Issue.record("a sidecar is ours under \(name)")
        return
      }
    }
    #expect(try !folder.names().contains("no.key"))
  }

  @Test func `a sidecar of another picture, of its frame even, is stale`() throws {
    let store = store(.beside)
    try store.build(for: picture)
    let sidecar = try bytes(of: try store.location(for: picture))
    let others = [
      try JPEGBytes.small(150, 211).bytes,
      // One byte of the coded data: the same headers and length.
      try JPEGBytes.small().patched { bytes in bytes[bytes.count / 2] ^= 1 }.bytes,
    ]
    for other in others {
      let path = try folder.write(other, as: "b.jpg")
      try folder.write(sidecar, as: "b.jpg.zidx")
      guard case .failure(.stale) = try store.load(for: path) else {
        Issue.record("another picture's sidecar was not called stale")
        return
      }
    }
    // A copy of the picture with its sidecar may use it.
    let copy = try folder.write(try bytes(of: picture), as: "c.jpg")
    try folder.write(sidecar, as: "c.jpg.zidx")
    #expect(try store.refusal(for: copy) == nil)
  }

  @Test func `a picture that cannot be entered has a payload that is kept and loaded`() async throws
  {
    let source = try await CorpusPictures.file("jpeg-scans")
    let scans = try folder.write(try bytes(of: source), as: "scans.jpg")
    let jpeg = try JPEGStructure(of: scans)
    var random = SplitMix64(seed: 41)
    let index = try #require(
      SampleSidecar.index(
        components: jpeg.components.count, mcus: jpeg.mcuCount, spacing: 16, start: 600, step: 900,
        &random))
    let end = index.scanEnd
    let payload = (0..<end + 2).map { UInt8(truncatingIfNeeded: $0) }
    let file = try FileReader(scans)
    func draft(_ payload: [UInt8]) throws -> SidecarDraft {
      try SidecarDraft(
        of: file, jpeg, contentDigest: SHA256.digest(of: file), index, payload: payload)
    }
    let store = store(.beside)
    try store.save(try draft(payload), for: scans)
    let sidecar = try store.load(for: file, jpeg).get()
    #expect(isSame(try #require(sidecar.payload), payload))
    let isIndexed = try sidecar.index.whole() == index
    #expect(isIndexed)
    // Nor is one written that would be too large to be read.
    let limit = SidecarDraft.largest(for: jpeg, pictureLength: file.length)
    let error = #expect(throws: PipelineError.self) {
      try draft([UInt8](repeating: 0, count: limit))
    }
    #expect(error?.code == .unsupported)
  }

  @Test func `a file larger than any sidecar of the picture is not read`() throws {
    let store = store(.beside)
    let location = try store.location(for: picture)
    // A terabyte that takes no room: reading it would end the process.
    try folder.write([], as: "a.jpg.zidx")
    #expect(truncate(location.string, 1 << 40) == 0)
    guard case .failure(.stale(let reason)) = try store.load(for: picture) else {
      Issue.record("a huge file was read")
      return
    }
    #expect(reason.contains("\(1 << 40)"))
  }

  @Test func `what is no regular file is refused at once, and neither written nor removed`() throws
  {
    let store = store(.beside)
    let location = try store.location(for: picture)
    let victim = try folder.write([1, 2, 3], as: "victim")
    try FileManager.default.createDirectory(
      atPath: location.string, withIntermediateDirectories: false)
    func expectUntouched() throws {
      guard case .failure(.damaged) = try store.load(for: picture) else {
        Issue.record("what is no sidecar was not called damaged")
        return
      }
      let saving = #expect(throws: PipelineError.self) { try store.build(for: picture) }
      #expect(saving?.code == .unwritable)
      let removing = #expect(throws: PipelineError.self) { try store.remove(for: picture) }
      #expect(removing?.code == .unwritable)
    }
    try expectUntouched()
    try FileManager.default.removeItem(atPath: location.string)
    try FileManager.default.createSymbolicLink(
      atPath: location.string, withDestinationPath: victim.string)
    try expectUntouched()
    #expect(try bytes(of: victim) == [1, 2, 3])
    // A named pipe, whose reader would wait for a writer.
    try FileManager.default.removeItem(atPath: location.string)
    #expect(mkfifo(location.string, 0o600) == 0)
    try expectUntouched()
  }

  @Test func `somebody's file that has an index's name is neither written nor removed`() throws {
    let store = store(.beside)
    let location = try store.location(for: picture)
    for text in ["my own notes", "ZID", "\0ZIDX"] {
      try folder.write(Array(text.utf8), as: "a.jpg.zidx")
      let saving = #expect(throws: PipelineError.self) { try store.build(for: picture) }
      #expect(saving?.code == .unwritable)
      #expect(saving?.file == location)
      let removing = #expect(throws: PipelineError.self) { try store.remove(for: picture) }
      #expect(removing?.code == .unwritable)
      #expect(try bytes(of: location) == Array(text.utf8))
    }
  }

  @Test func `writers and readers at once see whole sidecars only`() async throws {
    let store = store(.beside)
    let picture = picture
    try store.build(for: picture)
    let sidecars = try (0..<2).map { number in
      try setModified(picture, to: FileVersion.Moment(seconds: number, nanoseconds: 0))
      return try SidecarDraft(of: picture)
    }
    #expect(sidecars[0] != sidecars[1])
    let refused = try await withThrowingTaskGroup(of: [SidecarRefusal].self) { group in
      for sidecar in sidecars {
        group.addTask {
          for _ in 0..<100 { try store.save(sidecar, for: picture) }
          return []
        }
      }
      for _ in 0..<2 {
        group.addTask {
          try (0..<100).compactMap { _ in try store.refusal(for: picture) }
        }
      }
      return try await group.reduce([], +)
    }
    #expect(refused == [])
    let left = try bytes(of: try store.location(for: picture))
    let key = try #require(try store.key.read())
    #expect(sidecars.map { $0.encoded(with: key) }.contains(left))
    #expect(try folder.names() == ["a.jpg", "a.jpg.zidx", "index.key"])
  }

  @Test func `loading and locating write nothing`() throws {
    let store = store()
    _ = try store.location(for: picture)
    #expect(try store.refusal(for: picture) == .absent)
    #expect(try !store.remove(for: picture))
    #expect(try folder.names() == ["a.jpg"])
  }

  @Test func `what is no JPEG is an error, not a refusal of its sidecar`() throws {
    let text = try folder.write(Array("words".utf8), as: "a.txt")
    let error = #expect(throws: PipelineError.self) { try store().refusal(for: text) }
    #expect(error?.code == .unsupported)
    let missing = #expect(throws: PipelineError.self) {
      try store().refusal(for: folder.path.appending("missing.jpg"))
    }
    #expect(missing?.code == .noSuchFile)
  }

  // MARK: Which picture it is of

  /// Overwrites a byte in place and gives the file its modification time back.
  private func edit(_ path: FilePath, at place: Int) throws {
    let before = try FileVersion(of: path)
    let content = try bytes(of: path)
    let handle = try #require(FileHandle(forUpdatingAtPath: path.string))
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data([content[place] ^ 1]))
    try handle.close()
    try setModified(path, to: before.modified)
    #expect(try FileVersion(of: path).hasSameContent(as: before))
  }

  /// At once: the index was made of a file whose clock had moved on.
  @Test func `an edit that keeps length and modification time is found, wherever it is`() throws {
    let store = store()
    let content = try bytes(of: picture)
    let start = try JPEGStructure(of: picture).codedStart
    for place in [start, start + 100, content.count - 3] {
      try folder.write(content, as: "a.jpg")
      try store.build(for: picture)
      try edit(picture, at: place)
      guard case .stale = try store.refusal(for: picture) else {
        Issue.record("an edit at \(place) was not found")
        return
      }
    }
    // With its content back it is the picture that was indexed, whatever the times say.
    try folder.write(content, as: "a.jpg")
    #expect(try store.refusal(for: picture) == nil)
  }

  @Test func `nothing of a picture of the same version is read, all of a touched one is`() throws {
    let store = store()
    try store.build(for: picture)
    let jpeg = try JPEGStructure(of: picture)
    let file = try FileReader(picture)
    _ = try store.load(for: file, jpeg).get()
    #expect(file.bytesRead == 0)
    #expect(link(picture.string, folder.path.appending("link.jpg").string) == 0)
    try setModified(picture, to: FileVersion.Moment(seconds: 1_000_000, nanoseconds: 7))
    let touched = try FileReader(picture)
    _ = try store.load(for: touched, jpeg).get()
    #expect(touched.bytesRead == touched.length)
  }

  @Test func `a file that changed since it was opened makes none`() throws {
    let file = try FileReader(picture)
    let jpeg = try JPEGParser.parse(file)
    let index = try SeekIndex.build(of: file, jpeg)
    // Replaced by the same bytes: they may have been others in between.
    try AtomicFile.write(try bytes(of: picture), to: picture)
    let error = #expect(throws: PipelineError.self) {
      try SidecarDraft(of: file, jpeg, contentDigest: SHA256.digest(of: file), index)
    }
    #expect(error?.code == .changed)
  }

  @Test func `another picture's index makes none`() throws {
    let other = try folder.write(try JPEGBytes.small(400, 300).bytes, as: "b.jpg")
    let file = try FileReader(picture)
    let index = try SeekIndex.build(of: FileReader(other), JPEGStructure(of: other))
    let error = #expect(throws: PipelineError.self) {
      try SidecarDraft(
        of: file, JPEGParser.parse(file), contentDigest: SHA256.digest(of: file), index)
    }
    #expect(error?.code == .fault)
  }

  @Test(arguments: try CorpusPictures.all().filter { $0.structure.process != nil })
  func `the bound holds a point at every MCU, and a payload only where one is needed`(
    _ entry: CorpusPicture
  ) async throws {
    let path = try await CorpusPictures.file(entry.name)
    let jpeg = try JPEGStructure(of: path)
    let length = try FileVersion(of: path).length
    let points = jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
    let bound = SidecarDraft.largest(for: jpeg, pictureLength: length)
    if jpeg.process == .baseline && jpeg.firstScanIsComplete {
      #expect(bound > points && bound < points * 2 + 1000)
    } else {
      #expect(bound >= points + 16 * length)
    }
    // No length makes it overflow.
    #expect(SidecarDraft.largest(for: jpeg, pictureLength: .max) >= bound)
  }

  // MARK: Folders that others write to

  @Test func `a folder that became a link since it was resolved is not written to`() throws {
    let victim = folder.path.appending("victim")
    try createFolder(victim)
    #expect(symlink(victim.string, folder.path.appending("link").string) == 0)
    let link = folder.path.appending("link")
    let error = #expect(throws: PipelineError.self) { try OpenFolder(link, followsLink: false) }
    #expect(error?.code == .unwritable)
    // A folder that the user named may be one.
    let store = store(.folder(link))
    try store.build(for: picture)
    #expect(try store.refusal(for: picture) == nil)
    #expect(try store.remove(for: picture))
  }

  /// What stands under the name at the moment of renaming is replaced itself.
  @Test func `a link that takes the name at the last moment is replaced, not followed`() throws {
    let victim = try folder.write([1, 2, 3], as: "victim")
    let open = try OpenFolder(folder.path)
    #expect(symlink(victim.string, folder.path.appending("name").string) == 0)
    #expect(throws: PipelineError.self) { try open.reader("name") }
    try AtomicFile.write([9], as: "name", in: open)
    #expect(try open.reader("name").bytes(at: 0, count: 9) == [9])
    #expect(try bytes(of: victim) == [1, 2, 3])
    #expect(try bytes(of: folder.path.appending("name")) == [9])
  }
}
