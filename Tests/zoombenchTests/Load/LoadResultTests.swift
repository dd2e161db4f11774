import ForeignPipelines
import Foundation
import Measurement
import MeasurementHistory
import SystemPackage
import Testing
import ZoomGeometry
import ZoomLoad
import ZoomPipeline

@testable import zoombench

@Suite struct LoadResultTests {
  /// Answers by the number of the picture, on a virtual clock.
  private struct Numbers: LoadSubject {
    let pictures: [TileGrid]
    let worksInThread = false
    let isRight: Bool
    let sheds: Bool

    init(isRight: Bool, sheds: Bool) throws {
      (self.isRight, self.sheds) = (isRight, sheds)
      let tile = try PixelSize(width: 256, height: 256)
      pictures = [TileGrid(size: try PixelSize(width: 800, height: 600), tile: tile, factors: [1])]
    }

    func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
      var answer = LoadAnswer(body: [7], firstByte: 1_000_000)
      if sheds, part.tile.row == 0 { answer = LoadAnswer(.busy, reason: "it is shed") }
      answer.hasRetryAfter = sheds
      answer.retries = sheds ? 1 : 0
      return answer
    }

    func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
      if sheds, part.tile.column == 0 { return .unchecked("it is not compared") }
      return isRight ? .right : .faulty(.wrong, "it is planted")
    }

    func endChecks() {}
  }

  /// Returns a run whose requests are sent later than allowed by some time, and take some milliseconds.
  static func run(
    isRight: Bool = true, sheds: Bool = false, lateness: UInt64 = 0, milliseconds: UInt64 = 5,
    server: Int32? = nil
  ) throws -> LoadRun {
    let subject = try Numbers(isRight: isRight, sheds: sheds)
    let settings = LoadSettings(
      bound: .usual, model: .seeded(screen: try PixelSize(width: 400, height: 300)))
    return LoadRun(subject, settings, server: server) { engine, tick in
      var now: UInt64 = 0
      while !engine.isOver {
        _ = tick(now, engine)
        let tickets = engine.start(at: now)
        for ticket in tickets {
          engine.finish(
            ticket, sent: now + lateness, at: now + lateness + milliseconds * 1_000_000,
            subject.answer(ticket.part, lane: 0))
        }
        now = tickets.isEmpty ? engine.nextWake ?? now : now + milliseconds * 1_000_000
      }
    }
  }

  /// Returns the result of some steps of a rate.
  private static func result(
    isRight: Bool = true, lateness: UInt64 = 0, steps: Int = 1, rate: Double = 20
  ) throws -> RunResult {
    var run = try run(isRight: isRight, lateness: lateness)
    for _ in 0..<steps { run.step(LoadOptions.ratePurpose, rate: rate) }
    return result(of: run)
  }

  static func result(of run: LoadRun) -> RunResult {
    var result = RunResult(
      kind: .load, startedAt: "2027-01-15T08:00:00Z", seed: 1,
      environment: RunResult.Environment(machine: .current()))
    var report = run.report
    (report.subject, report.workload) = ("mine", "screen 400x300")
    result.rows = [Row(report)]
    result.conclude()
    return result
  }

  @Test func `a finding, a late generator and a sound subject have their exit codes`() throws {
    #expect(try Self.result().conclusion.exitCode == 0)
    let wrong = try Self.result(isRight: false).conclusion
    #expect(wrong.exitCode == 1 && wrong.explanation?.contains("are wrong") == true)
    #expect(try Self.result(lateness: 500_000_000).conclusion.exitCode == 2)
  }

  @Test func `a bound that is broken is a decision, and too few views decide nothing`() throws {
    var slow = try Self.run(milliseconds: 1500)
    let step = slow.step("closed", rate: nil, viewers: 20, seconds: 60)
    #expect(step.verdict == .broken)
    #expect(Self.result(of: slow).conclusion.exitCode == 0)
    var short = try Self.run()
    short.step(LoadOptions.ratePurpose, rate: 20, seconds: 0.2)
    #expect(Self.result(of: short).conclusion.exitCode == 2)
  }

  @Test func `a server may shed load above its capacity, but not at the lowest load`() throws {
    // Views that need a tile of the first row never become full.
    var shed = try Self.run(sheds: true)
    let step = shed.step(LoadOptions.ratePurpose, rate: 40)
    #expect(step.verdict == .broken)
    let alone = Self.result(of: shed).conclusion
    #expect(alone.exitCode == 1)
    #expect(alone.explanation?.contains("40 views/s, the lowest load") == true)
    // The same step after one at which all is answered.
    var sound = try Self.run()
    sound.step(LoadOptions.ratePurpose, rate: 20)
    sound.report.steps += shed.report.steps
    #expect(Self.result(of: sound).conclusion.exitCode == 0)
    // The same load, before the server died.
    sound.report.steps[0] = try #require(Self.result(rate: 40).rows.first?.load).steps[0]
    #expect(Self.result(of: sound).conclusion.exitCode == 1)
  }

  /// Returns a result of every kind of step, with right, wrong, unchecked and lacking answers.
  private static func resultOfAllKinds() throws -> RunResult {
    var run = try run(server: getpid())
    run.read = { _, _, _ in ["memory": 1 << 24, "threads": 7] }
    run.step(LoadOptions.ratePurpose, rate: 20, seconds: 60)
    run.fairness(rate: 20)
    run.capacity(from: 4, most: 8, repetitions: 2)
    // The search ends at the highest rate, so it has no interval.
    run.report.capacity = LoadCapacity(repetitions: [4, 5], isLeast: false)
    run.step("soak", rate: 20, seconds: 60, isSoak: true)
    var sheds = try Self.run(isRight: false, sheds: true)
    sheds.step(LoadOptions.ratePurpose, rate: 20)
    run.report.steps += sheds.report.steps
    return result(of: run)
  }

  /// Notes which fields of a value are set: neither nil nor empty in all places.
  private static func note(_ value: Any, at path: String, in fields: inout [String: Bool]) {
    let mirror = Mirror(reflecting: value)
    let kinds: [Mirror.DisplayStyle?] = [.optional, .collection, .dictionary]
    let isUnset = kinds.contains(mirror.displayStyle) && mirror.children.isEmpty
    fields[path] = fields[path] == true || !isUnset
    for child in mirror.children {
      note(child.value, at: "\(path).\(child.label ?? "")", in: &fields)
    }
  }

  @Test func `a result with all fields is the same when it is read again`() throws {
    let result = try Self.resultOfAllKinds()
    var fields: [String: Bool] = [:]
    Self.note(try #require(result.rows.first?.load), at: "load", in: &fields)
    #if os(Linux)
      #expect(fields.filter { !$0.value }.keys.sorted() == [])
    #endif
    let text = try Output.json(result)
    let again = try ResultFile.result(named: "run.json", content: Data(text.utf8))
    #expect(try Output.json(again) == text)
  }

  @Test(arguments: [
    ("wanted", "-1"), ("retries", "-1"), ("slowFirstBytes", "-1"), ("residentBytes", "-1"),
    ("viewers", "-1"), ("threads", "-1"), ("full", "1000000"), ("seconds", "0"), ("rate", "-1"),
    ("p50", "1e308"), ("p95", "0"), ("maximum", "0"), ("mean", "-1"), ("milliseconds", "-1"),
    ("fraction", "2"), ("center", "-1"), ("lower", "1e9"), ("processorSeconds", "-1"),
    // In order, but too large.
    ("maximum", "1e301"),
  ])
  func `a result with a number that no run has is refused`(
    _ field: String, _ number: String
  ) throws {
    let text = try Output.json(Self.resultOfAllKinds())
    let broken = text.replacing(
      try Regex("\"\(field)\" : [0-9.e+-]+"), with: "\"\(field)\" : \(number)")
    #expect(broken != text)
    let error = #expect(throws: Failure.self) {
      try ResultFile.result(named: "run.json", content: Data(broken.utf8))
    }
    #expect(error?.description.contains("has an impossible number") == true)
  }

  @Test func `the history keeps counts of a stated rate, named after the workload`() throws {
    let revision = RunRecord.Revision(commit: "abc")
    let record = try RunRecord(Self.result(), revision: revision)
    let kept = try #require(record.cases.first)
    #expect(record.cases.count == 1 && kept.name == "mine/step 1, 20 views/s")
    #expect(
      kept.counters.keys.sorted()
        == ["bytes read", "pixels delivered", "requests"].map { "\($0), screen 400x300, p95<1s" })
    let again = try RunRecord(Self.result(), revision: revision)
    #expect(again.cases == record.cases && record.problem == nil && record.contamination.isEmpty)
    #expect(record.tool.hasPrefix("zoombench load "))
  }

  @Test func `steps of one rate are different cases, and an interrupted run has none`() throws {
    var result = try Self.result(steps: 2)
    let names = result.loadCases?.map(\.name)
    #expect(names == ["mine/step 1, 20 views/s", "mine/step 2, 20 views/s"])
    result.partial = "interrupted"
    #expect(result.loadCases?.isEmpty == true)
  }

  @Test func `wrong answers contaminate a run, and a late generator has no counts`() throws {
    let revision = RunRecord.Revision(commit: "abc")
    let wrong = try RunRecord(Self.result(isRight: false), revision: revision)
    #expect(wrong.contamination.count == 1)
    let late = try RunRecord(Self.result(lateness: 500_000_000), revision: revision)
    #expect(late.cases.isEmpty)
  }

  @Test func `a capacity is at least the highest rate, or unknown if the generator was late`()
    throws
  {
    for (lateness, words) in [
      (UInt64(0), "capacity at least 8 views/s"),
      (500_000_000, "capacity unknown: the generator was late"),
    ] {
      var run = try Self.run(lateness: lateness)
      run.capacity(from: 4, most: 8, repetitions: 2)
      let result = Self.result(of: run)
      #expect(TableWriter.rendered(result).contains(words))
      #expect(try ResultPage.rendered(ReportInput(result)).contains(words))
    }
  }

  @Test func `the table and the page have the steps and the findings`() throws {
    let result = try Self.result(isRight: false)
    let table = TableWriter.rendered(result)
    #expect(table.contains("20 views/s") && table.contains("finding: "))
    #expect(table.contains("wrong at 20 views/s, the lowest load with a wrong answer"))
    let page = try ResultPage.rendered(ReportInput(result))
    #expect(page.contains("it is planted") && page.contains("loadView"))
    #expect(page.contains("wrong at 20 views/s, the lowest load with a wrong answer"))
  }

  @Test
  func `a period of a load has the same time in the same round, and a slower one a longer time`()
    throws
  {
    func sample(_ milliseconds: UInt64, _ rounds: [Int]) throws -> [UInt64] {
      let periods = LoadPeriods(try Self.run(milliseconds: milliseconds), rate: 20)
      return try rounds.map { try periods.sample(round: $0) }
    }
    let samples = try sample(5, [3, 4, 3])
    #expect(samples[0] == samples[2] && samples[0] != samples[1])
    let slower = try sample(50, [3])
    #expect(slower[0] > 5 * samples[0])
  }

  @Test func `cases of loads are named after their pictures`() {
    func name(_ names: [String]) -> String {
      LoadPeriods.caseName(
        names.map { NamedPicture(name: $0, path: FilePath($0)) }, source: "partial", rate: 20)
    }
    #expect(name(["a.jpg"]) == "a.jpg/partial/load of 20 views/s")
    #expect(name(["b.jpg", "c.jpg"]) == "b.jpg (and 1 more picture)/partial/load of 20 views/s")
  }

  @Test func `a wrong answer under load is the failure of a case`() throws {
    let periods = LoadPeriods(try Self.run(isRight: false), rate: 20)
    let error = #expect(throws: Failure.self) { try periods.sample(round: 1) }
    #expect(error?.description.contains("it is planted") == true)
  }
}
