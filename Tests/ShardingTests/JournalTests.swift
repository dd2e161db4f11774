import Foundation
import PropertyTesting
import PropertyTestingBridge
import Sharding
import SystemPackage
import TestSupport
import Testing

@Suite struct JournalTests {
  @Test func `any shards in any order, some of them twice, merge to the whole run`() async throws {
    await expectForAll(
      .integer(in: 0...60), .integer(in: 1...9), .integer(in: 1...9), .integer(in: 0...1000)
    ) {
      cells, first, second, order in
      let shards = try Shards(cells: cells)
      let whole = shards.keys.map { "result of \($0)" }
      var paths: [FilePath] = []
      for count in Set([first, second]) {
        for part in 1...count {
          let shard = try #require(Shard(part, of: count))
          paths.append(try #require(try shards.run(shard)))
        }
      }
      let turn = order % paths.count
      let shuffled = Array(paths[turn...] + paths[..<turn]).reversed()
      #expect(try shards.merged(Array(shuffled)).map(\.name) == whole)
    }
  }

  @Test func `a shard that was cut off anywhere resumes and ends with the same results`() throws {
    let shards = try Shards(cells: 30)
    let shard = try #require(Shard(1, of: 2))
    let expected = shards.keys.map { "result of \($0)" }
    let last = try #require(Shard(2, of: 2))
    let rest = try #require(try shards.run(last))
    let path = try #require(try shards.run(shard))
    let whole = try Data(contentsOf: URL(filePath: path.string))
    try FileManager.default.removeItem(atPath: path.string)
    // Cut at every fifth byte, as a machine that goes down may leave it.
    for length in stride(from: 0, to: whole.count, by: 5) {
      let part = shards.folder.appending("\(shard.fileStem).AB.part")
      try whole.prefix(length).write(to: URL(filePath: part.string))
      let done = try #require(try shards.run(shard))
      #expect(try shards.merged([done, rest]).map(\.name) == expected)
      #expect(try shards.names().allSatisfy { !$0.hasSuffix(".part") })
      try FileManager.default.removeItem(atPath: done.string)
    }
  }

  private func resumed(
    _ shards: Shards, afterMaking: () throws -> Void = {}
  ) throws -> JournalWriter {
    let writer = try shards.open(.whole, afterMaking: afterMaking)
    return try #require(writer, "the journal is complete")
  }

  @Test func `results that another run takes over meanwhile are found in its journal`() throws {
    let shards = try Shards(cells: 6)
    try shards.run(.whole, atMost: 4)
    var made = 0
    let writer = try resumed(shards) {
      made += 1
      if made == 1 { try shards.run(.whole, atMost: 0) }
    }
    #expect(writer.doneCount == 4)
    #expect(try shards.run(.whole) != nil)
  }

  @Test func `a cell that was begun is counted until it has a result`() throws {
    let shards = try Shards(cells: 10)
    try shards.run(.whole, atMost: 4)
    // A run that begins no cell changes no count.
    for _ in 0..<3 {
      let writer = try resumed(shards)
      #expect(writer.doneCount == 4)
      #expect(writer.lastDone == 3)
      #expect(writer.begun == [4: 1])
    }
    try shards.run(.whole, atMost: 0)
    #expect(try resumed(shards).begun == [4: 2])
    #expect(try shards.run(.whole) != nil)
    #expect(try shards.run(.whole) == nil)
  }

  @Test func `a run that SIGTERM ends writes nothing more, and leaves no cell to be counted`()
    throws
  {
    let shards = try Shards(cells: 10)
    let writer = try resumed(shards)
    try writer.begin(0)
    writer.stop()
    #expect(throws: CancellationError.self) { try writer.begin(1) }
    #expect(try resumed(shards).begun.isEmpty)
  }

  @Test func `a part that another process still writes is read and not removed`() throws {
    let shards = try Shards(cells: 6)
    let first = try resumed(shards)
    for cell in try shards.cells(of: .whole).prefix(2) {
      try first.append(cell, shards.row(of: cell))
    }
    // flock is held by the open file, also within one process.
    #expect(try shards.run(.whole) != nil)
    for cell in try shards.cells(of: .whole).dropFirst(2) {
      try first.append(cell, shards.row(of: cell))
    }
    let path = try first.finish()
    #expect(try shards.merged([path]).count == 6)
    #expect(try shards.names() == ["shard-0001-of-0001.jsonl"])
  }

  /// The moment between making a part and locking it, in which it looks abandoned.
  @Test func `a part that is not locked yet may be removed, and its writer makes another`() throws {
    let shards = try Shards(cells: 6)
    var made = 0
    let writer = try resumed(shards) {
      made += 1
      // Another run of the shard starts, removes unlocked parts, and is killed.
      if made == 1 { _ = try shards.open(.whole) }
    }
    #expect(made == 2)
    for cell in try shards.cells(of: .whole) { try writer.append(cell, shards.row(of: cell)) }
    #expect(try shards.merged([try writer.finish()]).count == 6)
  }

  @Test func `several runs of one shard at a time all complete it`() async throws {
    for _ in 0..<20 {
      let shards = try Shards(cells: 6)
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 { group.addTask { _ = try shards.run(.whole) } }
        try await group.waitForAll()
      }
      let path = shards.folder.appending("shard-0001-of-0001.jsonl")
      #expect(try shards.merged([path]).count == 6)
    }
  }

