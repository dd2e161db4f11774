internal import CVips
internal import Synchronization
package import SystemPackage

/// The limits for opening and reading a picture: memory and decoders.
public struct PictureLimits: Sendable {
  /// The loaders of libvips that may read files.
  public enum Loaders: String, Sendable, Hashable, Codable, CaseIterable {
    /// The loaders that libvips does not mark as untrusted: JPEG, PNG, TIFF, WebP, GIF and HEIF.
    case trusted
    /// All loaders. According to libvips, the others (PDF, SVG, ImageMagick, MAT, JPEG 2000, JPEG
    /// XL, slides ...) are not hardened against malicious files.
    case all
  }

  /// The limit for rasters.
  public let memory: MemoryBudget
  /// The formats that may be opened.
  public let loaders: Loaders
  /// Access to pictures on servers; nil if addresses are refused.
  package let remote: RemoteAccess?
  /// Whether a picture on a server is opened together with the index beside it.
  package var expectsIndexBeside = false

  /// Creates limits; the budget is shared by all pictures that are opened with them.
  public init(memory: MemoryBudget = MemoryBudget(), loaders: Loaders = .trusted) {
    self.init(memory: memory, loaders: loaders, remote: nil)
  }

  /// Creates limits for pictures that may be on servers.
  package init(memory: MemoryBudget, loaders: Loaders, remote: RemoteAccess?) {
    self.memory = memory
    self.loaders = loaders
    self.remote = remote
  }

  /// The default limits: half of the machine's memory, and trusted loaders.
  public static let standard = PictureLimits()
}

/// The memory for pictures: a limit for each picture, and for all kept rasters together.
public final class MemoryBudget: Sendable {
  /// The limit in bytes.
  public let limit: Int
  private let reserved = Mutex(0)

  /// Creates a budget of a number of bytes.
  public init(limit: Int = MemoryBudget.standardLimit) {
    precondition(limit >= 0, "a byte budget cannot be negative")
    self.limit = limit
  }

  /// The default budget: half of the memory that the process may use.
  ///
  /// That is the machine's memory or, on Linux, a smaller limit of the process's control group.
  public static let standardLimit: Int = {
    let pages = Int(sysconf(CInt(_SC_PHYS_PAGES)))
    let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
    let (machine, overflow) = pages.multipliedReportingOverflow(by: pageSize)
    // Assume 2 GB, so a budget of 1 GB, if the system does not report its memory.
    let known = pages > 0 && pageSize > 0 && !overflow ? machine : 2 << 30
    return min(known, groupLimit ?? known) / 2
  }()

  /// The memory limit of the process's control group; nil without one.
  private static var groupLimit: Int? {
    let root = FilePath("/sys/fs/cgroup")
    var files = [root.appending("memory.max"), root.appending("memory/memory.limit_in_bytes")]
    // Version 2 of control groups names the process's only group as "0::/path".
    for line in text(of: "/proc/self/cgroup").split(separator: "\n") where line.hasPrefix("0::/") {
      files.append(root.appending(String(line.dropFirst(4))).appending("memory.max"))
    }
    return files.compactMap { Int(text(of: $0).prefix { $0.isNumber }) }.min()
  }

  private static func text(of path: FilePath) -> String {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return ""
    }
    // The file was only read, so an error in closing it does not matter.
    defer { try? file.close() }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = (try? unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes that are reserved at present.
  public var inUse: Int { reserved.withLock { $0 } }

  /// Throws if what one answer or one command holds is larger than the whole budget.
  ///
  /// Memory that is kept from one answer to the next is reserved instead. The error names the thing, such as "decoding it".
  package func assertHolds(
    _ bytes: Int, for thing: String, operation: String, _ path: FilePath
  ) throws(PipelineError) {
    guard bytes > limit else { return }
    throw PipelineError(
      .overBudget, operation: operation, file: path,
      reason: "\(thing) takes \(bytes.megabytes), more than the budget of \(limit.megabytes)",
      advice: "raise the budget (--memory)")
  }

  /// Reserves bytes until the reservation is released; nil if fewer are free.
  package func reserve(_ bytes: Int) -> Reservation? {
    let isGranted = reserved.withLock { used in
      guard bytes <= limit - used else { return false }
      used += bytes
      return true
    }
    return isGranted ? Reservation(budget: self, bytes: bytes) : nil
  }

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

  /// A share of the budget, returned when the last reference to it is released.
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
