import ModelViewers
import PropertyTesting
import Testing
import ZoomGeometry

@testable import ZoomLaws

/// Tests of the laws of viewers on a model viewer made of arithmetic.
@Suite struct ViewerLawsTests {
  private static func trials(_ fault: ModelViewer.Fault? = nil) throws -> [LawTrial] {
    try LawCatalogue.suites(of: ModelViewer.subject(fault)).flatMap { $0.trials }
  }

  /// The laws on the sound model; a test below compares their list with the faults.
  private static let sound = (try? trials()) ?? []

  /// The cost of a case, by which a run divides its number of cases.
  private static let cost = 30

  @Test(arguments: sound)
  func `a sound viewer keeps every law in 200 cases`(trial: LawTrial) async {
    let complaint = await trial.firstComplaint(cases: 200 * Self.cost, seed: 40)
    #expect(complaint == nil, "\(trial.law): \(complaint ?? "")")
  }

  @Test(arguments: ModelViewer.Fault.allCases)
  func `each fault is found by its law within 200 cases`(fault: ModelViewer.Fault) async throws {
    let trial = try #require(try Self.trials(fault).first { $0.law == fault.law })
    let breach = await trial.firstBreach(cases: 200 * Self.cost, seed: 40)
    #expect(breach != nil)
  }

  @Test func `each law has a fault that it must find`() throws {
    let laws = try Self.trials().map(\.law)
    #expect(Set(laws).count == laws.count)
    #expect(Set(laws) == Set(ModelViewer.Fault.allCases.map(\.law)))
  }

  @Test(arguments: sound)
  func `twenty cases decide every law for most seeds`(trial: LawTrial) async {
    var undecided: [String] = []
    for seed in UInt64(1)...10 {
      var settings = PropertySettings(cases: 20, seed: seed)
      settings.classCases = 60
      settings.decidesEarly = true
      // A busy machine must not fail the test.
      settings.suppressing = [.tooSlow]
      let verdict = await trial.check(settings).verdict
      if case .undecided(let reason) = verdict {
        undecided.append(reason)
      } else {
        #expect(verdict == .held, "\(trial.law), seed \(seed)")
      }
    }
    #expect(undecided.count <= 2, "\(trial.law): \(undecided)")
  }

  @Test func `a breach names its case, its look and the place that the law demands`() async throws {
    let trials = try Self.trials(.wheelsAboutCentre)
    let trial = try #require(trials.first { $0.law == "W-G1" })
    let breach = try #require(await trial.firstBreach(cases: 200 * Self.cost, seed: 1))
    #expect(breach.viewerCase?.gesture == breach.gesture)
    #expect((breach.error as? SightBreach)?.look != nil)
    #expect(breach.complaint.hasPrefix("the point under the pointer moves by"))
  }

  @Test func `places at 1 to 1 are on whole device pixels of screens with even and odd sides`()
    async throws
  {
    var settings = PropertySettings(cases: 300, seed: 1)
    settings.suppressing = [.tooSlow]
    nonisolated(unsafe) var (counts, between) = ([0, 0], 0)
    nonisolated(unsafe) var corners = [0, 0]
    let views = try ModelViewer.subject().views()
    let report = await Property.check("places", views, settings: settings) { each, _ in
      guard let show = each.show, show.scale == 1 / each.screen.scale else { return }
      let (pixels, size) = (each.screen.pixels, each.gesture.picture)
      let shares = [show.centre.x / Double(size.width), show.centre.y / Double(size.height)]
      if shares.allSatisfy({ $0 < 0.06 }) { corners[0] += 1 }
      if shares.allSatisfy({ $0 > 0.94 }) { corners[1] += 1 }
      for (side, middle) in [(pixels.width, show.centre.x), (pixels.height, show.centre.y)] {
        let start = Double(side) / 2 - middle
        if start == start.rounded() { counts[side % 2] += 1 } else { between += 1 }
      }
    }
    #expect(report.failures.isEmpty)
    #expect((counts + corners).allSatisfy { $0 > 8 }, "\(counts) \(corners)")
    // Places at any scale are at 1:1 now and then.
    #expect(between * 20 < counts[0] + counts[1])
  }

