import Testing

@testable import zoombench

@Suite struct VerifyTableTests {
  private func text(_ rows: VerifyReport.LawRow...) -> String {
    VerifyTable(SampleVerifyReport.report(rows)).rendered()
  }

  @Test func `a law that held is one line`() throws {
    let lines = text(SampleVerifyReport.row("FZ-P1")).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].contains("FZ-P1"))
    #expect(lines[1].contains("12,345"))
    #expect(lines[1].contains("held"))
    #expect(lines[2].hasPrefix("1 held, 0 broken, 0 undecided; 12,345 geometry cases"))
    #expect(lines[2].hasSuffix("seed 7"))
  }

  @Test func `a broken law shows its statement, the input, the complaint and the way back`() {
    let shown = text(
      SampleVerifyReport.row(
        "FZ-P1", verdict: .broken, breaches: [SampleVerifyReport.breach()]))
    for part in [
      "FZ-P1 peek original: broken. The crop lies inside the picture.",
      "touch (375, 474.1) on 1600x1200 in 375x667: the crop ends 187.5 px past the right edge",
      "again: zoombench verify --law FZ-P1 --replay zt1-abc", "drawn: out/FZ-P1.png",
      "in 25.0 to 50.0 % of repetitions",
    ] {
      #expect(shown.contains(part), "\(part) is missing")
    }
  }

  @Test func `events are one a line in the table, the page and JUnit, and the complaint follows`() {
    let breach = SampleVerifyReport.breach(
      input: "a phone\n0 s: began\n1 s: moved", complaint: "it jumps")
    let row = SampleVerifyReport.row("GE-21", verdict: .broken, breaches: [breach])
    #expect(text(row).contains("  a phone\n    0 s: began\n    1 s: moved\n  it jumps\n"))
    let report = SampleVerifyReport.report([row])
    #expect(
      VerifyPage(report).rendered().contains(
        "<pre>a phone&#10;0 s: began&#10;1 s: moved</pre>"))
    let details = JUnit(report).suites.flatMap(\.cases).map(\.detail)
    #expect(details == ["a phone\n0 s: began\n1 s: moved\nit jumps\n\(breach.replay)"])
  }

  @Test func `an undecided law says why, and which class was too small`() {
    let few = VerifyReport.ClassShare(
      name: "letterbox", count: 1, share: 1e-4, requiredShare: 0.2, isReached: false)
    let rarer = VerifyReport.ClassShare(
      name: "corner", count: 0, share: 0, requiredShare: nil, isReached: true)
    let shown = text(SampleVerifyReport.row("FZ-P13", verdict: .undecided, classes: [few, rarer]))
    #expect(shown.contains("too few <cases>"))
    #expect(shown.contains("letterbox < 0.1 % (too few)"))
    #expect(shown.contains("0 held, 0 broken, 1 undecided"))
  }

  @Test func `geometry and pixels have a table each and are counted apart`() {
    let shown = text(
      SampleVerifyReport.row("FZ-P1"), SampleVerifyReport.row("PX-1", kind: .pixels))
    #expect(shown.split(separator: "\n").count { $0.hasPrefix("law ") } == 2)
    #expect(shown.contains("12,345 geometry cases, 12,345 pixel cases"))
  }

  @Test func `of published systems it is said whether every result is as expected`() {
    var kept = SampleVerifyReport.row("FZ-P1")
    var broken = SampleVerifyReport.row("FZ-P2", verdict: .broken)
    (kept.isBrokenAsPublished, broken.isBrokenAsPublished) = (false, true)
    #expect(text(kept, broken).contains("every result as expected of the published systems"))
    kept.isBrokenAsPublished = true
    #expect(text(kept, broken).contains("1 result not as expected"))
    kept.isBrokenAsPublished = nil
    broken.isBrokenAsPublished = nil
    #expect(!text(kept, broken).contains("expected"))
  }
}
