import Foundation
import Sharding
import SystemPackage
import TestSupport
import Testing

/// A result like those of pictures, with the time that it took.
struct Row: CellResult {
  var name: String
  var run: Double?
}

extension Shard {
  /// The only part of one, with all cells.
  static var whole: Self { get throws { try #require(Self(1, of: 1)) } }
}

/// Journals of one plan in a test's folder, which is removed with the last value that uses it.
struct Shards {
  private let home: TestFolder
  let keys: [String]
  let plan: WorkPlan

  var folder: FilePath { home.path }

  /// Creates a plan whose journals are in the folder of another plan, or in a new one.
  init(cells: Int, seed: String = "1", in other: Shards? = nil) throws {
    home = try other?.home ?? TestFolder()
    keys = (0..<cells).map { "pictures/'ö\n \($0).jpg" }
    let list = try WorkList(keys)
    plan = WorkPlan(
      job: "test", tool: "t", settings: ["seed": seed], cells: cells, cellsDigest: list.digest)
  }

  func open(
    _ shard: Shard, afterMaking: () throws -> Void = {}
  ) throws -> JournalWriter? {
    try JournalWriter.open(
      in: folder, plan: plan, shard: shard, command: ["zoombench", "test"],
      afterMaking: afterMaking)
  }

  func cells(of shard: Shard) -> [Cell] {
    keys.enumerated().map { Cell(number: $0, key: $1) }
      .filter { shard.contains($0.key, of: plan.digest) }
  }

  func row(of cell: Cell) -> Row { Row(name: "result of \(cell.key)", run: .random(in: 0...1)) }

  /// Begins or resumes a shard, until some cells are done.
  @discardableResult
  func run(_ shard: Shard, atMost most: Int = .max) throws -> FilePath? {
    guard let writer = try open(shard) else { return nil }
    var done = 0
    for cell in cells(of: shard) where cell.number > writer.lastDone {
      try writer.begin(cell.number)
      if done == most { return nil }
      try writer.append(cell, row(of: cell))
      done += 1
    }
    return try writer.finish()
  }

  func merged(_ paths: [FilePath]) throws -> [Row] {
    var rows: [Row] = []
    try JournalMerge(paths).run { rows.append(try $0.result(as: Row.self).row) }
    return rows
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
  }
}
