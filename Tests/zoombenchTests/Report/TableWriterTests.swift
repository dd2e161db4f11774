import Foundation
import Measurement
import PropertyTesting
import Testing

@testable import zoombench

/// The tables for a terminal.
@Suite struct TableWriterTests {
  private func line(of source: String, in text: String) throws -> [Substring] {
    let line = text.split(separator: "\n").first {
      $0.trimmingPrefix { $0 == " " }.hasPrefix(source)
    }
    return try #require(line).split(separator: " ")
  }

  @Test func `a source's line has its median, its ratios and how often it agreed`() throws {
    let table = TableWriter.rendered(Samples.report(rounds: 60, floor: 250_000))
    let other = try line(of: "other", in: table)
    for part in ["2.00", "4.00", "4.00…4.00", "8.00", "8.00…8.00"] {
      #expect(other.contains(Substring(part)), "\(part)")
    }
    #expect(other.last == "60/60")
    #expect(try line(of: "naive", in: table).last == "reference")
    #expect(table.contains("the decoder alone"))
    #expect(!TableWriter.rendered(Samples.report(rounds: 60)).contains("floor"))
  }

  @Test func `a column without a number is left out, and a note says why`() throws {
    let few = TableWriter.rendered(Samples.report())
    #expect(try line(of: "source", in: few).filter { $0.hasPrefix("p") } == ["p50", "px/px"])
    #expect(few.contains("--rounds") && few.contains("All 3 answers agree"))
    #expect(!TableWriter.rendered(Samples.report(rounds: 300)).contains("--rounds"))
  }

  @Test func `a disagreement shows in the source's line and at the end`() throws {
    let table = TableWriter.rendered(Samples.report(differing: 1))
    #expect(try line(of: "other", in: table).suffix(2) == ["2/3", "NO"])
    #expect(table.contains("1 of 3 answers DIFFER"))
  }

  @Test func `notes appear only where they apply`() {
    var result = Samples.report(build: .debug)
    let refusal = RunResult.Refusal(source: "partial", reason: "there is a reason")
    for name in result.groups.keys { result.groups[name]?.refusals = [refusal] }
    result.rows[1].bench?.alike = Row.Likeness(count: 2)
    result.addFailure(of: "mine", "it did not start")
    let (table, plain) = (TableWriter.rendered(result), TableWriter.rendered(Samples.report()))
    for part in [
      "DEBUG", "alike: ", "partial cannot read it: there is a reason",
      "mine FAILED (warm): it did not start", "mine FAILED and could not be compared",
      "All 3 answers that were compared agree",
    ] {
      #expect(table.contains(part) && !plain.contains(part), "\(part)")
    }
    #expect(!table.contains("DIFFER"))
  }

  @Test func `the table of a comparison has every fact of a case`() {
    let slow = Samples.peek(
      "petronas", ratio: 1.05, verdict: .slower, base: ["bytes read": 10, "a": 1],
      candidate: ["bytes read": 12, "a": 2], differing: [4], reason: "it was measured twice")
    var result = Samples.result(cases: [slow, Samples.peek("control", role: .control)])
    result.contenders[1].isDirty = true
    result.onlyInCandidate = ["fresh"]
    result.settings.allowedCounters = ["a"]
    result.compare(result.cases)
    let table = TableWriter.rendered(result)
    for part in [
      "petronas", "+5.00 %", "pixels differ", "frozen control", "bytes read rose from 10 to 12",
      "petronas: a rose from 1 to 2, which is allowed", "fresh: new", "1 of 20 answers",
      "it was measured twice", "pixels differ: 1", "5.01 ms", "v1 (base)",
      "HEAD (candidate, with changes)",
    ] {
      #expect(table.contains(part), "\(part) is missing in \(table)")
    }
    #expect(table.components(separatedBy: "a rose from 1 to 2").count == 2)
    result.contamination = ["the machine slept"]
    #expect(TableWriter.rendered(result).contains("cannot be trusted: the machine slept"))
  }

  @Test func `the change of a case that was measured again is the second one`() {
    var slow = Samples.peek(ratio: 1.2, verdict: .slower)
    slow.confirmed = Samples.estimate(1.05, .slower)
    let table = TableWriter.rendered(Samples.result(cases: [slow]))
    #expect(table.contains("+5.00 %") && !table.contains("+20.0 %"))
  }

  @Test func `a check that was not measured in time names the budget once`() {
    let reason = "the time budget of 5.0 seconds ran out after 0 launches"
    let check = Samples.peek("control", verdict: .inconclusive, reason: reason, role: .control)
    let result = Samples.result(cases: [Samples.peek(), check])
    #expect(result.conclusion.word == .same)
    #expect(TableWriter.rendered(result).components(separatedBy: reason).count == 2)
  }

