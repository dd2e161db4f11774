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
    let isRight: Bool

    init(isRight: Bool) throws {
      self.isRight = isRight
      let tile = try PixelSize(width: 256, height: 256)
      pictures = [TileGrid(size: try PixelSize(width: 800, height: 600), tile: tile, factors: [1])]
    }

    func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
      LoadAnswer(body: [7])
    }

    func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
      isRight ? .right : .wrong(.wrong, "it is planted")
    }

    func endChecks() {}
  }

  /// Returns a run whose requests are sent later than allowed by some time, and take some milliseconds.
  static func run(
    isRight: Bool = true, lateness: UInt64 = 0, milliseconds: UInt64 = 5, server: Int32? = nil
  ) throws -> LoadRun {
    let subject = try Numbers(isRight: isRight)
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

  /// Returns the result of some steps of 20 views per second.
  private static func result(
    isRight: Bool = true, lateness: UInt64 = 0, steps: Int = 1
  ) throws -> RunResult {
    var run = try run(isRight: isRight, lateness: lateness)
    for _ in 0..<steps { run.step(LoadOptions.ratePurpose, rate: 20) }
    return result(of: run)
  }

  static func result(of run: LoadRun) -> RunResult {
    var result = RunResult(
      kind: .load, startedAt: "2027-01-15T08:00:00Z", seed: 1,
      environment: RunResult.Environment(machine: .current()))
    var report = run.report
    (report.subject, report.workload) = ("mine", "screen 400x300")
    result.judge([report])
    return result
  }

  @Test func `a finding, a late generator and a sound subject have their exit codes`() throws {
    #expect(try Self.result().conclusion.exitCode == 0)
    let wrong = try Self.result(isRight: false).conclusion
    #expect(wrong.exitCode == 1 && wrong.explanation?.contains("are wrong") == true)
    #expect(try Self.result(lateness: 500_000_000).conclusion.exitCode == 2)
  }

  @Test func `a result is the same when it is read again, and an impossible one is refused`() throws
  {
    let result = try Self.result(isRight: false)
    let text = try Output.json(result)
    let again = try ResultFile.result(named: "run.json", content: Data(text.utf8))
    #expect(try Output.json(again) == text)
    let wanted = try #require(result.rows.first?.load?.steps.first?.counts.wanted)
    for broken in [
      text.replacing("\"wanted\" : \(wanted)", with: "\"wanted\" : -1"),
      // As nanoseconds, it is infinite.
      text.replacing(/"p50" : [0-9.]+/, with: "\"p50\" : 1e308"),
    ] {
      #expect(broken != text)
      #expect(throws: Failure.self) {
        try ResultFile.result(named: "run.json", content: Data(broken.utf8))
      }
    }
  }

  @Test func `a load that was written by an earlier zoombench is refused as such`() throws {
    let text = try Output.json(Self.result())
    // The fields that such a result had, without steps.
    let old = try #require(text.firstMatch(of: /"load" : \{/)).range
    let load = #"""
      "load" : {
        "bound" : { "description" : "p95<1s", "fraction" : 0.95, "nanoseconds" : 1000000000 },
        "capacity" : { "center" : 5, "isLate" : false, "isLimited" : true, "repetitions" : [5] },
        "findings" : [], "series" : [], "steps" : [], "subject" : "mine", "workload" : ""
      }, "newer" : {
      """#
    let error = #expect(throws: Failure.self) {
      try ResultFile.result(
        named: "old.json", content: Data(text.replacingCharacters(in: old, with: load).utf8))
    }
    #expect(
      error?.description
        == "old.json: read: it was written by an earlier zoombench (measure again)")
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
    func table(_ lateness: UInt64) throws -> String {
      var run = try Self.run(lateness: lateness)
      run.capacity(from: 4, most: 8, repetitions: 2)
      return TableWriter.rendered(Self.result(of: run))
    }
    #expect(try table(0).contains("capacity at least 8 views/s"))
    #expect(try table(500_000_000).contains("capacity unknown: the generator was late"))
  }

  @Test func `the table and the page have the steps and the findings`() throws {
    let result = try Self.result(isRight: false)
    let table = TableWriter.rendered(result)
    #expect(table.contains("20 views/s") && table.contains("finding: "))
    #expect(table.contains("lowest rate with a wrong answer: 20 views/s"))
    let page = try ResultPage.rendered(ReportInput(result))
    #expect(page.contains("it is planted") && page.contains("loadView"))
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
