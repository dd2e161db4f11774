#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine and the build that samples came from, to be stored beside them.
///
/// Numbers of two machines are not comparable. Describing a machine never fails: what the system
/// does not tell is nil, and left out when encoded.
public struct MachineDescription: Sendable, Hashable, Codable {
  /// Whether the code that measures was optimised.
  public enum BuildConfiguration: String, Sendable, Hashable, Codable {
    /// Not optimised: times say nothing about the program that users run.
    case debug
    /// Optimised.
    case release
  }

  /// The processor's name, or on ARM its numbers.
  public var cpuModel: String?

  /// How many logical cores are online; the process may be allowed fewer.
  public var logicalCores: Int?

  /// The physical memory in bytes; the process may be allowed less.
  public var memoryBytes: UInt64?

  /// The kernel's name and release, such as "Linux 6.1.0".
  public var kernel: String?

  /// The operating system's name and version, for people.
  public var operatingSystem: String?

  /// The machine's instruction set as the kernel names it, such as "x86_64".
  public var architecture: String?

  /// The system's load over 1, 5 and 15 minutes when it was asked.
  public var loadAverages: [Double]?

  /// Whether the processor says that it is a virtual machine's.
  public var isVirtualised: Bool?

  /// How the Measurement module was built, and with it, under SwiftPM, the whole program.
  public var buildConfiguration: BuildConfiguration?

  /// The version of the Swift compiler that built the Measurement module.
  public var swiftVersion: String?

  /// Describes an unknown machine.
  public init() {}

  /// Describes the machine this runs on, at this moment.
  public static func current() -> MachineDescription {
    var machine = MachineFacts.gathered()
    machine.buildConfiguration = builtConfiguration
    machine.swiftVersion = builtSwiftVersion
    return machine
  }

  /// Asks whether assertions are compiled in, which the compiler decides by `-O` and nothing else.
  ///
  /// The `DEBUG` condition would be SwiftPM's word for it, but it stays set under
  /// `swift build -Xswiftc -O`.
  private static var builtConfiguration: BuildConfiguration {
    var configuration = BuildConfiguration.release
    assert(
      {
        configuration = .debug
        return true
      }())
    return configuration
  }

  /// Swift does not tell its version to programs, so it is asked from the newest known downwards.
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
}

/// Where the facts of a `MachineDescription` come from on each system.
enum MachineFacts {
  /// Gathers all that the running system tells.
  static func gathered() -> MachineDescription {
    var machine = MachineDescription()
    if let names = systemNames() {
      machine.kernel = "\(names.system) \(names.release)"
      machine.architecture = names.machine
    }
    machine.logicalCores = logicalCores()
    machine.loadAverages = loadAverages()
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
      // os-release(5) names both places, in this order.
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

  private static func systemNames() -> (system: String, release: String, machine: String)? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    return (
      string(ofCharacters: names.sysname), string(ofCharacters: names.release),
      string(ofCharacters: names.machine)
    )
  }

  private static func logicalCores() -> Int? {
    let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return count > 0 ? Int(count) : nil
  }

  private static func loadAverages() -> [Double]? {
    var loads = [0.0, 0.0, 0.0]
    return getloadavg(&loads, 3) == 3 ? loads : nil
  }

  /// Reads a C array of characters, which Swift sees as a tuple, up to its terminating zero.
  private static func string<Characters>(ofCharacters characters: Characters) -> String {
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

/// What the texts `/proc/cpuinfo` and `/etc/os-release` of Linux say, as far as they say it.
///
/// The texts are arguments, so each function can be shown the texts of other machines.
package enum LinuxReports {
  /// Returns the name of the first processor.
  ///
  /// x86 has `model name`. ARM mostly has numbers only, which are given as they are; util-linux
  /// has the list of what they mean (`sys-utils/lscpu-arm.c`).
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

  /// Returns whether the processor says that it runs under a hypervisor.
  ///
  /// - Returns: Nil where there are no x86 `flags`: other processors do not tell.
  package static func isVirtualised(cpuInfo: String) -> Bool? {
    SystemText.value(of: "flags", in: cpuInfo)?.split(separator: " ").contains("hypervisor")
  }

  /// Returns the name and version for people, `PRETTY_NAME`, or else `NAME`.
  ///
  /// Values are quoted like a shell's (os-release(5)): in double quotes a backslash takes the
  /// meaning from the character after it.
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
