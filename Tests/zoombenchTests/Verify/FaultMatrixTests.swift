import Testing

@testable import zoombench

@Suite struct FaultMatrixTests {
  private func row(_ name: String, _ kills: [Int?], equivalence: String? = nil)
    -> FaultMatrix.FaultRow
  {
    FaultMatrix.FaultRow(
      fault: name, summary: "", origin: "a/b#1", equivalence: equivalence, kills: kills)
  }

  private func matrix(_ rows: FaultMatrix.FaultRow...) -> FaultMatrix {
    FaultMatrix(
      tool: "zoombench 0", seed: 3, cases: 200,
      groups: [FaultMatrix.SubjectFaults(subject: "peek", laws: ["FZ-P1", "FZ-P2"], faults: rows)])
  }

  @Test func `a survivor is a fault that no law found and that is not equivalent`() {
    let made = matrix(
      row("a", [nil, 4]), row("b", [nil, nil]), row("c", [nil, nil], equivalence: "same"))
    #expect(made.survivors.map(\.fault) == ["b"])
    #expect(made.rendered().contains("1 of 2 faults killed, 1 equivalent"))
  }

  @Test func `the fastest law counts`() {
    let made = matrix(row("a", [9, 4]), row("b", [2, nil]), row("c", [7, 8]))
    #expect(made.faults.map(\.fastest) == [4, 2, 7])
    #expect(made.rendered().contains("median 4, most 7"))
  }
}