  @Test func `the clock that decides is named, and wall time is shown where it differs`() {
    func text(cpu: UInt64, wall: UInt64, clock: PairedLaunch.Clock) -> String {
      var one = Samples.peek("peek", ratio: 1.5, verdict: .slower)
      for arm in [\PairedLaunch.base, \.candidate] {
        one.launches[0][keyPath: arm].cpuNanoseconds = [cpu, cpu]
        one.launches[0][keyPath: arm].wallNanoseconds = [wall, wall]
      }
      one.clock = clock
      return TableWriter.rendered(Samples.result(cases: [one]))
    }
    let waiting = text(cpu: 680_000, wall: 10_000_000, clock: .wall)
    #expect(waiting.contains("10.0 ms") && !waiting.contains("0.680 ms"), "\(waiting)")
    #expect(waiting.contains(#/peek +wall/#) && !waiting.contains("wall time  "), "\(waiting)")
    let counted = text(cpu: 680_000, wall: 10_000_000, clock: .cpu)
    #expect(counted.contains(#/peek +CPU +0.680 ms/#) && counted.contains("10.0 ms, 10.0 ms"))
    let busy = text(cpu: 10_000_000, wall: 10_500_000, clock: .cpu)
    #expect(busy.contains(#/peek +CPU/#) && !busy.contains("10.5 ms"), "\(busy)")
  }
}

/// The tables of laws.
extension TableWriterTests {
  private func text(_ rows: VerifyReport.LawRow...) -> String {
    TableWriter.rendered(Samples.laws(rows))
  }

  @Test func `geometry and pixels have a table each, in which a law that held is one line`() {
    let lines = text(Samples.law("FZ-P1"), Samples.law("PX-1", kind: .pixels))
      .split(separator: "\n")
    #expect(lines.count == 5 && lines.count { $0.hasPrefix("law ") } == 2)
    for part in ["FZ-P1", "12,345", "held"] { #expect(lines[1].contains(part)) }
    #expect(
      lines[4].hasPrefix(
        "2 held, 0 broken, 0 undecided; 12,345 geometry cases, 12,345 pixel cases; 1.50 s; seed 7"))
  }

  @Test func `a broken law shows its statement, the input, the complaint and the replay command`() {
    let shown = text(Samples.law("FZ-P1", verdict: .broken, breaches: [Samples.breach()]))
    for part in [
      "FZ-P1 peek original: broken. The crop lies inside the picture.",
      "touch (375, 474.1) on 1600x1200 in 375x667: the crop ends 187.5 px past the right edge",
      "again: zoombench verify --law FZ-P1 --replay zt1-abc", "drawn: out/FZ-P1.png",
      "in 25.0 to 50.0 % of repetitions",
    ] {
      #expect(shown.contains(part), "\(part) is missing")
    }
    let events = Samples.breach(input: "a phone\n0 s: began\n1 s: moved", complaint: "it jumps")
    #expect(
      text(Samples.law("GE-21", verdict: .broken, breaches: [events]))
        .contains("  a phone\n    0 s: began\n    1 s: moved\n  it jumps\n"))
  }

  @Test func `an undecided law says why, and which class was too small`() {
    let few = VerifyReport.ClassShare(
      name: "letterbox", count: 1, share: 1e-4, requiredShare: 0.2, isReached: false)
    let rarer = VerifyReport.ClassShare(name: "corner", count: 0, share: 0, isReached: true)
    let shown = text(Samples.law("FZ-P13", verdict: .undecided, classes: [few, rarer]))
    for part in [
      "undecided: FZ-P13 on peek original: too few <cases>", "letterbox < 0.1 % (too few)",
      "0 held, 0 broken, 1 undecided",
    ] {
      #expect(shown.contains(part))
    }
  }

  @Test func `a law that needs more cases says how to try them`() {
    let few = VerifyReport.ClassShare(
      name: "animating", count: 3, share: 1, requiredShare: 0.2, isReached: false)
    var law = Samples.law("W-G6", verdict: .undecided, classes: [few])
    law.cases = 3
    for reason in ["\(GaveUpReason.undecidedClasses(["animating"]))", VerifyReport.noTimeLeft] {
      law.reason = reason
      let shown = text(law)
      #expect(
        shown.contains(
          "undecided: W-G6 on peek original: \(reason) (3 tried; --laws W-G6 --budget 5m)"))
      #expect(shown.contains("animating 100 % (of too few cases)"))
    }
  }

  @Test func `the table says whether every result of published systems is as expected`() {
    var kept = Samples.law("FZ-P1")
    var broken = Samples.law("FZ-P2", verdict: .broken)
    (kept.isBrokenAsPublished, broken.isBrokenAsPublished) = (false, true)
    #expect(text(kept, broken).contains("every result as expected of the published systems"))
    kept.isBrokenAsPublished = true
    #expect(text(kept, broken).contains("1 result not as expected"))
  }
}
