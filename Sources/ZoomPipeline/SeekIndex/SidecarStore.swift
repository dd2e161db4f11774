public import SystemPackage
internal import ZoomGeometry

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where sidecars are kept; nothing is ever written but by `save` and `build`.
///
/// Any number of processes may read and write one sidecar: it is replaced by renaming, so a reader
/// sees an old one or a new one, whole.
package struct SidecarStore: Sendable, Hashable {
  /// The kinds of places.
  package enum Place: Sendable, Hashable {
    /// Beside each picture, under its name with ".zidx" behind it.
    case beside
    /// In one folder, under the SHA-256 of the picture's path from that folder on: `ab/cd/….zidx`.
    ///
    /// Pictures and indexes on one share have the same names whatever the share is called on each
    /// machine. Two levels of 256 folders keep the lists short of ten million.
    case folder(FilePath)
  }

  /// Where they are kept.
  package let place: Place
  /// What they are tagged with.
  package let key: SidecarKeyFile

  package init(_ place: Place, key: SidecarKeyFile) {
    self.place = place
    self.key = key
  }

  /// Names a place and the key that the environment says.
  /// - Parameter place: nil: `zoombench/index` in the user's folder for caches.
  /// - Throws: `PipelineError` when the environment names no such folder.
  package init(_ place: Place? = nil) throws(PipelineError) {
    let key = try SidecarKeyFile.standard()
    if let place {
      self.init(place, key: key)
    } else {
      self.init(
        .folder(try UserFolder.cache().appending("zoombench").appending("index")), key: key)
    }
  }

  /// Whether there is a key to tag with, so that none has to be made.
  package var hasKey: Bool { (try? key.read()) != nil }

  /// Where the sidecar of a picture stands, whether there is one or not.
  ///
  /// Links are followed first, so that a picture has one sidecar however it is called.
  /// - Throws: `PipelineError` when there is no such picture.
  package func location(for picture: FilePath) throws(PipelineError) -> FilePath {
    let place = try place(of: picture)
    return FilePath(root: place.folder.root, place.folder.components + place.subfolders)
      .appending(place.name)
  }

  /// Where a sidecar stands: its folder, the folders in that, and its name.
  private struct Position {
    let folder: FilePath
    var subfolders: [FilePath.Component] = []
    let name: FilePath.Component
  }

  private func place(of picture: FilePath) throws(PipelineError) -> Position {
    guard let resolved = picture.resolved, let pictureName = resolved.lastComponent else {
      throw PipelineError(errno: Errno(rawValue: errno), operation: "open", file: picture)
    }
    switch place {
    case .beside:
      guard let name = FilePath.Component(pictureName.string + ".zidx") else {
        throw PipelineError(
          .fault, operation: "index", file: picture, reason: "its name gives none for an index")
      }
      return Position(folder: resolved.removingLastComponent(), name: name)
    case .folder(let folder):
      let path = unsafe resolved.relative(to: folder.resolvedAsFarAsThere).withPlatformString {
        text in unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
      }
      let digits = Array(SHA256.hexadecimal(SHA256.digest(of: path)))
      let parts = [digits[..<2], digits[2..<4], digits[4...] + ".zidx"].compactMap {
        FilePath.Component(String($0))
      }
      return Position(folder: folder, subfolders: Array(parts[..<2]), name: parts[2])
    }
  }

  /// Reads the sidecar of a JPEG, or why there is none to be used.
  /// - Throws: `PipelineError` when the picture itself cannot be read, or is no JPEG.
  func load(for picture: FilePath) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    let file = try FileReader(picture)
    return try load(for: file, try JPEGParser.parse(file))
  }

  /// Reads the sidecar of an open JPEG, or why there is none to be used.
  ///
  /// A sidecar may be a symbolic link: what it leads to is believed for its tag alone.
  /// - Throws: `PipelineError` when the picture itself cannot be read.
  func load(
    for file: FileReader, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    try load(for: file, jpeg, at: location(for: file.path))
  }

  private func load(
    for file: FileReader, _ jpeg: JPEGStructure, at location: FilePath
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    do throws(SidecarRefusal) {
      let (opened, secret) = try open(
        location, atMost: SidecarDraft.largest(for: jpeg, pictureLength: file.length))
      let sidecar = try Sidecar(opened, key: secret)
      let header = sidecar.header
      guard header.frame == SidecarHeader.Frame(jpeg), header.mcuCount == jpeg.mcuCount,
        sidecar.payload != nil || header.codedStart == jpeg.codedStart
      else { throw .stale("the picture's headers differ") }
      try Self.check(header.identity, file)
      return .success(sidecar)
    } catch {
      return .failure(error)
    }
  }

  /// Reads the sidecar of an open PNG, or why there is none to be used.
  /// - Throws: `PipelineError` when the picture itself cannot be read.
  func load(
    for file: FileReader, _ png: PNGHeaders
  ) throws(PipelineError) -> Result<PNGSidecar, SidecarRefusal> {
    try load(for: file, png, at: location(for: file.path))
  }

  private func load(
    for file: FileReader, _ png: PNGHeaders, at location: FilePath
  ) throws(PipelineError) -> Result<PNGSidecar, SidecarRefusal> {
    do throws(SidecarRefusal) {
      let (opened, secret) = try open(location, atMost: PNGSidecar.largest(for: png))
      let sidecar = try PNGSidecar(opened, of: png, key: secret)
      try Self.check(sidecar.identity, file)
      return .success(sidecar)
    } catch {
      return .failure(error)
    }
  }

  private static func check(
    _ identity: SidecarIdentity, _ file: FileReader
  ) throws(SidecarRefusal) {
    let difference: String?
    // A picture that cannot be read while it is compared is not the one that was indexed.
    do { difference = try identity.difference(from: file) } catch { throw .stale(error.reason) }
    if let difference { throw .stale(difference) }
  }

  /// Opens a sidecar's file, and reads the key.
  private func open(
    _ location: FilePath, atMost limit: Int
  ) throws(SidecarRefusal) -> (file: FileReader, key: SidecarKey) {
    let file: FileReader
    do { file = try FileReader(location) } catch {
      throw error.code == .noSuchFile ? .absent : .damaged(error.reason)
    }
    // More than any index of this picture: another picture stands there now, or it was never one.
    guard file.length <= limit else {
      throw .stale("it has \(file.length) bytes, and one of the picture \(limit) at most")
    }
    let secret: SidecarKey?
    do { secret = try key.read() } catch { throw .notOurs("\(error)") }
    guard let secret else { throw .notOurs("there is no key at \(key.path)") }
    return (file, secret)
  }

  /// Writes the sidecar of a picture, over an old one; makes the folder and the key if need be.
  /// - Returns: where it stands.
  @discardableResult
  func save(_ draft: SidecarDraft, for picture: FilePath) throws(PipelineError) -> FilePath {
    try save(for: picture, draft.encoded)
  }

  /// Writes the bytes that `encoded` makes with the key.
  private func save(
    for picture: FilePath, _ encoded: (SidecarKey) -> [UInt8]
  ) throws(PipelineError) -> FilePath {
    let place = try place(of: picture)
    let secret = try key.readOrMake()
    if case .folder(let folder) = self.place { try UserFolder.make(folder) }
    guard let folder = try open(place, makes: true) else {
      throw PipelineError(
        .unwritable, operation: "write", file: place.folder, reason: "its folder is gone",
        advice: "index again")
    }
    _ = try Self.assertOurs(place.name, in: folder, operation: "write")
    try AtomicFile.write(encoded(secret), as: place.name, in: folder)
    return folder.path.appending(place.name)
  }

  /// Opens the folder of a sidecar; nil when it is not there and not to be made.
  ///
  /// The one that a picture stands in has been resolved: if it is a link now, then somebody has put one
  /// there, to have us write elsewhere. One that the user named may be a link, those in it may not.
  private func open(_ place: Position, makes: Bool) throws(PipelineError) -> OpenFolder? {
    var folder = try OpenFolder(place.folder, followsLink: self.place != .beside)
    for name in place.subfolders {
      guard let next = try folder.subfolder(name, makes: makes) else { return nil }
      folder = next
    }
    return folder
  }

  /// Refuses to touch what is no index: somebody's file may have such a name.
  ///
  /// A symbolic link in a folder that others write to could have us write over any file of our own. What
  /// takes the name after this is replaced or removed itself, and never what it leads to.
  /// - Returns: whether an index stands there.
  private static func assertOurs(
    _ name: FilePath.Component, in folder: OpenFolder, operation: String
  ) throws(PipelineError) -> Bool {
    func refused(_ reason: String) -> PipelineError {
      PipelineError(
        .unwritable, operation: operation, file: folder.path.appending(name), reason: reason,
        advice: "move it away, or keep indexes in a folder")
    }
    let magics = [SidecarHeader.magic, PNGSidecar.magic]
    let start: [UInt8]
    do { start = try folder.reader(name).bytes(at: 0, count: 4) } catch {
      if error.code == .noSuchFile { return false }
      throw refused(error.reason)
    }
    guard magics.contains(start) || start.isEmpty else { throw refused("it is not an index") }
    return true
  }
}

