internal import Synchronization
public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where a user's programs keep files, by the XDG Base Directory Specification, version 0.8.
enum UserFolder {
  /// A variable of the process's environment; nil when it is unset or empty.
  static func environment(_ name: String) -> String? {
    let value = unsafe getenv(name).map { unsafe String(cString: $0) }
    return value?.isEmpty == true ? nil : value
  }

  /// Files that must be kept: `$XDG_DATA_HOME`, or `~/.local/share`; throws without either.
  static func data(
    _ environment: (String) -> String? = environment
  ) throws(PipelineError) -> FilePath {
    try folder("XDG_DATA_HOME", ".local/share", environment)
  }

  /// Files that can be made again: `$XDG_CACHE_HOME`, or `~/.cache`; throws without either.
  static func cache(
    _ environment: (String) -> String? = environment
  ) throws(PipelineError) -> FilePath {
    try folder("XDG_CACHE_HOME", ".cache", environment)
  }

  private static func folder(
    _ variable: String, _ fallback: String, _ environment: (String) -> String?
  ) throws(PipelineError) -> FilePath {
    // The specification has relative paths ignored.
    if let named = environment(variable).map({ FilePath($0) }), named.isAbsolute { return named }
    guard let home = environment("HOME").map({ FilePath($0) }), home.isAbsolute else {
      throw PipelineError(
        .unwritable, operation: "find the user's folders", file: nil,
        reason: "neither \(variable) nor HOME is an absolute path", advice: "set \(variable)")
    }
    return home.appending(fallback)
  }

  /// Makes a folder and those above it that are missing, for this user alone, as XDG asks for.
  static func make(_ folder: FilePath) throws(PipelineError) {
    func make(_ folder: FilePath) -> CInt {
      unsafe folder.withPlatformString { name in
        unsafe mkdir(name, 0o700) == 0 || errno == EEXIST ? 0 : errno
      }
    }
    var failure = make(folder)
    if failure == ENOENT, folder.removingLastComponent() != folder {
      try self.make(folder.removingLastComponent())
      failure = make(folder)
    }
    guard failure == 0 else {
      throw PipelineError(
        .unwritable, operation: "make a folder", file: folder,
        reason: "\(Errno(rawValue: failure))", advice: "choose a place that can be written")
    }
  }
}

extension FilePath {
  /// The path with all links followed; nil when nothing is there, for the reason in `errno`.
  var resolved: FilePath? {
    unsafe withPlatformString { name in
      guard let resolved = unsafe realpath(name, nil) else { return nil }
      defer { unsafe free(resolved) }
      return unsafe FilePath(platformString: resolved)
    }
  }

  /// The absolute path with the links of all folders followed that are there; what is behind them is
  /// about to be made.
  var resolvedAsFarAsThere: FilePath {
    if let resolved { return resolved }
    let parent = removingLastComponent()
    guard let name = lastComponent, parent != self else { return self }
    return (parent.isEmpty ? FilePath(".") : parent).resolvedAsFarAsThere.appending(name)
  }

  /// The way from a folder to this: `../photos/a.jpg`; both are absolute and have no links.
  func relative(to folder: FilePath) -> FilePath {
    let (own, other) = (Array(components), Array(folder.components))
    let shared = zip(own, other).prefix { $0 == $1 }.count
    let up = Array(repeating: FilePath.Component(".."), count: other.count - shared)
    return FilePath(root: nil, up + own[shared...])
  }
}

/// The disk that a picture's raster may take in the folder for temporary files.
enum TemporaryDisk {
  /// Refuses what would take more than half of what is free.
  ///
  /// The other half is for everybody else, and for what is being written at the same time.
  static func assertHolds(
    _ bytes: Int, in folder: FilePath, operation: String, _ path: FilePath
  ) throws(PipelineError) {
    var status = statvfs()
    let failed = unsafe folder.withPlatformString { name in unsafe statvfs(name, &status) } != 0
    let (free, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    // Without an answer there is nothing to go by: writing fails where there is no room.
    guard !failed, !overflow, bytes > free / 2 else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "its raster of \(bytes.megabytes) would take more than half of the \(free.megabytes)"
        + " that are free in \(folder)",
      advice: "set TMPDIR to a folder with more room, or use another source")
  }

