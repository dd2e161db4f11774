internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What SystemPackage does not have.
enum FileSystem {
  /// Removes a file.
  ///
  /// - Throws: `Errno`.
  static func remove(_ path: FilePath) throws(Errno) {
    let status = path.withPlatformString { unlink($0) }
    guard status == 0 else { throw Errno(rawValue: errno) }
  }

  /// Has something done when the process ends in order.
  static func atExit(_ body: @escaping @convention(c) () -> Void) { atexit(body) }
}
