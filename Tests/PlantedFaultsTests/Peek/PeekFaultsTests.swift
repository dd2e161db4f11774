import PropertyTesting
import Testing
import ZoomLaws

@Suite struct PeekFaultsTests {
  private static let names = PeekFaults.all.map(\.name)

  @Test func `names are unique`() {
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test(arguments: names)
  func `a fault is found by a law unless it is none`(name: String) async throws {
    let fault = try #require(PeekFaults.all.first { $0.name == name })
    let isFound = await isFound(FaultTrial(fault, in: .corrected, laws: PeekLaws.all))
    #expect(isFound == (fault.equivalence == nil))
  }
}
