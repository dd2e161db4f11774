package import SystemPackage

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
    /// In one folder, under the SHA-256 of the picture's absolute path, with ".zidx" behind it.
    case folder(FilePath)
  }

  /// Where they are kept.
  package let place: Place
  /// What they are tagged with.
  package let key: SidecarKeyFile

  /// Names a place and a key.
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

  /// Where the sidecar of a picture stands, whether there is one or not.
  ///
  /// Links are followed first, so that a picture has one sidecar however it is called.
  /// - Throws: `PipelineError` when there is no such picture.
  package func location(for picture: FilePath) throws(PipelineError) -> FilePath {
    let resolved = unsafe picture.withPlatformString { name -> FilePath? in
      guard let resolved = unsafe realpath(name, nil) else { return nil }
      defer { unsafe free(resolved) }
      return unsafe FilePath(platformString: resolved)
    }
    guard let resolved, let name = resolved.lastComponent else {
      throw PipelineError(errno: Errno(rawValue: errno), operation: "open", file: picture)
    }
    switch place {
    case .beside:
      return resolved.removingLastComponent().appending(name.string + ".zidx")
    case .folder(let folder):
      let path = unsafe resolved.withPlatformString { text in
        unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
      }
      return folder.appending(SHA256.hexadecimal(SHA256.digest(of: path)) + ".zidx")
    }
  }

  /// Reads the sidecar of a picture, if it is ours and the picture's.
  /// - Parameter picture: a JPEG file.
  /// - Returns: the sidecar, or why there is none to be used.
  /// - Throws: `PipelineError` when the picture itself cannot be read, or is no JPEG.
  func load(for picture: FilePath) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    let file = try FileReader(picture)
    return try load(for: file, try JPEGParser.parse(file))
  }

  /// Reads the sidecar of a picture whose headers are known.
  ///
  /// It is read whole and not mapped: its tag covers all of it, so all of it is read anyway, and a
  /// mapped file that another process cuts short kills its reader (SIGBUS).
  /// - Parameters:
  ///   - file: a JPEG file, open.
  ///   - jpeg: its headers, read before.
  /// - Returns: the sidecar, or why there is none to be used.
  /// - Throws: `PipelineError` when the picture itself cannot be read.
  func load(
    for file: FileReader, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    let location = try location(for: file.path)
    do throws(SidecarRefusal) {
      let sidecar = try read(
        location, atMost: Sidecar.largest(for: jpeg, pictureLength: file.length))
      guard sidecar.frame == Sidecar.Frame(jpeg), sidecar.index.mcuCount == jpeg.mcuCount,
        sidecar.identity.headerLength == jpeg.codedStart
      else { throw .stale("the picture's headers differ") }
      if let difference = try Self.difference(sidecar, file) { throw .stale(difference) }
      return .success(sidecar)
    } catch {
      return .failure(error)
    }
  }

  /// Reads a sidecar's file and checks all of it that can be checked without the picture.
  private func read(
    _ location: FilePath, atMost limit: Int
  ) throws(SidecarRefusal) -> Sidecar {
    let bytes: [UInt8]
    do { bytes = try FileReader(location).contents(atMost: limit) } catch {
      if error.code == .noSuchFile { throw .absent }
      // More than any index of this picture: another picture stands there now, or it was never one.
      throw error.code == .overBudget ? .stale(error.reason) : .damaged(error.reason)
    }
    let secret: SidecarKey?
    do { secret = try key.read() } catch { throw .notOurs("\(error)") }
    guard let secret else { throw .notOurs("there is no key at \(key.path)") }
    return try Sidecar(bytes, key: secret)
  }

  /// A picture that cannot be read while it is compared is not the one that was indexed.
  private static func difference(
    _ sidecar: Sidecar, _ file: FileReader
  ) throws(SidecarRefusal) -> String? {
    do { return try sidecar.identity.difference(from: file) } catch {
      throw .stale(error.reason)
    }
  }

  /// Writes the sidecar of a picture, over an old one; makes the folder and the key if need be.
  /// - Parameters:
  ///   - sidecar: as made of that picture.
  ///   - picture: its file.
  /// - Returns: where it stands.
  /// - Throws: `PipelineError` when it cannot be written.
  @discardableResult
  func save(_ sidecar: Sidecar, for picture: FilePath) throws(PipelineError) -> FilePath {
    let location = try location(for: picture)
    let secret = try key.readOrMake()
    if case .folder(let folder) = place { try UserFolder.make(folder) }
    _ = try Self.assertOurs(location, operation: "write")
    try AtomicFile.write(sidecar.encoded(with: secret), to: location)
    return location
  }

  /// Refuses to touch what is no index: somebody's file may have such a name.
  ///
  /// In a folder that others write to, a link could have us write over any file of our own.
  /// - Returns: whether an index stands there.
  private static func assertOurs(
    _ location: FilePath, operation: String
  ) throws(PipelineError) -> Bool {
    var status = stat()
    let result = unsafe location.withPlatformString { name in unsafe lstat(name, &status) }
    guard result == 0 else { return false }
    func refused(_ reason: String) -> PipelineError {
      PipelineError(
        .unwritable, operation: operation, file: location, reason: reason,
        advice: "move it away, or keep indexes in a folder")
    }
    guard status.st_mode & S_IFMT != S_IFLNK else { throw refused("a symbolic link stands there") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refused("it is not a regular file") }
    let start = try FileReader(location).bytes(at: 0, count: Sidecar.magic.count)
    guard start == Sidecar.magic || start.isEmpty else { throw refused("it is not an index") }
    return true
  }
}

