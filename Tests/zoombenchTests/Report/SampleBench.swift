import Foundation
import Measurement
import MeasurementHistory
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

extension SampleResults {
  struct SamplePicture {
    var name: String
    var width: Int
    var height: Int
  }

  static let pictures = [
    SamplePicture(name: "pharmacy", width: 1600, height: 1200),
    SamplePicture(name: "forest", width: 4032, height: 3024),
    SamplePicture(name: "petronas", width: 3024, height: 6048),
    SamplePicture(name: "panorama", width: 23_000, height: 4600),
  ]
  static let sources = ["naive", "random", "sequential", "resident", "partial"]

  /// Returns a benchmark in which each source takes the typical time of its kind.
  static func bench(
    seed: UInt64 = 1, pictures: [SamplePicture] = pictures, sources: [String] = sources,
    rounds: Int = 60, disagreements: Int = 0
  ) throws -> BenchReport {
    var groups: [BenchReport.Group] = []
    for (index, picture) in pictures.enumerated() {
      for kind in BenchPlan.standardPeeks {
        for state in BenchPlan.FileState.allCases {
          var random = SeededRandom(seed: seed, label: "\(index) \(kind.name) \(state.rawValue)")
          groups.append(
            try group(picture, kind, state, sources, rounds, disagreements, &random))
        }
      }
    }
    return BenchReport(
      command: ["zoombench", "bench", "--seed", "\(seed)"], startedAt: "2027-01-15T08:00:00Z",
      seed: seed, viewportWidth: 375, viewportHeight: 667,
      environment: BenchReport.Environment(
        machine: machine, zoombench: "0.1.0", libvips: "8.14.1", libvipsHeaders: "8.14.1",
        libvipsThreads: 2, timerOverheadNanoseconds: 41),
      pictures: pictures.map {
        BenchReport.PictureFacts(
          name: $0.name, path: "\($0.name).jpg", width: $0.width, height: $0.height,
          byteCount: $0.width * $0.height / 6, facts: [])
      },
      groups: groups,
      unmeasured: [BenchReport.Unmeasured(picture: "broken", reason: "broken.jpg: no picture")])
  }

  private static func group(
    _ picture: SamplePicture, _ kind: BenchPlan.PeekKind, _ state: BenchPlan.FileState,
    _ sources: [String], _ count: Int, _ disagreements: Int, _ random: inout SeededRandom
  ) throws -> BenchReport.Group {
    let side = Int(kind.side * kind.scale)
    let rounds = try (0..<count).map { _ in
      let region = try PixelRegion(
        x: random.index(below: max(1, picture.width - side)),
        y: random.index(below: max(1, picture.height - side)),
        width: min(side, picture.width), height: min(side, picture.height))
      return BenchReport.Round(
        touchX: 375 * random.unit(), touchY: 667 * random.unit(), region: region,
        digest: PixelDigest(rawValue: String(repeating: "a", count: 64)))
    }
    let arms = sources.map { source in
      arm(source, picture, rounds, side, state, disagreements, &random)
    }
    return BenchReport.Group(
      picture: picture.name, peek: kind, state: state, rounds: rounds, arms: arms,
      refusals: [BenchReport.Refusal(source: "iiif", reason: "there is no server")], failures: [])
  }

  private static func arm(
    _ source: String, _ picture: SamplePicture, _ rounds: [BenchReport.Round], _ side: Int,
    _ state: BenchPlan.FileState, _ disagreements: Int, _ random: inout SeededRandom
  ) -> BenchReport.Arm {
    let pixels = Double(picture.width * picture.height)
    let peek = Double(side * side)
    var decoded = 0.0
    let times = rounds.map { round in
      let depth = Double(round.region.maxY) / Double(picture.height)
      let across = Double(round.region.maxX) / Double(picture.width)
      let work: Double =
        switch source {
        case "naive", "random": pixels
        case "sequential": pixels * depth
        case "resident": state == .cold ? pixels : 0
        default: 1.6 * peek * (1 + 0.5 * across)
        }
      decoded += work
      // 6 ns per decoded pixel and 1 ns per delivered pixel, with some noise and rare waits.
      let noise = exp(abs(gaussian(&random)) * 0.05) * (random.unit() < 0.04 ? 2.2 : 1)
      return UInt64((40_000 + 6 * work + peek) * noise)
    }
    let wrong = source == "naive" ? 0 : min(disagreements, rounds.count)
    let other = PixelDigest(rawValue: String(repeating: "b", count: 64))
    return BenchReport.Arm(
      source: source, wallNanoseconds: times, cpuNanoseconds: times.map { $0 * 9 / 10 },
      agreed: rounds.count - wrong,
      disagreements: Dictionary(uniqueKeysWithValues: (0..<wrong).map { ($0, other) }),
      work: Work(
        bytesRead: Int(decoded / 6), pixelsDecoded: Int(decoded),
        pixelsDelivered: Int(peek) * rounds.count),
      state: .openFile, peakMemoryBytes: UInt64(2e7 + decoded / Double(max(1, rounds.count))),
      isExact: true)
  }

  /// Returns series over commits, the first with a step in its middle.
  static func history(seed: UInt64 = 1, names: [String]) throws -> [SeriesReport] {
    var random = SeededRandom(seed: seed, label: "history")
    return try names.enumerated().map { index, name in
      let points = (0..<48).map { run in
        let level = index == 0 && run >= 29 ? 0.1186 : 0.113
        let value = level * exp(gaussian(&random) * 0.006)
        return Series.Point(
          run: "\(run)", revision: RunRecord.Revision(commit: String(random.next(), radix: 16)),
          startedAt: "2027-01-\(run / 3 + 10)T08:00:00Z", value: value, lower: value * 0.993,
          upper: value * 1.007)
      }
      return try SeriesReport(
        Series(
          name: name, measure: "cpuToControl", machine: "",
          segments: [Series.Segment(baseline: nil, points: points)]))
    }
  }
}
