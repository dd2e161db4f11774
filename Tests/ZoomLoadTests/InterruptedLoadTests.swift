import ForeignPipelines
import Testing
import ZoomGeometry
import ZoomLoad
import ZoomPipeline

/// The steps that an interrupted run keeps, and its findings.
struct InterruptedLoadTests {
  @Test func `a cancelled step sends no request that waits`() throws {
    var count = 0
    let server = VirtualServer { request in
      count += 1
      return (50_000_000, LoadAnswer(body: NamedParts.body(request.part)))
    }
    var settings = try LoadSettings.usual()
    settings.connections = 1
    var run = LoadRun(
      try NamedParts(), settings, isCancelled: { count >= 10 },
      drive: { engine, tick in server.drive(&engine, tick) })
    run.step("", rate: 20)
    #expect(count == 10)
    // It was interrupted before anything was recorded, and later steps do not begin.
    run.step("", rate: 20)
    run.fairness(rate: 5)
    #expect(count == 10 && run.report.steps.isEmpty && run.report.together == nil)
  }

  @Test func `a step is kept if the run is interrupted while its answers are compared`() throws {
    let server = VirtualServer { _ in (VirtualServer.millisecond, LoadAnswer(.busy)) }
    var isOver = false
    var run = LoadRun(
      try NamedParts(), try .usual(), isCancelled: { isOver },
      drive: { engine, tick in
        server.drive(&engine, tick)
        isOver = true
      })
    run.step("", rate: 20)
    #expect(run.report.steps.map(\.full) == [0])
  }

  @Test func `an interrupted step with wrong answers is kept`() throws {
    var count = 0
    let server = VirtualServer { _ in
      count += 1
      return (VirtualServer.millisecond, LoadAnswer(body: []))
    }
    var run = LoadRun(
      try NamedParts(), try .usual(), isCancelled: { count >= 10 },
      drive: { engine, tick in server.drive(&engine, tick) })
    run.step("", rate: 20)
    #expect(run.report.steps.map(\.full) == [0])
    let findings = run.findings()
    #expect(findings.contains { $0.contains("are wrong") })
  }

  @Test(arguments: [(7.5, 0), (50.0, 1)])
  func `viewers of an interrupted comparison are judged by it, and only those who had a view`(
    seconds: Double, starved: Int
  ) throws {
    // Tiles so large that few of them make a view.
    let subject = try NamedParts([(40_000, 30_000), (1000, 800), (900, 900)], tile: 1024)
    var (now, steps) = (UInt64(0), 0)
    let server = VirtualServer(workers: 100) { request in
      now = request.time
      let time: UInt64 = request.part.picture == 0 ? 1200 : 5
      return (
        time * VirtualServer.millisecond,
        LoadAnswer(body: NamedParts.body(request.part))
      )
    }
    var run = LoadRun(
      subject, try .usual(stepSeconds: 60),
      isCancelled: { steps == 2 && Double(now) > seconds * 1e9 },
      progress: { _ in (now, steps) = (0, steps + 1) }
    ) { engine, tick in server.drive(&engine, tick) }
    run.fairness(rate: 20)
    // Viewers of the largest picture wait, also alone.
    #expect(run.report.steps.map(\.starved) == [0, 0, starved])
    #expect(run.report.together != nil)
    let findings = run.findings()
    #expect(findings.isEmpty)
  }
}
