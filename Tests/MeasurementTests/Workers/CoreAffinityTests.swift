import Foundation
import Measurement
import Testing

@Suite struct CoreAffinityTests {
  @Test func `this process may run somewhere, where the system tells`() {
    let cores = CoreAffinity.allowed()
    #if os(Linux)
      #expect(!cores.isEmpty)
      #expect(cores.count <= ProcessInfo.processInfo.processorCount)
    #endif
    #expect(cores == cores.sorted() && Set(cores).count == cores.count)
  }

  @Test func `a worker is kept on the core that it was given`() throws {
    guard let core = CoreAffinity.allowed().last else { return }
    // The kernel says of each process where it may run.
    let command = WorkerCommand(
      label: "base", executable: "/bin/sh",
      arguments: [
        "-c", "sleep 0.2; grep Cpus_allowed_list /proc/self/status >&2; read line; echo no",
      ], core: core)
    let worker = try WorkerProcess(command)
    defer { worker.close() }
    #expect(throws: WorkerError.self) { try worker.hello() }
    #expect(worker.log.contains("Cpus_allowed_list:\t\(core)\n"), "\(worker.log)")
  }

  @Test(arguments: [-1, 1024, 100_000])
  func `a core that is none is refused`(core: Int) {
    #expect(!CoreAffinity.pin(process: 0, to: core))
  }
}
