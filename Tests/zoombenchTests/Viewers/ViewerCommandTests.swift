import ArgumentParser
import Foundation
import ModelViewers
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline
import ZoomViewers

@testable import Measurement
@testable import zoombench

/// The commands on web viewers, without a browser.
@Suite struct ViewerCommandTests {
  @Test(arguments: [
    ("verify --viewer mine", "(write NAME=PAGE)"), ("verify --viewer =a.html", "lacks a name"),
    ("verify --viewer a=a.html --viewer a=b.html", "two viewers have one name"),
    ("verify --viewer a=a.html --systems peek", "--viewer excludes systems"),
    ("verify --viewer a=a.html --original", "--viewer excludes systems"),
    ("verify --viewer a=a.html --tiles tiff", "there is no scheme named tiff (use plain, dzi"),
    ("verify --viewer a=a.html --ratios 1,9", "--ratios takes different numbers from 0.25 to 4"),
    ("bench --viewer a=a.html --ratios 1,1.0", "--ratios takes different numbers from 0.25 to 4"),
    ("verify --viewer a=a.html --laws W-X9", "there is no law named W-X9 (use W-P1, W-P2, W-P3"),
    ("verify --ratios 2", "--ratios is for --viewer"),
    ("bench --viewer a=a.html photo.jpg", "--viewer times a test card"),
    ("compare a=viewer: b=viewer:b.html", "lacks a name or a page"),
    ("compare a=viewer:a.html b=shell:true", "is compared with another shell command"),
  ])
  func `wrong usage is refused in one line`(line: String, says: String) async throws {
    let run = try await TestFolder().zoombench(line.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test(arguments: [
    ["verify", "--viewer", "mine=page.html"], ["bench", "--viewer", "mine=page.html"],
    ["compare", "old=viewer:page.html", "new=viewer:page.html"],
  ])
  func `without a browser the status is 69, with the way to get one`(words: [String]) async throws {
    let folder = try TestFolder()
    try folder.write(Array("<p>viewer</p>".utf8), to: "page.html")
    let run = try await folder.zoombench(words + ["--browser", "/nonexistent"])
    #expect(run.code == 69)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.contains("apt-get install chromium-headless-shell"), "\(run.errors)")
  }

  @Test(arguments: ["verify", "bench"])
  func `a page that does not exist cannot be tested`(command: String) async throws {
    let run = try await TestFolder().zoombench(command, "--viewer", "mine=gone.html")
    #expect(run.code == 65)
    #expect(run.errorLines.count == 1)
  }

  @Test func `a viewer is a program of compare, whose worker gets the settings`() throws {
    let viewer = try NamedViewer("new=b.html?drawer=webgl")
    #expect(viewer.name == "new")
    #expect(viewer.page == "b.html?drawer=webgl")
    let program = Contender.Program.viewer(viewer)
    #expect(try Contender.What("new=viewer:b.html?drawer=webgl") == .program(program))
    #expect(program.description == "new=viewer:b.html?drawer=webgl")
    let words = program.workerArguments(
      named: "old", common: ["--corpus-folder", "c"], pictures: [], settings: ["--tiles", "xyz"])
    #expect(words == ["viewer-worker", "--viewer", "new=b.html?drawer=webgl", "--tiles", "xyz"])
    let command = try ViewerWorkerCommand.parse(Array(words.dropFirst()))
    #expect(command.settings.arguments == ["--tiles", "xyz"])
    #expect(try command.settings.schemes() == [TileScheme(.xyz, 256)])
  }

  @Test func `every word stands for schemes, the simplest first`() throws {
    let words = TileScheme.Kind.allCases.map(\.rawValue).joined(separator: ",")
    let settings = try ViewerSettings.parse(["--tiles", words, "--ratios", "1,1.5"])
    #expect(try settings.schemes() == TileScheme.tried)
    #expect(try settings.schemes().first == .plain)
    #expect(try settings.chosenRatios(otherwise: []) == [1, 1.5])
    #expect(try ViewerSettings.parse([]).chosenRatios(otherwise: [3]) == [3])
  }

  @Test func `each script is valid at any place, and depends on round and seed only`() throws {
    let size = ViewerWorkerCommand.picture
    for script in ViewerScript.allCases {
      for round in 0..<50 {
        let each = try script.played(round: round, seed: 7, ratio: 2, tiles: .plain, size)
        #expect(
          try script.played(round: round, seed: 7, ratio: 2, tiles: .plain, size) == each)
        #expect(each.gesture.script.events.isEmpty == (script == .open))
        let screen = each.gesture.script.screen
        for touch in each.gesture.script.events.flatMap(\.touches) {
          #expect(screen.bounds.contains(touch.point), "\(script) \(touch)")
        }
      }
    }
  }

  @Test func `counts are those of the requests, the looks and the frames`() throws {
    let viewer = try ModelViewer.subject()
    let each = try ViewerScript.drag.played(
      round: 1, seed: 1, ratio: 1, tiles: viewer.kinds[0], viewer.sizes[0])
    var play = try viewer.play(each)
    let end = try #require(each.gesture.script.events.last?.time)
    // The last steps only find out that nothing changes.
    play.frames = [(-1, true, 1), (end, false, 20), (end + 0.05, true, 1), (end + 1, false, 1)]
    play.restAfter = 0.3
    let counts = ViewerWork.counts(of: play, each)
    #expect(counts["requests"] == play.requests.count)
    #expect(counts["bytes read"] == play.requests.reduce(0) { $0 + $1.bytes })
    #expect(counts["frames"] == 3)
    #expect(counts[ViewerWork.lateFrames] == 1)
    #expect(counts[ViewerWork.sharp] == 50)
    #expect(counts.values.allSatisfy { $0 >= 0 })
    #expect((counts["pixels delivered"] ?? 0) > 0)
  }

  @Test func `a law of a viewer has a row beside the others, with a replay of its options`()
    async throws
  {
    let suite = try #require(LawCatalogue.suites(of: try ModelViewer.subject(.gap)).first)
    let trial = try #require(suite.trials.first { $0.law == "W-P4" })
    let item = VerifyPlan.Item(
      trial: trial, kind: .viewer, choice: "model", selection: ["--viewer", "model=a.html"],
      cases: 200)
    let plan = VerifyPlan(items: [item], seed: 1, seconds: nil, jobs: 2, replay: nil)
    let bar = ProgressBar(isQuiet: true)
    let rows = try await VerifyRunner(plan: plan, bar: bar) { _, _, _ in nil }.run()
    let row = try #require(rows.first)
    #expect(row.verdict == .broken)
    let again = try #require(row.breaches.first?.replay)
    let options = "--laws W-P4 --viewer model=a.html --subject model --replay pt1_"
    #expect(again.hasPrefix("zoombench verify \(options)"))
    var result = Samples.laws(rows, programs: ["model"])
    #expect(result.rows.first?.contender == "model")
    result.judge(rows + [Samples.law("GE-2")])
    let text = TableWriter.rendered(result)
    #expect(text.contains("viewer case"))
    #expect(text.contains("W-P4") && text.contains("GE-2"))
  }

  @Test func `a law that a page cannot be tried on is not an unknown one`() throws {
    var subject = try ModelViewer.subject()
    subject.traits.flicks = false
    subject.kinds = [.plain, .plain]
    #expect(ViewerLaws.lack(of: subject, for: "W-G4") == "flicks")
    #expect(ViewerLaws.lack(of: subject, for: "W-R6") == "tiles")
    let suites = LawCatalogue.suites(of: subject).map {
      VerifyCatalogue.ChosenSuite(suite: $0, kind: .viewer, name: "model", selection: [])
    }
    func tried(_ names: String) throws -> [String] {
      let command = try VerifyCommand.parse(["--viewer", "model=a.html", "--laws", names])
      return try command.items(of: suites).map(\.trial.law)
    }
    #expect(try tried("W-G4,W-R6") == [])
    #expect(try tried("W-G4,W-P4") == ["W-P4"])
  }

  @Test func `only the lacks of the chosen viewer are named`() throws {
    var subject = try ModelViewer.subject()
    subject.traits.flicks = false
    let other = ViewerSubject(
      "other", traits: subject.traits, kinds: [.plain], ratios: [1], sizes: subject.sizes,
      play: subject.play)
    func lacks(_ options: [String]) throws -> [String] {
      let words = ["--viewer", "model=a.html", "--laws", "W-G4,W-P4,W-R6"]
      return try VerifyCommand.parse(words + options).lacks(of: [other, subject])
    }
    let own = ["W-G4 on model: needs flicks"]
    #expect(try lacks(["--subject", "model"]) == own)
    let others = ["W-G4 on other: needs flicks", "W-R6 on other: needs tiles"]
    #expect(try lacks([]) == others + own)
  }

  @Test func `the laws to choose from are those of a viewer that lacks nothing`() throws {
    let tried = LawCatalogue.suites(of: try ModelViewer.subject()).flatMap { $0.trials }.map(\.law)
    #expect(tried.sorted() == ViewerTrials.laws.sorted())
  }

  @Test func `the measured gestures are listed in words`() {
    var traits = ViewerTraits(scales: 1...2, fitScale: 1)
    traits.pinches = false
    #expect(traits.inWords == "drag by mouse, no pinch, no wheel, flick, no double tap")
    traits.isRecognised = false
    #expect(traits.inWords == "the picture is not recognised")
  }

  @Test(arguments: [
    (
      "701x1097 @1.25x\n0.18333333333333332 s: finger 0 began at (209.74590173518106, 80) force 1",
      "701x1097 @1.25x\n0.183 s: finger 0 began at (209.75, 80)"
    ), ("44.379127502441406 levels", "44.38 levels"), ("turned by 1e-06", "turned by 0"),
    ("1.0612345 times at 0.24251234", "1.061 times at 0.2425"),
    ("156.0.8078.108", "156.0.8078.108"),
    (
      "card_files/12/0_0.png is requested again at 0.4999999 s",
      "card_files/12/0_0.png is requested again at 0.5 s"
    ), ("v2.js:1 after 2.", "v2.js:1 after 2."), ("3/1/2.png", "3/1/2.png"),
  ])
  func `numbers in a counterexample of a viewer are rounded`(exact: String, rounded: String) {
    #expect(VerifyReport.LawRow.rounded(exact) == rounded)
  }

  @Test(arguments: [
    (ViewerFailure.pageFailed("a"), zoombench.ExitStatus.badInput), (.ended(.hung, "a"), .badInput),
    (.cannotStart("a"), .unavailable), (.protocol("a"), .unavailable), (.cancelled, .fault),
  ])
  func `the status says whether the page, the browser or zoombench is at fault`(
    failure: ViewerFailure, status: zoombench.ExitStatus
  ) {
    #expect(Failure(failure, of: "model").status == status)
  }

  @Test func `the laws of a lane share the time that is left`() {
    func share(jobs: Int, items: Int, inLane: Int) -> Duration {
      VerifyRunner.share(of: .seconds(60), jobs: jobs, items: items, inLane: inLane)
    }
    #expect(share(jobs: 2, items: 30, inLane: 1) == .seconds(4))
    #expect(share(jobs: 2, items: 30, inLane: 30) == .seconds(2))
    #expect(share(jobs: 16, items: 3, inLane: 3) == .seconds(20))
  }

  @Test func `a benchmark has one table with the ratios to the first viewer`() throws {
    func arm(_ milliseconds: UInt64) -> BenchmarkRun.Arm {
      var arm = BenchmarkRun.Arm()
      let times = (0..<12).map { milliseconds * 1_000_000 + $0 }
      (arm.wall, arm.cpu) = ([times], [times])
      arm.counters = [
        "requests": 9, "pixels decoded": 300, "pixels delivered": 100, "bytes read": 4000,
        ViewerWork.sharp: 64, ViewerWork.lateFrames: 3,
      ]
      return arm
    }
    var failed = BenchmarkRun.Arm()
    failed.failure = "the page is hung by flick"
    var result = RunResult(
      kind: .bench, startedAt: "2027-01-15T08:00:00Z", seed: 7,
      environment: RunResult.Environment(machine: MachineDescription()),
      contenders: ["one", "other"].map { RunResult.Contender(name: $0, kind: .viewer) })
    result.addViewers(
      [
        BenchmarkRun.Outcome(rounds: [Array(1...12)], arms: [arm(40), arm(20)]),
        BenchmarkRun.Outcome(rounds: [Array(1...12)], arms: [arm(40), failed]),
      ], of: ["one", "other"], in: ["pinch@1", "flick@1"])
    result.judge()
    let json = Data(try Output.json(result).utf8)
    let read = try ResultFile.result(named: "bench.json", content: json)
    #expect(read.rows.map { $0.figures.gain?.ratio.rounded() } == [1, 2, 1, nil])
    #expect(read.conclusion.exitCode == 1)
    let text = TableWriter.rendered(read)
    let line = try #require(text.split(separator: "\n").first { $0.contains("pinch@1  other") })
    let cells = line.split(separator: " ").map(String.init)
    for cell in ["2.00", "64", "9", "3.00", "3"] { #expect(cells.contains(cell), "\(line)") }
    #expect(text.contains("card/other/flick@1 FAILED: the page is hung by flick"))
  }
}
