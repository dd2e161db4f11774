public import SystemPackage
internal import ZoomGeometry

/// A place for sidecars; only `save` and `build` write to it.
///
/// Any number of processes may use a sidecar. It is replaced by renaming, so a reader sees a
/// complete old or new one.
package struct SidecarStore: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// Beside each picture, with ".zidx" appended to its name.
    case beside
    /// In one folder, as `ab/cd/….zidx`: the SHA-256 of the picture's path relative to that folder.
    ///
    /// So names on a share do not depend on where each machine mounts it. Two levels of 256 folders
    /// keep the listings short even for ten million pictures.
    case folder(FilePath)
  }

  package let place: Place
  /// The file with the key of their tags.
  package let key: SidecarKeyFile
  /// Whether the store is used only for pictures on servers.
  fileprivate var skipsLocalFiles = false

  package init(_ place: Place, key: SidecarKeyFile) {
    self.place = place
    self.key = key
  }

  /// Creates a store with the key file that the environment names.
  /// - Parameter place: The place; nil for `zoombench/index` in the user's cache folder.
  /// - Throws: `PipelineError` when the environment names no such folder.
  package init(_ place: Place? = nil) throws(PipelineError) {
    let key = try SidecarKeyFile.standard()
    if let place {
      self.init(place, key: key)
    } else {
      self.init(
        .folder(try UserFolder.cache.path().appending("zoombench").appending("index")), key: key)
    }
  }

  /// Whether the key exists, so that it need not be created.
  package var hasKey: Bool { (try? key.read()) != nil }

  var noKey: SidecarRefusal { .notOurs("the key file \(key.path) is missing") }

  /// Returns the path of a picture's sidecar; the file may not exist.
  ///
  /// Links are resolved first, so that a picture has one sidecar under all of its names.
  /// - Throws: `PipelineError` when there is no such picture.
  package func location(for picture: FilePath) throws(PipelineError) -> FilePath {
    let place = try place(of: picture)
    return (place.subfolders + [place.name]).reduce(place.folder) { $0.pushing($1) }
  }

  typealias Position = (folder: FilePath, subfolders: [FilePath], name: FilePath)

  private func place(of picture: FilePath) throws(PipelineError) -> Position {
    if RemoteAddress.isName(picture) { return place(ofRemote: picture) }
    let resolved: FilePath
    do throws(Errno) { resolved = try picture.resolved.get() } catch {
      throw PipelineError(errno: error, operation: "open", file: picture)
    }
    switch place {
    case .beside:
      // As strings, different names that are not UTF-8 could become the same. The bytes end with 0.
      let bytes = resolved.bytes + ".zidx\0".utf8
      let path = unsafe FilePath(
        platformString: bytes.map { CInterop.PlatformChar(truncatingIfNeeded: $0) })
      return (resolved.removingLastComponent(), [], FilePath(root: nil, path.components.suffix(1)))
    case .folder(let folder):
      return Self.position(of: resolved.relative(to: folder.resolvedAsFarAsThere), in: folder)
    }
  }

  static func position(of path: FilePath, in folder: FilePath) -> Position {
    let digits = Array(SHA256.hexadecimal(SHA256.digest(of: path.bytes)))
    return (
      folder, [digits[..<2], digits[2..<4]].map { FilePath(String($0)) },
      FilePath(String(digits[4...]) + RemoteAccess.indexSuffix)
    )
  }

  /// Reads the sidecar of an open picture, or returns the reason why there is none to use.
  ///
  /// A sidecar may be a symbolic link, because only its tag makes its content trusted.
  /// - Throws: `PipelineError` when the picture itself cannot be read.
  func load(
    for file: FileReader, _ headers: IndexedHeaders,
    within memory: MemoryBudget = PictureLimits.standard.memory
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    let location = try location(for: file.path)
    return Result { () throws(SidecarRefusal) in
      let index = try reader(of: location, for: file)
      let sidecar = try open(index, headers, of: file, memory)
      if !file.isRemote { try sidecar.header.identity.assertSame(as: file) }
      return sidecar
    }
  }

  private func open(
    _ file: FileReader, _ headers: IndexedHeaders, of picture: FileReader,
    _ memory: MemoryBudget
  ) throws(SidecarRefusal) -> Sidecar {
    // Longer than any index of this picture: it belongs to another picture, or is not an index.
    let limit = headers.largest(pictureLength: picture.length)
    guard file.length <= limit else {
      throw .stale("it has \(file.length) bytes, but an index of this picture has at most \(limit)")
    }
    picture.begin(needing: min(file.length, memory.limit))
    let secret: SidecarKey?
    do { secret = try key.read() } catch { throw .notOurs("\(error)") }
    guard let secret else { throw noKey }
    return try Sidecar(
      file, key: secret, of: headers, served: picture.remote?.version, within: memory)
  }

  /// Writes the sidecar of a picture, replacing an old one; creates folder and key if needed.
  /// - Returns: The path of the sidecar.
  @discardableResult
  func save(_ draft: SidecarDraft, for picture: FilePath) throws(PipelineError) -> FilePath {
    try assertWritable(for: picture, operation: "write")
    let place = try place(of: picture)
    let secret = try key.readOrMake()
    if case .folder(let folder) = self.place { try UserFolder.make(folder) }
    let folder = try open(place, makes: true)
    _ = try Self.assertOurs(place.name, in: folder, operation: "write")
    try AtomicFile.write(draft.encoded(with: secret), as: place.name, in: folder)
    return folder.path.pushing(place.name)
  }

  /// Opens the folder of a sidecar; if a subfolder is missing, `makes` decides whether to create it.
  ///
  /// The path of a picture's folder has been resolved: a link in it now could be an attacker's, to
  /// redirect the write. A folder that the user named may be a link, but its subfolders may not.
  private func open(_ place: Position, makes: Bool) throws(PipelineError) -> OpenFolder {
    var folder = try OpenFolder(place.folder, followsLink: self.place != .beside)
    for name in place.subfolders { folder = try folder.subfolder(name, makes: makes) }
    return folder
  }

  /// Refuses to replace or remove a file that is not an index, such as a user's own.
  ///
  /// In a folder that others can write to, a symbolic link could redirect a write. The operations
  /// that follow replace or remove the name itself, never the target of a link.
  /// - Returns: Whether an index exists under this name.
  private static func assertOurs(
    _ name: FilePath, in folder: OpenFolder, operation: String
  ) throws(PipelineError) -> Bool {
    func refused(_ reason: String) -> PipelineError {
      PipelineError(
        .unwritable, operation: operation, file: folder.path.pushing(name), reason: reason,
        advice: "move it away, or keep indexes in a folder")
    }
    // The latter is the magic of PNG indexes up to version 2.
    let magics = [SidecarHeader.magic, Array("ZIDP".utf8)]
    let start: [UInt8]
    do { start = try folder.reader(name).bytes(at: 0, count: 4) } catch {
      if error.code == .noSuchFile { return false }
      throw refused(error.reason)
    }
    guard magics.contains(start) || start.isEmpty else { throw refused("it is not an index") }
    return true
  }
}

