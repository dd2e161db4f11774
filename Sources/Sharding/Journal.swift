internal import Foundation
internal import Measurement
package import SystemPackage
internal import ZoomPipeline

/// The result of a cell, which is the same in every run of the cell, except for `run`.
package protocol CellResult: Codable, Sendable {
  associatedtype Run: Codable
  /// The values that differ between two runs of the cell, such as its time and its machine.
  var run: Run? { get set }
}

/// The lines of a journal: JSON, one value per line.
///
/// ```
/// {"journal":2,"plan":{…},"repeat":["zoombench","index",…],"shard":"3/8"}
/// {"started":17}
/// {"cell":17,"key":"a.jpg","row":{…},"run":{…}}
/// {"end":{"cells":1250,"sha256":"…"}}
/// ```
///
/// Results are in the order of their cells, so that several journals can be merged in little memory. A cell
/// is noted before its work begins, so that the journal names the cell whose work ends the process. The
/// last line has a checksum of all lines before it, or is `stopped` after SIGTERM.
enum JournalLine {
  static let version = 2

  struct Header: Codable, Sendable {
    var journal = JournalLine.version
    let plan: WorkPlan
    /// The command that processes a shard, without `--shard` and `-o`.
    let `repeat`: [String]
    let shard: String
  }

  struct Result<Row: CellResult>: Codable {
    let cell: Int
    let key: String
    let row: Row
    let run: Row.Run?
  }

  struct Trailer: Codable {
    struct End: Codable {
      let cells: Int
      let sha256: String
    }

    let end: End
  }

  static func encoded(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value)) + [10]
  }

  static func started(_ number: Int) -> [UInt8] { Array("{\"started\":\(number)}\n".utf8) }

  /// The last line of a run that SIGTERM ended.
  static let stopped = Array("{\"stopped\":true}\n".utf8)

  private static let cellStart = Array("{\"cell\":".utf8)
  private static let startedStart = Array("{\"started\":".utf8)
  private static let endStart = Array("{\"end\":".utf8)
  static let runStart = Array(",\"run\":".utf8)

  /// The kind of a line, determined from its beginning.
  enum Kind {
    case started(Int)
    case cell(Int)
    case stopped
    case end(Trailer.End)
  }

  /// Returns the kind of a line; nil if it is not a journal's.
  static func kind(of line: ArraySlice<UInt8>) -> Kind? {
    func number(after start: [UInt8]) -> Int? {
      guard line.starts(with: start) else { return nil }
      let digits = line.dropFirst(start.count).prefix { (48...57).contains($0) }
      return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self))
    }
    if let number = number(after: cellStart) { return .cell(number) }
    if let number = number(after: startedStart) { return .started(number) }
    if line == stopped.dropLast() { return .stopped }
    if line.starts(with: endStart),
      let trailer = try? JSONDecoder().decode(Trailer.self, from: Data(line))
    {
      return .end(trailer.end)
    }
    return nil
  }
}

/// Reads and checks a journal from its first result to its last.
///
/// An unfinished journal may end at any byte.
package final class JournalReader {
  package let path: FilePath
  package let plan: WorkPlan
  package let shard: Shard
  package let command: [String]
  /// Whether the last line has been read and its checksum is correct.
  package private(set) var isComplete = false
  /// For each cell begun so far without a result, how often it was begun.
  ///
  /// A run that SIGTERM ended leaves none.
  package private(set) var open: [Int: Int] = [:]
  /// The number of results read so far, and the cell of the last one; -1 before the first.
  package private(set) var count = 0
  private(set) var last = -1

  private let lines: LineReader
  private var hash = SHA256()
  private var isOver = false
  /// The most cells that may be started and not finished, summed over interrupted runs.
  private static let mostOpen = 1_000_000

  package struct Entry {
    package let number: Int
    /// The whole line, without its end.
    package let line: ArraySlice<UInt8>

    fileprivate let path: FilePath

    /// The part of the line in which all runs of the cell agree.
    var outcome: ArraySlice<UInt8> {
      let mark = JournalLine.runStart
      var end = line.endIndex - mark.count
      // Within a JSON string, the quotes of the mark would be escaped.
      while end > line.startIndex, !line[end...].starts(with: mark) { end -= 1 }
      return end > line.startIndex ? line[..<end] : line
    }

    /// Decodes the result.
    /// - Throws: `ShardError.damaged`.
    package func result<Row: CellResult>(
      as type: Row.Type
    ) throws(ShardError) -> (key: String, row: Row) {
      if let line = try? JSONDecoder().decode(JournalLine.Result<Row>.self, from: Data(line)),
        line.cell == number
      {
        var row = line.row
        row.run = line.run
        return (line.key, row)
      }
      throw .damaged(
        "\(path): the result of cell \(number) is damaged (remove it and make it again)")
    }
  }

  /// Opens a journal.
  /// - Throws: `ShardError.damaged` when its first line is not a journal's.
  package init(_ path: FilePath, blockSize: Int = 1 << 16) throws {
    self.path = path
    lines = LineReader(path, blockSize: blockSize)
    guard let line = try lines.next(), !lines.lastLineIsOpen,
      let header = try? JSONDecoder().decode(JournalLine.Header.self, from: Data(line))
    else { throw ShardError.damaged("\(path): it is not a journal of a shard") }
    guard header.journal == JournalLine.version else {
      throw ShardError.damaged(
        "\(path): its format is version \(header.journal), not \(JournalLine.version)"
          + " (remove it and make it again)")
    }
    plan = header.plan
    guard plan.cells >= 0, let shard = try? Shard(parsing: header.shard, environment: [:])
    else {
      throw ShardError.damaged("\(path): its first line is damaged")
    }
    self.shard = shard
    command = header.repeat
    hash.append(Array(line) + [10])
  }

  /// Returns the next result; nil at the end, complete or not.
  /// - Throws: `ShardError.damaged` for lines that the writer cannot have left.
  package func next() throws -> Entry? {
    while !isOver, let line = try lines.next() {
      // An open line was being written when the process ended.
      if lines.lastLineIsOpen { break }
      guard let kind = JournalLine.kind(of: line) else {
        throw damaged("a line in it is damaged")
      }
      switch kind {
      case .started(let number):
        guard number < plan.cells, open.count < Self.mostOpen else {
          throw damaged("it has begun more cells than there are")
        }
        hash.append(Array(line) + [10])
        open[number, default: 0] += 1
      case .cell(let number):
        guard number > last, number < plan.cells else {
          throw damaged("its cells are not in order")
        }
        hash.append(Array(line) + [10])
        last = number
        count += 1
        open[number] = nil
        return Entry(number: number, line: line, path: path)
      case .stopped:
        hash.append(Array(line) + [10])
        open = [:]
      case .end(let end):
        isOver = true
        let digest = SHA256.hexadecimal(hash.digest)
        guard end.cells == count, end.sha256 == digest else {
          throw damaged("its checksum is wrong")
        }
        guard try lines.next() == nil else { throw damaged("something follows its end") }
        isComplete = true
      }
    }
    isOver = true
    return nil
  }

  private func damaged(_ what: String) -> ShardError {
    .damaged("\(path): \(what) (remove it and run \(Self.words(command, shard)))")
  }

  /// Returns the command that processes a shard.
  package static func words(_ command: [String], _ shard: Shard) -> String {
    (command + ["--shard", "\(shard)"]).map(ShellWord.quoted).joined(separator: " ")
  }
}
