import Measurement
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct ReplayBenchTableTests {
  private func report() throws -> ReplayBenchReport {
    func arm(_ source: String, _ nanoseconds: UInt64, count: Int) -> ReplayBenchReport.Arm {
      ReplayBenchReport.Arm(
        source: source, firstWallNanoseconds: [50_000_000],
        wallNanoseconds: Array(repeating: nanoseconds, count: count), cpuNanoseconds: [1],
        work: Work(bytesRead: 300, pixelsDecoded: 150, pixelsDelivered: 1), pixelsShown: 100)
    }
    var other = arm("other", 10_000_000, count: 60)
    other.largestMeanDifference = 0.25
    let sample = try Samples.report()
    return ReplayBenchReport(
      command: ["zoombench"], startedAt: "2027-01-15T08:00:00Z", seed: 7,
      environment: sample.environment, pictures: sample.pictures,
      groups: [
        ReplayBenchReport.Group(
          picture: sample.pictures[0].name, gesture: "g", system: .doubleTap,
          screen: try Screen(size: ViewSize(width: 10, height: 10)), frames: 61, repeats: 1,
          sampledFrames: [0, 1, 2], arms: [arm("naive", 40_000_000, count: 2), other],
          refusals: [BenchReport.Refusal(source: "partial", reason: "no markers")])
      ])
  }

  @Test func `the table has the figures of each source`() throws {
    let text = ReplayBenchTable(try report()).rendered()
    #expect(text.contains("g (double-tap), 10x10 px, 61 frames, once"))
    let rows = text.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    let other = try #require(rows.first { $0.first == "other" })
    #expect(
      other == [
        "other", "50.0", "ms", "10.0", "ms", "10.0", "ms", "–", "100", "%", "0", "%", "4.00",
        "1.50", "3.00", "0.250",
      ])
    #expect(text.contains("partial cannot read it: no markers"))
  }

  @Test func `Markdown has the same cells`() throws {
    let text = ReplayBenchTable(try report()).markdown()
    #expect(text.contains("| other | 50.0 ms | 10.0 ms | 10.0 ms | – | 100 % | 0 % | 4.00 |"))
  }

  @Test func `CSV has a row for each source and a field for each column`() throws {
    let rows = try CSVParser.rows(ReplayBenchCSV(try report()).rendered())
    #expect(rows.count == 3)
    #expect(Set(rows.map(\.count)) == [20])
    #expect(rows[2][1] == "g")
    #expect(rows[2][13] == "1.0")
  }
}
