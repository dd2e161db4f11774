package import SystemPackage
internal import ZoomPipeline

/// Work, divided into cells that do not depend on the number of shards.
///
/// Only journals of the same plan can be merged.
package struct WorkPlan: Codable, Sendable, Hashable {
  package let job: String
  /// The program and its version, since another version may have other results.
  package let tool: String
  /// The options that affect results, by name.
  package let settings: [String: String]
  /// The number of cells, which are numbered from 0.
  package let cells: Int
  /// The SHA-256 of all cells' keys in order, each ended by a byte of 0.
  package let cellsDigest: String

  package init(
    job: String, tool: String, settings: [String: String], cells: Int, cellsDigest: String
  ) {
    self.job = job
    self.tool = tool
    self.settings = settings
    self.cells = cells
    self.cellsDigest = cellsDigest
  }

  /// The SHA-256 of all fields.
  package var digest: String {
    // A byte of 0 ends each part and occurs in none, so different plans have different bytes.
    let parts =
      [job, tool, "\(cells)", cellsDigest]
      + settings.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    return SHA256.hexadecimal(SHA256.digest(of: Array(parts.map { $0 + "\0" }.joined().utf8)))
  }

  /// Returns the difference from another plan in words; nil when they are equal.
  package func difference(from other: WorkPlan) -> String? {
    if job != other.job { return "one is of \(job), the other of \(other.job)" }
    if tool != other.tool { return "one was made by \(tool), the other by \(other.tool)" }
    for name in Set(settings.keys).union(other.settings.keys).sorted()
    where settings[name] != other.settings[name] {
      return "\(name) is \(settings[name] ?? "not given") in one and "
        + "\(other.settings[name] ?? "not given") in the other"
    }
    if cells != other.cells { return "one has \(cells) cells, the other \(other.cells)" }
    return cellsDigest == other.cellsDigest ? nil : "their lists of pictures or laws differ"
  }
}

package struct Cell: Sendable, Hashable {
  /// The index in the plan, from 0.
  package let number: Int
  /// The subject: a picture's path, or a law and its subject.
  package let key: String

  package init(number: Int, key: String) { (self.number, self.key) = (number, key) }
}

/// The keys of a plan's cells, which may not fit in memory.
package struct WorkList: Sendable {
  /// Returns the next key, and nil after the last.
  package typealias Next = () throws -> String?

  /// Starts an iteration at the first key; any number are allowed.
  package let begin: @Sendable () throws -> Next
  package let count: Int
  /// The digest that `WorkPlan.cellsDigest` describes.
  package let digest: String

  /// Creates a list and iterates over it once; it must be repeatable.
  package init(_ begin: @escaping @Sendable () throws -> Next) throws {
    self.begin = begin
    var hash = SHA256()
    var number = 0
    let next = try begin()
    while let key = try next() {
      hash.append(Array(key.utf8) + [0])
      number += 1
    }
    count = number
    digest = SHA256.hexadecimal(hash.digest)
  }

  package init(_ keys: [String]) throws {
    try self.init {
      var iterator = keys.makeIterator()
      return { iterator.next() }
    }
  }

  /// Creates a list from the lines of a file, or from its parts between bytes of 0, as `find -print0` writes.
  ///
  /// Empty lines are skipped. `name` turns the bytes of the others, which need not be UTF-8, into keys.
  ///
  /// - Throws: `PipelineError` when the file cannot be read, `ShardError.damaged` for a line that is
  ///   too long to be a name.
  package init(
    linesOf file: FilePath, name: @escaping @Sendable (ArraySlice<UInt8>) -> String
  ) throws {
    let start = try LineReader.start(of: file)
    let separator: UInt8 = start.contains(0) ? 0 : 10
    try self.init {
      let lines = LineReader(file, separator: separator)
      return {
        while var line = try lines.next() {
          // Windows editors end lines with CR LF.
          if separator == 10, line.last == 13 { line = line.dropLast() }
          if !line.isEmpty { return name(line) }
        }
        return nil
      }
    }
  }
}
