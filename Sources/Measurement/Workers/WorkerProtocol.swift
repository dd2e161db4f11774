#if canImport(FoundationEssentials)
  // Half of Foundation: without the rest, a worker starts faster and uses less memory.
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A request of the parent: one line of the worker protocol, version 1.
package enum WorkerRequest: Sendable, Hashable {
  /// The first line, with the parent's version of the protocol.
  case hello
  case open(index: Int)
  /// Do the work of a case `repeats` times on the input of a round, and time it.
  case sample(index: Int, round: Int, repeats: Int, extra: Int)
  /// Count the costs of one run of the work on the input of a round.
  case count(index: Int, round: Int)
  case quit

  /// The version of the protocol in this package.
  package static let version = 1

  /// The longest line that either side may send, including its line feed.
  ///
  /// A worker with a thousand cases whose names have a hundred letters needs an eighth of it.
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

  /// Parses a line without its line feed.
  ///
  /// - Throws: `WorkerLineError`, for a line that is not a request.
  package init(line: String) throws(WorkerLineError) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().map { Int(digits: $0) }
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
}

extension FixedWidthInteger {
  /// Parses digits only; other initialisers also accept a sign.
  fileprivate init?(digits word: Substring) {
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(word, radix: 10)
  }
}

/// A line that the worker protocol does not allow at its position.
package struct WorkerLineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, truncated if it is long.
  package var line: String
  package var expected: String

  package init(line: String, expected: String) {
    self.line = line.count > 200 ? line.prefix(200) + "…" : line
    self.expected = expected
  }

  /// One sentence for people, without a full stop.
  package var description: String { "'\(line)' was said where \(expected) was expected" }
}

/// An answer of a worker: one line of the worker protocol, version 1.
package enum WorkerAnswer: Sendable, Hashable {
  /// The name of the worker's program and its cases.
  case hello(WorkerListing)
  /// A case is open, with the time of opening it and its first run.
  case opened(Elapsed)
  /// The time of all repeats together, and the digest of the answer if the case has one.
  case sample(Elapsed, digest: String?)
  case counters([String: Int])
  /// The worker could not perform the request.
  case error(String)

  /// The longest digest: 512 bits, written as hexadecimal digits.
  package static let digestLimit = 128

  /// The line without its line feed.
  package var line: String {
    switch self {
    case .hello(let listing): "hello \(WorkerRequest.version) \(Self.json(listing))"
    case .opened(let elapsed): "opened \(elapsed.wallNanoseconds) \(elapsed.cpuNanoseconds)"
    case .sample(let elapsed, let digest):
      "sample \(elapsed.wallNanoseconds) \(elapsed.cpuNanoseconds) \(digest ?? "-")"
    case .counters(let counts): "counters \(Self.json(counts))"
    case .error(let text): "error \(Self.oneLine(text))"
    }
  }

  /// Parses a line without its line feed.
  ///
  /// - Throws: `WorkerLineError`, for a line that is not an answer.
  package init(line: String) throws(WorkerLineError) {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? parts[1] : ""
    switch parts.first ?? "" {
    case "hello": self = .hello(try Self.listing(rest, line: line))
    case "opened":
      guard let (elapsed, more) = Self.elapsed(rest), more.isEmpty else {
        throw WorkerLineError(line: line, expected: "'opened WALL CPU' in nanoseconds")
      }
      self = .opened(elapsed)
    case "sample":
      guard let (elapsed, more) = Self.elapsed(rest), more.count == 1, let digest = more.first,
        digest == "-" || Self.isDigest(digest)
      else {
        throw WorkerLineError(
          line: line,
          expected: "'sample WALL CPU DIGEST' in nanoseconds, the digest in hexadecimal or '-'")
      }
      self = .sample(elapsed, digest: digest == "-" ? nil : String(digest))
    case "counters":
      guard let counts: [String: Int] = Self.value(rest), counts.values.allSatisfy({ $0 >= 0 })
      else {
        throw WorkerLineError(
          line: line, expected: "'counters {\"name\":123}', whole numbers from zero")
      }
      self = .counters(counts)
    case "error": self = .error(String(rest))
    default:
      throw WorkerLineError(line: line, expected: "hello, opened, sample, counters or error")
    }
  }

  private static func listing(
    _ text: Substring, line: String
  ) throws(WorkerLineError) -> WorkerListing {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0] == "\(WorkerRequest.version)" else {
      throw WorkerLineError(
        line: line, expected: "'hello \(WorkerRequest.version) {\"tool\":…,\"cases\":[…]}'")
    }
    guard let listing: WorkerListing = value(parts[1]) else {
      throw WorkerLineError(
        line: line,
        expected: "a tool and an array of cases, each with a name and a role"
      )
    }
    if let problem = listing.problem {
      throw WorkerLineError(
        line: line, expected: "a list of cases that can be used (in this one \(problem))")
    }
    return listing
  }

  /// Returns a value in one line, with sorted keys.
  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and whole numbers can always be encoded.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Decodes a value; unknown members are ignored, so that versions may add some.
  private static func value<Value: Decodable>(_ text: Substring) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  private static func elapsed(_ text: Substring) -> (Elapsed, more: [Substring])? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 2, let wall = UInt64(digits: words[0]), let cpu = UInt64(digits: words[1])
    else { return nil }
    return (Elapsed(wallNanoseconds: wall, cpuNanoseconds: cpu), Array(words[2...]))
  }

  /// Whether a word is a digest: hexadecimal digits, at least one.
  package static func isDigest(_ word: some StringProtocol) -> Bool {
    (1...digestLimit).contains(word.utf8.count)
      && word.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Returns a text as one line: control characters become blanks, and it is truncated at 4,000 bytes.
  private static func oneLine(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(4000).map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}

/// A worker's description of itself: its program and its cases.
package struct WorkerListing: Sendable, Hashable, Codable {
  /// One case of the list, identified in requests by its index.
  package struct Entry: Sendable, Hashable, Codable {
    package var name: String
    package var role: WorkerCase.Role

    package init(name: String, role: WorkerCase.Role) {
      self.name = name
      self.role = role
    }
  }

  /// The longest name of a program or a case, in UTF-8.
  package static let nameLimit = 200

  package var tool: String
  package var cases: [Entry]

  package init(tool: String, cases: [Entry]) {
    self.tool = tool
    self.cases = cases
  }

  /// The reason that this list cannot be used, in a sentence without a full stop; nil if it can.
  package var problem: String? {
    var names: Set<String> = []
    if !Self.isName(tool) { return "the name of the tool cannot be used" }
    for entry in cases {
      if !Self.isName(entry.name) {
        return "'\(entry.name.prefix(40))' cannot name a case: "
          + "1 to \(Self.nameLimit) bytes without control characters"
      }
      if !names.insert(entry.name).inserted { return "two cases are named '\(entry.name)'" }
    }
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    (1...nameLimit).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}
