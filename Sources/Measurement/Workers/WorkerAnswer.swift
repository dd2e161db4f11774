/// What a worker says: one line of the worker protocol, version 1.
package enum WorkerAnswer: Sendable, Hashable {
  /// The name of the worker's program and its cases.
  case hello(WorkerListing)
  /// A case is open; this is how long opening it and its first run took.
  case opened(Elapsed)
  /// The time of all repeats together, and the digest of the answer if the case has one.
  case sample(Elapsed, digest: String?)
  /// The counts of one run, by name.
  case counters([String: Int])
  /// The worker could not do what it was asked.
  case error(String)

  /// The longest digest: 512 bits, written as hexadecimal digits.
  package static let digestLimit = 128

  /// The line without its line feed.
  package var line: String {
    switch self {
    case .hello(let listing): "hello \(WorkerRequest.version) \(listing.json)"
    case .opened(let elapsed): "opened \(elapsed.wallNanoseconds) \(elapsed.cpuNanoseconds)"
    case .sample(let elapsed, let digest):
      "sample \(elapsed.wallNanoseconds) \(elapsed.cpuNanoseconds) \(digest ?? "-")"
    case .counters(let counts):
      "counters \(CompactJSON.object(counts.mapValues { .integer($0) }))"
    case .error(let text): "error \(Self.oneLine(text))"
    }
  }

  /// Reads a line.
  ///
  /// - Parameter line: The line without its line feed.
  /// - Throws: `WorkerLineError`, for a line that is no answer.
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
      guard case .object(let object)? = CompactJSON(text: String(rest)) else {
        throw WorkerLineError(line: line, expected: "'counters {\"name\":123}'")
      }
      var counts: [String: Int] = [:]
      for (name, value) in object {
        guard case .integer(let count) = value, count >= 0 else {
          throw WorkerLineError(line: line, expected: "whole numbers from zero as counts")
        }
        counts[name] = count
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
    guard let json = CompactJSON(text: String(parts[1])) else {
      throw WorkerLineError(line: line, expected: "a JSON object after 'hello 1'")
    }
    return try WorkerListing(json: json, line: line)
  }

  private static func elapsed(_ text: Substring) -> (Elapsed, more: [Substring])? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 2, let wall = number(words[0]), let cpu = number(words[1]) else {
      return nil
    }
    return (Elapsed(wallNanoseconds: wall, cpuNanoseconds: cpu), Array(words[2...]))
  }

  /// Digits only: `UInt64` itself would take a plus as well.
  private static func number(_ word: Substring) -> UInt64? {
    word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(word) : nil
  }

  /// Tells whether a word is a digest: hexadecimal digits, at least one.
  package static func isDigest(_ word: some StringProtocol) -> Bool {
    !word.isEmpty && word.utf8.count <= digestLimit
      && word.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
      }
  }

  /// A text that fits into one line: what would end it is a blank, and it is cut at 4,000 bytes.
  private static func oneLine(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(4000).map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}
