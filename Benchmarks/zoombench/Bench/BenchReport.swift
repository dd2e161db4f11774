internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// The result of a run with all raw samples, which every writer reads and `--format json` keeps.
struct BenchReport: Codable {
  /// The name of this format; its number rises when readers must change.
  static let currentSchema = "zoombench.bench/1"

  struct Environment: Codable {
    var machine: MachineDescription
    var zoombench: String
    var libvips: String
    var libvipsHeaders: String
    var libvipsThreads: Int
    var timerOverheadNanoseconds: UInt64
  }

  struct PictureFacts: Codable {
    var name: String
    var path: String
    var width: Int
    var height: Int
    var byteCount: Int
    var facts: [String]
  }

  struct Round: Codable {
    var touchX: Double
    var touchY: Double
    var region: PixelRegion
    var digest: PixelDigest
  }

  /// One source's answers to the rounds of a group, in the same order.
  struct Arm: Codable {
    var source: String
    var wallNanoseconds: [UInt64]
    /// CPU time of this process, or of the processes of another program where it is known.
    var cpuNanoseconds: [UInt64]
    var agreed: Int
    /// The digests of the answers that differ from naive's, by round.
    var disagreements: [Int: PixelDigest]
    var work: Work
    var state: SourceState
    /// Peak resident memory of a fresh process that opens the picture and makes one peek.
    var peakMemoryBytes: UInt64?
    /// Whether the source promises naive's pixels; otherwise differences are not findings.
    var isExact: Bool
    /// Answers of another program that differ from naive's in bytes but look alike.
    var alike: Likeness?
    /// Whether `cpuNanoseconds` is the time of another program's processes.
    var hasProcessorTime: Bool?
    var arrivals: [Arrival]?
    /// The way in which `partial` reads the picture; nil for other sources.
    var method: String?
  }

  /// The times from the request to a server's answer; the rest of the time is decoding.
  struct Arrival: Codable {
    /// 0 if the connection was already open.
    var connectedNanoseconds: UInt64
    var firstByteNanoseconds: UInt64
    var lastByteNanoseconds: UInt64

    init(_ arrival: ForeignPipeline.Arrival) {
      connectedNanoseconds = arrival.connected
      firstByteNanoseconds = arrival.firstByte
      lastByteNanoseconds = arrival.lastByte
    }
  }

  /// Answers in a lossy format that look like naive's pixels.
  struct Likeness: Codable {
    var count = 0
    /// The largest difference of two samples, in steps of the format.
    var largest = 0.0
    /// The sum of the answers' mean absolute differences.
    var meanSum = 0.0
    /// The difference in the first answer that was not alike.
    var firstDifference: String?

    /// Counts an answer if it is alike; returns false otherwise, and for every inexact answer of a lossless
    /// format.
    mutating func take(
      _ got: Pixels, _ expected: Pixels, of region: PixelRegion, isExact: Bool
    ) -> Bool {
      switch PixelAgreement(got, expected: expected) {
      case .alike(let largest, let mean) where !isExact:
        count += 1
        self.largest = max(self.largest, largest)
        meanSum += mean
        return true
      case .different(let reason):
        // The table has already reported that the answer differs.
        let place = reason.trimmingPrefix("differs: ")
        firstDifference = firstDifference ?? "region \(region): \(place)"
        return false
      case .alike(let largest, let mean):
        firstDifference =
          firstDifference
          ?? "region \(region): samples differ by up to \(Format.number(largest)), "
          + "\(Format.significant(mean)) on average"
        return false
      case .same: return true
      }
    }
  }

  /// The time that the null program of a kind takes.
  struct NullAnswer: Codable {
    var kind: String
    var width: Int
    var height: Int
    var medianNanoseconds: Double
  }

  struct Refusal: Codable {
    var source: String
    var reason: String
  }

