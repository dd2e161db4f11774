#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Whether a program can be run, by the rules of `execvp`.
enum InstalledProgram {
  /// Looks a name up in PATH; a name with a slash is a path.
  static func exists(_ name: String) -> Bool {
    guard !name.contains("/") else { return isExecutable(name) }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    return folders.split(separator: ":", omittingEmptySubsequences: false).contains {
      isExecutable(($0.isEmpty ? "." : $0) + "/" + name)
    }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
