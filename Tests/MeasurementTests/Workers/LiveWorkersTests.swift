import Measurement
import Testing

@Suite struct LiveWorkersTests {
  // In a process of its own: all workers are those of the other tests too.
  @Test func `an interrupted run ends every worker`() async {
    await #expect(processExitsWith: .success) {
      let workers = try (0..<3).map { number in
        try WorkerProcess(
          WorkerCommand(
            label: "\(number)", executable: "/bin/sh", arguments: ["-c", "sleep 1000"]))
      }
      #expect(LiveWorkers.count == 3)
      LiveWorkers.endAll()
      for worker in workers {
        let error = #expect(throws: WorkerError.self) { try worker.hello() }
        #expect(error?.problem == .ended(.killed(signal: 9)))
      }
      #expect(LiveWorkers.count == 0)
    }
  }
}
