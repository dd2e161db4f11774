#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine and the build that produced samples, to be stored with them.
///
/// Samples of two machines are not comparable. Describing a machine never fails: facts that the system
/// does not report are nil, and omitted when encoded.
public struct MachineDescription: Sendable, Hashable, Codable {
  /// Whether the measuring code was optimised.
  public enum BuildConfiguration: String, Sendable, Hashable, Codable {
    /// Not optimised: its times do not represent the program that users run.
    case debug
    /// Optimised.
    case release
  }

  /// The processor's name, or its numbers on ARM.
  public var cpuModel: String?

  /// The number of logical cores online; the process may be allowed fewer.
  public var logicalCores: Int?

  /// The physical memory in bytes; the process may be allowed less.
  public var memoryBytes: UInt64?

  /// The kernel's name and release, such as "Linux 6.1.0".
  public var kernel: String?

  /// The operating system's name and version, for people.
  public var operatingSystem: String?

  /// The machine's instruction set as the kernel names it, such as "x86_64".
  public var architecture: String?

  /// The system's load over 1, 5 and 15 minutes at the time of the description.
  public var loadAverages: [Double]?

  /// Whether the processor reports a virtual machine.
  public var isVirtualised: Bool?

  /// The build configuration of the Measurement module and, under SwiftPM, of the whole program.
  public var buildConfiguration: BuildConfiguration?

  /// The version of the Swift compiler that built the Measurement module.
  public var swiftVersion: String?

  /// Describes an unknown machine.
  public init() {}

  /// Returns the description of this machine at this time.
  public static func current() -> MachineDescription {
    var machine = MachineDescription()
    machine.buildConfiguration = builtConfiguration
    machine.swiftVersion = builtSwiftVersion
    var names = utsname()
    if uname(&names) == 0 {
      machine.kernel = "\(text(of: names.sysname)) \(text(of: names.release))"
      machine.architecture = text(of: names.machine)
    }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    machine.logicalCores = cores > 0 ? Int(cores) : nil
    var loads = [0.0, 0.0, 0.0]
    machine.loadAverages = getloadavg(&loads, 3) == 3 ? loads : nil
    #if canImport(Darwin)
      machine.cpuModel = text(ofControl: "machdep.cpu.brand_string")
      machine.memoryBytes = number(ofControl: "hw.memsize", as: UInt64.self)
      machine.operatingSystem = text(ofControl: "kern.osproductversion").map { "macOS \($0)" }
      machine.isVirtualised = number(ofControl: "kern.hv_vmm_present", as: Int32.self).map {
        $0 != 0
      }
    #else
      let cpuInfo = SystemText.contents(ofFile: "/proc/cpuinfo") ?? ""
      let memInfo = SystemText.contents(ofFile: "/proc/meminfo") ?? ""
      // os-release(5) names both paths, in this order.
      let osRelease =
        SystemText.contents(ofFile: "/etc/os-release")
        ?? SystemText.contents(ofFile: "/usr/lib/os-release") ?? ""
      machine.cpuModel = LinuxReports.cpuModel(cpuInfo: cpuInfo)
      machine.memoryBytes = SystemText.bytes(of: "MemTotal", in: memInfo)
      machine.operatingSystem = LinuxReports.operatingSystem(osRelease: osRelease)
      machine.isVirtualised = LinuxReports.isVirtualised(cpuInfo: cpuInfo)
    #endif
    return machine
  }

  /// The configuration, found by whether assertions are compiled in, which depends only on `-O`.
  ///
  /// SwiftPM's `DEBUG` condition is unsuitable because it stays set under `swift build -Xswiftc -O`.
  private static var builtConfiguration: BuildConfiguration {
    var configuration = BuildConfiguration.release
    assert(
      {
        configuration = .debug
        return true
      }())
    return configuration
  }

  /// The compiler's version, found by testing versions from the newest known downwards.
  private static var builtSwiftVersion: String? {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3.3)
      "6.3.3 or later"
    #elseif compiler(>=6.3.2)
      "6.3.2"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      nil
    #endif
  }

  /// Reads a C array of characters, which Swift sees as a tuple, up to its terminating zero.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  #if canImport(Darwin)
    private static func text(ofControl name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func number<Number: FixedWidthInteger>(
      ofControl name: String, as type: Number.Type
    ) -> Number? {
      var value: Number = 0
      var size = MemoryLayout<Number>.size
      guard sysctlbyname(name, &value, &size, nil, 0) == 0, size == MemoryLayout<Number>.size
      else { return nil }
      return value
    }
  #endif
}

/// Parses the texts `/proc/cpuinfo` and `/etc/os-release` of Linux.
///
/// The texts are arguments, so that tests can pass those of other machines.
package enum LinuxReports {
  /// Returns the name of the first processor.
  ///
  /// x86 has `model name`. ARM mostly has only numbers, which are returned unchanged; util-linux
  /// lists their meanings (`sys-utils/lscpu-arm.c`).
  package static func cpuModel(cpuInfo: String) -> String? {
    // "cpu model" is MIPS, "cpu" POWER, "uarch" RISC-V, "Hardware" the board of 32-bit ARM.
    for key in ["model name", "cpu model", "cpu", "uarch", "Hardware"] {
      if let name = SystemText.value(of: key, in: cpuInfo) { return name }
    }
    guard let implementer = SystemText.value(of: "CPU implementer", in: cpuInfo),
      let part = SystemText.value(of: "CPU part", in: cpuInfo)
    else { return nil }
    return "ARM implementer \(implementer) part \(part)"
  }

  /// Returns whether the processor reports a hypervisor.
  ///
  /// - Returns: Nil without x86 `flags`: other processors do not report it.
  package static func isVirtualised(cpuInfo: String) -> Bool? {
    SystemText.value(of: "flags", in: cpuInfo)?.split(separator: " ").contains("hypervisor")
  }

  /// Returns the name and version for people, `PRETTY_NAME`, or else `NAME`.
  ///
  /// Values are quoted as in a shell (os-release(5)): in double quotes a backslash escapes the next
  /// character.
  package static func operatingSystem(osRelease: String) -> String? {
    for key in ["PRETTY_NAME", "NAME"] {
      if let value = SystemText.value(of: key, in: osRelease, separator: "=") {
        let name = unquoted(value)
        if !name.isEmpty { return name }
      }
    }
    return nil
  }

  private static func unquoted(_ value: String) -> String {
    guard let quote = value.first, quote == "\"" || quote == "'" else { return value }
    guard value.last == quote else { return String(value.dropFirst()) }
    let inner = String(value.dropFirst().dropLast())
    return quote == "'" ? inner : inner.replacing(/\\(.)/) { $0.output.1 }
  }
}
