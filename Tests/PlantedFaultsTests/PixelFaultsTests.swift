import PixelLaws
import PropertyTesting
import Testing
import ZoomLaws
import ZoomPipeline

@testable import PlantedFaults

@Suite struct PixelFaultsTests {
  @Test(arguments: PixelFaults.all)
  func `a fault is found within 200 requests unless no input shows it`(
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
    while (counter?.requests ?? cases) < 400 {
      round += 1
      settings.seed = round
      settings.phases = round == 1 ? [.explicit, .generate] : [.generate]
      for law in sound.laws {
        let report = await law.check(faulty, settings: settings)
        cases += report.cases
        guard report.verdict == .broken else { continue }
        let requests = counter?.requests ?? cases
        #expect(
          fault.equivalence == nil && requests <= 200, "\(law.name), \(requests) requests")
        return
      }
    }
    #expect(fault.equivalence != nil, "missed")
  }

  @Test func `at least 18 faults are our own and 18 are real`() {
    let names = PixelFaults.all.map(\.name)
    #expect(Set(names).count == names.count)
    let origins = PixelFaults.all.compactMap(\.origin)
    let detectable = PixelFaults.all.count { $0.equivalence == nil }
    #expect(origins.count >= 18 && detectable - origins.count >= 18)
    #expect(origins.allSatisfy { $0.contains("/") && $0.contains("#") })
  }

  @Test func `a fault of the comparator is found by the law of the comparator`() async throws {
    let fault = try #require(PixelFaults.all.first { $0.name == "blind-comparator" })
    let report = await RegionLaws.all[0].check(
      try fault.planted(in: PixelSubject(NaivePipeline())))
    #expect(report.law == "PX-1" && report.verdict == .broken)
  }
}

extension SeededFault: CustomTestStringConvertible {
  /// The name of the fault.
  public var testDescription: String { name }
}
