internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The turn of a large read of a local JPEG; only a few such reads run at once.
///
/// A large read holds the coded data of its region while two threads decode it. With more of them than half of the cores,
/// none would be faster, and all take memory: without turns, 64 readers of a gigapixel took two gigabytes. A small read
/// takes little memory and never waits.
struct ReadTurn {
  /// The most pixels of a small read; the coded data of a JPEG of as many takes about 1 MB.
  static let mostPixelsOfSmall = 1 << 22
  /// The most large reads at once: two on a small machine, so that no core waits for the last thread of one.
  static let most = max(2, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))) / 2)
  private static let turns = DispatchSemaphore(value: most)

  private let isLarge: Bool

  /// Waits for the turn of a read of so many pixels.
  ///
  /// Until `end`, the thread must not wait for other large reads.
  static func begin(pixels: Int) -> ReadTurn {
    let isLarge = pixels > mostPixelsOfSmall
    if isLarge { turns.wait() }
    return ReadTurn(isLarge: isLarge)
  }

  func end() {
    if isLarge { Self.turns.signal() }
  }
}
