internal import Synchronization
public import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A regular file kept open for reads at any offset, or a file on a server; safe to use from several
/// threads at once.
///
/// Checks apply to the open file, so that it cannot be replaced after them.
package final class FileReader: Sendable {
  package let path: FilePath
  package let version: FileVersion
  /// Not open if the file is on a server.
  private let descriptor: FileDescriptor
  /// The file on a server; nil for a local one.
  let remote: RemoteFile?
  private let readCount = Atomic<Int>(0)

  package convenience init(_ path: FilePath) throws(PipelineError) {
    let descriptor: FileDescriptor
    do {
      // Opening a named pipe waits for its writer, and a terminal could become the controlling one.
      descriptor = try FileDescriptor.open(
        path, .readOnly,
        options: [.closeOnExec, .nonBlocking, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
    } catch {
      throw PipelineError(errno: error as? Errno ?? .ioError, operation: "open", file: path)
    }
    try self.init(descriptor, named: path)
  }

  /// Takes over an open file; throws if it is not a regular file.
  init(_ descriptor: FileDescriptor, named path: FilePath) throws(PipelineError) {
    self.path = path
    self.descriptor = descriptor
    remote = nil
    do throws(PipelineError) {
      version = try FileVersion(of: descriptor, named: path)
      try Self.assertPossible(version, path)
    } catch {
      try? descriptor.close()
      throw error
    }
  }

  /// Reads a file on a server.
  init(_ remote: RemoteFile, named path: FilePath) throws(PipelineError) {
    self.path = path
    self.remote = remote
    descriptor = Self.none
    version = remote.version.fileVersion
    try Self.assertPossible(version, path)
  }

  /// Opens a file by its path or, if the limits allow servers, by the name of its address.
  package static func open(
    _ path: FilePath, _ limits: PictureLimits
  ) throws(PipelineError) -> FileReader {
    guard RemoteAddress.isName(path) else { return try FileReader(path) }
    guard let access = limits.remote else {
      throw PipelineError(
        .unreadable, operation: "open", file: path, reason: "addresses are not opened here",
        advice: "download it")
    }
    return try FileReader(
      access.open(path, expectsIndex: limits.expectsIndexBeside, within: limits.memory),
      named: path)
  }

  deinit {
    // The descriptor is read-only, so an error in closing it does not matter.
    if remote == nil { try? descriptor.close() }
  }

  private static let none = FileDescriptor(rawValue: -1)

  private static func assertPossible(
    _ version: FileVersion, _ path: FilePath
  ) throws(PipelineError) {
    guard version.length <= longest else {
      throw PipelineError(
        .unsupported, operation: "open", file: path,
        reason: "it claims \(version.length) bytes, more than 32 TB")
    }
  }

  package var isRemote: Bool { remote != nil }

  /// The requests so far for the file and its index; nil for a local file.
  package var fetched: Work.Fetched? { remote?.session.fetched }

  /// Returns the requests since an earlier count.
  func fetched(since before: Work.Fetched?) -> Work.Fetched? {
    fetched.map { $0 - (before ?? Work.Fetched()) }
  }

  /// Begins an opening or a read, whose requests to a server have one limit: more than `bytes`,
  /// the most that the picture is known to need.
  func begin(needing bytes: Int = 0) { remote?.begin(needing: bytes) }

  package func expect(_ ranges: [Range<Int>]) throws(PipelineError) {
    try remote?.expect(ranges)
  }

  /// 2^48 bits, the largest offset in a seek index; smaller offsets can be added without overflow.
  private static let longest = 1 << 45

  /// The file's length in bytes when it was opened; bytes after that are not read.
  package var length: Int { version.length }

  /// The number of bytes read so far, repeated reads included, reads of C code excluded.
  package var bytesRead: Int { readCount.load(ordering: .relaxed) }

  /// Passes the open file to C code, which must read at explicit offsets; -1 for a remote file.
  func withDescriptor<Result>(_ body: (CInt) -> Result) -> Result {
    defer { extendLifetime(self) }
    return body(descriptor.rawValue)
  }

  /// Throws if the file or its entry changed since it was opened, even if only a link was added.
  ///
  /// Called after reading at offsets that were found earlier: in a changed file they would yield
  /// wrong pixels. Only this check finds a write that keeps the length and the modification time.
  ///
  /// For a remote file, it also throws if reads by C code failed since an earlier `failedReads`.
  package func assertUntouched(since failedReads: Int? = nil) throws(PipelineError) {
    if let remote { return try remote.assertUntouched(since: failedReads) }
    guard try FileVersion(of: path) == version else { throw changed }
  }

  /// The number of reads by C code from a server that failed so far; 0 for a local file.
  var failedReads: Int { remote?.failedReads ?? 0 }

  /// Throws if the file at the path has other content; ignores new links and permissions.
  func assertSameContent(since failedReads: Int? = nil) throws(PipelineError) {
    if let remote { return try remote.assertUntouched(since: failedReads) }
    guard try FileVersion(of: path).hasSameContent(as: version) else { throw changed }
  }

  /// The error for a file that is another version than the one that was opened.
  var changed: PipelineError {
    PipelineError(
      .changed, operation: "read", file: path, reason: "the file changed after it was opened",
      advice: "open it again")
  }

  package func read(
    at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(PipelineError) -> Int {
    precondition(offset >= 0)
    if let remote {
      let count = try unsafe remote.read(at: offset, into: target)
      readCount.add(count, ordering: .relaxed)
      return count
    }
    let count = min(target.count, max(0, length - offset))
    var filled = 0
    do {
      // Usually one read; a system call reads at most 2 GB.
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[filled..<count])
        let got = try unsafe descriptor.read(
          fromAbsoluteOffset: Int64(offset + filled), into: rest)
        // The file was truncated.
        if got == 0 { break }
        filled += got
      }
    } catch {
      throw PipelineError(errno: error as? Errno ?? .ioError, operation: "read", file: path)
    }
    readCount.add(filled, ordering: .relaxed)
    return filled
  }
}

/// The identity and version of a file: replacing, rewriting, extending or touching it changes them.
public struct FileVersion: Sendable, Hashable {
  /// A time as file systems store it.
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
  /// The time at which its content was last written; programs can set it to another time.
  public let modified: Moment
  /// The time at which its content or its entry (permissions, links, times) last changed.
  ///
  /// The kernel sets it; programs cannot set it back.
  public let changed: Moment

  /// The version as other machines see it that share the file system.
  var withoutDevice: FileVersion {
    FileVersion(device: 0, inode: inode, length: length, modified: modified, changed: changed)
  }
}

extension FileVersion {
  /// Reads a regular file's version from the file system.
  /// - Throws: `PipelineError` when there is no such file, or it is not a regular file.
  public init(of path: FilePath) throws(PipelineError) {
    try self.init(path) { () throws(Errno) in try Stat(path) }
  }

  init(of descriptor: FileDescriptor, named path: FilePath) throws(PipelineError) {
    try self.init(path) { () throws(Errno) in try Stat(descriptor) }
  }

  private init(_ path: FilePath, _ read: () throws(Errno) -> Stat) throws(PipelineError) {
    let status: Stat
    do throws(Errno) { status = try read() } catch {
      throw PipelineError(errno: error, operation: "open", file: path)
    }
    guard status.type == .regular else {
      throw PipelineError(
        .unreadable, operation: "open", file: path, reason: "it is not a regular file",
        advice: "name a picture file")
    }
    device = UInt64(truncatingIfNeeded: status.deviceID.rawValue)
    inode = UInt64(truncatingIfNeeded: status.inode.rawValue)
    length = Int(status.size)
    modified = Moment(status.st_mtim)
    changed = Moment(status.st_ctim)
  }

  /// Whether both are the same file with the same content, as far as its times show.
  ///
  /// Ignores `changed`, which a new link or new permissions alter: an open picture stays valid
  /// then. Does not detect a write that sets the modification time back; `==` does.
  public func hasSameContent(as other: FileVersion) -> Bool {
    (device, inode, length) == (other.device, other.inode, other.length)
      && modified == other.modified
  }
}

extension FileVersion.Moment {
  init(_ time: timespec) { self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)) }

  static func now() -> FileVersion.Moment {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileVersion.Moment(time)
  }
}

