internal import Measurement
internal import ZoomLoad

/// The result of a run, which every writer reads and `--format json` keeps.
///
/// Readers of a file compute rows and conclusion again from the samples, so that a file cannot contradict
/// itself.
struct RunResult: Codable {
  /// The name of this format; its number rises when readers must change.
  static let currentSchema = "zoombench.result/1"

  enum Kind: String, Codable {
    case bench, compare, verify, index, inspect, load
  }

  struct Environment: Codable {
    var machine: MachineDescription
    var libvips: String?
    var libvipsHeaders: String?
    var libvipsThreads: Int?
    /// The machines of the shards, if there were several.
    var machines: [String]?
  }

  struct Settings: Codable {
    var strict: Bool?
    /// The margins and effort of a comparison.
    var gate: GateSettings?
    var allowedCounters: [String]?
    /// The reason that both builds ran with one layout.
    var oneLayout: String?
    /// The subject of a comparison's verdicts, in a sentence without a full stop.
    var claim: String?
    /// The work of `index`.
    var action: FileAction?
  }

  struct Contender: Codable {
    enum Kind: String, Codable {
      case source, program, floor, build, viewer
      /// A program that does nothing, for the overhead of others of its kind.
      case nothing
    }

    var name: String
    var kind: Kind
    /// The name and version that a worker gives itself.
    var tool: String?
    var commit: String?
    var isDirty: Bool?
    var dependencies: [String: String]?
    /// The clock to judge it by: wall time if the CPU time of its work is unknown.
    var clock: PairedLaunch.Clock?
  }

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

  struct Refusal: Codable {
    var source: String
    var reason: String
  }

  /// The conditions of the rows of a group, whose samples are paired by round.
  struct Group: Codable {
    /// The peek and the state of the file; nil for viewers.
    var peek: BenchPlan.PeekKind?
    var state: BenchPlan.FileState?
    /// Left, top, width and height of each round's region, launch after launch.
    var regions: [[Int]]
    var refusals: [Refusal]
    /// The script of viewers and their device pixel ratio: "pinch@1".
    var script: String?
  }

  var schema = Self.currentSchema
  var kind: Kind
  var tool = "zoombench \(ToolVersion.number)"
  var command: [String] = []
  /// ISO 8601, in UTC.
  var startedAt: String
  var seconds: Double?
  /// The reason that a benchmark ended early.
  var partial: String?
  var seed: UInt64
  var environment: Environment
  var settings = Settings()
  /// For a comparison, the base and then the candidate.
  var contenders: [Contender] = []
  var pictures: [PictureFacts] = []
  var groups: [String: Group] = [:]
  var rows: [Row] = []
  /// The sums of an inspection's rows.
  var kinds: [FileSums.Kind]?
  /// The gains of a benchmark's contenders, for each format of the pictures.
  var summary: [BenchSummary]?
  /// The geometric mean of the changes of a comparison's gated cases, as a ratio.
  var overall: Double?
  /// The reasons that a comparison cannot be trusted.
  var contamination: [String]?
  /// Gated cases that only one of the builds has.
  var onlyInBase: [String]?
  var onlyInCandidate: [String]?
  /// Sources that did not try a picture, with reasons.
  var leftOut: [String]?
  /// Remarks without effect on the conclusion.
  var notes: [String]?
  var conclusion = Conclusion()

  /// Computes again what follows from samples and counts: figures, verdicts and the conclusion.
  mutating func judge() {
    switch kind {
    case .bench:
      rows.measure(against: isOfViewers ? contenders[0].name : "naive")
      conclude()
    case .compare: compare(cases)
    case .verify: judge(rows.compactMap(\.law))
    case .load:
      rows = rows.compactMap(\.load).map { Row($0) }
      conclude()
    case .index, .inspect:
      kinds = FileSums(self).kinds
      conclude()
    }
  }

  /// Gives each row a name of one line that no other row has, and draws the conclusion.
  mutating func conclude() {
    // Readers that use names as keys would lose rows with equal names.
    rows.rename(rows.map { Format.rowName($0.name) })
    if kind == .bench { summary = BenchSummary.all(of: self) }
    conclusion = Conclusion(of: self)
  }
}

extension [Row] {
  /// Replaces the names, with numbers after repetitions.
  mutating func rename(_ names: [String]) {
    for (index, name) in names.numbered.enumerated() { self[index].name = name }
  }
}

extension PairedLaunch.Clock {
  var word: String { self == .cpu ? "CPU" : "wall" }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order of their first occurrence.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
