#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The processor cores on which a process may run.
///
/// The CPU time of a worker varies more if it moves between cores, or its threads wake each other across
/// cores. On two virtual cores, pinning both workers of a launch to one core halved the spread of a pair
/// (3.5 to 1.9 %) and of a launch (1.2 to 0.6 %). They are never busy at the same time, so they do not
/// compete.
package enum CoreAffinity {
  /// The number of cores in a set of the system: as many bits as the C library's type.
  private static let size = 1024

  /// Returns the cores on which this process may run, in ascending order; empty on systems without such a
  /// setting, such as Darwin.
  package static func allowed() -> [Int] {
    var set = [UInt8](repeating: 0, count: size / 8)
    guard let ask = CLibrary.function("sched_getaffinity", as: GetAffinity.self),
      set.withUnsafeMutableBytes({ ask(0, $0.count, $0.baseAddress) }) >= 0
    else { return [] }
    return (0..<size).filter { set[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
  }

  /// Pins a process, and every thread that it starts later, to one core.
  ///
  /// - Returns: Whether that succeeded. If the process has just ended, or the core does not exist,
  ///   callers continue with noisier samples.
  @discardableResult
  package static func pin(process identifier: Int32, to core: Int) -> Bool {
    guard (0..<size).contains(core),
      let tell = CLibrary.function("sched_setaffinity", as: SetAffinity.self)
    else { return false }
    var set = [UInt8](repeating: 0, count: size / 8)
    set[core / 8] = 1 << UInt8(core % 8)
    return set.withUnsafeBytes { tell(identifier, $0.count, $0.baseAddress) } == 0
  }

  private typealias GetAffinity =
    @convention(c) (Int32, Int, UnsafeMutableRawPointer?) -> Int32
  private typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer?) -> Int32
}

/// Functions that the headers of the C library declare only for GNU programs, and so not for Swift.
enum CLibrary {
  /// Returns a function, which the caller must give its type; nil if this library lacks it.
  ///
  /// The types used here have been the same since glibc 2.3.4 (sched_setaffinity(2): a size, and bits that
  /// count from the lowest of the first byte on the little-endian machines of Swift on Linux) and 2.29
  /// (posix_spawn_file_actions_addchdir_np).
  static func function<Type>(_ name: String, as type: Type.Type) -> Type? {
    #if os(Linux)
      // Never closed, because the function is used as long as the process lives.
      guard let symbol = dlsym(dlopen(nil, RTLD_NOW), name) else { return nil }
      return unsafeBitCast(symbol, to: type)
    #else
      return nil
    #endif
  }
}
