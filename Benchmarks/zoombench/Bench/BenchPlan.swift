internal import ZoomGeometry
internal import ZoomPipeline

/// The work of a benchmark run; all names in it have been checked.
struct BenchPlan {
  typealias Subject = NamedPicture

  /// A kind of peek: a square with its side in points, and the picture pixels per point.
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
  /// The fewest and the most rounds for each picture, cold and warm.
  let coldRounds: ClosedRange<Int>
  let warmRounds: ClosedRange<Int>
  /// Wall time for all rounds beyond the fewest, together; nil when the number of rounds is given.
  let budgetSeconds: Double?
  let seed: UInt64

  /// Whether a source other than naive is timed, to be compared with the floor.
  var hasFloor: Bool { sources.contains { $0 != "naive" } }

  /// The work of the run and its expected duration.
  var summary: String {
    let time =
      budgetSeconds.map { "about \(Int($0)) s, more where a decode is slow" }
      ?? "\(warmRounds.upperBound) rounds each"
    return
      "timing peeks at \(Format.count(subjects.count, "picture")) with "
      + "\(Format.count(sources.count, "source")), cold and warm: \(time)"
  }

  /// Returns the seconds that all pictures take if each takes as long as the first; nil within the budget.
  ///
  /// The first picture may use more than its share, so only more than twice the budget is reported.
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
  /// The sources timed by default, without `automatic`, which uses them.
  static let standardSources = [
    "naive", "random", "sequential", "tiled", "resident", "partial",
  ]
  /// The pictures timed by default: the three of the ForceZoom demo and a very large one.
  static let standardPictures = ["forest", "pharmacy", "petronas", "panorama"]
  /// The pictures of `--quick`, without the very large one, whose naive decode takes too long.
  static let quickPictures = ["forest", "pharmacy", "petronas"]
}
