import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

/// `--shard` and `merge` in the way of a scheduler.
@Suite struct ShardCommandTests {
  private func environment(_ folder: TestFolder) -> [String: String?] {
    ["ZOOMBENCH_INDEX_KEY": folder.file("key").string]
  }

  private func run(_ folder: TestFolder, _ arguments: [String]) async throws -> CommandRun {
    try await folder.zoombench(arguments, environment: environment(folder))
  }

  /// Starts a command and sends a signal after some milliseconds, unless it has ended.
  private func end(
    _ folder: TestFolder, _ arguments: [String], with signal: Int32, after milliseconds: Int
  ) async throws -> WorkerError.Ending {
    let command = try folder.command(arguments, environment: environment(folder))
    return try await folder.ending(of: command) {
      try await Task.sleep(for: .milliseconds(milliseconds))
      return signal
    }
  }

  /// Kills a shard's process before its journal is finished.
  private func kill(_ folder: TestFolder, _ arguments: [String], in journals: String) async throws {
    func names(_ suffix: String) throws -> Set<String> {
      Set(
        try folder.names().filter { $0.hasPrefix("work/\(journals)/") && $0.hasSuffix(suffix) }
          .map { String($0.dropFirst(5)) })
    }
    let finished = try names(".jsonl")
    for _ in 0..<50 {
      let command = try folder.command(arguments, environment: environment(folder))
      let status = try await folder.ending(of: command) {
        while try names(".part").isEmpty && names(".jsonl") == finished {
          try await Task.sleep(for: .milliseconds(1))
        }
        return SIGKILL
      }
      if status == .killed(signal: SIGKILL), try !names(".part").isEmpty { return }
      // The process ended before the signal.
      for name in try names(".jsonl").subtracting(finished) {
        try FileManager.default.removeItem(atPath: folder.file(name).string)
      }
    }
    Issue.record("no shard could be killed before it was finished")
  }