  @Test func `a viewer without pinches is zoomed by its wheel`() async throws {
    var viewer = try ModelViewer.subject(.lagsLeftward)
    viewer.traits.pinches = false
    let trials = LawCatalogue.suites(of: viewer).flatMap { $0.trials }
    #expect(!trials.contains { $0.law == "GE-8" })
    let trial = try #require(trials.first { $0.law == "GE-28" })
    let breach = try #require(await trial.firstBreach(cases: 200 * Self.cost, seed: 40))
    let events = try #require(breach.gesture?.script.events)
    #expect(events.contains { if case .wheel = $0.kind { true } else { false } })
  }

  @Test func `a viewer whose view stays need not ask again for a tile that failed`() async throws {
    var viewer = try ModelViewer.subject(.neverRetries)
    let play = viewer.play
    viewer.play = { each in
      var played = try play(each)
      for index in played.looks.indices { played.looks[index].sight = played.looks[0].sight }
      return played
    }
    let trials = LawCatalogue.suites(of: viewer).flatMap { $0.trials }
    let trial = try #require(trials.first { $0.law == "W-R5" })
    #expect(await trial.firstBreach(cases: 200 * Self.cost, seed: 40) == nil)
  }

  @Test func `a viewer lacks what its traits lack`() throws {
    var viewer = try ModelViewer.subject()
    viewer.traits.promises = []
    viewer.traits.adapter = []
    viewer.traits.wheelFactor = nil
    // PhotoSwipe loses the first pixels of each drag.
    viewer.traits.dragSlop = 10
    viewer.traits.pinchSlop = 5
    let laws = LawCatalogue.suites(of: viewer).flatMap(\.trials).map(\.law)
    for law in [
      "W-S3", "W-P1", "W-R5", "W-R8", "W-G1", "W-G2", "GE-4", "GE-9", "GE-22", "GE-26", "GE-49",
      "GE-56",
    ] {
      #expect(!laws.contains(law))
      #expect(ViewerLaws.lack(of: viewer, for: law) != nil)
    }
  }

  @Test func `a page whose picture is not recognised keeps no law about what was not measured`()
    throws
  {
    var viewer = try ModelViewer.subject()
    viewer.traits.isRecognised = false
    let laws = LawCatalogue.suites(of: viewer).flatMap(\.trials).map(\.law)
    for law in ["W-S2", "W-G1", "W-G2", "W-G6", "GE-41"] {
      #expect(!laws.contains(law))
      #expect(ViewerLaws.lack(of: viewer, for: law) == "a recognised picture")
    }
    #expect(laws.contains("W-P9"))
  }

  @Test func `the scale and stretch of a place are those of its map`() throws {
    let turned = Affine.scale(x: 2, y: 3).then(.rotation(0.5)).then(.translation(x: 4, y: 5))
    let place = ViewerPlace(toScreen: turned)
    #expect(abs(place.scale * place.scale - 6) < 1e-12)
    #expect(abs(place.stretch - 0.5) < 1e-12)
    #expect(abs(place.rotation - 0.5) < 1e-12)
    #expect(!place.isMirrored)
    #expect(ViewerPlace(toScreen: .scale(x: -1, y: 1)).isMirrored)
  }

  @Test func `actions of wheels and mice make valid scripts in any order`() throws {
    let screen = try Screen(size: ViewSize(width: 360, height: 480))
    let (one, two) = (ViewPoint(x: 100, y: 100), ViewPoint(x: 200, y: 150))
    let deeds: [GestureAction.Deed] = [
      .wheel(at: one, steps: [-100, 100]), .drag(from: one, to: two, steps: 3),
      .touch(finger: 0, at: one, force: 1),
    ]
    for first in deeds {
      for second in deeds {
        let actions = [GestureAction(first), GestureAction(after: 0.1, second)]
        let events = GestureWriter.events(of: actions)
        #expect(throws: Never.self) { try GestureScript(screen: screen, events: events) }
      }
    }
  }
}
