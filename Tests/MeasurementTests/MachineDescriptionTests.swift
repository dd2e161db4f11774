import Foundation
import Measurement
import Testing

@Suite struct MachineDescriptionTests {
  @Test func `a description survives JSON`() throws {
    let machine = MachineDescription.current()
    let decoded = try JSONDecoder().decode(
      MachineDescription.self, from: JSONEncoder().encode(machine))
    #expect(decoded == machine)
  }

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
    // The test was compiled for the machine it runs on, apart from emulation.
    #if arch(x86_64)
      #expect(machine.architecture == "x86_64")
    #elseif arch(arm64)
      #expect(["aarch64", "arm64"].contains(machine.architecture))
    #endif
    for text in [machine.cpuModel, machine.operatingSystem].compactMap({ $0 }) {
      #expect(!text.isEmpty && !text.contains(where: { $0.isNewline || $0 == "\0" }))
    }
  }

  @Test func `the build is told as SwiftPM made it`() {
    // SwiftPM builds a package and its tests alike, and sets DEBUG for the one of the two.
    #if DEBUG
      #expect(MachineDescription.current().buildConfiguration == .debug)
    #else
      #expect(MachineDescription.current().buildConfiguration == .release)
    #endif
  }

  @Test func `the compiler's version is told`() throws {
    let version = try #require(MachineDescription.current().swiftVersion)
    let number = try #require(version.split(separator: " ").first)
    #expect(number.split(separator: ".").allSatisfy { Int($0) != nil })
    #if compiler(>=6.3) && compiler(<6.4)
      #expect(version.hasPrefix("6.3"))
    #endif
  }
}
