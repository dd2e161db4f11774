import PropertyTesting
import Testing
import ZoomLaws

@Suite struct ArithmeticFaultsTests {
  private static let names = ArithmeticFaults.all.map(\.name)

  @Test func `names are unique`() {
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test(arguments: names)
  func `a fault is found by a budget unless it is none`(name: String) async throws {
    let fault = try #require(ArithmeticFaults.all.first { $0.name == name })
    let isFound = await isFound(FaultTrial(fault, in: .geometry, laws: NumberLaws.arithmetic))
    #expect(isFound == (fault.equivalence == nil))
  }

  @Test func `single precision is found by the budgets of peeks and double taps alone`()
    async throws
  {
    let peek = try #require(PeekFaults.all.first { $0.name == "single precision" })
    #expect(await isFound(FaultTrial(peek, in: .corrected, laws: NumberLaws.peek)))
    let tap = try #require(DoubleTapFaults.all.first { $0.name == "whole points" })
    #expect(await isFound(FaultTrial(tap, in: .corrected, laws: NumberLaws.doubleTap)))
  }
}
