internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// The result of a benchmark of replays with all raw samples.
struct ReplayBenchReport: Codable {
  /// The name of this format; its number rises when readers must change.
  static let currentSchema = "zoombench.replays/1"

  /// The time between two frames at 60 and at 120 frames per second, in nanoseconds.
  static let budgets: [UInt64] = [16_666_667, 8_333_333]

  struct Arm: Codable {
    var source: String
    /// The first frame of each replay, which opens the picture with an empty cache.
    var firstWallNanoseconds: [UInt64]
    /// All other frames, in order; for naive only those at `sampledFrames`.
    var wallNanoseconds: [UInt64]
    var cpuNanoseconds: [UInt64]
    /// The work of all frames together, including the first ones.
    var work: Work
    /// The number of screen pixels in all frames together.
    var pixelsShown: Int
    /// The largest mean absolute difference between a sampled frame and naive's.
    var largestMeanDifference: Double?

    /// Returns the share of frames, without the first ones, that were ready within a time.
    func share(within nanoseconds: UInt64) -> Double {
      let inside = wallNanoseconds.count { $0 <= nanoseconds }
      return Double(inside) / Double(max(1, wallNanoseconds.count))
    }
  }

  struct Group: Codable {
    var picture: String
    var gesture: String
    var system: ZoomSystem
    var screen: Screen
    var frames: Int
    var repeats: Int
    /// The frames that naive rendered too.
    var sampledFrames: [Int]
    var arms: [Arm]
    var refusals: [BenchReport.Refusal]

    /// Returns the speed of a source relative to naive, over the same frames of the first replay.
    func speedUp(of arm: Arm) -> PairedRatio? {
      guard let naive = arms.first(where: { $0.source == "naive" }), arm.source != "naive" else {
        return nil
      }
      // Frame 0 is in `firstWallNanoseconds`.
      let own = sampledFrames.filter { $0 > 0 }.map { arm.wallNanoseconds[$0 - 1] }
      return try? PairedRatio.speedUp(of: own, over: naive.wallNanoseconds)
    }
  }

  var schema = ReplayBenchReport.currentSchema
  var command: [String]
  /// ISO 8601, in UTC.
  var startedAt: String
  var seed: UInt64
  var environment: BenchReport.Environment
  var pictures: [BenchReport.PictureFacts]
  var groups: [Group]
}

struct ReplayBenchCSV {
  private let report: ReplayBenchReport

  init(_ report: ReplayBenchReport) { self.report = report }

  private static let columns = [
    "picture", "gesture", "system", "screen_width", "screen_height", "source", "frames", "repeats",
    "first_p50_ns", "wall_p50_ns", "wall_p95_ns", "wall_p99_ns", "cpu_p50_ns", "share_16_7_ms",
    "share_8_3_ms", "speedup", "pixels_decoded", "pixels_shown", "bytes_read", "off_naive",
  ]

  func rendered() -> String {
    var rows = [Self.columns]
    for group in report.groups {
      for arm in group.arms { rows.append(Self.row(group, arm)) }
    }
    return CSVWriter.text(rows)
  }

  private static func row(
    _ group: ReplayBenchReport.Group, _ arm: ReplayBenchReport.Arm
  ) -> [String] {
    let first = try? Summary(nanoseconds: arm.firstWallNanoseconds)
    let wall = try? Summary(nanoseconds: arm.wallNanoseconds)
    let cpu = try? Summary(nanoseconds: arm.cpuNanoseconds)
    let shares = ReplayBenchReport.budgets.map { wall == nil ? nil : arm.share(within: $0) }
    let numbers: [Double?] =
      [first?.median, wall?.median, wall?.p95, wall?.p99, cpu?.median]
      + shares + [group.speedUp(of: arm)?.ratio]
    var row = [group.picture, group.gesture, group.system.rawValue]
    row += [String(group.screen.pixels.width), String(group.screen.pixels.height), arm.source]
    row += [String(group.frames), String(group.repeats)]
    row += numbers.map { (number: Double?) -> String in number.map { String($0) } ?? "" }
    row += [arm.work.pixelsDecoded.map { String($0) } ?? "", String(arm.pixelsShown)]
    row.append(arm.work.bytesRead.map { String($0) } ?? "")
    row.append(arm.largestMeanDifference.map { String($0) } ?? "")
    return row
  }
}

struct ReplayBenchTable {
  private let report: ReplayBenchReport

  init(_ report: ReplayBenchReport) { self.report = report }

  func rendered() -> String { pages.rendered() }

  func markdown() -> String { pages.markdown() }

  private var pages: SectionedReport {
    SectionedReport(
      heading: RunResult.heading(
        tool: "zoombench \(report.environment.zoombench)", libvips: report.environment.libvips,
        machine: report.environment.machine, seed: report.seed),
      sections: report.pictures.map { picture in
        SectionedReport.Section(
          picture: picture,
          sheets: report.groups.filter { $0.picture == picture.name }.map { group in
            SectionedReport.Sheet(
              title: title(of: group), table: table(of: group),
              notes: group.refusals.map { "\($0.source) cannot read it: \($0.reason)" })
          })
      },
      footing: Self.footing)
  }

  private func title(of group: ReplayBenchReport.Group) -> String {
    let times = group.repeats == 1 ? "once" : "\(group.repeats) times"
    return "\(group.gesture) (\(group.system.rawValue)), \(group.screen.pixels) px,"
      + " \(group.frames) frame\(group.frames == 1 ? "" : "s"), \(times)"
  }

  private func table(of group: ReplayBenchReport.Group) -> TextTable {
    var table = TextTable(columns: [
      .left("source"), .right("first"), .right("p50"), .right("p95"), .right("p99"),
      .right("in 16.7 ms"), .right("in 8.3 ms"), .right("x naive"), .right("px/px"),
      .right("bytes/px"), .right("off naive"),
    ])
    for arm in group.arms {
      let first = (try? Summary(nanoseconds: arm.firstWallNanoseconds))?.median
      let rest = try? Summary(nanoseconds: arm.wallNanoseconds)
      let shown = Double(max(1, arm.pixelsShown))
      let shares = ReplayBenchReport.budgets.map { budget in
        rest == nil ? Format.nothing : "\(Format.significant(arm.share(within: budget) * 100)) %"
      }
      table.append([
        arm.source, first.map(Format.milliseconds) ?? Format.nothing,
        rest.map { Format.milliseconds($0.median) } ?? Format.nothing,
        rest?.p95.map(Format.milliseconds) ?? Format.nothing,
        rest?.p99.map(Format.milliseconds) ?? Format.nothing,
        shares[0], shares[1],
        group.speedUp(of: arm).map { Format.significant($0.ratio) } ?? Format.nothing,
        arm.work.pixelsDecoded.map { Format.significant(Double($0) / shown) } ?? Format.nothing,
        arm.work.bytesRead.map { Format.significant(Double($0) / shown) } ?? Format.nothing,
        arm.largestMeanDifference.map(Format.significant)
          ?? (arm.source == "naive" ? "reference" : Format.nothing),
      ])
    }
    return table
  }

  private static let footing = [
    "first: the first frame, with opening the picture; p50, p95, p99 and shares: all others.",
    "x naive: how many times faster the same frames came, median; naive renders only"
      + " \(ReplayBenchPlan.naiveFrames) of them.",
    "px/px, bytes/px: pixels decoded, bytes read for each pixel of the screen.",
    "off naive: mean difference of samples (0...255) from naive's frame, the worst frame's; parts"
      + " shown 1:1 do not differ.",
  ]
}