package struct SidecarFacts: Sendable, Hashable {
  /// The number of MCUs of a JPEG; nil for a PNG.
  package let mcuCount: Int?
  package let pointCount: Int
  package let pixelCount: Int
  package let byteCount: Int
  package let path: FilePath

  fileprivate init(
    _ header: SidecarHeader, _ headers: IndexedHeaders, byteCount: Int, _ path: FilePath
  ) {
    mcuCount = header.unit == .mcu ? header.unitCount : nil
    pointCount = header.pointCount
    pixelCount = headers.facts.size.area
    self.byteCount = byteCount
    self.path = path
  }
}

extension SidecarStore {
  /// Builds the index of a JPEG or a PNG and writes its sidecar, replacing an old one.
  /// - Throws: `PipelineError`: `unsupported` or `damaged` when the picture cannot be indexed,
  ///   `overBudget` past the limits, `unwritable` when the sidecar or the key cannot be written.
  @discardableResult
  package func build(
    for picture: FilePath, limits: PictureLimits = .standard
  ) throws(PipelineError) -> SidecarFacts {
    // Otherwise, a picture on a server would be fetched whole first.
    try assertWritable(for: picture, operation: "write")
    let (draft, headers) = try SidecarDraft.build(of: picture, limits: limits)
    let path = try save(draft, for: picture)
    return SidecarFacts(draft.header, headers, byteCount: draft.byteCount, path)
  }

