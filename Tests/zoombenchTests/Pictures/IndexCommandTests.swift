import Foundation
import SystemPackage
import Testing

@testable import zoombench

@Suite struct IndexCommandTests {
  private func sidecars(in folder: TestFolder) throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".zidx") }
  }

  /// Places three JPEGs and a PNG at different depths, and a text.
  private func placePictures(in folder: TestFolder) async throws {
    try await folder.place("jpeg-444", as: "pictures/a.jpg")
    try await folder.place("orientation-6", as: "pictures/sub/b.jpg")
    try await folder.place("tiny-17x3", as: "pictures/sub/c")
    try await folder.place("png", as: "pictures/d.png")
    try folder.write("words".utf8, to: "pictures/notes.txt")
  }

  @Test func `a folder's JPEGs and PNGs are indexed at any depth, and nothing else`() async throws {
    let folder = try TestFolder()
    try await placePictures(in: folder)
    let run = try await folder.zoombench("index", "pictures")
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

  @Test func `an index is current, stale after an edit, and absent once removed`() async throws {
    let folder = try TestFolder()
    try await placePictures(in: folder)
    func check(_ code: Int32, _ words: String...) async throws {
      let run = try await folder.zoombench("index", "--check", "pictures")
      #expect(run.code == code)
      #expect(run.errorLines.count == (code == 0 ? 0 : 1))
      for word in words { #expect(run.output.contains(word), "\(word) in \(run.output)") }
    }
    try await check(1, "4 absent")
    // Checking writes nothing, not even the key.
    #expect(try folder.names().allSatisfy { !$0.contains("zidx") && !$0.contains("key") })
    #expect(try await folder.zoombench("index", "--beside", "pictures").code == 0)
    // The indexes beside the pictures are not found in the cache.
    try await check(1, "4 absent")
    #expect(try await folder.zoombench("index", "pictures").code == 0)
    try await check(0, "4 current")
    var bytes = try folder.bytes(of: "pictures/a.jpg")
    bytes[bytes.count * 3 / 4] ^= 1
    try folder.write(bytes, to: "pictures/a.jpg")
    try await check(1, "3 current", "1 stale")
    let removal = try await folder.zoombench("index", "--remove", "pictures")
    #expect(removal.code == 0)
    #expect(removal.output.contains("4 removed"))
    try await check(1, "4 absent")
    #expect(try await folder.zoombench("index", "--remove", "pictures").code == 0)
    #expect(
      try sidecars(in: folder)
        == ["a.jpg", "d.png", "sub/b.jpg", "sub/c"].map { "work/pictures/\($0).zidx" })
  }

  @Test func `a folder and a key can be named, and another key's index is refused`() async throws {
    let folder = try TestFolder()
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

  @Test func `JSON has the table's figures`() async throws {
    let folder = try TestFolder()
    try await placePictures(in: folder)
    let run = try await folder.zoombench(
      "index", "pictures", "--format", "json", "-o", "out.json", "--jobs", "1")
    #expect(run.code == 0)
    #expect(run.output.isEmpty)
    let result = try folder.result("out.json")
    #expect(result.rows.count == 4)
    for row in result.rows {
      let file = try #require(row.file)
      let path = try #require(file.where)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(file.bytes == size && row.verdict.word == .indexed)
      #expect(row.name.hasSuffix(".png") || (file.mcus ?? 0) > 0)
      #expect((file.points ?? 0) > 0 && (file.bytesPerMegapixel ?? 0) > 0)
      #expect((file.seconds ?? 0) > 0)
    }
  }

  @Test func `a picture that cannot be indexed is named, and the others are indexed`() async throws
  {
    let folder = try TestFolder()
    try await folder.place("webp", as: "a.webp")
    try await folder.place("tiny-17x3", as: "b.jpg")
    let run = try await folder.zoombench("index", "a.webp", "b.jpg")
    #expect(run.code == 65)
    #expect(run.errorLines.count == 1)
    #expect(run.output.contains("a.webp: refused: indexes are stored for JPEGs and PNGs only"))
    #expect(run.output.contains("1 indexed, 1 refused"))
    #expect(try sidecars(in: folder).count == 1)
  }

  @Test func `one index that cannot be written or removed does not stop the others`() async throws {
    let folder = try TestFolder()
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try await folder.place("tiny-17x3", as: name) }
    try folder.write("my own notes".utf8, to: "b.jpg.zidx")
    let run = try await folder.zoombench("index", "--beside", "a.jpg", "b.jpg", "c.jpg")
    #expect(run.code == 73)
    #expect(run.errors.contains("1 of 3 indexes cannot be written"))
    #expect(run.output.contains("2 indexed, 1 refused"))
    #expect(run.output.contains("b.jpg.zidx: write: it is not an index"))
    #expect(try sidecars(in: folder).count == 3)
    let removal = try await folder.zoombench(
      "index", "--beside", "--remove", "a.jpg", "b.jpg", "c.jpg")
    #expect(removal.code == 73)
    #expect(try sidecars(in: folder) == ["work/b.jpg.zidx"])
    #expect(try folder.bytes(of: "b.jpg.zidx") == Array("my own notes".utf8))
  }

  @Test func `a folder's broken JPEGs are reported, not skipped`() async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "pictures/a.jpg")
    try folder.write(folder.bytes(of: "pictures/a.jpg").prefix(30), to: "pictures/b")
    try folder.write([], to: "pictures/c.JPG")
    for arguments in [["pictures"], ["--check", "pictures"]] {
      let run = try await folder.zoombench(["index"] + arguments)
      #expect(run.code != 0)
      #expect(run.output.contains("pictures/b: refused: "))
      #expect(run.output.contains("pictures/c.JPG: refused: "))
      #expect(run.output.contains("3 files: 1 "))
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
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    try await folder.place("webp", as: "webp/a.webp")
    try folder.write([], to: "file")
    if code == 65 {
      try folder.write([UInt8](repeating: 1, count: 10), to: "data/zoombench/index.key")
    }
    let run = try await folder.zoombench(["index"] + arguments)
    #expect(run.code == code && run.errors.contains(message))
    #expect(run.errorLines.count == 1 && run.output.isEmpty)
    #expect(try sidecars(in: folder).isEmpty)
  }

  @Test func `two processes that start at once end with one key and good indexes`() async throws {
    let folder = try TestFolder()
    try await placePictures(in: folder)
    let codes = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for _ in 0..<4 { group.addTask { try await folder.zoombench("index", "pictures").code } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == [0, 0, 0, 0])
    #expect(try folder.bytes(of: "data/zoombench/index.key").count == 32)
    #expect(try await folder.zoombench("index", "--check", "pictures").code == 0)
    #expect(try folder.names().allSatisfy { !$0.contains("/.") })
  }

  private func zoombench(_ words: String, in folder: TestFolder) async throws -> CommandRun {
    try await folder.zoombench(words.split(separator: " ").map(String.init))
  }

  @Test func `an index in a folder is used by commands that name the folder, and by no others`()
    async throws
  {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "a.jpg")
    #expect(try await zoombench("index --index-dir ix a.jpg", in: folder).code == 0)
    let inspected = try await zoombench("inspect a.jpg --index-dir ix", in: folder)
    #expect(inspected.output.contains("automatic picks partial: "))
    let peek = "peek a.jpg --touch 9,9 --viewport 80x80 -o a.png"
    let with = try await zoombench(peek + " --index-dir ix", in: folder)
    #expect(with.output.contains("found with the picture"))
    let without = try await zoombench(peek, in: folder)
    #expect(without.code == 0 && !without.output.contains("found with the picture"))
    // `partial` reads a progressive picture only with an index.
    try await folder.place("jpeg-scans", as: "b.jpg")
    #expect(try await zoombench("index --index-dir ix b.jpg", in: folder).code == 0)
    let bench = "b.jpg --sources partial --rounds 1 --quiet"
    let named = try await zoombench(bench + " --index-dir ix", in: folder)
    #expect(named.code == 0 && named.output.contains("partial reads it by stored index: "))
    #expect(
      try await zoombench(bench, in: folder).output.contains(
        "make one with `zoombench index --index-dir DIR FILE` and give --index-dir DIR"))
  }

  /// A measurement must not depend on files of earlier commands.
  @Test func `an index beside the picture does not change a benchmark's counts`() async throws {
    let folder = try TestFolder()
    try await folder.place("forest", as: "a.jpg")
    func counts() async throws -> [String] {
      let run = try await zoombench(
        "a.jpg --sources partial,automatic --rounds 1 --quiet --format json", in: folder)
      #expect(run.code == 0)
      return try run.result().rows.map { row in
        "\(row.name) \(row.counters["bytes read"] ?? -1) \(row.counters["pixels decoded"] ?? -1)"
      }
    }
    let before = try await counts()
    #expect(try await zoombench("index --beside a.jpg", in: folder).code == 0)
    #expect(try await counts() == before)
    #expect(before.count > 4)
  }
}
