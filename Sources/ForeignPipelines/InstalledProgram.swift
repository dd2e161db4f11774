#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A check whether a program can be run, by the rules of `execvp`.
enum InstalledProgram {
  /// Returns why a program cannot be run and what to do; nil if it can be run.
  ///
  /// A name without a slash is looked up in PATH.
  static func refusal(of name: String) -> (reason: String, advice: String)? {
    let variable = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    let folders = variable.split(separator: ":", omittingEmptySubsequences: false)
    let paths =
      name.contains("/") ? [name] : folders.map { ($0.isEmpty ? "." : $0) + "/" + name }
    let files = paths.filter { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
    guard !files.contains(where: { access($0, X_OK) == 0 }) else { return nil }
    return files.first.map { ("\($0) is not executable", "chmod +x it") }
      ?? ("there is no program \(name)", "install it, or correct its name")
  }
}
