internal import Measurement
internal import ZoomPipeline

/// The work of a benchmark run; all names in it have been checked.
struct BenchPlan {
  /// A kind of peek: a square with its side in points, and the picture pixels per point.
  struct PeekKind: Hashable, Codable {
    let side: Double
    let scale: Double

    /// "375 pt @2".
    var name: String { "\(Format.number(side)) pt @\(Format.number(scale))" }

    /// The side in picture pixels.
    var pixels: Int { Int(side * scale) }
  }

  /// Whether the file is opened for each peek or kept open between peeks.
  enum FileState: String, Codable, CaseIterable {
    case cold, warm
  }

  /// The rounds of one kind of peek in one state, at each picture.
  struct Case {
    let peek: PeekKind
    let state: FileState
    /// The fewest and the most rounds of a launch.
    let rounds: ClosedRange<Int>
  }

  let subjects: [NamedPicture]
  /// The sources; naive comes first.
  let sources: [String]
  let peeks: [PeekKind]
  let states: [FileState]
  /// The fewest and the most rounds for each picture, cold and warm.
  let coldRounds: ClosedRange<Int>
  let warmRounds: ClosedRange<Int>
  /// The wall time of the run; nil when the number of rounds is given.
  var budgetSeconds: Double?
  var launches = 1
  let seed: UInt64

  /// The part of the plan for a picture, from the most work to the least.
  enum Extent: Int, CaseIterable {
    case whole, fewRounds, onlyWarm, onePeek
  }

  func cases(_ extent: Extent = .whole) -> [Case] {
    var (states, peeks) = (states, peeks)
    if extent.rawValue >= Extent.onlyWarm.rawValue { states.removeAll { $0 == .cold } }
    if extent == .onePeek { peeks = Array(peeks.prefix(1)) }
    return states.flatMap { state in
      let rounds = state == .cold ? coldRounds : warmRounds
      let least = extent == .whole ? rounds.lowerBound : 1
      return peeks.map { Case(peek: $0, state: state, rounds: least...rounds.upperBound) }
    }
  }

  /// A peek is as wide as the screen that ForceZoom was written for; at scale 2 it shows one picture pixel on
  /// each screen pixel.
  static let standardPeeks = [PeekKind(side: 375, scale: 1), PeekKind(side: 375, scale: 2)]
  /// The sources timed by default, without `automatic`, which uses them; the reference comes first.
  static let standardSources = StandardPipelines().names.filter { $0 != "automatic" }
  /// The pictures timed by default: the three of the ForceZoom demo and a very large one.
  static let standardPictures = quickPictures + ["panorama"]
  /// The pictures of `--quick`, without the very large one, whose naive decode takes too long.
  static let quickPictures = ["forest", "pharmacy", "petronas"]
}

extension BenchPlan.PeekKind {
  /// "375@2", for the arguments of a benchmark worker.
  var argument: String { "\(Format.number(side))@\(Format.number(scale))" }

  init?(argument: Substring) {
    let numbers = argument.split(separator: "@").compactMap { Double($0) }
    guard numbers.count == 2, (1...1_000_000).contains(numbers[0] * numbers[1]) else { return nil }
    self.init(side: numbers[0], scale: numbers[1])
  }
}
