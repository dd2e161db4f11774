internal import CVips
internal import Synchronization
internal import SystemPackage

/// What opening and reading a picture may do: the memory it may take and the decoders it may reach.
public struct PictureLimits: Sendable {
  /// Which of libvips' loaders may read files.
  public enum Loaders: String, Sendable, Hashable, Codable, CaseIterable {
    /// Those that libvips does not mark as untrusted: of JPEG, PNG, TIFF, WebP, GIF and HEIF.
    case trusted
    /// All of them. libvips says of the others (PDF, SVG, ImageMagick, MAT, JPEG 2000, JPEG XL,
    /// slides ...) that they are not hardened against files made to do harm.
    case all
  }

  /// Bounds every raster.
  public let memory: MemoryBudget
  /// Bounds the formats.
  public let loaders: Loaders

  /// Sets limits.
  /// - Parameters:
  ///   - memory: shared by all pictures that are opened with these limits.
  ///   - loaders: which formats are let in.
  public init(memory: MemoryBudget = MemoryBudget(), loaders: Loaders = .trusted) {
    self.memory = memory
    self.loaders = loaders
  }

  /// Those of pictures that are opened without any: half of the machine's memory, trusted loaders.
  public static let standard = PictureLimits()
}

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
  /// Asked before memory is taken for one answer only; what is kept is reserved. The error says that
  /// the thing, as in "decoding it", takes too much.
  func assertHolds(
    _ bytes: Int, for thing: String, operation: String, _ path: FilePath
  ) throws(PipelineError) {
    guard bytes > limit else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "\(thing) takes \(bytes.megabytes), more than the budget of \(limit.megabytes)",
      advice: "raise the budget (--memory)")
  }

  /// Takes bytes for as long as the reservation lives; nil where fewer are free.
  package func reserve(_ bytes: Int) -> Reservation? {
    let isGranted = reserved.withLock { used in
      guard bytes <= limit - used else { return false }
      used += bytes
      return true
    }
    return isGranted ? Reservation(budget: self, bytes: bytes) : nil
  }

  /// Takes bytes for a raster of a picture for as long as the reservation lives.
  func reserve(
    _ bytes: Int, operation: String, _ path: FilePath
  ) throws(PipelineError) -> Reservation {
    guard let reservation = reserve(bytes) else {
      throw PipelineError(
        .overBudget, operation: operation, file: path,
        reason: "its raster takes \(bytes.megabytes), and of a budget of \(limit.megabytes)"
          + " \(inUse.megabytes) are in use",
        advice: "raise the budget (--memory) or use another source")
    }
    return reservation
  }

  /// A share of the budget, given back when it goes.
  package final class Reservation: Sendable {
    private let budget: MemoryBudget
    package let bytes: Int

    fileprivate init(budget: MemoryBudget, bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.reserved.withLock { $0 -= bytes } }
  }
}
