/// Why a history cannot be judged.
package enum SeriesError: Error, Sendable, Hashable {
  /// The value at this index is not a ratio: not above zero, not finite, or beyond 2^±900.
  case notARatio(index: Int)

  /// No value of the history has this index, so it cannot have been acknowledged.
  case noSuchRun(index: Int, count: Int)

  /// A setting lies outside what the method can do; the text says which and what it allows.
  case invalidSetting(String)
}

extension SeriesError: CustomStringConvertible {
  /// One sentence for people, without a full stop.
  package var description: String {
    switch self {
    case .notARatio(let index):
      "value \(index) of the history is not a positive number of usable size"
    case .noSuchRun(let index, let count):
      "acknowledged index \(index) is not in a history of \(count) runs"
    case .invalidSetting(let what):
      "invalid setting: \(what)"
    }
  }
}
