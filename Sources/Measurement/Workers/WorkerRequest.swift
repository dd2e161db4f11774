/// What the parent asks of a worker: one line of the worker protocol, version 1.
package enum WorkerRequest: Sendable, Hashable {
  /// The first line: which version the parent speaks.
  case hello
  /// Open a case of the list, and take the first sample.
  case open(index: Int)
  /// Do the work of a case `repeats` times on the input of a round, and time it.
  case sample(index: Int, round: Int, repeats: Int, extra: Int)
  /// Count what one run of the work on the input of a round takes.
  case count(index: Int, round: Int)
  /// End.
  case quit

  /// The version of the protocol that this package speaks.
  package static let version = 1

  /// The longest line either side may send, its line feed included.
  ///
  /// A worker of a thousand cases with names of a hundred letters needs an eighth of it.
  package static let lineLimit = 1 << 20

  /// The line without its line feed.
  package var line: String {
    switch self {
    case .hello: "hello \(Self.version)"
    case .open(let index): "open \(index)"
    case .sample(let index, let round, let repeats, let extra):
      "sample \(index) \(round) \(repeats) \(extra)"
    case .count(let index, let round): "count \(index) \(round)"
    case .quit: "quit"
    }
  }

  /// Reads a line.
  ///
  /// - Parameter line: The line without its line feed.
  /// - Throws: `WorkerLineError`, for a line that is no request.
  package init(line: String) throws(WorkerLineError) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().map { Self.number($0) }
    let whole = numbers.compactMap(\.self)
    guard let word = words.first, whole.count == numbers.count else {
      throw WorkerLineError(line: line, expected: Self.grammar)
    }
    switch (word, whole.count) {
    case ("hello", 1):
      guard whole[0] == Self.version else {
        throw WorkerLineError(line: line, expected: "'hello \(Self.version)'")
      }
      self = .hello
    case ("open", 1): self = .open(index: whole[0])
    case ("sample", 4):
      guard whole[2] >= 1 else {
        throw WorkerLineError(line: line, expected: "at least one repeat")
      }
      self = .sample(index: whole[0], round: whole[1], repeats: whole[2], extra: whole[3])
    case ("count", 2): self = .count(index: whole[0], round: whole[1])
    case ("quit", 0): self = .quit
    default: throw WorkerLineError(line: line, expected: Self.grammar)
    }
  }

  private static let grammar =
    "'hello 1', 'open CASE', 'sample CASE ROUND REPEATS EXTRA', 'count CASE ROUND' or 'quit'"

  /// Digits only: `Int` itself would take a sign as well.
  private static func number(_ word: Substring) -> Int? {
    word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word) : nil
  }
}

/// A line that is not what the worker protocol has in its place.
package struct WorkerLineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, cut if it is long.
  package var line: String
  /// What could have stood there.
  package var expected: String

  /// Puts an error together, of which no more than the first 200 characters of the line are kept.
  package init(line: String, expected: String) {
    self.line = line.count > 200 ? line.prefix(200) + "…" : line
    self.expected = expected
  }

  /// One sentence for people, without a full stop.
  package var description: String { "'\(line)' was said where \(expected) was expected" }
}
