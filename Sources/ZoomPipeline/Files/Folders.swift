internal import Synchronization
public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder for a user's files by the XDG Base Directory Specification, version 0.8.
enum UserFolder: String {
  case data = "XDG_DATA_HOME"
  case cache = "XDG_CACHE_HOME"

  /// Returns a variable of the process's environment; nil if it is unset or empty.
  static func environment(_ name: String) -> String? {
    let value = unsafe getenv(name).map { unsafe String(cString: $0) }
    return value?.isEmpty == true ? nil : value
  }

  /// Returns the folder that the variable names, or else `~/.local/share` or `~/.cache`.
  func path(
    _ environment: (String) -> String? = UserFolder.environment
  ) throws(PipelineError) -> FilePath {
    // According to the specification, relative paths are ignored.
    if let named = environment(rawValue).map({ FilePath($0) }), named.isAbsolute { return named }
    guard let home = environment("HOME").map({ FilePath($0) }), home.isAbsolute else {
      throw PipelineError(
        .unwritable, operation: "find the user's folders", file: nil,
        reason: "neither \(rawValue) nor HOME is an absolute path", advice: "set \(rawValue)")
    }
    return home.appending(self == .data ? ".local/share" : ".cache")
  }

  /// Creates a folder and its missing parents with access for this user only, as XDG requires.
  static func make(_ folder: FilePath, makesParent: Bool = true) throws(PipelineError) {
    do throws(Errno) { try OpenFolder.working.makeFolder(folder) } catch {
      let parent = folder.removingLastComponent()
      guard makesParent, error == .noSuchFileOrDirectory, parent != folder else {
        throw PipelineError(
          .unwritable, operation: "make a folder", file: folder, reason: "\(error)",
          advice: "choose a place that can be written")
      }
      try make(parent)
      try make(folder, makesParent: false)
    }
  }
}

extension FilePath {
  /// The path with all links followed, or the reason why it does not exist.
  package var resolved: Result<FilePath, Errno> {
    unsafe withPlatformString { name in
      guard let resolved = unsafe realpath(name, nil) else {
        return .failure(Errno(rawValue: errno))
      }
      defer { unsafe free(resolved) }
      return unsafe .success(FilePath(platformString: resolved))
    }
  }

  /// The bytes of the path, which may be invalid UTF-8.
  var bytes: [UInt8] {
    unsafe withPlatformString { text in
      unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
  }

  /// The absolute path with the links of all existing folders followed; the rest may be missing.
  var resolvedAsFarAsThere: FilePath {
    if let resolved = try? resolved.get() { return resolved }
    let parent = removingLastComponent()
    guard let name = lastComponent, parent != self else { return self }
    return (parent.isEmpty ? FilePath(".") : parent).resolvedAsFarAsThere.appending(name)
  }

  /// Returns the path from a folder, as in `../photos/a.jpg`; both are absolute and without links.
  func relative(to folder: FilePath) -> FilePath {
    let (own, other) = (Array(components), Array(folder.components))
    let shared = zip(own, other).prefix { $0 == $1 }.count
    let up = Array(repeating: FilePath.Component(".."), count: other.count - shared)
    return FilePath(root: nil, up + own[shared...])
  }
}

enum TemporaryDisk {
  /// Throws if a temporary file, by default a raster, would take more than half of the free space.
  ///
  /// The other half is for other programs and for files written at the same time.
  static func assertHolds(
    _ bytes: Int, for thing: String = "its raster", operation: String, _ path: FilePath
  ) throws(PipelineError) {
    var status = statvfs()
    let failed = unsafe folder.withPlatformString { name in unsafe statvfs(name, &status) } != 0
    let (free, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    // If the free space is unknown, writing fails later if it is too small.
    guard !failed, !overflow, bytes > free / 2 else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "\(thing) of \(bytes.megabytes) would take more than half of the \(free.megabytes)"
        + " that are free in \(folder)",
      advice: "set TMPDIR to a folder with more room, or use another source")
  }

  /// The folder for temporary files, which libvips uses too.
  static var folder: FilePath { UserFolder.environment("TMPDIR").map { FilePath($0) } ?? "/tmp" }
}

/// A private folder for temporary files, which is removed with its content.
///
/// A marker file identifies it: a later run does not remove other folders, whatever their names.
public final class ScratchFolder: Sendable {
  /// The folder's path, in `TMPDIR` or the system's folder for temporary files.
  public let path: FilePath
  private let entry: Mutex<TemporaryEntry?>

  /// The file that identifies a scratch folder.
  static let marker: FilePath = ".zoombench-scratch"

  /// Creates a folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be created.
  public convenience init() throws(PipelineError) {
    let parent = TemporaryDisk.folder
    try self.init(in: parent, advice: "set TMPDIR to a folder that can be written") {
      parent.appending(TemporaryName.scratch + TemporaryName.word())
    }
  }

  /// Creates a hidden folder beside a path, to which `publish(as:)` can rename it.
  package convenience init(beside path: FilePath) throws(PipelineError) {
    try self.init(
      in: path.removingLastComponent(), advice: "choose a place that can be written and has room"
    ) {
      TemporaryName.random(beside: path)
    }
  }

  private init(
    in parent: FilePath, advice: String, named name: () -> FilePath
  ) throws(PipelineError) {
    (try? OpenFolder(parent))?.removeAbandoned()
    do {
      let made = try TemporaryEntry(nil, in: .working, named: name)
      try FileDescriptor.open(
        made.path.pushing(Self.marker), .writeOnly, options: [.create, .exclusiveCreate],
        permissions: .ownerReadWrite
      ).close()
      path = made.path
      entry = Mutex(made)
    } catch {
      throw PipelineError(
        .unwritable, operation: "make a scratch folder", file: parent, reason: "\(error)",
        advice: advice)
    }
  }

  /// Makes the folder readable for everyone and renames it: a reader sees all of it or nothing.
  ///
  /// The name must be on the same file system, and free or an empty folder. On an error, the folder
  /// stays a scratch folder of this process.
  package func publish(as name: FilePath) throws(PipelineError) {
    do throws(Errno) {
      guard unsafe path.withPlatformString({ unsafe chmod($0, 0o755) }) == 0 else {
        throw Errno(rawValue: errno)
      }
      try OpenFolder.working.rename(path, to: name)
    } catch {
      throw PipelineError(
        .unwritable, operation: "write", file: name, reason: "\(error)",
        advice: "name a folder that is not there yet, or is empty")
    }
    // Without its marker, the unpublished folder of a killed run would never be removed.
    OpenFolder.working.removeAll(name.pushing(Self.marker))
    remove()
  }

  /// Removes every scratch folder and unfinished file of the process when a signal ends it.
  ///
  /// From then on, creating another one throws.
  public static func removeAll() { TemporaryEntry.removeAllInUse() }

  /// Creates a folder for all temporary files of the process, including those of libvips.
  ///
  /// libvips reads the setting once, so call this before using it. The caller removes the folder.
  package static func forAllTemporaryFiles() throws(PipelineError) -> ScratchFolder {
    let folder = try ScratchFolder()
    unsafe setenv("TMPDIR", folder.path.string, 1)
    return folder
  }

  /// Removes the folder and its content, unless it was published; may be called more than once.
  public func remove() { entry.withLock { $0 = nil } }
}
