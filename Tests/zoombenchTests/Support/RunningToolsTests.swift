import Foundation
import Testing

@testable import zoombench

@Suite struct RunningToolsTests {
  // In a separate process, because every program inserted later is ended.
  @Test func `a program that is started while a signal ends the run is ended at once`() async {
    await #expect(processExitsWith: .success) {
      func start() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sleep")
        process.arguments = ["600"]
        try process.run()
        return process
      }
      let (early, late) = (try start(), try start())
      let registration = RunningTools.insert(early.processIdentifier)
      RunningTools.endAll()
      early.waitUntilExit()
      registration.end()
      _ = RunningTools.insert(late.processIdentifier)
      late.waitUntilExit()
      #expect(late.terminationReason == .uncaughtSignal)
    }
  }
}
