internal import Synchronization
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory that pictures may take: the most that any one of them is decoded into, and the most that
/// rasters which are kept take together.
public final class MemoryBudget: Sendable {
  /// The limit in bytes.
  public let limit: Int
  private let reserved = Mutex(0)

  /// Sets a limit.
  /// - Parameter limit: bytes, at least 0.
  public init(limit: Int = MemoryBudget.standardLimit) {
    precondition(limit >= 0, "a byte budget cannot be negative")
    self.limit = limit
  }

  /// The budget where none is named: half of the memory that the process may use.
  ///
  /// That is the machine's, or on Linux what the process's control group leaves of it.
  public static let standardLimit: Int = {
    let pages = Int(sysconf(CInt(_SC_PHYS_PAGES)))
    let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
    let (machine, overflow) = pages.multipliedReportingOverflow(by: pageSize)
    // 1 GB where the system does not say.
    let known = pages > 0 && pageSize > 0 && !overflow ? machine : 2 << 30
    return min(known, groupLimit ?? known) / 2
  }()

  /// The limit of the control group that the process is in; nil without one.
  private static var groupLimit: Int? {
    let root = FilePath("/sys/fs/cgroup")
    var files = [root.appending("memory.max"), root.appending("memory/memory.limit_in_bytes")]
    // The second version names the process's one group as "0::/path".
    for line in text(of: "/proc/self/cgroup").split(separator: "\n") where line.hasPrefix("0::/") {
      files.append(root.appending(String(line.dropFirst(4))).appending("memory.max"))
    }
    return files.compactMap { Int(text(of: $0).prefix { $0.isNumber }) }.min()
  }

  /// The start of a small file; nothing where it cannot be read.
  private static func text(of path: FilePath) -> String {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return ""
    }
    // Reading only: closing has nothing left to report.
    defer { try? file.close() }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = (try? unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Bytes that are reserved now.
  public var inUse: Int { reserved.withLock { $0 } }

  /// Refuses what is larger than the whole budget.
  ///
  /// Asked before memory is taken for one answer only; what is kept is reserved.
  /// - Parameters:
  ///   - bytes: how much is wanted.
  ///   - thing: what takes it, as in "decoding it".
  ///   - operation: what errors name.
  ///   - path: the picture.
  /// - Throws: `overBudget`.
  func assertHolds(
    _ bytes: Int, for thing: String, operation: String, _ path: FilePath
  ) throws(PipelineError) {
    guard bytes > limit else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "\(thing) takes \(bytes.megabytes), more than the budget of \(limit.megabytes)",
      advice: "raise the budget (--memory)")
  }

  /// Takes bytes for as long as the reservation lives.
  func reserve(
    _ bytes: Int, operation: String, _ path: FilePath
  ) throws(PipelineError) -> Reservation {
    let granted = reserved.withLock { used in
      guard bytes <= limit - used else { return false }
      used += bytes
      return true
    }
    guard granted else {
      throw PipelineError(
        .overBudget, operation: operation, file: path,
        reason: "its raster of \(bytes.megabytes) exceeds the budget:"
          + " \(inUse.megabytes) of \(limit.megabytes) in use",
        advice: "raise the budget (--memory) or use another source")
    }
    return Reservation(budget: self, bytes: bytes)
  }

  /// A share of the budget, given back when it goes.
  final class Reservation: Sendable {
    private let budget: MemoryBudget
    private let bytes: Int

    fileprivate init(budget: MemoryBudget, bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.reserved.withLock { $0 -= bytes } }
  }
}

/// The disk that a picture's raster may take in the folder for temporary files.
enum TemporaryDisk {
  /// Refuses what would take more than half of what is free.
  ///
  /// The other half is for everybody else, and for what is being written at the same time.
  /// - Throws: `overBudget`.
  static func assertHolds(
    _ bytes: Int, in folder: FilePath, operation: String, _ path: FilePath
  ) throws(PipelineError) {
    var status = statvfs()
    let failed = unsafe folder.withPlatformString { name in unsafe statvfs(name, &status) } != 0
    let (free, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    // Without an answer there is nothing to go by: writing fails where there is no room.
    guard !failed, !overflow, bytes > free / 2 else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "its raster of \(bytes.megabytes) would take more than half of the \(free.megabytes)"
        + " that are free in \(folder)",
      advice: "set TMPDIR to a folder with more room, or use another source")
  }

  /// Where libvips puts its temporary files.
  static var folder: FilePath {
    unsafe FilePath(getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")
  }
}

extension Int {
  /// A number of bytes as people read it, rounded up so that nothing shows as none.
  var megabytes: String { "\(self / 1_000_000 + (isMultiple(of: 1_000_000) ? 0 : 1)) MB" }
}
