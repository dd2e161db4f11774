import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct BenchLaunchesTests {
  @Test func `joined launches keep every sample, and each round's answer`() throws {
    var joined = try Samples.report(rounds: 3, disagreeingIn: [0, 2])
    joined.join(try Samples.report(rounds: 4, disagreeingIn: [1]))
    joined.join(try Samples.report(rounds: 2))
    let group = try #require(joined.groups.first)
    #expect(group.launches == [3, 4, 2])
    #expect(group.rounds.count == 9)
    let other = try #require(group.arms.last)
    #expect(other.wallNanoseconds.count == 9 && other.cpuNanoseconds.count == 9)
    #expect(Set(other.disagreements.keys) == [0, 2, 4])
    #expect(joined.agreement == (9, 3))
    #expect(other.agreed == 6)
    let work = try Samples.report(rounds: 9).groups.first?.arms.last?.work
    #expect(other.work == work)
  }

  @Test func `a source that failed in one launch is out of all, and named`() throws {
    var joined = try Samples.report(rounds: 2)
    var broken = try Samples.report(rounds: 2)
    let source = try #require(broken.groups[0].arms.last?.source)
    broken.groups[0].arms.removeLast()
    broken.groups[0].failures = [BenchReport.Refusal(source: source, reason: "gone")]
    joined.join(broken)
    #expect(joined.groups[0].arms.map(\.source) == ["naive"])
    #expect(joined.failed == [source])
  }

  @Test func `an interval over launches knows that each process has its own speed`() throws {
    // All pairs of a process agree, and processes differ by ten per cent.
    var joined: BenchReport?
    for launch in 0..<6 {
      var report = try Samples.report(rounds: 20)
      let time = UInt64(1_000_000 + launch * 20_000)
      let last = report.groups[0].arms.count - 1
      report.groups[0].arms[last].wallNanoseconds = [UInt64](repeating: time, count: 20)
      if joined == nil { joined = report } else { joined?.join(report) }
    }
    var group = try #require(joined?.groups.first)
    let arm = try #require(group.arms.last)
    let ofLaunches = try #require(group.figures(of: arm)?.speedUp?.interval)
    group.launches = nil
    let ofPairs = try #require(group.figures(of: arm)?.speedUp?.interval)
    #expect(ofLaunches.upper - ofLaunches.lower > 2 * (ofPairs.upper - ofPairs.lower))
  }

  @Test func `a launch that ends well without a result is an internal error`() {
    #expect(BenchCommand.status(of: .exited(status: 0)) == .fault)
    #expect(BenchCommand.status(of: .exited(status: 1)) == .finding)
    #expect(BenchCommand.status(of: .exited(status: 200)) == .fault)
    #expect(BenchCommand.status(of: .killed(signal: 9)) == .fault)
  }

  @Test func `a launch has the command's own arguments but for what only the whole run does`() {
    let other = ["--launches", "1"]
    for (given, kept) in [
      (["bench", "a.jpg"], ["bench", "a.jpg"]),
      (["bench", "--record", "--quick"], ["bench", "--quick"]),
      (["--record", "--commit", "v1", "a.jpg"], ["a.jpg"]), (["--commit=v1", "a.jpg"], ["a.jpg"]),
    ] {
      #expect(BenchCommand.arguments(given, with: other) == kept + other)
    }
    #expect(
      BenchCommand.arguments(["bench", "--", "--record"], with: other)
        == ["bench", "--launches", "1", "--", "--record"])
  }
}
