import Testing

@testable import zoombench

@Suite struct SparkLineTests {
  @Test(arguments: [false, true])
  func `greater values are drawn higher`(isASCII: Bool) {
    let marks = SparkLine.rendered([0, 1, 2, 3, 4, 5, 6, 7], isASCII: isASCII)
    #expect(Set(marks).count == 8)
    #expect(marks.allSatisfy { $0.isASCII } == isASCII)
    #expect(
      SparkLine.rendered([7, 6, 5, 4, 3, 2, 1, 0], isASCII: isASCII) == String(marks.reversed()))
  }

  @Test func `equal values have middle height, and no values give no text`() {
    #expect(SparkLine.rendered([2, 2], isASCII: false) == "▄▄")
    #expect(SparkLine.rendered([], isASCII: false).isEmpty)
  }

  @Test func `extreme numbers are drawn, and only the newest of many`() {
    let extremes = [-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude]
    #expect(SparkLine.rendered(extremes, isASCII: false) == "▁█")
    #expect(
      SparkLine.rendered(Array(repeating: 9, count: 500) + [1], isASCII: true).count
        == SparkLine.mostValues)
  }
}
