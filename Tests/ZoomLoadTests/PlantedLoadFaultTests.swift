import ForeignPipelines
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLoad

/// Faults of servers that show only under load, and the words by which a run finds them.
struct PlantedLoadFaultTests {
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case wrongTileUnderContention = "the tile of another request if three run"
    case keyWithoutRegion = "a cache whose key lacks the region"
    case keyWithoutPicture = "a cache whose key lacks the picture"
    case keyWithoutLevel = "a cache whose key lacks the level"
    case lostUpdate = "two requests write to one buffer"
    case staleAnswer = "every 200th answer is the one before"
    case shortBody = "every 300th body ends too early"
    case emptyBody = "an empty body if four run"
    case resets = "every 1,000th connection is reset"
    case serverErrors = "every 1,000th answer is an error"
    case sheds = "load is shed although there is none"
    case forgets = "every 1,000th request is forgotten"
    case refuses = "every 1,000th connection is refused"
    case endsConnections = "every 500th request ends a connection that was kept"
    case slowAnswer = "one answer in fifty comes late"
    case slowFirstByte = "one answer in fifty begins late"
    case starvation = "one viewer always waits"

    var testDescription: String { rawValue }

    /// The words of the finding.
    var words: String {
      switch self {
      case .wrongTileUnderContention, .keyWithoutRegion, .keyWithoutPicture, .keyWithoutLevel,
        .lostUpdate, .staleAnswer, .shortBody, .emptyBody:
        "are wrong"
      case .resets: "reset"
      case .serverErrors: "refused"
      case .sheds: "busy"
      case .forgets: "views given up"
      case .refuses: "failed"
      case .endsConnections: "at once: sent again"
      case .slowAnswer: "ten times the median"
      case .slowFirstByte: "wait for the first byte"
      case .starvation: "1 of 40 viewers waits beyond the bound"
      }
    }
  }

  /// Returns a server with a fault, which takes 5 ms for other requests.
  private static func server(_ fault: Fault) -> VirtualServer {
    var cache: [String: [UInt8]] = [:]
    var last: [UInt8] = []
    // With four workers, slow requests would delay all.
    let workers = [.starvation, .slowAnswer, .slowFirstByte, .forgets].contains(fault) ? 100 : 4
    return VirtualServer(workers: workers) { request in
      var body = NamedParts.body(request.part)
      let right = body
      var time = 5 * VirtualServer.millisecond
      var kind = LoadAnswer.Kind.answered
      let tile = request.part.tile
      func cached(_ key: String) -> [UInt8] {
        if let kept = cache[key] { return kept }
        cache[key] = right
        return right
      }
      func every(_ number: Int) -> Bool { request.number.isMultiple(of: number) }
      switch fault {
      case .wrongTileUnderContention where request.running.count > 2:
        body = NamedParts.body(request.running[0])
      case .keyWithoutRegion:
        body = cached("\(request.part.picture) \(tile.request.reduction)")
      case .keyWithoutPicture:
        body = cached("\(tile.request.region) \(tile.request.reduction)")
      case .keyWithoutLevel: body = cached("\(request.part.picture) \(tile.column) \(tile.row)")
      case .lostUpdate where request.running.count > 1: body = last
      case .staleAnswer where every(200): body = last
      case .shortBody where every(300): body = Array(body.prefix(4))
      case .emptyBody where request.running.count > 3: body = []
      case .resets where every(1000): kind = .reset
      case .serverErrors where every(1000): kind = .refused
      case .sheds where every(1000): kind = .busy
      case .forgets where every(1000): time = 3_600_000 * VirtualServer.millisecond
      case .refuses where every(1000): kind = .failed
      case .slowAnswer where every(50), .slowFirstByte where every(50):
        time = 400 * VirtualServer.millisecond
      case .starvation where request.viewer == 3: time = 1200 * VirtualServer.millisecond
      default: break
      }
      last = right
      var answer =
        kind == .answered ? LoadAnswer(body: body) : LoadAnswer(kind)
      if fault == .endsConnections, every(500) { answer.retries = 1 }
      answer.firstByte = fault == .slowFirstByte ? time : 2 * VirtualServer.millisecond
      return (time, answer)
    }
  }

  @Test(arguments: Fault.allCases)
  func `each fault is found, at a load at which the bound holds`(_ fault: Fault) throws {
    // The bound holds for all together only if the starved viewer is one of many.
    let isStarving = fault == .starvation
    var run = LoadRun(
      try NamedParts([(4000, 3000), (3000, 4000)]), Self.server(fault), try .usual())
    let step = run.step("", rate: isStarving ? 20 : 10, seconds: 80)
    let isHolding = step.verdict == .holds || step.checks.wrong > 0
    #expect(isHolding, "\(step.verdict), p95 \(step.views.p95 ?? .infinity) ms")
    let findings = run.findings()
    #expect(findings.contains { $0.contains(fault.words) }, "\(findings)")
  }

  @Test func `a viewer who waits is judged by comparison if others have other pictures`() throws {
    var run = LoadRun(try NamedParts(), Self.server(.starvation), try .usual())
    run.step("", rate: 20, seconds: 80)
    let words = Fault.starvation.words
    let findings = run.findings()
    #expect(findings.contains { $0.contains(words) })
    run.report.together = [1200, 5, 5]
    let compared = run.findings()
    #expect(!compared.contains { $0.contains(words) })
  }

  @Test func `one of two viewers who waits is starved`() {
    func findings(_ times: [Double?]) -> Int {
      var report = LoadReport(bound: .usual)
      report.together = [5] + times
      report.judge()
      return report.findings.count
    }
    #expect(findings([5, 1500]) == 1 && findings([1500, 5, 5]) == 1)
    #expect(findings([1500]) == 0 && findings([900, 5]) == 0 && findings([1400, 1500]) == 0)
  }

  @Test func `viewers who wait for a late generator are not starved`() throws {
    let server = VirtualServer(workers: 100, lateness: 200 * VirtualServer.millisecond) { request in
      let time: UInt64 = request.viewer == 3 ? 1200 : 5
      return (
        time * VirtualServer.millisecond,
        LoadAnswer(body: NamedParts.body(request.part))
      )
    }
    var run = LoadRun(try NamedParts([(200, 200)]), server, try .usual())
    let step = run.step("", rate: 20, seconds: 80)
    #expect(step.verdict == .late && step.starved == 0)
  }

  @Test func `answers to other requests are told from wrong ones`() throws {
    var run = LoadRun(try NamedParts(), Self.server(.staleAnswer), try .usual())
    let step = run.step("", rate: 10, seconds: 60)
    #expect(Array(step.checks.faults.keys) == [.mixedUp])
    run = LoadRun(try NamedParts(), Self.server(.shortBody), try .usual())
    let short = run.step("", rate: 10, seconds: 60)
    #expect(Array(short.checks.faults.keys) == [.short])
  }

  @Test func `the lowest load with a wrong answer is reported`() throws {
    var isWrong = false
    let server = VirtualServer {
      (
        VirtualServer.millisecond,
        LoadAnswer(body: isWrong ? [] : NamedParts.body($0.part))
      )
    }
    var run = LoadRun(try NamedParts(), server, try .usual())
    for rate in [20.0, 5, 10] {
      isWrong = rate >= 10
      run.step("", rate: rate)
    }
    let findings = run.findings()
    #expect(findings.contains { $0.contains("wrong at 10 views/s, the lowest load") })
  }

  @Test func `reduced tiles that all take longer are no slow requests`() throws {
    let server = VirtualServer(workers: 100) { request in
      let isReduced = request.part.tile.request.reduction.rawValue > 1
      return (
        (isReduced ? 110 : 5) * VirtualServer.millisecond,
        LoadAnswer(body: NamedParts.body(request.part))
      )
    }
    var run = LoadRun(try NamedParts(), server, try .usual())
    let step = run.step("", rate: 10, seconds: 80)
    #expect(step.counts.answers >= 1000 && step.slow == 0)
    let findings = run.findings()
    #expect(findings.isEmpty)
  }

  @Test func `a few slow requests among fewer than a thousand are no finding`() throws {
    let server = VirtualServer(workers: 100) { request in
      let time: UInt64 = request.number.isMultiple(of: 20) ? 400 : 5
      return (
        time * VirtualServer.millisecond,
        LoadAnswer(body: NamedParts.body(request.part))
      )
    }
    // One request for each view.
    var run = LoadRun(try NamedParts([(200, 200)]), server, try .usual())
    let step = run.step("", rate: 10)
    #expect(step.counts.answers < 1000 && step.slow >= 5)
    let findings = run.findings()
    #expect(findings.isEmpty)
  }

  @Test func `there are no findings in two hundred runs of sound servers`() throws {
    let subject = try NamedParts([(4000, 3000), (3000, 4000)])
    for seed: UInt64 in 0..<200 {
      // Times vary by a factor of four, as those of caches and decoders do.
      let server = VirtualServer { request in
        let share = UInt64(truncatingIfNeeded: (request.number &* 2_654_435_761) >> 8) % 4
        return (
          (2 + 2 * share) * VirtualServer.millisecond,
          LoadAnswer(body: NamedParts.body(request.part))
        )
      }
      var run = LoadRun(subject, server, try .usual(seed: seed, stepSeconds: 10))
      run.step("", rate: 8)
      let findings = run.findings()
      #expect(findings.isEmpty, "seed \(seed)")
    }
  }

  @Test func `viewers of small pictures are compared with each other and with being alone`() throws
  {
    let subject = try NamedParts([(40_000, 30_000), (1000, 800), (900, 900)])
    func compared(_ slow: UInt64) throws -> LoadReport {
      let server = VirtualServer(workers: 100) { request in
        let time = request.viewer == 2 ? slow : 5
        return (
          time * VirtualServer.millisecond,
          LoadAnswer(body: NamedParts.body(request.part))
        )
      }
      var run = LoadRun(subject, server, try .usual())
      run.fairness(rate: 5)
      run.report.judge()
      return run.report
    }
    let words = "1 of 9 other viewers waits beyond the bound, and more than four times their median"
    #expect(try !compared(5).findings.contains { $0.contains(words) })
    #expect(try compared(1500).findings.contains { $0.contains(words) })
    #expect(try compared(5).together?.count == 10)
  }

  @Test func `viewers of one picture are compared, too`() throws {
    var run = LoadRun(try NamedParts(), .sound(), try .usual())
    run.fairness(rate: 5)
    #expect(run.report.together?.count == 10)
    #expect(run.report.steps.map(\.purpose) == ["largest alone", "others alone", "together"])
    let findings = run.findings()
    #expect(findings.isEmpty)
  }
}
