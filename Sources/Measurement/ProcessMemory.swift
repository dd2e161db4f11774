#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much physical memory this process holds, and has held at most, in bytes.
public struct ProcessMemory: Sendable, Hashable, Codable {
  /// The most that was resident at one time since the program started, or nil if unknown.
  ///
  /// On Linux it is `VmHWM`, which starts anew with the program. `ru_maxrss` of getrusage does
  /// not: it survives exec, so a small tool started by a large parent would report its parent's
  /// peak. Elsewhere `ru_maxrss` is what there is.
  public let peakResidentBytes: UInt64?

  /// What is resident now, or nil if unknown.
  ///
  /// Linux batches its counts per thread or core, so this may be some pages behind (proc(5)).
  public let residentBytes: UInt64?

  /// Asks the system; never fails, since what is unknown is nil.
  public static func current() -> ProcessMemory {
    #if canImport(Darwin)
      return ProcessMemory(peakResidentBytes: darwinPeak(), residentBytes: darwinResident())
    #else
      return ProcessMemory(status: SystemText.contents(ofFile: "/proc/self/status") ?? "")
    #endif
  }

  /// Reads the text of Linux' `/proc/self/status`.
  package init(status: String) {
    self.init(
      peakResidentBytes: SystemText.bytes(of: "VmHWM", in: status),
      residentBytes: SystemText.bytes(of: "VmRSS", in: status))
  }

  private init(peakResidentBytes: UInt64?, residentBytes: UInt64?) {
    self.peakResidentBytes = peakResidentBytes
    self.residentBytes = residentBytes
  }

  #if canImport(Darwin)
    /// Darwin counts `ru_maxrss` in bytes, Linux and the BSDs in kibibytes.
    private static func darwinPeak() -> UInt64? {
      var usage = rusage()
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
      return UInt64(exactly: usage.ru_maxrss)
    }

    private static func darwinResident() -> UInt64? {
      var info = proc_taskinfo()
      let size = Int32(MemoryLayout<proc_taskinfo>.size)
      guard proc_pidinfo(getpid(), PROC_PIDTASKINFO, 0, &info, size) == size else { return nil }
      return info.pti_resident_size
    }
  #endif
}
