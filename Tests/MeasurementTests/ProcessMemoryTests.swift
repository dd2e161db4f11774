import Measurement
import Testing

@Suite struct ProcessMemoryTests {
  @Test func `the sizes of a Linux status are read in bytes`() {
    let status = """
      Name:\tswift-test
      VmPeak:\t   99999 kB
      VmHWM:\t    5120 kB
      VmRSS:\t    4096 kB
      RssAnon:\t     100 kB
      """
    let memory = ProcessMemory(status: status)
    #expect(memory.peakResidentBytes == 5 << 20)
    #expect(memory.residentBytes == 4 << 20)
  }

  @Test func `a status without sizes, as of a kernel thread, is unknown`() {
    let memory = ProcessMemory(status: "Name:\tkthreadd\nState:\tS (sleeping)\n")
    #expect(memory.peakResidentBytes == nil)
    #expect(memory.residentBytes == nil)
  }

  @Test func `the peak is at least what is resident`() throws {
    let memory = ProcessMemory.current()
    #expect(try #require(memory.peakResidentBytes) >= #require(memory.residentBytes))
    #expect(try #require(memory.residentBytes) > 0)
  }

  @Test func `memory that was written to stays in the peak after it is freed`() throws {
    let size = 96 << 20
    do {
      let bytes = [UInt8](repeating: 1, count: size)
      blackHole(bytes)
    }
    // The counters may be some pages behind on each core: a sixteenth is far more than that.
    let peak = try #require(ProcessMemory.current().peakResidentBytes)
    #expect(peak >= UInt64(size - size / 16))
  }
}
