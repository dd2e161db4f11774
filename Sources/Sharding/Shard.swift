internal import Foundation
internal import ZoomPipeline

/// Some of the n equal parts into which a plan's cells are divided: `3/8`, or `17-32/1000`.
///
/// Shards count from 1, as in most test runners.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The largest number of parts; more would be empty.
  package static let mostParts = 1_000_000

  /// The parts, from 1 to `count`.
  package let parts: ClosedRange<Int>
  package let count: Int

  /// The only part of one, with all cells.
  package static let whole = Shard(unchecked: 1...1, of: 1)

  private init(unchecked parts: ClosedRange<Int>, of count: Int) {
    (self.parts, self.count) = (parts, count)
  }

  /// Creates some parts; nil for invalid numbers.
  package init?(_ parts: ClosedRange<Int>, of count: Int) {
    guard (1...Self.mostParts).contains(count), parts.lowerBound >= 1, parts.upperBound <= count
    else { return nil }
    self.init(unchecked: parts, of: count)
  }

  /// Parses `3/8`, `17-32/1000`, `auto/8` or `auto`.
  ///
  /// `auto` finds an `Engine` in the environment, by default the process's own.
  ///
  /// - Throws: `ShardError.usage`.
  package init(
    parsing text: String,
    environment: [String: String]? = nil
  ) throws(ShardError) {
    func refused(_ why: String) -> ShardError { .usage("--shard \(text): \(why)") }
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    if halves[0] == "auto", halves.count <= 2 {
      let total = halves.count == 2 ? Int(halves[1]) : nil
      if halves.count == 2 && total == nil {
        throw refused("there is no number behind the slash (write auto/8)")
      }
      self = try Self.automatic(
        text, total, environment ?? ProcessInfo.processInfo.environment)
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard halves.count == 2, (1...2).contains(ends.count), let first = ends[0],
      let last = ends[ends.count - 1], let count = Int(halves[1])
    else { throw refused("write i/n, such as 3/8, or i-j/n, such as 17-32/1000") }
    guard (1...Self.mostParts).contains(count) else {
      throw refused("there may be 1 to \(Self.mostParts) shards")
    }
    guard first <= last else { throw refused("the range goes backwards") }
    guard let shard = Self(first...last, of: count) else {
      throw refused("shards count from 1 to \(count)")
    }
    self = shard
  }

  private static func automatic(
    _ text: String, _ total: Int?, _ environment: [String: String]
  ) throws(ShardError) -> Shard {
    func refused(_ why: String) -> ShardError { .usage("--shard \(text): \(why)") }
    guard let engine = Engine.all.first(where: { $0.isThere(environment) }) else {
      throw refused(
        "no variable names this job's index (known: "
          + Engine.all.map(\.index).joined(separator: ", ") + ")")
    }
    guard let value = environment[engine.index].flatMap({ Int($0) }) else {
      throw refused("\(engine.index) is '\(environment[engine.index] ?? "")', which is no number")
    }
    guard let count = total ?? engine.total.flatMap({ environment[$0] }).flatMap({ Int($0) }) else {
      throw refused("\(engine.name) does not say how many jobs there are (write auto/n)")
    }
    guard (1...mostParts).contains(count) else {
      throw refused("there may be 1 to \(mostParts) shards, and not \(count)")
    }
    // A value near the upper end of Int would overflow.
    let index = value.subtractingReportingOverflow(engine.first)
    guard !index.overflow, index.partialValue >= 0, index.partialValue < count,
      let shard = Shard(
        (index.partialValue + 1)...(index.partialValue + 1), of: count)
    else {
      throw refused(
        "\(engine.index) is \(value), and \(engine.name) counts from \(engine.first) to "
          + "\(count - 1 + engine.first)")
    }
    return shard
  }

  /// Whether a cell belongs to these parts.
  ///
  /// It depends only on the plan and the cell, so each cell belongs to exactly one part, on any machine.
  package func contains(_ key: String, of plan: WorkPlan) -> Bool {
    if count == 1 { return true }
    return parts.contains(Int(StableHash.number(of: plan.digest + "|" + key) % UInt64(count)) + 1)
  }

  /// The form of the command line.
  package var description: String {
    parts.count == 1
      ? "\(parts.lowerBound)/\(count)" : "\(parts.lowerBound)-\(parts.upperBound)/\(count)"
  }

  /// The stem of a journal's file name: `shard-0003-of-0008`.
  package var fileStem: String {
    let width = max(4, "\(count)".count)
    func padded(_ number: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: width - digits.count) + digits
    }
    let which = parts.count == 1 ? [parts.lowerBound] : [parts.lowerBound, parts.upperBound]
    return "shard-\(which.map(padded).joined(separator: "-"))-of-\(padded(count))"
  }
}

/// A share of a collection, determined only by each picture's name: `1/1000`.
package struct Sample: Sendable, Hashable, CustomStringConvertible {
  package let part: Int
  package let of: Int

  /// Parses `1/1000`.
  /// - Throws: `ShardError.usage`.
  package init(parsing text: String) throws(ShardError) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard halves.count == 2, let part = halves[0], let of = halves[1], of >= 1,
      (1...of).contains(part)
    else { throw .usage("--sample \(text): write i/n, such as 1/1000 for a thousandth") }
    (self.part, self.of) = (part, of)
  }

  /// Whether a picture belongs to it, independent of the rest of the list.
  package func contains(_ key: String) -> Bool {
    Int(StableHash.number(of: "sample|" + key) % UInt64(of)) + 1 == part
  }

  package var description: String { "\(part)/\(of)" }
}

/// A hash of a text that is the same on every machine.
enum StableHash {
  /// Returns the first eight bytes of the SHA-256.
  static func number(of text: String) -> UInt64 {
    SHA256.digest(of: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

package enum ShardError: Error, CustomStringConvertible, Equatable {
  case usage(String)
  /// Journals are not journals, or do not belong together.
  case damaged(String)
  /// Journals or cells are missing.
  case missing(String)
  case conflict(String)
  case unwritable(String)

  package var description: String {
    switch self {
    case .usage(let text), .damaged(let text), .missing(let text), .conflict(let text),
      .unwritable(let text):
      text
    }
  }
}