  /// Returns a result without the times and facts of the machine, which may differ.
  private func result(_ folder: TestFolder, _ name: String) throws -> String {
    func strip(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(strip) }
      guard let object = value as? [String: Any] else { return value }
      let own: Set = [
        "seconds", "engineShare", "startedAt", "command", "environment", "machines",
      ]
      return object.filter { !own.contains($0.key) }.mapValues(strip)
    }
    let data = Data(try folder.bytes(of: name))
    let stripped = strip(try JSONSerialization.jsonObject(with: data))
    return String(
      decoding: try JSONSerialization.data(withJSONObject: stripped, options: [.sortedKeys]),
      as: UTF8.self)
  }

  /// Places pictures and files with various defects.
  private func placePictures(in folder: TestFolder) async throws {
    for name in ["jpeg-444", "jpeg-scans", "png", "tiny-17x3", "orientation-6", "png-16"] {
      try await folder.place(name, as: "pictures/\(name).\(name.hasPrefix("png") ? "png" : "jpg")")
    }
    let whole = try folder.bytes(of: "pictures/jpeg-scans.jpg")
    for (number, length) in [0, 1, 20, 300, whole.count / 2].enumerated() {
      try folder.write(whole.prefix(length), to: "pictures/sub/cut \(number).jpg")
    }
    try folder.write("words".utf8, to: "pictures/sub/words.png")
  }

  @Test(arguments: ["index", "verify"])
  func `any shards in any order, one twice and one killed, merge to the unsharded result`(
    job: String
  ) async throws {
    try await TestFolder.with { folder in
      try await placePictures(in: folder)
      let command =
        job == "index"
        ? ["index", "pictures", "--index-dir", "ix", "--quiet"]
        : [
          "verify", "pictures", "--sources", "partial,resident", "--laws", "PX-1,PX-2,PX-3,PX-21",
          "--cases", "60", "--seed", "5", "--quiet",
        ]
      let whole = try await run(folder, command + ["--format", "json", "-o", "whole.json"])
      #expect(whole.code == (job == "index" ? 65 : 0), "\(whole.errors)")
      for shards in [["3/3", "1/3", "2/3", "1/3"], ["5-7/8", "8/8", "2/8", "1/8", "3-4/8"]] {
        let name = "journals-\(shards.count)"
        for (number, shard) in shards.enumerated() {
          let words = command + ["--shard", shard, "-o", name]
          if number == 1 { try await kill(folder, words, in: name) }
          let part = try await run(folder, words)
          #expect(part.code == 0, "\(part.errors)")
        }
        let merged = try await run(
          folder, ["merge", name, "--format", "json", "-o", "merged.json"])
        #expect(merged.code == whole.code)
        #expect(merged.errors == whole.errors)
        #expect(try result(folder, "merged.json") == result(folder, "whole.json"))
        #expect(try folder.names().allSatisfy { !$0.hasSuffix(".part") })
      }
    }
  }

  @Test func `blocks of cases and broken laws merge to the unsharded result`() async throws {
    try await TestFolder.with { folder in
      let command = [
        "verify", "--systems", "peek", "--original", "--laws", "FZ-P1,FZ-P2,FZ-P13c", "--cases",
        "66000", "--seed", "3", "--quiet",
      ]
      let whole = try await run(folder, command + ["--format", "json", "-o", "whole.json"])
      #expect(whole.code == 1)
      for shard in ["2/2", "1/2"] {
        // A broken law is a result, which a scheduler must not retry.
        #expect(try await run(folder, command + ["--shard", shard, "-o", "j"]).code == 0)
      }
      let merged = try await run(folder, ["merge", "j", "--format", "json", "-o", "merged.json"])
      #expect(merged.code == 1)
      #expect(merged.errors == whole.errors)
      #expect(try result(folder, "merged.json") == result(folder, "whole.json"))
      for format in ["table", "junit"] {
        let shown = try await run(folder, ["merge", "j", "--format", format])
        #expect(shown.code == 1)
        #expect(shown.output.contains("FZ-P13c"))
      }
    }
  }

  @Test func `a benchmark's shards ask for the same peeks as the whole run, and find the same`()
    async throws
  {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "p/a.jpg")
      try await folder.place("png", as: "p/b.png")
      try folder.write("words".utf8, to: "p/c.jpg")
      let command = ["p", "--sources", "partial", "--rounds", "2", "--quiet"]
      let whole = try await run(folder, command + ["--format", "json", "-o", "whole.json"])
      #expect(whole.code == 65)
      for shard in ["2/2", "1/2"] {
        #expect(try await run(folder, command + ["--shard", shard, "-o", "j"]).code == 0)
      }
      let merged = try await run(folder, ["merge", "j", "--format", "json", "-o", "merged.json"])
      #expect(merged.code == 65)
      #expect(merged.errors == whole.errors)
      func peeks(_ name: String) throws -> [String] {
        let result = try ResultFile.result(
          named: name, content: Data(try folder.bytes(of: name)))
        let rows = result.rows.map { row in
          let regions = row.group.flatMap { result.groups[$0]?.regions } ?? []
          let reason = row.verdict.reason ?? ""
          return "\(row.name) \(regions) \(row.figures.agreed ?? 0) \(reason)"
        }
        return rows + result.pictures.map(\.name)
      }
      #expect(try peeks("merged.json") == peeks("whole.json"))
      #expect(try await run(folder, ["p", "--shard", "1/2", "-o", "k"]).code == 64)
    }
  }

  @Test func `a shard that is told to end says that it can be tried again`() async throws {
    try await TestFolder.with { folder in
      let command = [
        "verify", "--systems", "fullscreen,transition", "--cases", "1000000", "--seed", "1",
        "--quiet", "--shard", "1/1", "-o", "j",
      ]
      let status = try await end(folder, command, with: SIGTERM, after: 1500)
      #expect(status == .exited(status: 75))
    }
  }

  @Test func `a picture in whose midst a run ended is tried in a process of its own`() async throws
  {
    try await TestFolder.with { folder in
      try await placePictures(in: folder)
      let command = ["index", "pictures", "--index-dir", "ix", "--quiet"]
      _ = try await run(folder, command)
      let whole = try await run(folder, command + ["--format", "json", "-o", "whole.json"])
      #expect(whole.code == 65)
      let words = command + ["--shard", "1/1", "-o", "j"]
      #expect(try await run(folder, words).code == 0)
      // The journal of a process that ended in its first pictures.
      let lines = String(
        decoding: try folder.bytes(of: "j/shard-0001-of-0001.jsonl"), as: UTF8.self
      )
      .split(separator: "\n")
      try folder.write(
        (lines[0] + "\n{\"started\":0}\n{\"started\":1}\n{\"started\":7}\n").utf8,
        to: "j/shard-0001-of-0001.1.part")
      try FileManager.default.removeItem(atPath: folder.file("j/shard-0001-of-0001.jsonl").string)
      #expect(try await run(folder, words).code == 0)
      let merged = try await run(folder, ["merge", "j", "--format", "json", "-o", "merged.json"])
      #expect(merged.code == 65)
      #expect(try result(folder, "merged.json") == result(folder, "whole.json"))
    }
  }

  @Test func `wrong use is one line, and loses nothing`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      try await folder.place("png", as: "b.png")
      func refused(_ arguments: String..., code: Int32, saying words: String) async throws {
        let run = try await run(folder, arguments)
        #expect(run.code == code, "\(arguments)")
        #expect(run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
      }
      try await refused("index", "a.jpg", "--shard", "1/2", "-o", "j", code: 66, saying: "no key")
      #expect(try await run(folder, ["index", "a.jpg", "--index-dir", "ix"]).code == 0)
      let index = ["index", "a.jpg", "b.png", "--index-dir", "ix"]
      try await refused(
        "index", "a.jpg", "--shard", "0/8", "-o", "j", code: 64, saying: "from 1 to 8")
      try await refused("index", "a.jpg", "--shard", "1/2", code: 64, saying: "needs -o")
      try await refused(
        "verify", "--shard", "1/2", "-o", "j", code: 64, saying: "--seed and --cases")
      for shard in ["1/2", "2/2"] {
        #expect(try await run(folder, index + ["--shard", shard, "-o", "j"]).code == 0)
      }
      // Another plan in the same folder.
      try await refused(
        "index", "b.png", "--index-dir", "ix", "--shard", "1/2", "-o", "j", code: 64,
        saying: "another plan")
      #expect(
        try await run(folder, ["index", "b.png", "--index-dir", "ix", "--shard", "1/1", "-o", "k"])
          .code == 0)
      try await refused("merge", "j", "k", code: 64, saying: "two plans")
      try await refused("merge", "none", code: 66, saying: "none")
      try await refused("merge", "a.jpg", code: 65, saying: "no journal")
      try await refused("merge", "ix", code: 66, saying: "no shard is finished")
      try await refused("merge", "k", "-o", "k", code: 73, saying: "folder")
      // A journal that ends inside its last line.
      let bytes = try folder.bytes(of: "j/shard-0002-of-0002.jsonl")
      try folder.write(bytes.dropLast(9), to: "j/shard-0002-of-0002.jsonl")
      try await refused("merge", "j", code: 66, saying: "--shard 2/2")
      #expect(try await run(folder, ["merge", "k"]).code == 0)
      #expect(try folder.bytes(of: "j/shard-0002-of-0002.jsonl").count == bytes.count - 9)
    }
  }

  @Test func `a list on stdin, its sample and a root name the same pictures on any machine`()
    async throws
  {
    try await TestFolder.with { folder in
      for number in 0..<6 { try await folder.place("tiny-17x3", as: "mount/\(number).jpg") }
      let names = (0..<6).map { "\($0).jpg" }
      try folder.write((names.joined(separator: "\n") + "\n").utf8, to: "list")
      let words = ["index", "--list", "list", "--root", "mount", "--index-dir", "mount/ix"]
      #expect(try await run(folder, words + ["--format", "json", "-o", "one.json"]).code == 0)
      #expect(names.allSatisfy { (try? result(folder, "one.json"))?.contains("\"\($0)\"") == true })
      // Another machine mounts the share elsewhere; names of indexes stay the same.
      try FileManager.default.moveItem(
        atPath: folder.file("mount").string, toPath: folder.file("elsewhere").string)
      let check = try await run(
        folder,
        [
          "index", "--list", "list", "--root", "elsewhere", "--index-dir", "elsewhere/ix",
          "--check",
        ])
      #expect(check.code == 0)
      #expect(check.output.contains("6 current"))
      let parts = try await [1, 2, 3].asyncReduce(0) { sum, part in
        let run = try await run(
          folder,
          [
            "index", "--list", "list", "--root", "elsewhere", "--check", "--sample", "\(part)/3",
            "--index-dir", "elsewhere/ix",
          ])
        return sum
          + (run.code == 66
            ? 0
            : Int(run.output.split(separator: "\n").last?.split(separator: " ").first ?? "") ?? 0)
      }
      #expect(parts == 6)
    }
  }
}

extension Array {
  fileprivate func asyncReduce<Result>(
    _ start: Result, _ next: (Result, Element) async throws -> Result
  ) async rethrows -> Result {
    var result = start
    for element in self { result = try await next(result, element) }
    return result
  }
}
