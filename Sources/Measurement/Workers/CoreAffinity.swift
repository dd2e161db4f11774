#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which processor cores a process may run on.
///
/// A worker that is moved from core to core, or whose threads wake each other across cores, does the
/// same work in more CPU time now and less then. On two virtual cores, keeping both workers of a
/// launch on one core halved the spread of a pair (3.5 to 1.9 %) and of a launch (1.2 to 0.6 %).
/// They are never busy at the same time, so neither takes time from the other.
package enum CoreAffinity {
  /// The cores that this process may run on, in ascending order; empty where the system does not
  /// tell or cannot be told, as on Darwin.
  package static func allowed() -> [Int] {
    var set = CoreSet()
    guard let ask = function("sched_getaffinity", as: GetAffinity.self),
      set.bytes.withUnsafeMutableBytes({ ask(0, $0.count, $0.baseAddress) }) >= 0
    else { return [] }
    return (0..<CoreSet.size).filter { set[$0] }
  }

  /// Lets a process, and every thread it starts from now on, run on one core only.
  ///
  /// - Returns: Whether it was done; a process that has just ended, or a core that is not there,
  ///   is no reason to fail: the samples are merely noisier.
  @discardableResult
  package static func pin(process identifier: Int32, to core: Int) -> Bool {
    var set = CoreSet()
    guard (0..<CoreSet.size).contains(core),
      let tell = function("sched_setaffinity", as: SetAffinity.self)
    else { return false }
    set.insert(core)
    return set.bytes.withUnsafeBytes { tell(identifier, $0.count, $0.baseAddress) } == 0
  }

  private typealias GetAffinity =
    @convention(c) (Int32, Int, UnsafeMutableRawPointer?) -> Int32
  private typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer?) -> Int32

  /// A function of the C library that its headers show to programs of GNU only, and so not to Swift.
  ///
  /// Both have had these types since glibc 2.3.4; a size, and bits that count from the least of the
  /// first byte on the little-endian machines that Swift's Linux runs on (sched_setaffinity(2)).
  private static func function<Type>(_ name: String, as type: Type.Type) -> Type? {
    #if os(Linux)
      // Not closed again: what it finds is called as long as the process lives.
      guard let symbol = dlsym(dlopen(nil, RTLD_NOW), name) else { return nil }
      return unsafeBitCast(symbol, to: type)
    #else
      return nil
    #endif
  }
}

/// A set of cores as the system takes it: as many bits as the C library's own has.
private struct CoreSet {
  static let size = 1024
  var bytes = [UInt8](repeating: 0, count: size / 8)

  subscript(core: Int) -> Bool { bytes[core / 8] & 1 << UInt8(core % 8) != 0 }

  mutating func insert(_ core: Int) { bytes[core / 8] |= 1 << UInt8(core % 8) }
}
