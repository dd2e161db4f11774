import Measurement
import Testing

@testable import MeasurementHistory

@Suite struct MachineFingerprintTests {
  private static let machine: MachineDescription = {
    var machine = MachineDescription()
    machine.cpuModel = "EPYC"
    machine.logicalCores = 2
    machine.memoryBytes = 8_200_000_000
    machine.kernel = "Linux 6.1.0-13-amd64"
    machine.operatingSystem = "Debian 12"
    machine.architecture = "x86_64"
    machine.loadAverages = [1]
    machine.isVirtualised = true
    machine.buildConfiguration = .release
    machine.swiftVersion = "6.3.1"
    return machine
  }()

  @Test func `facts that do not change ratios do not change the fingerprint`() {
    let changes: [(inout MachineDescription) -> Void] = [
      { $0.loadAverages = nil }, { $0.operatingSystem = "Debian 13" },
      { $0.memoryBytes = 8_330_000_000 }, { $0.kernel = "Linux 6.10.0" }, { $0.kernel = nil },
      { $0.swiftVersion = "6.4" }, { $0.swiftVersion = nil },
    ]
    for change in changes {
      var other = Self.machine
      change(&other)
      #expect(other != Self.machine)
      #expect(other.fingerprint == Self.machine.fingerprint)
    }
  }

  @Test func `facts that change ratios, and unknown ones, change the fingerprint`() {
    let changes: [(inout MachineDescription) -> Void] = [
      { $0.cpuModel = "Xeon" }, { $0.cpuModel = nil }, { $0.logicalCores = 4 },
      { $0.logicalCores = nil }, { $0.memoryBytes = 16_400_000_000 }, { $0.memoryBytes = nil },
      { $0.architecture = "aarch64" }, { $0.architecture = nil }, { $0.isVirtualised = false },
      { $0.isVirtualised = nil }, { $0.buildConfiguration = .debug },
      { $0.buildConfiguration = nil }, { _ in },
    ]
    let fingerprints = changes.map { change in
      var machine = Self.machine
      change(&machine)
      return machine.fingerprint
    }
    #expect(Set(fingerprints).count == changes.count)
    #expect(fingerprints.allSatisfy { $0.count == 32 })
  }

  @Test func `the memory class is the installed memory, for any number of bytes`() {
    let gibibyte: UInt64 = 1 << 30
    #expect(MachineDescription.memoryClass(of: 8 * gibibyte - 1) == 8192)
    #expect(MachineDescription.memoryClass(of: 8 * gibibyte) == 8192)
    #expect(MachineDescription.memoryClass(of: 8 * gibibyte + 1) == 12288)
    #expect(MachineDescription.memoryClass(of: 0) == 1)
    #expect(MachineDescription.memoryClass(of: .max) == 1 << 42)
  }

  @Test func `only software that changed is listed`() {
    var later = Self.machine
    #expect(Self.machine.changes(to: later).isEmpty)
    later.kernel = "Linux 6.10.0"
    later.swiftVersion = nil
    later.loadAverages = [2]
    #expect(
      Self.machine.changes(to: later) == [
        "kernel Linux 6.1.0-13-amd64 became Linux 6.10.0", "Swift 6.3.1 became unknown",
      ])
  }
}

@Suite struct FowlerNollVoTests {
  @Test(arguments: [
    // draft-eastlake-fnv: the test vectors for FNV-1a of 128 bits.
    ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
    ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
  ])
  func `hashes are the published ones`(text: String, digits: String) {
    #expect(FowlerNollVo.digits(text.utf8) == digits)
  }
}
