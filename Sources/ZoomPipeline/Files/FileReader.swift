internal import Synchronization
public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A regular file kept open for reads at any offset; safe to use from several threads at once.
///
/// What is checked is the open file itself, so that nothing can be put in its place in between.
package final class FileReader: Sendable {
  package let path: FilePath
  /// The version of the file that was opened.
  package let version: FileVersion
  private let descriptor: FileDescriptor
  private let readCount = Atomic<Int>(0)

  package convenience init(_ path: FilePath) throws(PipelineError) {
    let descriptor: FileDescriptor
    do {
      // Opening a named pipe would wait for its writer, and a terminal could become ours.
      descriptor = try FileDescriptor.open(
        path, .readOnly,
        options: [.closeOnExec, .nonBlocking, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
    } catch {
      throw PipelineError(underlying: error, operation: "open", file: path)
    }
    try self.init(descriptor, named: path)
  }

  /// Takes over an open file; throws when it is not a regular one.
  init(_ descriptor: FileDescriptor, named path: FilePath) throws(PipelineError) {
    self.path = path
    self.descriptor = descriptor
    do throws(PipelineError) {
      version = try FileVersion(of: descriptor, named: path)
      guard version.length <= Self.longest else {
        throw PipelineError(
          .unsupported, operation: "open", file: path,
          reason: "it claims \(version.length) bytes, more than 32 TB")
      }
    } catch {
      try? descriptor.close()
      throw error
    }
  }

  deinit {
    // A read-only descriptor has nothing left to write, so nothing can be lost here.
    try? descriptor.close()
  }

  /// 2^48 bits, which is what a seek index can point to.
  ///
  /// Offsets below it can be calculated with.
  private static let longest = 1 << 45

  /// The file's length in bytes when it was opened; bytes after that are not read.
  package var length: Int { version.length }

  /// The number of bytes read so far, repeated reads included, reads of C code excluded.
  package var bytesRead: Int { readCount.load(ordering: .relaxed) }

  /// Lends the open file to C code, which must name the offset of each of its reads.
  func withDescriptor<Result>(_ body: (CInt) -> Result) -> Result {
    defer { extendLifetime(self) }
    return body(descriptor.rawValue)
  }

  /// Throws when anything was done to the file since it was opened, be it only a link to it.
  ///
  /// Asked after reading with places that were found earlier, which other bytes would make wrong
  /// pixels of: a write that leaves length and modification time as they were shows here alone.
  package func assertUntouched() throws(PipelineError) {
    guard try FileVersion(of: path) == version else {
      throw PipelineError(
        .changed, operation: "read", file: path, reason: "the file changed after it was opened",
        advice: "open it again")
    }
  }

  /// Throws if the file's content changed since it was opened, even if the file was deleted since.
  func assertUnwritten() throws(PipelineError) {
    let now = try FileVersion(of: descriptor, named: path)
    guard now.hasSameContent(as: version) else {
      throw PipelineError(
        .changed, operation: "read", file: path, reason: "the file changed after it was opened",
        advice: "open it again")
    }
  }

  package func read(
    at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(PipelineError) -> Int {
    precondition(offset >= 0)
    let count = min(target.count, max(0, length - offset))
    var filled = 0
    do {
      // One read in practice; a system call gives at most 2 GB.
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<count])
        let got = try unsafe descriptor.read(
          fromAbsoluteOffset: Int64(offset + filled), into: rest)
        // The file became shorter.
        if got == 0 { break }
        filled += got
      }
    } catch {
      throw PipelineError(underlying: error, operation: "read", file: path)
    }
    readCount.add(filled, ordering: .relaxed)
    return filled
  }

  /// Reads the whole file; one that is larger than what it holds can be is `overBudget`.
  func contents(atMost limit: Int) throws(PipelineError) -> [UInt8] {
    guard length <= limit else {
      throw PipelineError(
        .overBudget, operation: "read", file: path,
        reason: "it has \(length) bytes, which is more than the \(limit) it can need")
    }
    let bytes = try bytes(at: 0, count: length)
    guard bytes.count == length else {
      throw PipelineError(
        .damaged, operation: "read", file: path, reason: "it became shorter while it was read")
    }
    return bytes
  }
}

