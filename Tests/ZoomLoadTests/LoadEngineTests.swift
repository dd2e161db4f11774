import ForeignPipelines
import Testing
import ZoomGeometry
import ZoomLoad
import ZoomPipeline

struct LoadEngineTests {
  private static let second: UInt64 = 1_000_000_000

  /// A server of 10 ms, except that all requests between the tenth and the thirteenth second wait until its end.
  private static func pausing() -> VirtualServer {
    VirtualServer(workers: 1000) { request in
      let isPaused = request.time >= 10 * second && request.time < 13 * second
      return (
        isPaused ? 13 * second - request.time : 10_000_000,
        LoadAnswer(body: NamedParts.body(request.part))
      )
    }
  }

  @Test func `a pause of the server counts for every view that was wanted during it`() throws {
    var run = LoadRun(try NamedParts(), Self.pausing(), try .usual())
    let step = run.step("open", rate: 20)
    // Two of eighteen recorded seconds begin a wait of more than a second.
    let share = step.curve.filter { $0.milliseconds < 1000 }.map(\.fraction).max() ?? 1
    #expect((0.5...0.93).contains(share))
    #expect(step.verdict == .broken)
    #expect(try #require(step.views.maximum) > 2500)
  }

  @Test func `viewers who wait hide the same pause, so it breaks no bound`() throws {
    var run = LoadRun(try NamedParts(), Self.pausing(), try .usual())
    let step = run.step("closed", rate: nil, viewers: 4)
    #expect(step.verdict == .holds)
    #expect(try #require(step.views.p95) < 100)
  }

  @Test func `a view of a waiting viewer is not given up before the step ends`() throws {
    let server = VirtualServer(workers: 1000) { request in
      let isPaused = (3 * Self.second..<4 * Self.second).contains(request.time)
      return (
        isPaused ? 12 * Self.second : 10_000_000,
        LoadAnswer(body: NamedParts.body(request.part))
      )
    }
    var run = LoadRun(try NamedParts(), server, try .usual())
    let step = run.step("closed", rate: nil, viewers: 1)
    #expect(step.counts.unfinished == 0)
    #expect(try #require(step.views.maximum) > 11_000)
  }

  @Test func `latency counts from the wanted time although connections are taken`() throws {
    var settings = try LoadSettings.usual()
    settings.connections = 1
    var run = LoadRun(try NamedParts(), .sound(milliseconds: 10), settings)
    let step = run.step("one connection", rate: 20)
    #expect(try #require(step.requests.p50) < 10.1)
    #expect(step.counts.unfinished > 0 && step.verdict == .broken)
  }

  @Test func `the same seed gives the same step, another seed another one`() throws {
    func requests(_ seed: UInt64) throws -> [Int] {
      var run = LoadRun(try NamedParts(), .sound(), try .usual(seed: seed))
      let step = run.step("", rate: 10)
      return [step.counts.wanted, step.counts.answers, step.counts.bytes, step.counts.pixels]
    }
    #expect(try requests(3) == requests(3))
    #expect(try requests(3) != requests(4))
  }

  @Test func `steps of one rate have different views, which the seed gives`() throws {
    func bytes() throws -> [Int] {
      var run = LoadRun(try NamedParts(), .sound(), try .usual())
      return (0..<2).map { _ in run.step("", rate: 10).counts.bytes }
    }
    let steps = try bytes()
    #expect(steps[0] != steps[1])
    #expect(try bytes() == steps)
  }

  @Test func `the wanted rate is the stated one, however slow the server is`() throws {
    for milliseconds: UInt64 in [1, 400] {
      var run = LoadRun(try NamedParts(), .sound(milliseconds: milliseconds), try .usual())
      let step = run.step("", rate: 20, seconds: 100)
      #expect((1700...1900).contains(step.counts.wanted))
    }
  }

  @Test func `views arrive evenly from the start, however long viewers rest`() throws {
    var counts = [Int](repeating: 0, count: 20)
    let server = VirtualServer(workers: 1000) { request in
      counts[min(19, Int(request.time / Self.second))] += 1
      return (1_000_000, LoadAnswer(body: NamedParts.body(request.part)))
    }
    var settings = try LoadSettings.usual()
    settings.pause = 30
    // One request for each view.
    var run = LoadRun(try NamedParts([(200, 200)]), server, settings)
    run.step("", rate: 20)
    #expect(counts.allSatisfy { (3...45).contains($0) }, "\(counts)")
    #expect((300...500).contains(counts.reduce(0, +)))
  }

  @Test func `a viewer has six requests on their way at most, and all the connections`() throws {
    var most = 0
    let server = VirtualServer(workers: 1000) { request in
      most = max(most, request.running.count)
      return (50_000_000, LoadAnswer(body: NamedParts.body(request.part)))
    }
    var settings = try LoadSettings.usual()
    settings.connections = 16
    var run = LoadRun(try NamedParts(), server, settings)
    run.step("", rate: nil, viewers: 1)
    let ofViewer = most
    run.step("", rate: nil, viewers: 9)
    #expect(ofViewer == 6)
    #expect(most == 16)
  }

  @Test func `a view that lacks an answer is never full, and is worse than any time`() throws {
    let server = VirtualServer { request in
      let isLost = request.number.isMultiple(of: 3)
      return (
        1_000_000,
        isLost
          ? LoadAnswer(.reset) : LoadAnswer(body: NamedParts.body(request.part))
      )
    }
    var run = LoadRun(try NamedParts(), server, try .usual())
    let step = run.step("", rate: 10)
    #expect(step.full > 0 && step.full < step.counts.wanted)
    #expect(step.views.p95 == nil && step.verdict == .broken)
  }

