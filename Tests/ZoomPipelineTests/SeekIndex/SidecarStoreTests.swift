import Foundation
import SystemPackage
import TestSupport
import Testing

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

  @Test(arguments: [true, false])
  func `a saved sidecar is loaded, and its size on disk is reported`(isBeside: Bool) throws {
    let store = store(isBeside ? .beside : nil)
    #expect(try store.refusal(for: picture) == .absent)
    let facts = try store.build(for: picture)
    #expect(try bytes(of: facts.path).count == facts.byteCount)
    let sidecar = try store.load(for: picture).get()
    let jpeg = try JPEGStructure(of: picture)
    let index = try SeekIndex(sidecar, componentCount: jpeg.components.count)
    #expect(try index == SeekIndex.build(of: FileReader(picture), jpeg))
    let identity = sidecar.header.identity
    #expect(identity.version == (try FileVersion(of: picture)).withoutDevice)
    #expect(identity.contentDigest == SHA256.digest(of: try bytes(of: picture)))
    #expect(sidecar.payload == nil)
    #expect(facts.mcuCount == jpeg.mcuCount)
    #expect(facts.pointCount == sidecar.header.pointCount)
    #expect(facts.pixelCount == 150 * 203)
    #expect(try store.refusal(for: picture) == nil)
    #expect(try store.remove(for: picture))
    #expect(try !store.remove(for: picture))
    #expect(try store.refusal(for: picture) == .absent)
  }

  @Test func `a sidecar's name follows from its picture's path relative to the folder`() throws {
    let moved = try TestFolder()
    let twin = SidecarStore(
      .folder(moved.path.appending("cache/index")), key: store().key)
    let name = try store().location(for: picture).components.suffix(3)
    let same = try twin.location(for: moved.write([], as: "a.jpg")).components.suffix(3)
    let other = try twin.location(for: moved.write([], as: "b.jpg")).components.suffix(3)
    #expect(name.elementsEqual(same) && !name.elementsEqual(other))
    #expect(name.last?.string.hasSuffix(".zidx") == true)
    #expect(try store(.beside).location(for: picture).lastComponent?.string == "a.jpg.zidx")
    expectError(.noSuchFile) { try store().location(for: folder.path.appending("missing.jpg")) }
  }

  #if os(Linux)
    /// Other systems refuse such names.
    @Test func `pictures whose names are not UTF-8 have different sidecars`() throws {
      let jpeg = try JPEGBytes.small().bytes
      let folder = try folder.path.resolved.get()
      let names = [[0xFE], [0xFF], [0xC3], [0xEF, 0xBF, 0xBD], [0x61, 0xFF]] as [[UInt8]]
      for place in [nil, SidecarStore.Place.beside] {
        let store = store(place)
        let locations = try names.map { name in
          let bytes = folder.bytes + [0x2F] + name + Array(".jpg\0".utf8)
          let path = FilePath(
            platformString: bytes.map { CInterop.PlatformChar(truncatingIfNeeded: $0) })
          try AtomicFile.write(jpeg, to: path)
          let location = try store.build(for: path).path
          #expect(try store.refusal(for: path) == nil)
          if place != nil { #expect(location.bytes == path.bytes + Array(".zidx".utf8)) }
          return location
        }
        #expect(Set(locations).count == names.count)
      }
    }
  #endif

  @Test func `a picture has one sidecar under all of its links`() throws {
    let link = folder.path.appending("link.jpg")
    #expect(symlink("a.jpg", link.string) == 0)
    for place in [nil, SidecarStore.Place.beside] {
      let store = store(place)
      #expect(try store.location(for: link) == store.location(for: picture))
    }
  }

  @Test func `a sidecar is not ours with another key, with none or an invalid one`() throws {
    try store().build(for: picture)
    _ = try store(key: "other.key").key.readOrMake()
    try folder.write([1], as: "broken.key")
    for name in ["other.key", "no.key", "broken.key"] {
      #expect(try store(key: name).refusal(for: picture)?.kind == "notOurs", "\(name)")
    }
    #expect(try !folder.names().contains("no.key"))
  }

  @Test func `a sidecar of another picture is stale, even of one with the same headers`() throws {
    let store = store(.beside)
    try store.build(for: picture)
    let sidecar = try bytes(of: try store.location(for: picture))
    let others = [
      try JPEGBytes.small(150, 211).bytes,
      // One byte of entropy-coded data is changed; headers and length are the same.
      try JPEGBytes.small().patched { bytes in bytes[bytes.count / 2] ^= 1 }.bytes,
    ]
    for other in others {
      let path = try folder.write(other, as: "b.jpg")
      try folder.write(sidecar, as: "b.jpg.zidx")
      #expect(try store.refusal(for: path)?.kind == "stale")
    }
    // A copy of the picture may use a copy of its sidecar.
    let copy = try folder.write(try bytes(of: picture), as: "c.jpg")
    try folder.write(sidecar, as: "c.jpg.zidx")
    #expect(try store.refusal(for: copy) == nil)
  }

  @Test func `a file larger than any sidecar of the picture is not read`() throws {
    let store = store(.beside)
    let location = try store.location(for: picture)
    // A sparse file of a terabyte: reading it would end the process.
    try folder.write([], as: "a.jpg.zidx")
    #expect(truncate(location.string, 1 << 40) == 0)
    let refusal = try store.refusal(for: picture)
    #expect(refusal?.kind == "stale" && refusal?.description.contains("\(1 << 40)") == true)
  }

  @Test func `the limit of a sidecar's length grows with the sides, up to the largest`() throws {
    let sides = [1, 65_500, 1 << 24, 2_147_466_728, 1 << 31 - 1]
    for kind in RandomPNG.Kind.all {
      let png = RandomPNG(kind, width: 1, height: 1, seed: 1)
      func limit(_ width: Int, _ height: Int) throws -> Int {
        let path = try folder.write(png.bytes(claiming: width, height), as: "a.png")
        return try IndexedHeaders(FileReader(path)).largest(pictureLength: 1 << 45)
      }
      for other in sides {
        let (wider, higher) = (
          try sides.map { try limit($0, other) }, try sides.map { try limit(other, $0) }
        )
        for limits in [wider, higher] {
          #expect(limits.allSatisfy { $0 > 0 } && limits == limits.sorted(), "\(kind) \(other)")
        }
      }
    }
    let jpeg = try JPEGBytes.progressive(16, 16).withHeight(65_500).bytes
    let path = try folder.write(jpeg, as: "b.jpg")
    #expect(try IndexedHeaders(FileReader(path)).largest(pictureLength: .max) > 1 << 48)
  }

  /// One point at every row takes 2^63 - 2 bytes, and a sidecar has more than points.
  @Test func `a PNG that claims 2^62 pixels has a sidecar refused, not a trap`() throws {
    let png = RandomPNG(.init(colourType: 0, depth: 8), width: 1, height: 1, seed: 1)
    let path = try folder.write(png.bytes(claiming: 2_147_466_728, 1 << 31 - 1), as: "a.png")
    try folder.write([1], as: "a.png.zidx")
    let store = store(.beside)
    _ = try store.key.readOrMake()
    #expect(try store.refusal(for: path)?.kind == "damaged")
  }

  @Test(arguments: ["folder", "link", "pipe"])
  func `an entry that is not a regular file is refused, and neither written nor removed`(
    _ what: String
  ) throws {
    let store = store(.beside)
    let location = try store.location(for: picture)
    let victim = try folder.write([1, 2, 3], as: "victim")
    // Without a key, the target of a link is not even opened.
    _ = try store.key.readOrMake()
    switch what {
    case "folder": try createFolder(location)
    case "link": #expect(symlink(victim.string, location.string) == 0)
    // Opening it for reading would wait for a writer.
    default: #expect(mkfifo(location.string, 0o600) == 0)
    }
    #expect(try store.refusal(for: picture)?.kind == "damaged")
    expectError(.unwritable) { try store.build(for: picture) }
    expectError(.unwritable) { try store.remove(for: picture) }
    #expect(try bytes(of: victim) == [1, 2, 3])
  }

  @Test func `another program's file with an index's name is neither written nor removed`() throws {
    let store = store(.beside)
    let location = try store.location(for: picture)
    for text in ["my own notes", "ZID", "\0ZIDX"] {
      try folder.write(Array(text.utf8), as: "a.jpg.zidx")
      expectError(.unwritable, of: location) { try store.build(for: picture) }
      expectError(.unwritable) { try store.remove(for: picture) }
      #expect(try bytes(of: location) == Array(text.utf8))
    }
  }

  @Test func `concurrent writers and readers see whole sidecars only`() async throws {
    let store = store(.beside)
    let picture = picture
    try store.build(for: picture)
    let sidecars = try (0..<2).map { number in
      try setModified(picture, to: FileVersion.Moment(seconds: number, nanoseconds: 0))
      return try SidecarDraft.build(of: picture).draft
    }
    let refused = try await withThrowingTaskGroup(of: [SidecarRefusal].self) { group in
      for sidecar in sidecars {
        group.addTask {
          for _ in 0..<100 { try store.save(sidecar, for: picture) }
          return []
        }
        group.addTask { try (0..<100).compactMap { _ in try store.refusal(for: picture) } }
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

  @Test func `if it cannot be found out whether there is an index, removing it is an error`() throws
  {
    // A link to itself.
    #expect(symlink("cache", folder.path.appending("cache").string) == 0)
    expectError(.unreadable) { try store().remove(for: picture) }
  }

  #if os(Linux)
    /// inotify merges equal events in a row, so the reads between two openings are watched, too.
    @Test func `building an index opens the picture once`() throws {
      let watch = inotify_init1(O_NONBLOCK)
      defer { close(watch) }
      #expect(inotify_add_watch(watch, picture.string, UInt32(IN_OPEN | IN_ACCESS)) >= 0)
      try store().build(for: picture)
      // Each event of a file takes 16 bytes; the mask is at 4.
      var events = [UInt8](repeating: 0, count: 16 * 1000)
      let count = read(watch, &events, events.count)
      let masks = stride(from: 4, to: count, by: 16).map { events.integer(at: $0, byteCount: 4) }
      #expect(masks.filter { $0 & Int(IN_OPEN) != 0 }.count == 1)
      #expect(masks.contains { $0 & Int(IN_ACCESS) != 0 })
    }
  #endif

  @Test func `a file that is not a picture is an error, not a refusal of its sidecar`() throws {
    let text = try folder.write(Array("words".utf8), as: "a.txt")
    expectError(.unsupported) { try store().refusal(for: text) }
    expectError(.noSuchFile) { try store().refusal(for: folder.path.appending("missing.jpg")) }
  }

  // MARK: Stale sidecars

  /// Overwrites a byte in place and restores the modification time.
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

  /// The edit needs no delay: the clock of the file system has advanced before the index is built.
  @Test func `an edit that keeps length and modification time is found, wherever it is`() throws {
    let store = store()
    let content = try bytes(of: picture)
    let start = try JPEGStructure(of: picture).codedStart
    for place in [start, start + 100, content.count - 3] {
      try folder.write(content, as: "a.jpg")
      try store.build(for: picture)
      try edit(picture, at: place)
      #expect(try store.refusal(for: picture)?.kind == "stale", "\(place)")
    }
    // With its content restored it matches the index, whatever the times.
    try folder.write(content, as: "a.jpg")
    #expect(try store.refusal(for: picture) == nil)
  }

  @Test func `an unchanged picture is not read again, and a touched one is read whole`() throws {
    let store = store()
    try store.build(for: picture)
    let jpeg = try JPEGStructure(of: picture)
    let file = try FileReader(picture)
    _ = try store.load(for: file, .jpeg(jpeg)).get()
    #expect(file.bytesRead == 0)
    #expect(link(picture.string, folder.path.appending("link.jpg").string) == 0)
    try setModified(picture, to: FileVersion.Moment(seconds: 1_000_000, nanoseconds: 7))
    let touched = try FileReader(picture)
    _ = try store.load(for: touched, .jpeg(jpeg)).get()
    #expect(touched.bytesRead == touched.length)
  }

  // MARK: Folders that others write to

  @Test func `a folder that became a link since it was resolved is not written to`() throws {
    let victim = folder.path.appending("victim")
    try createFolder(victim)
    #expect(symlink(victim.string, folder.path.appending("link").string) == 0)
    let link = folder.path.appending("link")
    expectError(.unwritable) { try OpenFolder(link, followsLink: false) }
    // A folder that the user named may be a link.
    let store = store(.folder(link))
    try store.build(for: picture)
    #expect(try store.refusal(for: picture) == nil)
    #expect(try store.remove(for: picture))
  }

  /// The entry that has the name at the moment of renaming is replaced.
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