  /// Returns the facts of a picture's sidecar, or the reason why it cannot be used.
  ///
  /// If `checksPoints`, all points are read and checked, not only the parts read at opening.
  /// - Throws: `PipelineError` when the picture itself cannot be read, or is neither JPEG nor PNG.
  package func facts(
    for file: FileReader, checksPoints: Bool = false,
    within memory: MemoryBudget = PictureLimits.standard.memory
  ) throws(PipelineError) -> Result<SidecarFacts, SidecarRefusal> {
    let headers = try IndexedHeaders(file)
    let path = try location(for: file.path)
    let found = try load(for: file, headers, within: memory)
    return Result { () throws(SidecarRefusal) in
      let sidecar = try found.get()
      if checksPoints { try headers.checkPoints(of: sidecar) }
      return SidecarFacts(sidecar.header, headers, byteCount: sidecar.byteCount, path)
    }
  }

  /// Removes the sidecar of a picture.
  /// - Returns: Whether there was one.
  /// - Throws: `PipelineError` when it cannot be removed, or is not an index.
  package func remove(for picture: FilePath) throws(PipelineError) -> Bool {
    try assertWritable(for: picture, operation: "remove")
    let location = try location(for: picture)
    do throws(Errno) { _ = try OpenFolder.working.status(of: location) } catch {
      let reason = PipelineError(errno: error, operation: "remove", file: location)
      if reason.code == .noSuchFile { return false }
      throw reason
    }
    let place = try place(of: picture)
    let folder = try open(place, makes: false)
    guard try Self.assertOurs(place.name, in: folder, operation: "remove") else { return false }
    // Another process may have been first.
    do { return try folder.remove(place.name) } catch {
      throw PipelineError(
        .unwritable, operation: "remove", file: folder.path.pushing(place.name),
        reason: "\(error)")
    }
  }
}

extension [SidecarStore] {
  /// Returns the first index that can be used, or why the first that exists cannot be.
  func first(
    for picture: Picture, _ headers: IndexedHeaders
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal>? {
    var refusal: SidecarRefusal?
    for store in self where picture.file.isRemote || !store.skipsLocalFiles {
      switch try store.load(for: picture.file, headers, within: picture.limits.memory) {
      case .success(let found): return .success(found)
      case .failure(let other): if (refusal ?? .absent) == .absent { refusal = other }
      }
    }
    return refusal.map { .failure($0) }
  }
}

/// The places to search for seek indexes that `zoombench index` has written.
///
/// A peek costs less with a stored index, so measurements report which places were searched.
public enum StoredIndexes: Sendable, Hashable {
  /// No place: peeks build indexes themselves.
  case none
  /// Beside each picture on a server; for local files no place.
  case served
  /// Beside each picture, then in the user's cache folder.
  case standard
  /// In one folder.
  case folder(FilePath)

  /// The stores to search, in order: none without a cache folder or a place for the key.
  var stores: [SidecarStore] {
    switch self {
    case .none: []
    case .served:
      [try? SidecarStore(.beside)].compactMap { store in
        var store = store
        store?.skipsLocalFiles = true
        return store
      }
    case .standard: [SidecarStore.Place.beside, nil].compactMap { try? SidecarStore($0) }
    case .folder(let folder): [try? SidecarStore(.folder(folder))].compactMap(\.self)
    }
  }
}
