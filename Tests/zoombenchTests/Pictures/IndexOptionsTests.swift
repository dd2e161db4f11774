import Foundation
import SystemPackage
import Testing

@testable import zoombench

@Suite struct IndexOptionsTests {
  /// Runs a command of words with the key and the cache in the test's folder.
  private func zoombench(_ words: String, in folder: TestFolder) async throws -> CommandRun {
    try await folder.zoombench(
      words.split(separator: " ").map(String.init),
      environment: [
        "XDG_DATA_HOME": folder.file("data").string, "XDG_CACHE_HOME": folder.file("cache").string,
        "ZOOMBENCH_INDEX_KEY": nil,
      ])
  }

  @Test func `an index in a folder is used by commands that name the folder, and by no others`()
    async throws
  {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "a.jpg")
      #expect(try await zoombench("index --index-dir ix a.jpg", in: folder).code == 0)
      let explained = try await zoombench("inspect a.jpg --index-dir ix", in: folder)
      #expect(explained.output.contains("automatic picks partial: "))
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
  }

  /// A measurement must not depend on files of earlier commands.
  @Test func `an index beside the picture does not change a benchmark's counts`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("forest", as: "a.jpg")
      func counts() async throws -> [String] {
        let run = try await zoombench(
          "a.jpg --sources partial,automatic --rounds 1 --quiet --format json", in: folder)
        #expect(run.code == 0)
        let result = try ResultFile.result(named: "stdout", content: Data(run.output.utf8))
        return result.rows.map { row in
          "\(row.name) \(row.counters["bytes read"] ?? -1) \(row.counters["pixels decoded"] ?? -1)"
        }
      }
      let before = try await counts()
      #expect(try await zoombench("index --beside a.jpg", in: folder).code == 0)
      #expect(try await counts() == before)
      #expect(before.count > 4)
    }
  }

  @Test(arguments: ["inspect a.jpg", "peek a.jpg --touch 9,9 --viewport 80x80 -o b.png", "a.jpg"])
  func `a folder that is not there is an error`(command: String) async throws {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "a.jpg")
      let run = try await zoombench(command + " --index-dir nowhere", in: folder)
      #expect(run.code == 66)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.contains("nowhere: no such folder"))
      #expect(try folder.names() == ["work/a.jpg"])
    }
  }

  @Test(
    arguments: [
      "peek a.jpg --touch 9,9 --viewport 80x80 -o a.jpg",
      "peek a.jpg --touch 9,9 --viewport 80x80 --lossless -o ./a.jpg",
      "replay peek a.jpg --system peek -o a.jpg", "index a.jpg -o a.jpg",
      "a.jpg --rounds 1 -o a.jpg", "verify a.jpg -o a.jpg",
    ])
  func `the picture that is read is never written over`(command: String) async throws {
    try await TestFolder.with { folder in
      try await folder.place("jpeg-444", as: "a.jpg")
      let before = try folder.bytes(of: "a.jpg")
      let run = try await zoombench(command, in: folder)
      #expect(run.code == 64)
      #expect(run.errors.contains("would write over the input"))
      let isKept = try folder.bytes(of: "a.jpg") == before
      #expect(isKept)
    }
  }
}
