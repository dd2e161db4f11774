import Testing

@testable import Measurement

@Suite struct LastLinesTests {
  @Test func `a traceback keeps its place and its cause`() {
    let log = """
      Traceback (most recent call last):
        File "worker.py", line 3, in <module>
          1 / 0
      ZeroDivisionError: division by zero

      """
    #expect(
      LastLines.phrase(log)
        == "; it wrote 'Traceback (most recent call last): / File \"worker.py\", line 3, in <module> / 1 / 0"
        + " / ZeroDivisionError: division by zero'")
  }

  @Test func `long logs are cut at their beginning`() {
    let log = (0..<100).map { "line \($0)\n" }.joined()
    let lines = (92..<100).map { "line \($0)" }.joined(separator: " / ")
    #expect(LastLines.phrase(log) == "; it wrote '\(lines)'")
    let phrase = LastLines.phrase(String(repeating: "x", count: 8192) + "end\n\n")
    #expect(phrase.hasSuffix("end'") && phrase.count < 700 && phrase.contains("'…x"))
    #expect(LastLines.phrase("\n \n").isEmpty)
  }
}
