package import SystemPackage

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
  /// Throws if a raster would take more than half of the free space.
  ///
  /// The other half is for other programs and for files written at the same time.
  static func assertHolds(
    _ bytes: Int, operation: String, _ path: FilePath
  ) throws(PipelineError) {
    var status = statvfs()
    let failed = unsafe folder.withPlatformString { name in unsafe statvfs(name, &status) } != 0
    let (free, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    // If the free space is unknown, writing fails later if it is too small.
    guard !failed, !overflow, bytes > free / 2 else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "its raster of \(bytes.megabytes) would take more than half of the \(free.megabytes)"
        + " that are free in \(folder)",
      advice: "set TMPDIR to a folder with more room, or use another source")
  }

  /// The folder for temporary files, which libvips uses too.
  static var folder: FilePath { UserFolder.environment("TMPDIR").map { FilePath($0) } ?? "/tmp" }
}
