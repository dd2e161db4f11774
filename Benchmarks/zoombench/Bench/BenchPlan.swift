internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// What a benchmark run does, checked: nothing in it can fail for reasons of spelling.
struct BenchPlan {
  /// A picture to peek at.
  struct Subject {
    let name: String
    let path: FilePath
  }

  /// A kind of peek: a square of so many points at so many picture pixels a point.
  struct PeekKind: Hashable, Codable {
    let side: Double
    let scale: Double

    /// "375 pt @2".
    var name: String { "\(Format.number(side)) pt @\(Format.number(scale))" }
  }

  /// Whether the file is opened for each peek or kept open between peeks.
  enum FileState: String, Codable, CaseIterable {
    case cold, warm
  }

  let subjects: [Subject]
  let sources: [String]
  let peeks: [PeekKind]
  let states: [FileState]
  /// The fewest and the most rounds of each picture, cold and warm.
  let coldRounds: ClosedRange<Int>
  let warmRounds: ClosedRange<Int>
  /// Wall time for all rounds together, beyond the fewest; nil when the number of rounds is given.
  let budgetSeconds: Double?
  let seed: UInt64

  /// Whether there is a source to be held against the least that a peek can cost.
  var hasFloor: Bool { sources.contains { $0 != "naive" } }

  /// What is going to be measured, and how long it takes.
  var summary: String {
    let time =
      budgetSeconds.map { "about \(Int($0)) s, more where a decode is slow" }
      ?? "\(warmRounds.upperBound) rounds each"
    return
      "timing peeks at \(Format.count(subjects.count, "picture")) with "
      + "\(Format.count(sources.count, "source")), cold and warm: \(time)"
  }

  /// The seconds that all pictures take if each takes as long as the first; nil if the budget is enough.
  ///
  /// The first picture may use its share of the budget, so only a run of twice the budget is told.
  func overrun(first nanoseconds: UInt64) -> Double? {
    let seconds = Double(nanoseconds) / 1e9 * Double(subjects.count)
    return budgetSeconds.flatMap { seconds > 2 * $0 ? seconds : nil }
  }

  func rounds(in state: FileState) -> ClosedRange<Int> {
    state == .cold ? coldRounds : warmRounds
  }

  /// The screen of the phone that ForceZoom was written for, in points.
  static let viewport = ViewSize(width: 375, height: 667)
  /// A peek is as wide as the screen; at scale 2 it shows one picture pixel on each screen pixel.
  static let standardPeeks = [PeekKind(side: 375, scale: 1), PeekKind(side: 375, scale: 2)]
  /// Timed by default; `automatic` is one of the others under another name.
  static let standardSources = [
    "naive", "random", "sequential", "skip", "tiled", "resident", "indexed", "carved",
  ]
  /// Shown by default: the three of the ForceZoom demo and a very large one.
  static let standardPictures = ["forest", "pharmacy", "petronas", "panorama"]
  /// Shown by `--quick`: one naive decode of the very large one takes too long.
  static let quickPictures = ["forest", "pharmacy", "petronas"]
}