/// What was written for a picture.
package struct SidecarFacts: Sendable, Hashable {
  /// MCUs of a JPEG; nil of a PNG.
  package let mcuCount: Int?
  package let pointCount: Int
  package let pixelCount: Int
  package let byteCount: Int
  /// Where it stands.
  package let path: FilePath
}

extension SidecarFacts {
  fileprivate init(_ header: SidecarHeader, _ path: FilePath) {
    self.init(
      mcuCount: header.mcuCount, pointCount: header.pointCount,
      pixelCount: header.frame.width * header.frame.height, byteCount: header.fileByteCount,
      path: path)
  }
}

extension SidecarStore {
  /// Builds the index of a JPEG or a PNG and writes its sidecar, over an old one.
  /// - Throws: `PipelineError`: `unsupported` or `damaged` when no index can be made of the picture,
  ///   `overBudget` past the limits, `unwritable` when the sidecar or the key cannot be written.
  @discardableResult
  package func build(
    for picture: FilePath, limits: PictureLimits = .standard
  ) throws(PipelineError) -> SidecarFacts {
    if try Self.isPNG(FileReader(picture)) { return try buildPNG(for: picture, limits) }
    let draft = try SidecarDraft(of: picture, limits: limits)
    let path = try save(draft, for: picture)
    return SidecarFacts(draft.header, path)
  }

