import Foundation
import Measurement
import Testing

@Suite struct MachineDescriptionTests {

  @Test func `what is unknown is left out of JSON`() throws {
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

  @Test func `the build is told as SwiftPM made it`() throws {
    // SwiftPM builds a package and its tests in one configuration, and sets DEBUG for debug builds.
    #if DEBUG
      #expect(MachineDescription.current().buildConfiguration == .debug)
    #else
      #expect(MachineDescription.current().buildConfiguration == .release)
    #endif
    let version = try #require(MachineDescription.current().swiftVersion)
    #expect(version.prefix(1).allSatisfy(\.isNumber))
  }
}

@Suite struct LinuxReportsTests {
  /// Shortened texts of several machines' kernels.
  enum Sample {
    static let virtualX86 = """
      processor\t: 0
      vendor_id\t: AuthenticAMD
      cpu family\t: 25
      model\t\t: 1
      model name\t: AMD EPYC 7763 64-Core Processor
      cpu MHz\t\t: 2445.430
      flags\t\t: fpu vme de pse rdrand hypervisor lahf_lm
      bugs\t\t: sysret_ss_attrs

      processor\t: 1
      model name\t: Another Processor
      flags\t\t: fpu
      """
    static let plainX86 = """
      processor\t: 0
      model name\t: Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz
      flags\t\t: fpu vme de pse hypervisors
      """
    static let arm64 = """
      processor\t: 0
      BogoMIPS\t: 243.75
      Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32
      CPU implementer\t: 0x41
      CPU architecture: 8
      CPU variant\t: 0x3
      CPU part\t: 0xd0c
      CPU revision\t: 1
      """
    static let raspberryPi = """
      processor\t: 0
      model name\t: ARMv7 Processor rev 3 (v7l)
      CPU implementer\t: 0x41
      CPU part\t: 0xd08

      Hardware\t: BCM2711
      Model\t\t: Raspberry Pi 4 Model B Rev 1.2
      """
    static let power = """
      processor\t: 0
      cpu\t\t: POWER9 (architected), altivec supported
      """
    static let debian = """
      PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
      NAME="Debian GNU/Linux"
      ID=debian
      """
  }

  @Test(
    arguments: [
      (Sample.virtualX86, "AMD EPYC 7763 64-Core Processor", true),
      (Sample.plainX86, "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz", false),
      (Sample.arm64, "ARM implementer 0x41 part 0xd0c", nil),
      (Sample.raspberryPi, "ARMv7 Processor rev 3 (v7l)", nil),
      (Sample.power, "POWER9 (architected), altivec supported", nil),
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
      (Sample.debian, "Debian GNU/Linux 12 (bookworm)"),
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