  @Test func `requests without an answer bring no pixels`() throws {
    let server = VirtualServer { _ in (1_000_000, LoadAnswer(.busy)) }
    var run = LoadRun(try NamedParts(), server, try .usual())
    let step = run.step("", rate: 10)
    #expect(step.counts.answers > 0 && step.counts.pixels == 0)
  }

  @Test func `a generator that sends too late says so, and no capacity is claimed`() throws {
    let server = VirtualServer(lateness: 200_000_000) {
      (1_000_000, LoadAnswer(body: NamedParts.body($0.part)))
    }
    var run = LoadRun(try NamedParts(), server, try .usual())
    let step = run.step("", rate: 10)
    #expect(step.verdict == .late)
    run.capacity(from: 2, most: 100, repetitions: 2)
    #expect(run.report.capacity == nil)
    #expect(run.report.steps.allSatisfy { $0.verdict == .late })
  }

  @Test func `a late generator is told although views are given up, or requests are few`() throws {
    func late(_ seconds: UInt64, _ size: (Int, Int)) throws -> LoadStep {
      let server = VirtualServer(lateness: seconds * Self.second) {
        (1_000_000, LoadAnswer(body: NamedParts.body($0.part)))
      }
      var run = LoadRun(try NamedParts([size]), server, try .usual())
      return run.step("", rate: 4)
    }
    let longer = try late(3, (4000, 3000))
    #expect(longer.counts.unfinished > 0 && longer.verdict == .late)
    // One request for each view.
    let few = try late(1, (200, 200))
    #expect(few.counts.answers < 299 && few.verdict == .late)
  }

  @Test func `a thread that waits for a core delays its request, whose time stays`() throws {
    let server = VirtualServer { request in
      var answer = LoadAnswer(body: NamedParts.body(request.part))
      answer.runDelay = 200_000_000
      return (300_000_000, answer)
    }
    var run = LoadRun(try NamedParts([(200, 200)]), server, try .usual())
    let step = run.step("", rate: 4)
    #expect(step.verdict == .late)
    #expect(try #require(step.lag.p50) > 199)
    let time = try #require(step.requests.p50)
    #expect((299...301).contains(time))
  }

  /// Returns a step whose driver looks for answers in intervals, and whose requests wait for a few connections.
  private static func polled(
    every interval: UInt64, connections: Int, _ reply: @escaping VirtualServer.Reply
  ) throws -> LoadStep {
    let server = VirtualServer(
      workers: 1000, wake: { ($0 + interval - 1) / interval * interval }, reply)
    var settings = try LoadSettings.usual()
    settings.connections = connections
    var run = LoadRun(try NamedParts(), server, settings)
    return run.step("", rate: nil, viewers: 9)
  }

  @Test func `an answer that is taken late delays the request that waits for its connection`()
    throws
  {
    let step = try Self.polled(every: 250_000_000, connections: 16) { request in
      // Another answer, which comes just before all are taken, must not hide the delay.
      let time: UInt64 = request.number.isMultiple(of: 2) ? 240_000_000 : 1_000_000
      return (time, LoadAnswer(body: NamedParts.body(request.part)))
    }
    #expect(step.verdict == .late)
    #expect(try #require(step.lag.maximum) > 240)
  }

  @Test func `short delays count if requests wait for connections that are taken for them`() throws
  {
    func step(_ connections: Int, milliseconds: UInt64) throws -> LoadStep {
      try Self.polled(every: 50_000_000, connections: connections) { request in
        (milliseconds * VirtualServer.millisecond, LoadAnswer(body: NamedParts.body(request.part)))
      }
    }
    let queued = try step(16, milliseconds: 1)
    #expect(queued.verdict == .late)
    // No request is later than a tenth of the bound.
    #expect(try #require(queued.lag.maximum) < 100)
    // A connection that is taken by the server nearly all of the time, or one for each request.
    #expect(try step(16, milliseconds: 49).verdict != .late)
    #expect(try step(54, milliseconds: 1).verdict != .late)
  }

  @Test func `an overloaded step is stopped before its queue grows without end`() throws {
    var settings = try LoadSettings.usual()
    // Twenty viewers want fifty views per second each.
    settings.pause = 0.02
    var last: UInt64 = 0
    let server = VirtualServer(workers: 1000) { request in
      last = request.time
      return (100 * VirtualServer.millisecond, LoadAnswer(body: NamedParts.body(request.part)))
    }
    var run = LoadRun(try NamedParts(), server, settings)
    let step = run.step("", rate: 1000, seconds: 20)
    #expect(step.verdict == .broken && step.counts.unfinished > 0)
    // Each view has at least one request.
    #expect(step.counts.wanted <= LoadEngine.mostWaiting + step.counts.answers + 1)
    // The first two seconds are not recorded, and answers make room for requests ten times per second.
    #expect(abs(step.seconds + 2 - Double(last) / 1e9) <= 0.1)
  }

  @Test func `a step that is stopped before its first part ends is broken`() throws {
    var settings = try LoadSettings.usual()
    // Twenty viewers, and two seconds that are not recorded.
    settings.pause = 0.0002
    var run = LoadRun(try NamedParts(), .sound(milliseconds: 100), settings)
    let step = run.step("", rate: 100_000, seconds: 20)
    #expect(step.counts.wanted == 0 && step.verdict == .broken && step.seconds == 0.001)
  }
}
