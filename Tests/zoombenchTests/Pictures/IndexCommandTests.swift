import Foundation
import SystemPackage
import Testing

@Suite struct IndexCommandTests {
  /// Runs the command with the key and the cache in the test's folder.
  private func index(_ arguments: String..., in folder: TestFolder) async throws -> CommandRun {
    try await index(arguments, in: folder)
  }

  private func index(_ arguments: [String], in folder: TestFolder) async throws -> CommandRun {
    try await folder.zoombench(
      ["index"] + arguments,
      environment: [
        "XDG_DATA_HOME": folder.file("data").string, "XDG_CACHE_HOME": folder.file("cache").string,
        "ZOOMBENCH_INDEX_KEY": nil,
      ])
  }

  private func sidecars(in folder: TestFolder) throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".zidx") }
  }

  /// Places three JPEGs and a PNG at different depths, and a text.
  private func lay(in folder: TestFolder) async throws {
    try await folder.place("jpeg-444", as: "pictures/a.jpg")
    try await folder.place("orientation-6", as: "pictures/sub/b.jpg")
    try await folder.place("tiny-17x3", as: "pictures/sub/c")
    try await folder.place("png", as: "pictures/d.png")
    try folder.write("words".utf8, to: "pictures/notes.txt")
  }

  @Test func `a folder's JPEGs and PNGs are indexed at any depth, and nothing else`() async throws {
    try await TestFolder.with { folder in
      try await lay(in: folder)
      let run = try await index("pictures", in: folder)
      #expect(run.code == 0)
      #expect(run.errors.isEmpty)
      #expect(try sidecars(in: folder).count == 4)
      #expect(try sidecars(in: folder).allSatisfy { $0.hasPrefix("work/cache/zoombench/index/") })
      #expect(try folder.names().contains("work/data/zoombench/index.key"))
      let lines = run.output.split(separator: "\n")
      for name in ["pictures/a.jpg", "pictures/d.png", "pictures/sub/b.jpg", "pictures/sub/c"] {
        #expect(lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
      }
      #expect(!run.output.contains("notes"))
      #expect(lines.last?.hasPrefix("4 files: 4 indexed") == true)
    }
  }

  @Test func `an index is current, stale after an edit, and absent once removed`() async throws {
    try await TestFolder.with { folder in
      try await lay(in: folder)
      func check(_ code: Int32, _ words: String...) async throws {
        let run = try await index("--check", "pictures", in: folder)
        #expect(run.code == code)
        #expect(run.errorLines.count == (code == 0 ? 0 : 1))
        for word in words { #expect(run.output.contains(word), "\(word) in \(run.output)") }
      }
      try await check(1, "4 absent")
      // Checking writes nothing, not even the key.
      #expect(try folder.names().allSatisfy { !$0.contains("zidx") && !$0.contains("key") })
      #expect(try await index("--beside", "pictures", in: folder).code == 0)
      // The indexes beside the pictures are not found in the cache.
      try await check(1, "4 absent")
      #expect(try await index("pictures", in: folder).code == 0)
      try await check(0, "4 current")
      var bytes = try folder.bytes(of: "pictures/a.jpg")
      bytes[bytes.count * 3 / 4] ^= 1
      try folder.write(bytes, to: "pictures/a.jpg")
      try await check(1, "3 current", "1 stale")
      let removal = try await index("--remove", "pictures", in: folder)
      #expect(removal.code == 0)
      #expect(removal.output.contains("4 removed"))
      try await check(1, "4 absent")
      #expect(try await index("--remove", "pictures", in: folder).code == 0)
      #expect(
        try sidecars(in: folder)
          == ["a.jpg", "d.png", "sub/b.jpg", "sub/c"].map { "work/pictures/\($0).zidx" })
    }
  }

  @Test func `a folder and a key can be named, and another key's index is refused`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      let arguments = ["--index-dir", "here/it/is", "a.jpg"]
      func run(_ more: [String], key: String) async throws -> CommandRun {
        try await folder.zoombench(
          ["index"] + more + arguments,
          environment: ["ZOOMBENCH_INDEX_KEY": folder.file(key).string])
      }
      #expect(try await run([], key: "team.key").code == 0)
      #expect(try sidecars(in: folder).allSatisfy { $0.hasPrefix("work/here/it/is/") })
      #expect(try folder.bytes(of: "team.key").count == 32)
      #expect(try await run(["--check"], key: "team.key").code == 0)
      let other = try await run(["--check"], key: "other.key")
      #expect(other.code == 1)
      #expect(other.output.contains("1 refused") && other.output.contains("not ours"))
    }
  }

  @Test func `JSON has the table's figures`() async throws {
    try await TestFolder.with { folder in
      try await lay(in: folder)
      let run = try await index(
        "pictures", "--format", "json", "-o", "out.json", "--jobs", "1", in: folder)
      #expect(run.code == 0)
      #expect(run.output.isEmpty)
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(try folder.bytes(of: "out.json")))
          as? [String: Any])
      let rows = try #require(json["rows"] as? [[String: Any]])
      #expect(rows.count == 4)
      for row in rows {
        let file = try #require(row["file"] as? [String: Any])
        let path = try #require(file["where"] as? String)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(file["bytes"] as? Int == size)
        #expect((row["verdict"] as? [String: Any])?["word"] as? String == "indexed")
        let isPNG = (row["name"] as? String)?.hasSuffix(".png") == true
        for key in (isPNG ? [] : ["mcus"]) + ["points", "bytesPerMegapixel", "seconds"] {
          #expect((file[key] as? Double ?? 0) > 0, "\(key)")
        }
      }
    }
  }

  @Test func `a picture that cannot be indexed is named, and the others are indexed`() async throws
  {
    try await TestFolder.with { folder in
      try await folder.place("webp", as: "a.webp")
      try await folder.place("tiny-17x3", as: "b.jpg")
      let run = try await index("a.webp", "b.jpg", in: folder)
      #expect(run.code == 65)
      #expect(run.errorLines.count == 1)
      #expect(run.output.contains("a.webp: refused: indexes are stored for JPEGs and PNGs only"))
      #expect(run.output.contains("1 indexed, 1 refused"))
      #expect(try sidecars(in: folder).count == 1)
    }
  }

  @Test func `one index that cannot be written or removed does not keep the others`() async throws {
    try await TestFolder.with { folder in
      for name in ["a.jpg", "b.jpg", "c.jpg"] { try await folder.place("tiny-17x3", as: name) }
      try folder.write("my own notes".utf8, to: "b.jpg.zidx")
      let run = try await index("--beside", "a.jpg", "b.jpg", "c.jpg", in: folder)
      #expect(run.code == 73)
      #expect(run.errors.contains("1 of 3 indexes cannot be written"))
      #expect(run.output.contains("2 indexed, 1 refused"))
      #expect(run.output.contains("b.jpg.zidx: write: it is not an index"))
      #expect(try sidecars(in: folder).count == 3)
      let removal = try await index("--beside", "--remove", "a.jpg", "b.jpg", "c.jpg", in: folder)
      #expect(removal.code == 73)
      #expect(try sidecars(in: folder) == ["work/b.jpg.zidx"])
      #expect(try folder.bytes(of: "b.jpg.zidx") == Array("my own notes".utf8))
    }
  }

  @Test func `a folder's broken JPEGs are reported, not skipped`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "pictures/a.jpg")
      try folder.write(folder.bytes(of: "pictures/a.jpg").prefix(30), to: "pictures/b")
      try folder.write([], to: "pictures/c.JPG")
      for arguments in [["pictures"], ["--check", "pictures"]] {
        let run = try await index(arguments, in: folder)
        #expect(run.code != 0)
        #expect(run.output.contains("pictures/b: refused: "))
        #expect(run.output.contains("pictures/c.JPG: refused: "))
        #expect(run.output.contains("3 files: 1 "))
      }
    }
  }

  @Test(
    arguments: [
      (["a.jpg", "--index-dir", "file/index"], 73, "file"), (["webp"], 66, "webp"),
      (["a.jpg"], 65, "index.key: read the index key: it has 10 bytes, not 32 (remove"),
    ] as [([String], Int32, String)])
  func `a folder or a key that cannot be used ends the run`(
    arguments: [String], code: Int32, message: String
  ) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      try await folder.place("webp", as: "webp/a.webp")
      try folder.write([], to: "file")
      if code == 65 {
        try folder.write([UInt8](repeating: 1, count: 10), to: "data/zoombench/index.key")
      }
      let run = try await index(arguments, in: folder)
      #expect(run.code == code && run.errors.contains(message))
      #expect(run.errorLines.count == 1 && run.output.isEmpty)
      #expect(try sidecars(in: folder).isEmpty)
    }
  }

  @Test(
    arguments: [
      ["a.jpg", "--index-dir", "x", "--beside"], ["a.jpg", "--check", "--remove"],
      ["a.jpg", "--jobs", "0"], ["a.jpg", "--index-dir", ""], ["a.jpg", "-o", "a.jpg"], [],
    ])
  func `wrong usage touches nothing`(arguments: [String]) async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      let run = try await index(arguments, in: folder)
      #expect(run.code == 64)
      #expect(run.errorLines.count == 1)
      #expect(try folder.names() == ["work/a.jpg"])
    }
  }

  @Test func `two processes that start at once end with one key and good indexes`() async throws {
    try await TestFolder.with { folder in
      try await lay(in: folder)
      let codes = try await withThrowingTaskGroup(of: Int32?.self) { group in
        for _ in 0..<4 { group.addTask { try await index("pictures", in: folder).code } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes == [0, 0, 0, 0])
      #expect(try folder.bytes(of: "data/zoombench/index.key").count == 32)
      #expect(try await index("--check", "pictures", in: folder).code == 0)
      #expect(try folder.names().allSatisfy { !$0.contains("/.") })
    }
  }
}
