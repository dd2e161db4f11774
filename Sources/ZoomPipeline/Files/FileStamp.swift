internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A moment as file systems write it down: seconds since 1970 and nanoseconds, 0..<10^9.
struct FileTime: Sendable, Hashable {
  let seconds: Int
  let nanoseconds: Int

  init(seconds: Int, nanoseconds: Int) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) { self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)) }

  /// The wall clock.
  static func now() -> FileTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(time)
  }

  /// Whether this is at least so many seconds before another moment.
  func isBefore(_ other: FileTime, bySeconds margin: Int) -> Bool {
    let (limit, overflow) = seconds.addingReportingOverflow(margin)
    return !overflow && (limit, nanoseconds) <= (other.seconds, other.nanoseconds)
  }
}

/// A file's identity together with when its entry last changed.
///
/// The kernel sets the change time at every write and nobody can set it back, as everybody can the
/// modification time; so an equal stamp is stronger than an equal identity. But a new link or new
/// permissions change it as well, which is why it is no part of `FileIdentity`: an open picture stays
/// the one that was opened when somebody links to it, but for sources that hold places in its data.
struct FileStamp: Sendable, Hashable {
  let identity: FileIdentity
  let changed: FileTime

  init(identity: FileIdentity, changed: FileTime) {
    self.identity = identity
    self.changed = changed
  }

  /// Asks the file system.
  /// - Throws: `PipelineError` as `FileIdentity` does.
  init(of path: FilePath) throws(PipelineError) {
    let status = try FileIdentity.status(of: path)
    identity = FileIdentity(status)
    #if canImport(Darwin)
      changed = FileTime(status.st_ctimespec)
    #else
      changed = FileTime(status.st_ctim)
    #endif
  }
}

/// A file's stamp and when it was taken, before the first byte was read that it is to vouch for.
struct FileSighting: Sendable, Hashable {
  let stamp: FileStamp
  let time: FileTime

  init(stamp: FileStamp, time: FileTime) {
    self.stamp = stamp
    self.time = time
  }

  /// Looks at a file now.
  /// - Throws: `PipelineError` as `FileIdentity` does.
  init(of path: FilePath) throws(PipelineError) {
    // The clock first: a later one could let a change in between pass for an old one.
    time = .now()
    stamp = try FileStamp(of: path)
  }

  /// Whether a later change must show in the stamp.
  ///
  /// The clock that stamps files moves in steps: of 1 to 10 ms on Linux, of 2 s at most in any file
  /// system in use (FAT). A change within the step of the last one leaves the stamp as it is; git
  /// calls such entries of its index "racily clean". It takes the clock of the file system's machine
  /// to be less than 2 s behind ours.
  var isSettled: Bool { stamp.changed.isBefore(time, bySeconds: 2) }
}
