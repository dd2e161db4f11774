internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The samples of a benchmark run; results have a row for each arm.
struct BenchReport {
  struct PictureFacts: Codable {
    var name: String
    var path: String
    var width: Int
    var height: Int
    var byteCount: Int
    /// The format with its coding: "JPEG baseline 4:2:0".
    var format: String?
    var facts: [String]
  }

  /// One contender's answers to the rounds of a group, in the same order.
  struct Arm {
    var source: String
    var kind = RunResult.Contender.Kind.source
    /// The clock whose times are the contender's own.
    var clock = PairedLaunch.Clock.cpu
    /// Nanoseconds of each round, one array for each launch.
    var wall: [[UInt64]]
    var cpu: [[UInt64]]
    /// The number of answers with naive's pixels, and of those with others.
    var agreed: Int
    var differing: Int
    /// The counts of one round, and the peak memory of a new process that makes one peek.
    var counters: [String: Int]
    /// Whether the source promises naive's pixels; otherwise differences are not findings.
    var isExact: Bool
    /// The answers of another program that differ from naive's in bytes but look alike.
    var alike: Likeness?
    /// The way in which `partial` reads the picture; nil for other sources.
    var method: String?
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
  }

  struct Refusal: Codable {
    var source: String
    var reason: String
  }

  /// The measurements under the same conditions, whose samples are paired by round.
  struct Group {
    var picture: String
    var peek: BenchPlan.PeekKind
    var state: BenchPlan.FileState
    /// The region of each round, launch after launch.
    var regions: [PixelRegion]
    var arms: [Arm]
    var refusals: [Refusal]
    /// The contenders that failed although naive did not; these are findings, like differing answers.
    var failures: [Refusal]
  }

  /// A picture that naive could not read, or for which no time was left.
  struct Unmeasured {
    var picture: String
    var reason: String
  }

  var command: [String]
  /// ISO 8601, in UTC.
  var startedAt: String
  var seed: UInt64
  var environment: RunResult.Environment
  var pictures: [PictureFacts] = []
  var groups: [Group] = []
  var unmeasured: [Unmeasured] = []
  /// The reason that the run ended early; nil if it did not.
  var partial: String?
}

extension RunResult.Environment {
  static func current() -> RunResult.Environment {
    RunResult.Environment(
      machine: .current(), libvips: VipsLibrary.version, libvipsHeaders: VipsLibrary.headerVersion,
      libvipsThreads: VipsLibrary.concurrency,
      timerOverheadNanoseconds: Stopwatch().overhead().wallNanoseconds)
  }
}

extension BenchReport.PictureFacts {
  init(_ picture: Picture, named name: String) {
    self.init(
      name: name, path: picture.path.string, width: picture.size.width,
      height: picture.size.height, byteCount: picture.version.length, format: picture.kind,
      facts: picture.facts)
  }
}

extension BenchReport {
  /// Returns the sources that refuse a group but read others of the picture; reports list them explicitly.
  func partlyRefused(in group: Group) -> [Refusal] {
    let others = groups.filter { $0.picture == group.picture }.flatMap(\.arms).map(\.source)
    return group.refusals.filter { others.contains($0.source) }
  }
}