  @Test func `a result that is too long for readers is not written`() throws {
    let shards = try Shards(cells: 1)
    let writer = try resumed(shards)
    let row = Row(name: String(repeating: "x", count: 9_000_000))
    let error = #expect(throws: ShardError.self) {
      try writer.append(Cell(number: 0, key: "a"), row)
    }
    #expect(error?.description.contains("cell 0") == true)
  }

  @Test func `missing shards are named with the commands that run them`() throws {
    let shards = try Shards(cells: 40)
    var paths: [FilePath] = []
    for part in [1, 2, 4] {
      let shard = try #require(Shard(part, of: 5))
      paths.append(try #require(try shards.run(shard)))
    }
    let error = #expect(throws: ShardError.self) { try shards.merged(paths) }
    let text = error?.description ?? ""
    #expect(error == .missing(text))
    for part in [
      "2 of 5 shards are missing", "`zoombench test --shard 3/5`", "--shard 5/5`",
      "of 40 cells lack a result",
    ] { #expect(text.contains(part), "\(text)") }
  }

  @Test func `two results of one cell are a finding that names both journals`() throws {
    let shards = try Shards(cells: 3)
    let path = try #require(try shards.run(.whole))
    let others = try Shards(cells: 3)
    let writer = try resumed(others)
    for cell in try shards.cells(of: .whole) {
      try writer.append(cell, cell.number == 1 ? Row(name: "else") : shards.row(of: cell))
    }
    let other = try writer.finish()
    let error = #expect(throws: ShardError.self) { try others.merged([path, other]) }
    let text = error?.description ?? ""
    #expect(error == .conflict(text) && text.contains("cell 1"))
    #expect(text.contains(path.string) && text.contains(other.string))
  }

  @Test func `journals of two plans are refused, with the setting that differs`() throws {
    let one = try Shards(cells: 3)
    let path = try #require(try one.run(.whole))
    let other = try Shards(cells: 3, seed: "2", in: one)
    let error = #expect(throws: ShardError.self) { try other.run(.whole) }
    let text = error?.description ?? ""
    #expect(error == .usage(text) && text.contains("seed is 1 in one and 2 in the other"))
    let elsewhere = try Shards(cells: 3, seed: "2")
    let second = try #require(try elsewhere.run(.whole))
    #expect(throws: ShardError.self) { _ = try elsewhere.merged([path, second]) }
    #expect(throws: ShardError.self) { _ = try one.merged([]) }
  }

  @Test func `a list may end its names with line ends or zeros`() throws {
    let folder = try TestFolder()
    let names = (0..<5_000).map { "a folder/\($0).jpg" }
    func written(_ text: String, as name: String) throws -> WorkList {
      let file = try folder.write(Array(text.utf8), as: name)
      return try WorkList(linesOf: file) { String(decoding: $0, as: UTF8.self) }
    }
    let lists = [
      try WorkList(names), try written(names.joined(separator: "\n") + "\n\n", as: "lines"),
      try written(names.joined(separator: "\r\n"), as: "Windows"),
      try written(names.joined(separator: "\0"), as: "zeros"),
    ]
    #expect(Set(lists.map(\.digest)).count == 1)
    #expect(lists.allSatisfy { $0.count == 5_000 })
    for list in lists {
      // A run reads the list twice.
      for _ in 0..<2 {
        let next = try list.begin()
        var found: [String] = []
        while let name = try next() { found.append(name) }
        #expect(found == names)
      }
    }
  }

  @Test func `results have the order of their cells, for any durations`() async throws {
    for jobs in [1, 2, 7] {
      var next = 0
      var emitted: [Int] = []
      try await CellRunner.run(
        jobs: jobs,
        next: {
          next += 1
          return next <= 50 ? Cell(number: next, key: "") : nil
        },
        work: { cell in
          for _ in 0..<(cell.number * 7 % 11) { await Task.yield() }
          return cell.number * 2
        },
        emit: { cell, row in
          #expect(row == 2 * cell.number)
          emitted.append(cell.number)
        })
      #expect(emitted == Array(1...50))
    }
  }
}
