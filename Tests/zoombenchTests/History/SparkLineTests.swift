import Testing

@testable import zoombench

@Suite struct SparkLineTests {
  @Test(arguments: [false, true])
  func `the order of heights is that of the values`(isASCII: Bool) {
    let marks = SparkLine.rendered([0, 1, 2, 3, 4, 5, 6, 7], isASCII: isASCII)
    #expect(Set(marks).count == 8)
    #expect(marks.allSatisfy { $0.isASCII } == isASCII)
    #expect(
      SparkLine.rendered([7, 6, 5, 4, 3, 2, 1, 0], isASCII: isASCII) == String(marks.reversed()))
  }

  @Test func `equal values are of middle height, and none are nothing`() {
    #expect(SparkLine.rendered([2, 2], isASCII: false) == "▄▄")
    #expect(SparkLine.rendered([], isASCII: false).isEmpty)
  }

  @Test func `numbers far apart are no trap, and only the newest are drawn`() {
    let extremes = [-Double.greatestFiniteMagnitude, .greatestFiniteMagnitude]
    #expect(SparkLine.rendered(extremes, isASCII: false) == "▁█")
    #expect(
      SparkLine.rendered(Array(repeating: 9, count: 500) + [1], isASCII: true).count
        == SparkLine.mostValues)
  }
}
