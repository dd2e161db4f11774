import Foundation
import Measurement
import Testing

@Suite struct MachineDescriptionTests {
  @Test func `unknown facts are omitted from JSON`() throws {
    let json = try JSONEncoder().encode(MachineDescription())
    #expect(String(decoding: json, as: UTF8.self) == "{}")
    let decoded = try JSONDecoder().decode(MachineDescription.self, from: json)
    #expect(decoded == MachineDescription())
  }

  @Test func `this machine is described in plausible terms`() throws {
    let machine = MachineDescription.current()
    #expect(try #require(machine.logicalCores) >= 1)
    #expect(try #require(machine.memoryBytes) >= 1 << 20)
    let loads = try #require(machine.loadAverages)
    #expect(loads.count == 3 && loads.allSatisfy { $0 >= 0 })
    let words = try #require(machine.kernel).split(separator: " ")
    #expect(words.count == 2)
    #if os(Linux)
      #expect(words.first == "Linux")
    #endif
    // Without emulation, the test was compiled for the machine it runs on.
    #if arch(x86_64)
      #expect(machine.architecture == "x86_64")
    #elseif arch(arm64)
      #expect(["aarch64", "arm64"].contains(machine.architecture))
    #endif
    for text in [machine.cpuModel, machine.operatingSystem].compactMap({ $0 }) {
      #expect(!text.isEmpty && !text.contains(where: { $0.isNewline || $0 == "\0" }))
    }
  }

  @Test func `the build configuration is that of SwiftPM`() throws {
    // SwiftPM builds a package and its tests in one configuration, and sets DEBUG for debug builds.
    #if DEBUG
      #expect(MachineDescription.current().buildConfiguration == .debug)
    #else
      #expect(MachineDescription.current().buildConfiguration == .release)
    #endif
    let version = try #require(MachineDescription.current().swiftVersion)
    #expect(version.first?.isNumber == true)
  }
}

@Suite struct LinuxReportsTests {
  /// Shortened texts of several machines' kernels.
  private static let virtualX86 = """
    processor\t: 0
    cpu family\t: 25
    model\t\t: 1
    model name\t: AMD EPYC 7763 64-Core Processor
    flags\t\t: fpu vme de pse rdrand hypervisor lahf_lm

    processor\t: 1
    model name\t: Another Processor
    flags\t\t: fpu
    """
  private static let plainX86 = """
    model name\t: Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz
    flags\t\t: fpu vme de pse hypervisors
    """
  private static let arm64 = """
    Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32
    CPU implementer\t: 0x41
    CPU part\t: 0xd0c
    """
  private static let raspberryPi = """
    model name\t: ARMv7 Processor rev 3 (v7l)
    CPU implementer\t: 0x41
    CPU part\t: 0xd08

    Hardware\t: BCM2711
    """
  private static let power = "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported"

  @Test(
    arguments: [
      (virtualX86, "AMD EPYC 7763 64-Core Processor", true),
      (plainX86, "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz", false),
      (arm64, "ARM implementer 0x41 part 0xd0c", nil),
      (raspberryPi, "ARMv7 Processor rev 3 (v7l)", nil),
      (power, "POWER9 (architected), altivec supported", nil),
      ("", nil, nil),
      ("CPU implementer\t: 0x41\n", nil, nil),
    ] as [(String, String?, Bool?)])
  func `the processor and the hypervisor are what the text says, or unknown`(
    cpuInfo: String, model: String?, virtualised: Bool?
  ) {
    #expect(LinuxReports.cpuModel(cpuInfo: cpuInfo) == model)
    #expect(LinuxReports.isVirtualised(cpuInfo: cpuInfo) == virtualised)
  }

  @Test(
    arguments: [
      (
        "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nID=debian",
        "Debian GNU/Linux 12 (bookworm)"
      ),
      ("NAME=Alpine\nID=alpine", "Alpine"),
      ("PRETTY_NAME=''\nNAME='Void \"Linux\"'", "Void \"Linux\""),
      (#"PRETTY_NAME="a \"b\" \\ \$5""#, #"a "b" \ $5"#),
      (#"PRETTY_NAME='a\b'"#, #"a\b"#),
      ("PRETTY_NAME=\"", nil),
      ("PRETTY_NAME=\"open", "open"),
      ("#PRETTY_NAME=x", nil),
      ("ID=debian", nil),
      ("", nil),
    ] as [(String, String?)])
  func `the system's name is unquoted as a shell would`(osRelease: String, name: String?) {
    #expect(LinuxReports.operatingSystem(osRelease: osRelease) == name)
  }
}
