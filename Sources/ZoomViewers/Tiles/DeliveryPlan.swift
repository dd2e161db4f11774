package import ZoomLaws

package enum Fate: Sendable, Hashable {
  case answer
  /// No answer yet; ask again after the next step.
  case wait
  case abort
  case status(Int)
  case wrong(Delivery.Body)
}

/// The faults of delivery of one play.
///
/// The order of the answers that are due in one step is not its part: the server sorts them.
package struct DeliveryPlan: Sendable {
  private let faults: [Delivery]
  /// The times of the requests in seconds, by ordinal.
  private var asked: [Int: Double] = [:]
  private var answered: Set<Int> = []
  private var failing: [TileQuestion: Int] = [:]

  /// The seconds after which an answer comes that waits for later ones: there may be none.
  static let longestHold = 1.0

  package init(_ faults: [Delivery]) { self.faults = faults }

  /// Returns the fate of a request at a time in seconds; asked again, it may have changed.
  ///
  /// The ordinal is the number of the request among those for tiles, from 0.
  package mutating func fate(
    of question: TileQuestion, ordinal: Int, at now: Double
  ) -> Fate {
    let age = now - asked[ordinal, default: now]
    if asked[ordinal] == nil { asked[ordinal] = now }
    let own = faults.filter { $0.ordinal == ordinal }.map(\.kind)
    for fault in own {
      switch fault {
      case .delay(let seconds) where age < seconds: return .wait
      case .hold(let count)
      where age < Self.longestHold && answered.count(where: { $0 > ordinal }) < count:
        return .wait
      default: continue
      }
    }
    answered.insert(ordinal)
    if let status = failing[question] { return .status(status) }
    for fault in own {
      switch fault {
      case .fail(let status, let isAlways):
        if isAlways { failing[question] = status }
        return .status(status)
      case .abort: return .abort
      case .wrong(let body): return .wrong(body)
      case .delay, .hold, .order: continue
      }
    }
    return .answer
  }
}
