internal import Foundation
internal import ZoomPipeline

/// One of the equal parts into which a plan's cells are divided: `3/8`.
///
/// Shards count from 1, as in most test runners.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The largest number of parts; more would be empty.
  package static let mostParts = 1_000_000

  /// The part, from 1 to `count`.
  package let part: Int
  package let count: Int

  /// Creates a part; nil for invalid numbers.
  package init?(_ part: Int, of count: Int) {
    guard (1...Self.mostParts).contains(count), (1...count).contains(part) else { return nil }
    (self.part, self.count) = (part, count)
  }

  /// The variables in which a scheduler passes a job its index, counted from 1; the first one set is used.
  private static let variables = ["ZOOMBENCH_SHARD", "SLURM_ARRAY_TASK_ID", "PARALLEL_SEQ"]

  /// Parses `3/8`, or `auto/8`, which takes the part from the environment (by default, the process's).
  ///
  /// - Throws: `ShardError.usage`.
  package init(parsing text: String, environment: [String: String]? = nil) throws(ShardError) {
    func refused(_ why: String) -> ShardError { .usage("--shard \(text): \(why)") }
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let count = Int(halves[1]) else {
      throw refused("write i/n, such as 3/8, or auto/n")
    }
    guard (1...Self.mostParts).contains(count) else {
      throw refused("there may be 1 to \(Self.mostParts) shards")
    }
    guard halves[0] == "auto" else {
      guard let part = Int(halves[0]) else {
        throw refused("write i/n, such as 3/8, or auto/n")
      }
      guard let shard = Self(part, of: count) else {
        throw refused("shards count from 1 to \(count)")
      }
      self = shard
      return
    }
    let environment = environment ?? ProcessInfo.processInfo.environment
    guard let name = Self.variables.first(where: { environment[$0] != nil }) else {
      throw refused(
        "no variable has this job's index (known: \(Self.variables.joined(separator: ", ")))")
    }
    let value = environment[name] ?? ""
    guard let shard = Int(value).flatMap({ Self($0, of: count) }) else {
      throw refused("\(name) is '\(value)', and shards count from 1 to \(count)")
    }
    self = shard
  }

  /// Whether a key belongs to this part of a plan's keys.
  ///
  /// The part depends only on the key and on the plan's digest, `plan`, so it is the same on any machine.
  package func contains(_ key: String, of plan: String) -> Bool {
    if count == 1 { return true }
    let hash = SHA256.digest(of: Array("\(plan)|\(key)".utf8))
    let number = hash.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return number % UInt64(count) == UInt64(part - 1)
  }

  /// The form of the command line.
  package var description: String { "\(part)/\(count)" }

  /// The stem of a journal's file name: `shard-0003-of-0008`.
  package var fileStem: String {
    let width = max(4, "\(count)".count)
    func padded(_ number: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: width - digits.count) + digits
    }
    return "shard-\(padded(part))-of-\(padded(count))"
  }
}

package enum ShardError: Error, CustomStringConvertible, Equatable {
  case usage(String)
  /// A file is not a journal, or it is damaged.
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