/// Which file this is, and which version of it: a file that is replaced, rewritten, appended to or
/// touched has another one.
public struct FileVersion: Sendable, Hashable {
  /// A moment as file systems write it down.
  public struct Moment: Sendable, Hashable {
    /// Seconds since 1970.
    public let seconds: Int
    /// The fraction of a second, 0..<10^9.
    public let nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }
  }

  let device: UInt64
  let inode: UInt64
  /// The file's length in bytes.
  public let length: Int
  /// The time when its content was last written; programs can set it to another time.
  public let modified: Moment
  /// When its content or its entry (permissions, links, times) last changed.
  ///
  /// The kernel sets it, and programs cannot set it back.
  public let changed: Moment

  /// The same file as any machine sees it that has the file system.
  var withoutDevice: FileVersion {
    FileVersion(device: 0, inode: inode, length: length, modified: modified, changed: changed)
  }

  init(device: UInt64, inode: UInt64, length: Int, modified: Moment, changed: Moment) {
    self.device = device
    self.inode = inode
    self.length = length
    self.modified = modified
    self.changed = changed
  }

  /// Asks the file system for a regular file's version.
  /// - Parameter path: the file.
  /// - Throws: `PipelineError` when there is no such file, or it is not a regular file.
  public init(of path: FilePath) throws(PipelineError) {
    var status = stat()
    let result = unsafe path.withPlatformString { name in unsafe stat(name, &status) }
    try self.init(result, status, path)
  }

  init(of descriptor: FileDescriptor, named path: FilePath) throws(PipelineError) {
    var status = stat()
    let result = unsafe fstat(descriptor.rawValue, &status)
    try self.init(result, status, path)
  }

  private init(_ result: CInt, _ status: stat, _ path: FilePath) throws(PipelineError) {
    guard result == 0 else {
      throw PipelineError(errno: Errno(rawValue: errno), operation: "open", file: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PipelineError(
        .unreadable, operation: "open", file: path, reason: "it is not a regular file",
        advice: "name a picture file")
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    length = Int(status.st_size)
    modified = Moment(modificationOf: status)
    #if canImport(Darwin)
      changed = Moment(status.st_ctimespec)
    #else
      changed = Moment(status.st_ctim)
    #endif
  }

  /// Whether both are the same file with the same content, as far as its times show.
  ///
  /// Ignores `changed`, which a new link or new permissions alter: an open picture stays valid then.
  /// A write that is hidden by setting the modification time back is not seen; `==` sees it.
  public func hasSameContent(as other: FileVersion) -> Bool {
    (device, inode, length) == (other.device, other.inode, other.length)
      && modified == other.modified
  }
}

extension FileVersion.Moment {
  init(_ time: timespec) { self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)) }

  init(modificationOf status: stat) {
    #if canImport(Darwin)
      self.init(status.st_mtimespec)
    #else
      self.init(status.st_mtim)
    #endif
  }

  /// The wall clock.
  static func now() -> FileVersion.Moment {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileVersion.Moment(time)
  }
}

extension FileVersion {
  /// The longest step of the clock that stamps this file, in milliseconds.
  ///
  /// Changes within one step have the same stamp; git calls such entries of its index "racily clean".
  /// Linux' clock for stamps moves every 1 to 10 ms, and a stamp that is no multiple of 10 ms shows
  /// that the file system keeps what the clock gives. Coarser ones keep steps of 10 ms (exFAT),
  /// 1 s (HFS+, ext3) or 2 s (FAT).
  var clockStep: Int { changed.nanoseconds % 10_000_000 == 0 ? 2000 : 20 }

  /// Whether a later change must show in `changed`, by a clock that differs from the file system's
  /// by less than 2 s.
  func isSettled(at now: Moment) -> Bool {
    let (age, overflow) = now.seconds.subtractingReportingOverflow(changed.seconds)
    // Whole seconds: the clocks may differ by two, the step has two at most, and one is for fractions.
    return overflow ? now.seconds > changed.seconds : age >= 5
  }

  /// Waits until later changes of a file must show in its version; throws `changed` when it keeps changing.
  ///
  /// The version is to be taken before the first byte is read that it is to vouch for.
  /// A file that was changed just now is looked at again a step of its clock later. If its stamp is the
  /// same, then that step is over and every change from then on has a later stamp, whatever the
  /// difference of the clocks is: a stamp in the future, from a server whose clock is ahead, is as good
  /// as another. What is left is a clock that is set back: a change in the very step (10 ms) in which
  /// it passes the old stamp again is not seen.
  static func settled(
    of path: FilePath, clock: () -> Moment = Moment.now
  ) throws(PipelineError) -> FileVersion {
    var version = try FileVersion(of: path)
    for _ in 0..<3 {
      if version.isSettled(at: clock()) { return version }
      usleep(UInt32(version.clockStep) * 1000)
      let later = try FileVersion(of: path)
      if later == version { return version }
      version = later
    }
    throw PipelineError(
      .changed, operation: "read", file: path, reason: "the file is being written",
      advice: "try again when it is complete")
  }
}