/// What was written for a picture.
package struct SidecarFacts: Sendable, Hashable {
  /// MCUs of the picture.
  package let mcuCount: Int
  /// Entry points.
  package let pointCount: Int
  /// Pixels of the picture.
  package let pixelCount: Int
  /// Bytes of the sidecar.
  package let byteCount: Int
  /// Where it stands.
  package let path: FilePath
}

extension SidecarStore {
  /// Builds the index of a picture and writes its sidecar, over an old one.
  /// - Parameters:
  ///   - picture: a JPEG file.
  ///   - memoryLimit: the bytes that rewriting a progressive one may take.
  /// - Returns: what was written.
  /// - Throws: `PipelineError`: `unsupported` or `damaged` when no index can be made of the picture,
  ///   `overBudget` past the limit, `unwritable` when the sidecar or the key cannot be written.
  @discardableResult
  package func build(
    for picture: FilePath, memoryLimit: Int = SequentialForm.standardMemoryLimit
  ) throws(PipelineError) -> SidecarFacts {
    let sidecar = try Sidecar.build(of: picture, memoryLimit: memoryLimit)
    let path = try save(sidecar, for: picture)
    return SidecarFacts(
      mcuCount: sidecar.index.mcuCount, pointCount: sidecar.index.pointCount,
      pixelCount: sidecar.frame.width * sidecar.frame.height,
      byteCount: sidecar.encodedByteCount, path: path)
  }

  /// Says why the sidecar of a picture would not be used; nil when it would.
  /// - Throws: `PipelineError` when the picture itself cannot be read, or is no JPEG.
  package func refusal(for picture: FilePath) throws(PipelineError) -> SidecarRefusal? {
    switch try load(for: picture) {
    case .success: nil
    case .failure(let refusal): refusal
    }
  }

  /// Removes the sidecar of a picture.
  /// - Returns: whether there was one.
  /// - Throws: `PipelineError` when it cannot be removed, or is no index.
  package func remove(for picture: FilePath) throws(PipelineError) -> Bool {
    let location = try location(for: picture)
    guard try Self.assertOurs(location, operation: "remove") else { return false }
    let failure = unsafe location.withPlatformString { name in
      unsafe unlink(name) == 0 ? 0 : errno
    }
    // Another process may have been first.
    if failure == ENOENT { return false }
    guard failure == 0 else {
      throw PipelineError(
        .unwritable, operation: "remove", file: location, reason: "\(Errno(rawValue: failure))")
    }
    return true
  }
}
