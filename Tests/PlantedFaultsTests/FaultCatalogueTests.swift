import PixelLaws
import PropertyTesting
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import PlantedFaults

/// Tests that the laws find planted faults.
@Suite struct FaultCatalogueTests {
  private static let subjects =
    ZoomSystem.allCases.flatMap { system in
      Dictionary(grouping: FaultCatalogue.faults(of: system)) { $0.laws[0].caseCost > 1 }.values
    } + [FaultCatalogue.arithmetic]

  private static let planted = subjects.flatMap { faults in
    // Finding every fault of gestures takes an optimised build; ci/faults does that.
    let isPlayed = faults[0].laws[0].caseCost > 1
    // The faults of the force systems show at once, but their laws are slow.
    let cases = isPlayed ? 40 : faults[0].subject == "force corrected" ? 60 : 2000
    return faults.prefix(isPlayed ? 3 : .max).map { (fault: $0, cases: cases) }
  }

  @Test func `faults of a subject differ and are sentences`() {
    let planted = [
      (try? FaultCatalogue.pixels(of: ResidentPipeline())) ?? [],
      (try? FaultCatalogue.colours(of: ResidentPipeline())) ?? [],
    ]
    for faults in Self.subjects + planted {
      #expect(!faults.isEmpty && Set(faults.map(\.summary)).count == faults.count)
      #expect(faults.allSatisfy { $0.summary.hasSuffix(".") })
    }
  }

  @Test(arguments: planted.indices) func `a law finds a fault`(number: Int) async {
    let (fault, cases) = Self.planted[number]
    // Random search, without examples and shrinking.
    var settings = PropertySettings(cases: cases, seed: 1)
    settings.phases = [.generate]
    var isFound = false
    for law in fault.laws where !isFound { isFound = await !law.check(settings).breaches.isEmpty }
    #expect(isFound, "\(fault.subject): no law finds: \(fault.summary)")
  }

  @Test(arguments: [
    (ZoomSystem.peek, "GE-4", "Only the first of several fingers in an event moves."),
    (ZoomSystem.force, "GE-4", "Only the first of several fingers in an event moves."),
    (ZoomSystem.transition, "TI-P8", "A cancelled pinch leaves a scale outside its limits."),
  ]) func `a law's example finds the fault planted for it, before any random case`(
    system: ZoomSystem, law: String, summary: String
  ) async throws {
    let fault = try #require(FaultCatalogue.faults(of: system).first { $0.summary == summary })
    let trial = try #require(fault.laws.first { $0.law == law })
    let breach = await trial.firstBreach(cases: 1, seed: 1)
    #expect(breach?.foundAt == 1)
  }

  /// Faults that few requests show; ci/faults looks for them with more.
  private static let rare = [
    "The last sample of a whole large picture is wrong.",
    "Half-size answers of large regions are a pixel too far right, and name the decoder as the one that "
      + "resampled them.",
  ]

  @Test(arguments: PixelFaults.all.filter { !rare.contains($0.summary) })
  func `a fault of pixels is found within 200 requests`(
    fault: SeededFault<PixelSubject>
  ) async throws {
    let sound = try PixelSubject(ResidentPipeline())
    let faulty = fault.planted(in: sound)
    let counter = faulty.pipeline as? FaultyPipeline
    var settings = PropertySettings(cases: 1)
    settings.flakiness.replays = 0
    // Required classes are for long runs; a law that gives up on one is not broken.
    settings.classCases = 1
    var (cases, round) = (0, 0 as UInt64)
    // In each round, each law tries one random case; in the first round also its examples.
    while (counter?.requests ?? cases) < 200 {
      round += 1
      settings.seed = round
      settings.phases = round == 1 ? [.explicit, .generate] : [.generate]
      for law in sound.laws {
        let report = await law.check(faulty, settings: settings)
        cases += report.cases
        if report.verdict == .broken { return }
      }
    }
    Issue.record("no law finds it in \(cases) cases")
  }
}

@Suite struct KillMatrixTests {
  private func row(_ fault: String, _ kills: [(law: String, cases: Int)]) -> KillMatrix.Row {
    KillMatrix.Row(subject: "peek", fault: fault, origin: "a/b#1", tried: 4, kills: kills)
  }

  @Test func `every law needs a fault that it alone or first finds, and every fault a law`() {
    let rows = [
      row("A", [("L1", 9), ("L2", 4)]), row("B", [("L3", 7)]), row("C", [("L2", 5), ("L3", 5)]),
      // Most laws find it, so it counts for none.
      row("D", [("L1", 1), ("L2", 2), ("L3", 3)]),
    ]
    let complete = KillMatrix(rows: rows, laws: ["L2", "L3"])
    #expect(complete.isComplete && complete.text.contains("4 of 4 faults found\n"))
    let made = KillMatrix(rows: rows + [row("E", [])], laws: ["L1", "L2", "L3"])
    #expect(made.unjustifiedLaws == ["L1"] && !made.findsAll && !made.isComplete)
    #expect(made.text.contains("1. peek: A (a/b#1)\n    L2 4, L1 9\n"))
    #expect(made.text.contains("5. peek: E (a/b#1)\n    no law\n"))
    #expect(made.text.contains("L2: alone -; first 1; equal 3\nL3: alone 2; first -; equal 3\n"))
    #expect(made.text.contains("4 of 5 faults found\nlaws that find no fault alone or first: L1"))
  }
}

extension SeededFault: CustomTestStringConvertible {
  /// The effect of the fault.
  public var testDescription: String { summary }
}
