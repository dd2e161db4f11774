internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// System calls that SystemPackage lacks.
enum FileSystem {
  static func remove(_ path: FilePath) throws(Errno) {
    let status = path.withPlatformString { unlink($0) }
    guard status == 0 else { throw Errno(rawValue: errno) }
  }

  /// Runs a function when the process exits normally.
  static func atExit(_ body: @escaping @convention(c) () -> Void) { atexit(body) }
}