  /// Where temporary files go, libvips' own too.
  static var folder: FilePath { UserFolder.environment("TMPDIR").map { FilePath($0) } ?? "/tmp" }
}

/// A private folder for files that must not outlive the work: removed with all it holds.
public final class ScratchFolder: Sendable {
  /// The folder's path, in `TMPDIR` or the system's folder for temporary files.
  public let path: FilePath

  /// Makes a new folder that only this user can read.
  /// - Throws: `PipelineError` when the folder cannot be made.
  public convenience init() throws(PipelineError) {
    let parent = TemporaryDisk.folder
    try self.init(
      template: parent.appending("zoombench.XXXXXX"), in: parent,
      advice: "set TMPDIR to a folder that can be written")
  }

  /// Makes a hidden folder beside a path, that `publish(as:)` can make the path's own.
  package convenience init(beside path: FilePath) throws(PipelineError) {
    let parent = path.removingLastComponent()
    try self.init(
      template: parent.appending(".\(path.lastComponent?.string ?? "folder").XXXXXX"), in: parent,
      advice: "choose a place that can be written and has room")
  }

  private init(
    template: FilePath, in parent: FilePath, advice: String
  ) throws(PipelineError) {
    var template = Array(template.string.utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let name = unsafe mkdtemp(base) else {
        return String?.none
      }
      return unsafe String(cString: name)
    }
    guard let made else {
      throw PipelineError(
        .unwritable, operation: "make a scratch folder", file: parent,
        reason: "\(Errno(rawValue: errno))", advice: advice)
    }
    let path = FilePath(made)
    self.path = path
    Self.living.withLock { _ = $0.insert(path) }
  }

  /// Gives the folder its final name and to everybody to read: a reader sees all of it or nothing.
  ///
  /// The name is on the same file system, and not taken but by an empty folder; when this throws, the
  /// folder stays a scratch folder.
  package func publish(as name: FilePath) throws(PipelineError) {
    let renamed = unsafe path.withPlatformString { from in
      unsafe name.withPlatformString { to in
        unsafe chmod(from, 0o755) == 0 && rename(from, to) == 0
      }
    }
    guard renamed else {
      throw PipelineError(
        .unwritable, operation: "write", file: name, reason: "\(Errno(rawValue: errno))",
        advice: "name a folder that is not there yet, or is empty")
    }
    let path = path
    Self.living.withLock { _ = $0.remove(path) }
  }

  /// Folders that are not removed yet.
  private static let living = Mutex<Set<FilePath>>([])

  /// Removes every scratch folder of the process, for when a signal ends it.
  public static func removeAll() {
    for path in living.withLock({ $0 }) { removeTree(path) }
  }

  /// Makes a folder and has the whole process put its temporary files there, libvips' own too.
  ///
  /// libvips looks once for where temporary files go, so this comes before anything else of it. Whoever
  /// calls removes the folder.
  package static func forAllTemporaryFiles() throws(PipelineError) -> ScratchFolder {
    let folder = try ScratchFolder()
    unsafe setenv("TMPDIR", folder.path.string, 1)
    return folder
  }

  deinit { remove() }

  /// Removes the folder and all that is in it; safe to call more than once.
  public func remove() {
    Self.removeTree(path)
    let path = path
    Self.living.withLock { _ = $0.remove(path) }
  }

  private static func removeTree(_ path: FilePath) {
    guard let folder = unsafe path.withPlatformString({ name in unsafe opendir(name) }) else {
      return
    }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe String(cString: characters)
        }
      }
      if name == "." || name == ".." { continue }
      let child = path.appending(name)
      // A folder cannot be unlinked; a link to one can, and is not followed.
      let unlinked = unsafe child.withPlatformString { file in unsafe unlink(file) }
      if unlinked != 0 { removeTree(child) }
    }
    unsafe closedir(folder)
    _ = unsafe path.withPlatformString { name in unsafe rmdir(name) }
  }
}
