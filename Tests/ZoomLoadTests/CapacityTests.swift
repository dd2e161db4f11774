import ForeignPipelines
import Measurement
import Testing
import ZoomGeometry

@testable import ZoomLoad

struct CapacityTests {
  @Test(arguments: [0.3, 1, 7, 37, 900])
  func `the search ends within a tenth below the highest rate that holds`(limit: Double) {
    var search = CapacitySearch(from: 2, most: 100_000)
    var steps = 0
    while let rate = search.next, steps < 100 {
      search.note(rate, holds: rate <= limit)
      steps += 1
    }
    let found = search.holding ?? 0
    #expect(found <= limit && found * 1.1 >= limit)
    #expect(steps < 25)
  }

  @Test func `a search ends at the highest allowed rate, and at the lowest if nothing holds`() {
    var search = CapacitySearch(from: 2, most: 50)
    while let rate = search.next { search.note(rate, holds: true) }
    #expect(search.holding == 50 && search.breaking == nil)
    search = CapacitySearch(from: 2, most: 50)
    while let rate = search.next { search.note(rate, holds: false) }
    #expect(search.holding == nil)
  }

  @Test func `a rate that held is not trusted after a lower one broke`() {
    var search = CapacitySearch(from: 8, most: 100)
    search.note(8, holds: true)
    search.note(6, holds: false)
    #expect(search.holding == nil)
    #expect(search.next == 3)
  }

  @Test func `one worker of ten milliseconds carries nearly a hundred requests per second`() throws
  {
    // Each view is the picture's only tile.
    let subject = try NamedParts([(200, 200)])
    var run = LoadRun(subject, .sound(workers: 1, milliseconds: 10), try .usual())
    run.capacity(from: 4, most: 1000, repetitions: 3)
    let capacity = try #require(run.report.capacity)
    #expect(capacity.repetitions.count == 3)
    #expect((85...112).contains(capacity.center))
    let findings = run.findings()
    #expect(findings.isEmpty)
  }

  @Test func `a repetition that begins too late does not count`() throws {
    var count = 0
    let late = VirtualServer(lateness: 500 * VirtualServer.millisecond) {
      (VirtualServer.millisecond, LoadAnswer(body: NamedParts.body($0.part)))
    }
    var run = LoadRun(try NamedParts(), try .usual()) { engine, tick in
      count += 1
      (count == 1 ? VirtualServer.sound() : late).drive(&engine, tick)
    }
    run.capacity(from: 4, most: 4, repetitions: 3)
    let capacity = try #require(run.report.capacity)
    #expect(capacity.repetitions == [4] && capacity.isLeast)
    #expect(abs(capacity.center - 4) < 1e-9)
  }

  @Test func `a server that answers nothing is not asked more slowly, and is a finding`() throws {
    let dead = VirtualServer { _ in (VirtualServer.millisecond, LoadAnswer(.refused)) }
    var run = LoadRun(try NamedParts(), dead, try .usual())
    run.capacity(from: 2, most: 100, repetitions: 3)
    let capacity = try #require(run.report.capacity)
    #expect(run.report.steps.count == 1 && capacity.center == 0 && !capacity.isLeast)
    let findings = run.findings()
    #expect(findings.contains { $0.contains("the lowest load") && $0.contains("refused") })
  }

  @Test func `a server that never answers is not asked more slowly, and is a finding`() throws {
    let silent = VirtualServer(workers: 1000) { _ in
      (60_000 * VirtualServer.millisecond, LoadAnswer(.timedOut))
    }
    var run = LoadRun(try NamedParts(), silent, try .usual())
    run.capacity(from: 2, most: 100, repetitions: 3)
    #expect(run.report.steps.count == 1 && run.report.capacity?.center == 0)
    let findings = run.findings()
    #expect(findings.contains { $0.contains("the lowest load") && $0.contains("views given up") })
  }

  @Test func `a server that dies during a search is a finding`() throws {
    var steps = 0
    let server = VirtualServer {
      steps < 3
        ? (VirtualServer.millisecond, LoadAnswer(body: NamedParts.body($0.part)))
        : (VirtualServer.millisecond, LoadAnswer(.failed))
    }
    var run = LoadRun(
      try NamedParts(), try .usual(), progress: { _ in steps += 1 }
    ) { engine, tick in server.drive(&engine, tick) }
    run.capacity(from: 2, most: 1000, repetitions: 3)
    #expect(run.report.capacity?.center == 0)
    let findings = run.findings()
    #expect(findings.contains { $0.contains("where the bound holds") && $0.contains("failed") })
  }

