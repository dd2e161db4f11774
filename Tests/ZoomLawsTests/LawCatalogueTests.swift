import Foundation
import PropertyTesting
public import Testing
import ZoomGeometry

@testable public import ZoomLaws

@Suite struct LawCatalogueTests {
  private static func trials(_ form: ZoomForm) -> [LawTrial] {
    ZoomSystem.allCases.flatMap { LawCatalogue.suites(of: $0, form).flatMap(\.trials) }
  }

  private static let corrected = trials(.corrected) + LawCatalogue.arithmetic.trials

  /// Returns settings with few cases, and fewest for laws that play gestures; in ci/test `zoombench verify` tries more.
  ///
  /// A run continues until each required class has its share.
  private func settings(of trial: LawTrial) -> PropertySettings {
    var settings = PropertySettings(cases: trial.caseCost > 1 ? 20 : 500, seed: 20)
    // A busy machine must not fail the test.
    settings.suppressing = [.tooSlow]
    settings.shrinkTime = .seconds(3600)
    return settings
  }

  @Test func `each law of a subject has its own name, a statement and a source`() {
    for suites in [ZoomForm.corrected, .original].flatMap({ form in
      ZoomSystem.allCases.flatMap { LawCatalogue.suites(of: $0, form) }
    }) + [LawCatalogue.arithmetic] {
      #expect(Set(suites.trials.map(\.law)).count == suites.trials.count, "\(suites.subject)")
      #expect(suites.trials.allSatisfy { $0.statement.hasSuffix(".") && !$0.source.isEmpty })
    }
  }

  @Test func `a law is undecided because few inputs test it, or for what else is wrong with them`()
    async
  {
    func verdict<Input: Sendable>(_ inputs: Gen<Input>) async -> (why: String, isShort: Bool) {
      let law = Law<ViewerSubject>("X-1", "Nothing.", source: "a test", for: inputs) { _, _, _ in
        throw Discarded()
      }
      let subject = ViewerSubject(
        "none", traits: ViewerTraits(scales: 1...1, fitScale: 1), kinds: [.plain], ratios: [1],
        sizes: [], play: { _ in throw Discarded() })
      let report = await law.check(subject, settings: PropertySettings(cases: 100, seed: 1))
      guard case .undecided(let why) = report.verdict else { return ("", false) }
      return (why, report.isShortOfInputs)
    }
    let few = await verdict(Gen<Int>.integer(in: 0...1_000_000))
    #expect(few.why.hasSuffix("cases were discarded before 1 were valid: few test the law"))
    #expect(few.isShort)
    let large = await verdict(Gen<[Int]>.array(of: .anyInteger, count: 5000...6000))
    #expect(large.why.hasPrefix("the simplest case takes") && !large.why.contains("few"))
    #expect(!large.isShort)
  }

  @Test(arguments: corrected) func `the corrected systems keep every law`(trial: LawTrial) async {
    let report = await trial.check(settings(of: trial))
    let breach = report.breaches.first.map { "\($0.input): \($0.complaint)" } ?? ""
    #expect(report.verdict == .held, "\(report.verdict) \(breach)")
  }

  @Test(arguments: trials(.original))
  func `the published systems break only laws that are marked`(trial: LawTrial) async {
    let report = await trial.check(settings(of: trial))
    // Some laws take thousands of cases to break; ci/test tries these by `zoombench verify --original`.
    let isBroken = report.verdict == .broken
    #expect(!isBroken || trial.isBrokenAsPublished)
    // An unshrunk input has four to six numbers of 17 digits, so together with its words it is longer than 100
    // characters. A shrunk one has at most 100, even if one number lies at a boundary and keeps its
    // 17 digits. Laws whose inputs are lists are left out, because lists are longer.
    let isShort = ["FZ", "DT", "NUM"].contains { trial.law.hasPrefix($0) }
    guard isBroken, isShort, let breach = report.breaches.first else { return }
    #expect(breach.input.count <= 100, "\(breach.input) is not small")
  }

  @Test func `a law whose premise never arises is undecided`() async {
    var player = ReplaySubject(.peek, .corrected)
    player.live = nil
    let live = LawSuite(player, laws: GestureLaws.all(of: .peek)).trials
      .filter { ["GE-31", "GE-34", "GE-35"].contains($0.law) }
    #expect(live.count == 3)
    for trial in live {
      let verdict = await trial.check(settings(of: trial)).verdict
      #expect(verdict != .held && verdict != .broken, "\(trial.law): \(verdict)")
    }
  }

  /// Tests GE-2 across processes, whose hash tables differ in order.
  @Test func `two processes show the same states`() async throws {
    let one = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { printDigestOfStates() }
    let other = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { printDigestOfStates() }
    let digests = [one, other].map { String(decoding: $0.standardOutputContent, as: UTF8.self) }
      .map { $0.split(separator: "\n").filter { $0.hasPrefix("states: ") } }
    #expect(digests[0].count == 1 && digests[0] == digests[1])
  }

  @Test(arguments: [(Double.nan, 5.0), (0, .nan), (-2, 10)])
  func `NaN and numbers outside are not contained`(start: Double, end: Double) {
    #expect(throws: PropertyFailure.self) {
      try requireContainment(
        of: (start, end), in: (0, 10), within: 0.5, "the crop", unit: "px",
        ends: ("left edge", "right edge"))
    }
  }
}

private func printDigestOfStates() {
  var text = ""
  for system in ZoomSystem.allCases {
    for gesture in Gen<GestureCase>.gestures(of: system).sample(20, seed: 5) {
      let states = (try? ReplaySubject(system, .corrected).play(gesture)) ?? []
      text += "\(states.map(\.layers)) \(states.flatMap(\.events))"
    }
  }
  print("\nstates: \(fnvHash(text))")
}

@Suite struct `Published defects` {
  @Test(arguments: ZoomSystem.allCases)
  func `a defect names only laws that the published system is known to break`(system: ZoomSystem) {
    let trials = LawCatalogue.suites(of: system, .original).flatMap(\.trials)
    let broken = Set(trials.filter(\.isBrokenAsPublished).map(\.law))
    let named = PublishedDefect.all.filter { $0.system == system }.flatMap(\.laws)
    #expect(!named.isEmpty && Set(named).subtracting(broken).isEmpty)
  }

  @Test func `every code in the sources, tests and documentation is in the table`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    let codes = Set(PublishedDefect.all.map(\.code))
    var used: Set<String> = []
    for folder in ["Sources", "Tests", "Tools", "Benchmarks/zoombench", "Documentation"] {
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil,
        options: .skipsHiddenFiles)
      for case let file as URL in try #require(files)
      where ["swift", "md"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        used.formUnion(text.matches(of: /\b(FZ|ZV|FT|DT|TI)-B[0-9]+/).map { String($0.output.0) })
      }
    }
    #expect(
      used.count > 50 && used.subtracting(codes).isEmpty, "\(used.subtracting(codes).sorted())")
  }
}

extension LawTrial: CustomTestStringConvertible {
  /// The names of the law and the subject.
  public var testDescription: String { "\(law) \(subject)" }
}
