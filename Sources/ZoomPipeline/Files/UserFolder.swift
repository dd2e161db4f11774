internal import SystemPackage

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

  /// Files that must be kept: `$XDG_DATA_HOME`, or `~/.local/share`.
  /// - Throws: `PipelineError` when the environment names no home.
  static func data(
    _ environment: (String) -> String? = environment
  ) throws(PipelineError) -> FilePath {
    try folder("XDG_DATA_HOME", ".local/share", environment)
  }

  /// Files that can be made again: `$XDG_CACHE_HOME`, or `~/.cache`.
  /// - Throws: `PipelineError` when the environment names no home.
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
  /// - Throws: `PipelineError` when one cannot be made.
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