extension FileVersion {
  /// The longest step of the clock that stamps this file, in milliseconds.
  ///
  /// Changes within one step have the same stamp; git calls such entries of its index "racily
  /// clean". Linux' clock for stamps advances every 1 to 10 ms. A stamp that is not a multiple of
  /// 10 ms shows that the file system stores it at full resolution. Other file systems store steps
  /// of 10 ms (exFAT), 1 s (HFS+, ext3) or 2 s (FAT).
  var clockStep: Int { changed.nanoseconds % 10_000_000 == 0 ? 2000 : 20 }

  /// Whether a later change must show in `changed`, if the clocks differ by less than 2 s.
  func isSettled(at now: Moment) -> Bool {
    let (age, overflow) = now.seconds.subtractingReportingOverflow(changed.seconds)
    // In whole seconds: 2 for the clocks' difference, 2 for the longest step and 1 for fractions.
    return overflow ? now.seconds > changed.seconds : age >= 5
  }

  /// Waits until later changes of a file must show in its version; throws `changed` if they go on.
  ///
  /// Call this before reading the first byte that the version is to identify. A file that was just
  /// changed is checked again one step of its clock later. If its stamp is the same, the step is
  /// over and each later change has a later stamp, however the clocks differ, even if the stamp is
  /// in the future. One case remains: if the clock is set back, a change in the step (10 ms) in
  /// which it passes the old stamp again is not detected.
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
