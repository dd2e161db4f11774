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

  /// Describes a machine of which nothing is known.
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
