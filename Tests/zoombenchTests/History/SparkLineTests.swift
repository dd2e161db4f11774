import Testing

@testable import zoombench

@Suite struct SparkLineTests {
  @Test(
    arguments: [
      ([0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█"), ([7, 6, 5, 4, 3, 2, 1, 0], "█▇▆▅▄▃▂▁"),
      ([2, 2], "▄▄"),
      ([], ""), ([-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude], "▁█"),
      (Array(repeating: 9, count: 500) + [1], String(repeating: "█", count: 59) + "▁"),
    ] as [([Double], String)])
  func `greater values are drawn higher, and only the newest 60`(values: [Double], line: String) {
    #expect(SparkLine.rendered(values) == line)
  }
}