  @Test func `a server that sheds all load at first is asked more slowly`() throws {
    var steps = 0
    let server = VirtualServer {
      (
        VirtualServer.millisecond,
        steps == 1 ? LoadAnswer(.busy) : LoadAnswer(body: NamedParts.body($0.part))
      )
    }
    var run = LoadRun(
      try NamedParts(), try .usual(), progress: { _ in steps += 1 }
    ) { engine, tick in server.drive(&engine, tick) }
    run.step("", rate: 2)
    run.capacity(from: 8, most: 8, repetitions: 1)
    #expect((run.report.capacity?.center ?? 0) >= 4)
    let findings = run.findings()
    #expect(findings.isEmpty)
  }

  @Test func `a search that is interrupted has no capacity`() throws {
    let server = VirtualServer.sound()
    var steps = 0
    var run = LoadRun(
      try NamedParts(), try .usual(), isCancelled: { steps == 2 }, progress: { _ in steps += 1 }
    ) { engine, tick in server.drive(&engine, tick) }
    run.capacity(from: 2, most: 100, repetitions: 3)
    #expect(run.report.capacity == nil && steps == 2)
  }

  @Test func `an interrupted step has the throughput of the time until then`() throws {
    var now: UInt64 = 0
    let server = VirtualServer { request in
      now = request.time
      return (VirtualServer.millisecond, LoadAnswer(body: NamedParts.body(request.part)))
    }
    var run = LoadRun(
      try NamedParts(), try .usual(), isCancelled: { now > 12_000 * VirtualServer.millisecond },
      drive: { engine, tick in server.drive(&engine, tick) })
    run.step("", rate: 20)
    let step = try #require(run.report.steps.first)
    // Twelve of twenty seconds, of which two are not recorded.
    #expect((10...10.5).contains(step.seconds))
    #expect((16...24).contains(Double(step.full) / step.seconds))
  }

  @Test func `an interval needs two repetitions, and a failed one makes the capacity zero`() throws
  {
    let three = LoadCapacity(repetitions: [8, 10, 12.5], isLeast: false)
    // Student's t of two degrees is 4.30; the logarithms are 0.223 apart.
    #expect(abs(three.center - 10) < 1e-9)
    let interval = try #require(three.interval)
    #expect(abs(interval.lower - 5.745) < 0.01 && abs(interval.upper - 17.41) < 0.01)
    #expect(LoadCapacity(repetitions: [5], isLeast: false).interval == nil)
    #expect(LoadCapacity(repetitions: [5, 0], isLeast: false).center == 0)
    #expect(LoadCapacity(repetitions: [], isLeast: true).center == 0)
    #expect(LoadCapacity(repetitions: [8, 10], isLeast: true).interval == nil)
  }

  @Test func `percentiles have three digits, and need enough samples`() throws {
    var times = Latencies()
    #expect(times.median == nil && times.curve.isEmpty)
    for millisecond in 1...1000 { times.record(UInt64(millisecond) * 1_000_000) }
    for (fraction, expected) in [(0.5, 500e6), (0.95, 950e6), (0.99, 990e6)] {
      let value = try #require(times.quantile(fraction))
      #expect(abs(value / expected - 1) < 0.002)
    }
    #expect(times.quantile(0.999) == nil)
    times.record(nil)
    #expect(times.maximum == .infinity)
    for _ in 0..<60 { times.record(nil) }
    #expect(times.quantile(0.95) == .infinity)
  }

  @Test func `outliers are times above ten times the median, and above 100 ms`() {
    var times = Latencies()
    for _ in 0..<100 { times.record(1_000_000) }
    times.record(50_000_000)
    #expect(times.outliers == 0)
    times.record(150_000_000)
    #expect(times.outliers == 1)
  }

  @Test func `no view is given up before twice the bound`() throws {
    for (text, seconds) in [("p95<1s", 10.0), ("p95<30s", 60)] {
      let settings = LoadSettings(
        bound: try #require(LoadBound(text)),
        model: .seeded(screen: try PixelSize(width: 320, height: 240)))
      #expect(settings.patience == seconds)
    }
  }

  @Test func `a bound has a percentile and a time`() throws {
    let bound = try #require(LoadBound("p99.5<250ms"))
    #expect(bound.fraction == 0.995 && bound.nanoseconds == 250e6)
    #expect(bound.description == "p99.5<250ms")
    #expect(LoadBound("p95<1s") == .usual)
    for text in ["p95", "95<1s", "p0<1s", "p100<1s", "p95<0s", "p95<1", "p95<1e400s", "p95<-1s"] {
      #expect(LoadBound(text) == nil, "\(text)")
    }
  }
}