  /// The measurements under the same conditions, whose samples are paired by round.
  struct Group: Codable {
    var picture: String
    var peek: BenchPlan.PeekKind
    var state: BenchPlan.FileState
    var rounds: [Round]
    var arms: [Arm]
    var refusals: [Refusal]
    /// The sources that failed although naive did not; these are findings, like differing answers.
    var failures: [Refusal]
    /// The number of rounds per process, in order; nil for one process.
    var launches: [Int]?
  }

  /// A picture that naive could not read.
  struct Unmeasured: Codable {
    var picture: String
    var reason: String
  }

  var schema = BenchReport.currentSchema
  var command: [String]
  /// ISO 8601, in UTC.
  var startedAt: String
  var seed: UInt64
  var viewportWidth: Double
  var viewportHeight: Double
  var environment: Environment
  var pictures: [PictureFacts]
  var groups: [Group]
  var unmeasured: [Unmeasured]
  /// One entry for each kind of program in the run.
  var nullAnswers: [NullAnswer]?
  /// The machines of the shards, if there were several; times of different machines are not comparable.
  var machines: [String]?

  /// The number of answers compared with naive's, and of those that differed.
  var agreement: (compared: Int, differing: Int) {
    var compared = 0
    var differing = 0
    for arm in groups.flatMap(\.arms)
    where arm.source != "naive" && (arm.isExact || arm.alike != nil) {
      compared += arm.wallNanoseconds.count
      differing += arm.disagreements.count
    }
    return (compared, differing)
  }

  /// The sources and programs that failed although naive did not, without duplicates.
  var failed: [String] {
    groups.flatMap(\.failures).map(\.source).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// A short description of the defects; nil if there are none.
  var finding: String? {
    let (compared, differing) = agreement
    let parts = [
      differing > 0 ? "\(differing) of \(compared) answers differ from naive's pixels" : nil,
      failed.isEmpty ? nil : "\(failed.joined(separator: ", ")) failed and could not be compared",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension BenchReport {
  /// Returns the sources that refuse a group but read others of the picture; reports list them explicitly.
  func partlyRefused(in group: Group) -> [Refusal] {
    let others = groups.filter { $0.picture == group.picture }.flatMap(\.arms).map(\.source)
    return group.refusals.filter { others.contains($0.source) }
  }
}

extension BenchReport.Group {
  /// "forest, 375 pt @2, warm".
  var name: String { "\(picture), \(peek.name), \(state.rawValue)" }

  /// The reference's samples, which every group has.
  var naive: BenchReport.Arm? { arms.first { $0.source == "naive" } }

  /// The decoder's time for the same regions; only warm groups of some JPEGs have it.
  var floor: BenchReport.Arm? { arms.first { $0.source == FloorPipeline.name } }

  /// The ratio of an arm's wall time to the floor's; nil without a floor.
  func timesFloor(of arm: BenchReport.Arm) -> PairedRatio? {
    floor.flatMap { ratio(of: arm.wallNanoseconds, over: $0.wallNanoseconds) }
  }

  /// Returns the ratio of two arms; with several launches, its interval is over launches.
  private func ratio(of numerators: [UInt64], over denominators: [UInt64]) -> PairedRatio? {
    try? PairedRatio(numerators: numerators, denominators: denominators, launches: launches)
  }

  struct Figures {
    let median: Double
    let p95: Double?
    let p99: Double?
    let speedUp: PairedRatio?
    /// The time relative to the floor's, pair by pair.
    let timesFloor: PairedRatio?
  }

  func figures(of arm: BenchReport.Arm) -> Figures? {
    guard let summary = try? Summary(nanoseconds: arm.wallNanoseconds) else { return nil }
    return Figures(
      median: summary.median, p95: summary.p95, p99: summary.p99,
      speedUp: naive.flatMap { ratio(of: $0.wallNanoseconds, over: arm.wallNanoseconds) },
      timesFloor: timesFloor(of: arm))
  }
}
