/// What of a case is followed over runs.
package enum Measure: Sendable, Hashable {
  case cpuToBaseline
  case wallToBaseline
  case cpuToControl
  case wallToControl
  /// An exact count, by its name.
  case counter(String)

  static let ratios: [Measure] = [.cpuToBaseline, .wallToBaseline, .cpuToControl, .wallToControl]

  /// Reads a name: that of a ratio, else of a counter.
  package init(name: String) {
    self = Self.ratios.first { $0.name == name } ?? .counter(name)
  }

  /// What it is called on the command line and in the database.
  package var name: String {
    switch self {
    case .cpuToBaseline: "cpuToBaseline"
    case .wallToBaseline: "wallToBaseline"
    case .cpuToControl: "cpuToControl"
    case .wallToControl: "wallToControl"
    case .counter(let name): name
    }
  }

  /// Whether its values mean nothing without the baseline that they were measured against.
  package var refersToBaseline: Bool { self == .cpuToBaseline || self == .wallToBaseline }
}

extension RunRecord.Case {
  /// The ratios that are there, in the order of `Measure.ratios`.
  var ratios: [(measure: Measure, ratio: RunRecord.Ratio)] {
    Measure.ratios.compactMap { measure in self[measure].map { (measure, $0) } }
  }

  /// A ratio by its measure; counters have none.
  package subscript(measure: Measure) -> RunRecord.Ratio? {
    get {
      switch measure {
      case .cpuToBaseline: cpuToBaseline
      case .wallToBaseline: wallToBaseline
      case .cpuToControl: cpuToControl
      case .wallToControl: wallToControl
      case .counter: nil
      }
    }
    set {
      switch measure {
      case .cpuToBaseline: cpuToBaseline = newValue
      case .wallToBaseline: wallToBaseline = newValue
      case .cpuToControl: cpuToControl = newValue
      case .wallToControl: wallToControl = newValue
      case .counter: break
      }
    }
  }
}
