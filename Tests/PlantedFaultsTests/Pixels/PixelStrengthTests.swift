import Testing
import ZoomPipeline

@testable import ZoomLaws

@Suite struct PixelStrengthTests {
  @Test func `sound pipelines raise no false alarm, and a faulty one does`() async throws {
    let sound = try PixelSubject(ResidentPipeline())
    let none = await PixelStrength.falseAlarms(of: [sound], seeds: 5..<7, cases: 2)
    #expect(none.isEmpty)
    let fault = try #require(PixelFaults.all.first { $0.name == "mirrored" })
    let some = await PixelStrength.falseAlarms(of: [fault.plant(sound)], seeds: 5..<6, cases: 2)
    #expect(some.contains { $0.law == "PX-2" })
  }

  @Test func `a fault that no law sees is told as missed`() async throws {
    let harmless = PixelFaults.all.filter { $0.name == "copied" }
    let found = try await PixelStrength.measure(seed: 1, requests: 60, faults: harmless)
    #expect(found.count == 1 && found.first?.law == nil && found.first?.isEquivalent == true)
  }
}
