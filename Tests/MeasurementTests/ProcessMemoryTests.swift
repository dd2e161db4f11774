import Foundation
import Measurement
import Testing

@Suite struct ProcessMemoryTests {
  @Test func `the peak of a Linux status is read in bytes, and that of a kernel thread is unknown`()
  {
    let status = "Name:\tswift-test\nVmPeak:\t   99999 kB\nVmHWM:\t    5120 kB\nVmRSS:\t 4096 kB\n"
    #expect(ProcessMemory.peakResidentBytes(status: status) == 5 << 20)
    let ofThread = "Name:\tkthreadd\nState:\tS (sleeping)\n"
    #expect(ProcessMemory.peakResidentBytes(status: ofThread) == nil)
  }

  @Test func `memory that was written to stays in the peak after it is freed`() throws {
    let size = 96 << 20
    do {
      let bytes = [UInt8](repeating: 1, count: size)
      blackHole(bytes)
    }
    // The counters may lag by some pages on each core; a sixteenth is far more than that.
    let peak = try #require(ProcessMemory.peakResidentBytes())
    #expect(peak >= UInt64(size - size / 16))
  }
}

@Suite struct SystemTextTests {
  @Test func `a value is found by its exact key, without the blanks`() {
    let text =
      "processor\t: 0\nmodel\t\t: 207\nmodel name\t:  Intel(R) Xeon(R): 8 \r\nempty\t:\nx : y"
    #expect(SystemText.value(of: "model", in: text) == "207")
    #expect(SystemText.value(of: "model name", in: text) == "Intel(R) Xeon(R): 8")
    #expect(SystemText.value(of: "x", in: text) == "y")
    #expect(SystemText.value(of: "empty", in: text) == nil)
    #expect(SystemText.value(of: "name", in: text) == nil)
    #expect(SystemText.value(of: "", in: text) == nil)
    // The first of several values counts.
    #expect(SystemText.value(of: "a", in: "b=1\na=2\na=3", separator: "=") == "2")
  }

  @Test func `sizes are kibibytes and nothing else`() {
    #expect(SystemText.bytes(of: "MemTotal", in: "MemTotal:        4030196 kB\n") == 4_126_920_704)
    #expect(SystemText.bytes(of: "MemTotal", in: "MemTotal: 0 kB") == 0)
    for bad in ["4030196", "4030196 MB", "-1 kB", "x kB", "", "1 2 kB", "18014398509481984 kB"] {
      #expect(SystemText.bytes(of: "MemTotal", in: "MemTotal: \(bad)") == nil, "\(bad)")
    }
    #expect(SystemText.bytes(of: "MemTotal", in: "MemFree: 1 kB") == nil)
  }

  @Test func `a file is read up to the limit`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("SystemTextTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("text")
    // Longer than one block of reading, and not a multiple of it.
    let text = String(repeating: "0123456789\n", count: 5000)
    try text.write(to: file, atomically: true, encoding: .utf8)
    #expect(SystemText.contents(ofFile: file.path) == text)
    #expect(SystemText.contents(ofFile: file.path, limit: 20_000) == String(text.prefix(20_000)))
    #expect(SystemText.contents(ofFile: file.path, limit: 0)?.isEmpty == true)
    try Data([0x61, 0xFF, 0x62]).write(to: file)
    #expect(SystemText.contents(ofFile: file.path) == "a\u{FFFD}b")
    #expect(SystemText.contents(ofFile: folder.path) == nil)
    #expect(SystemText.contents(ofFile: folder.appendingPathComponent("none").path) == nil)
  }
}