  private static func isPNG(_ file: FileReader) throws(PipelineError) -> Bool {
    try file.bytes(at: 0, count: 8) == PNGHeaders.signature
  }

  private func buildPNG(
    for path: FilePath, _ limits: PictureLimits
  ) throws(PipelineError) -> SidecarFacts {
    let (identity, _, made) = try SidecarIdentity.take(of: path, limits: limits) {
      picture throws(PipelineError) in
      let png = try PNGHeaders(picture.file)
      return (png, try RowIndex(picture.file, png.rows).complete())
    }
    let (png, points) = made
    var byteCount = 0
    let place = try save(for: path) { key in
      let bytes = PNGSidecar.encoded(identity, png, points, with: key)
      byteCount = bytes.count
      return bytes
    }
    return SidecarFacts(
      mcuCount: nil, pointCount: points.count, pixelCount: png.size.area, byteCount: byteCount,
      path: place)
  }

  /// Says why the sidecar of a picture would not be used; nil when it would, with all of its parts.
  /// - Throws: `PipelineError` when the picture itself cannot be read, or is neither JPEG nor PNG.
  package func refusal(for picture: FilePath) throws(PipelineError) -> SidecarRefusal? {
    try refusal(for: try FileReader(picture))
  }

  /// The same of a picture that is open.
  package func refusal(for file: FileReader) throws(PipelineError) -> SidecarRefusal? {
    if case .failure(let refusal) = try facts(for: file, checksPoints: true) {
      refusal
    } else {
      nil
    }
  }

  /// What stands there for a picture, or why it would not be used.
  ///
  /// - Parameters:
  ///   - file: the picture.
  ///   - checksPoints: whether all points are read and checked, too, and not only what an opening reads.
  /// - Returns: the facts, or why the sidecar would not be used.
  /// - Throws: `PipelineError` when the picture itself cannot be read, or is neither JPEG nor PNG.
  package func facts(
    for file: FileReader, checksPoints: Bool = false
  ) throws(PipelineError) -> Result<SidecarFacts, SidecarRefusal> {
    let path = try location(for: file.path)
    if try Self.isPNG(file) {
      let png = try PNGHeaders(file)
      let result = try load(for: file, png, at: path)
      do throws(SidecarRefusal) {
        let sidecar = try result.get()
        for number in checksPoints ? sidecar.entries.indices : 0..<0 {
          _ = try sidecar.packed(number)
        }
        return .success(
          SidecarFacts(
            mcuCount: nil, pointCount: sidecar.entries.count, pixelCount: png.size.area,
            byteCount: sidecar.byteCount, path: path))
      } catch {
        return .failure(error)
      }
    }
    guard try file.bytes(at: 0, count: 2) == [0xFF, 0xD8] else {
      throw PipelineError(
        .unsupported, operation: "index", file: file.path, reason: SidecarDraft.otherFormat)
    }
    let result = try load(for: file, try JPEGParser.parse(file), at: path)
    do throws(SidecarRefusal) {
      let sidecar = try result.get()
      if checksPoints { _ = try sidecar.index.whole() }
      return .success(SidecarFacts(sidecar.header, path))
    } catch {
      return .failure(error)
    }
  }

  /// Removes the sidecar of a picture.
  /// - Returns: whether there was one.
  /// - Throws: `PipelineError` when it cannot be removed, or is no index.
  package func remove(for picture: FilePath) throws(PipelineError) -> Bool {
    let place = try place(of: picture)
    // Where there is no such folder, there is no index.
    guard let folder = try? open(place, makes: false),
      try Self.assertOurs(place.name, in: folder, operation: "remove")
    else { return false }
    // Another process may have been first.
    do { return try folder.remove(place.name) } catch {
      throw PipelineError(
        .unwritable, operation: "remove", file: folder.path.appending(place.name),
        reason: "\(error)")
    }
  }
}

/// Where seek indexes that `zoombench index` has written are looked for.
///
/// What a peek costs depends on whether one is there, so that measurements say where they looked.
public enum StoredIndexes: Sendable, Hashable {
  /// Nowhere: peeks build indexes themselves.
  case none
  /// Beside each picture, then in the user's folder for caches.
  case standard
  /// In one folder.
  case folder(FilePath)

  /// The places, the first to be looked into first.
  var stores: [SidecarStore] {
    // Without a folder for caches or a key of the user's there is none to look into.
    switch self {
    case .none: []
    case .standard: [SidecarStore.Place.beside, nil].compactMap { try? SidecarStore($0) }
    case .folder(let folder): [try? SidecarStore(.folder(folder))].compactMap(\.self)
    }
  }
}
