import Testing

@testable import zoombench

@Suite struct InstructionCountTests {
  @Test func `the total of callgrind's summary is found`() {
    let text = """
      ==77== Events    : Ir
      ==77== Collected : 573019088
      ==77== I   refs:      573,019,088
      """
    #expect(InstructionCount.collected(in: text) == 573_019_088)
  }

  @Test func `without a summary there is none`() {
    #expect(InstructionCount.collected(in: "==77== Events : Ir") == nil)
    #expect(InstructionCount.collected(in: "==77== Collected : many") == nil)
  }
}
