import PropertyTesting
import Testing
import ZoomPipeline

@testable import ZoomLaws

@Suite struct PixelFaultsTests {
  @Test func `every fault is found within 200 requests, and none that is equivalent`() async throws
  {
    let strength = try await PixelStrength.measure(seed: 1)
    for kill in strength {
      if kill.isEquivalent {
        #expect(kill.law == nil, "\(kill)")
      } else {
        #expect(kill.law != nil && kill.requests <= 200, "\(kill)")
      }
    }
  }

  @Test func `names are unique and at least 18 faults are our own and 18 are real`() {
    let names = PixelFaults.all.map(\.name)
    #expect(Set(names).count == names.count)
    let origins = PixelFaults.all.compactMap(\.origin)
    #expect(origins.count >= 18 && PixelFaults.detectable.count - origins.count >= 18)
    #expect(origins.allSatisfy { $0.contains("/") && $0.contains("#") })
  }

  @Test func `a fault of the comparator is found by the law of the comparator`() async throws {
    let fault = try #require(PixelFaults.all.first { $0.name == "blind-comparator" })
    let subject = fault.plant(try PixelSubject(NaivePipeline()))
    let report = await RegionLaws.all[0].check(subject)
    #expect(report.law == "PX-1" && report.verdict == .broken)
  }
}
