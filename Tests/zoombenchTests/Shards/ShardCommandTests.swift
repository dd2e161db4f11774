import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

/// `--shard` and `report` as a scheduler calls them.
@Suite struct ShardCommandTests {
  private func environment(_ folder: TestFolder) -> [String: String?] {
    ["ZOOMBENCH_INDEX_KEY": folder.file("key").string]
  }

  private func run(_ folder: TestFolder, _ arguments: [String]) async throws -> CommandRun {
    try await folder.zoombench(arguments, environment: environment(folder))
  }

  /// Cuts the journal of a shard in half, as a killed process leaves it.
  private func cut(_ folder: TestFolder, _ shard: String, in journals: String) throws {
    let numbers = shard.split(separator: "/")
    let stem = "\(journals)/shard-000\(numbers[0])-of-000\(numbers[1])"
    let bytes = try folder.bytes(of: stem + ".jsonl")
    try folder.write(bytes.prefix(bytes.count / 2), to: stem + ".1.part")
    try FileManager.default.removeItem(atPath: folder.file(stem + ".jsonl").string)
  }

  /// Returns a result without the times and facts of the machine, which may differ.
  private func result(_ folder: TestFolder, _ name: String) throws -> String {
    func strip(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(strip) }
      guard let object = value as? [String: Any] else { return value }
      let own: Set = ["seconds", "startedAt", "command", "environment", "machines"]
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

  static let pixels = [
    "verify", "pictures", "--sources", "partial,resident", "--laws", "PX-1,PX-2,PX-3,PX-21",
    "--cases", "60", "--seed", "5",
  ]
  static let numbers = [
    "verify", "--systems", "peek", "--original", "--laws", "FZ-P1,FZ-P2,FZ-P13c", "--cases",
    "20000", "--seed", "3",
  ]

  @Test(
    arguments: [
      (["index", "pictures", "--index-dir", "ix"], 65), (["inspect", "pictures"], 65),
      (pixels, 0), (numbers, 1),
    ] as [([String], Int32)])
  func `any shards in any order, one twice and one killed, merge to the unsharded result`(
    job: [String], code: Int32
  ) async throws {
    let folder = try TestFolder()
    try await placePictures(in: folder)
    let command = job + ["--quiet"]
    let whole = try await run(folder, command + ["--format", "json", "-o", "whole.json"])
    #expect(whole.code == code, "\(whole.errors)")
    for shards in [["3/3", "1/3", "2/3", "1/3"], ["5/5", "2/5", "1/5", "4/5", "3/5"]] {
      let name = "journals-\(shards.count)"
      for (number, shard) in shards.enumerated() {
        let words = command + ["--shard", shard, "-o", name]
        for attempt in 0..<(number == 1 ? 2 : 1) {
          let part = try await run(folder, words)
          // A finding is a result, which a scheduler must not retry.
          #expect(part.code == 0, "\(part.errors)")
          if number == 1, attempt == 0 { try cut(folder, shard, in: name) }
        }
      }
      let merged = try await run(folder, ["report", name, "--format", "json", "-o", "merged.json"])
      #expect(merged.code == whole.code)
      #expect(merged.errors == whole.errors)
      #expect(try result(folder, "merged.json") == result(folder, "whole.json"))
      #expect(try folder.names().allSatisfy { !$0.hasSuffix(".part") })
      for format in ["table", "junit"] {
        let shown = try await run(folder, ["report", name, "--format", format])
        #expect(shown.code == whole.code && shown.output.contains(code == 1 ? "FZ-P13c" : "pic"))
      }
    }
  }

  @Test func `a shard that SIGTERM ends has an exit code that makes a scheduler try again`()
    async throws
  {
    let folder = try TestFolder()
    let command = [
      "verify", "--systems", "fullscreen,transition", "--cases", "1000000", "--seed", "1",
      "--quiet", "--shard", "1/1", "-o", "j",
    ]
    let process = try ChildProcess(folder.command(command, environment: environment(folder)))
    try await Task.sleep(for: .milliseconds(1500))
    kill(process.identifier, SIGTERM)
    let deadline = Timestamps.monotonic() + 60_000_000_000
    let status = try process.rest(limit: 1 << 20, until: deadline).ending
    #expect(status == .exited(status: 75))
    for part in try folder.names() where part.hasSuffix(".part") {
      let bytes = try folder.bytes(of: String(part.dropFirst("work/".count)))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasSuffix("{\"stopped\":true}\n"))
    }
  }

  @Test func `a picture that ends the process twice is a finding, and the others are done`()
    async throws
  {
    let folder = try TestFolder()
    try await placePictures(in: folder)
    let command = ["index", "pictures", "--index-dir", "ix", "--quiet"]
    let whole = try await run(folder, command + ["--format", "json", "-o", "whole.json"])
    #expect(whole.code == 65)
    let words = command + ["--shard", "1/1", "-o", "j"]
    #expect(try await run(folder, words).code == 0)
    // The journal of a process that ended in its first pictures.
    let journal = "j/shard-0001-of-0001.jsonl"
    let header = try folder.bytes(of: journal).prefix { $0 != 10 }
    let begun = [0, 1, 2, 1].map { "\n{\"started\":\($0)}" }.joined() + "\n"
    try folder.write(header + Array(begun.utf8), to: "j/shard-0001-of-0001.1.part")
    try FileManager.default.removeItem(atPath: folder.file(journal).string)
    #expect(try await run(folder, words).code == 0)
    let merged = try await run(
      folder, ["report", "j", "--format", "json", "-o", "merged.json"])
    #expect(merged.code == 65)
    func rows(_ name: String) throws -> [String] {
      try folder.result(name).rows
        .map { "\($0.name) \($0.verdict.word.rawValue) \($0.verdict.reason ?? "")" }
    }
    var expected = try rows("whole.json")
    let name = try #require(expected[1].split(separator: " ").first)
    expected[1] = "\(name) refused reading it ended the process twice"
    #expect(try rows("merged.json") == expected)
  }

  @Test func `shards of verify with and without a key for indexes are not merged`() async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    let verify = [
      "verify", "--systems", "peek", "--laws", "FZ-P1,FZ-P2", "--cases", "20", "--seed", "3",
    ]
    #expect(try await run(folder, verify + ["--shard", "1/2", "-o", "j"]).code == 0)
    #expect(try await run(folder, ["index", "a.jpg", "--index-dir", "ix"]).code == 0)
    #expect(try await run(folder, verify + ["--shard", "2/2", "-o", "k"]).code == 0)
    let report = try await run(folder, ["report", "j", "k"])
    #expect(report.code == 64)
    #expect(report.errors.contains("indexes is"), "\(report.errors)")
  }

  @Test func `wrong usage is one line, and no journal is lost`() async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    try await folder.place("png", as: "b.png")
    func refused(_ arguments: String..., code: Int32, saying words: String) async throws {
      let run = try await run(folder, arguments)
      #expect(run.code == code, "\(arguments)")
      #expect(run.errorLines.count == 1, "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    try await refused("index", "a.jpg", "--shard", "1/2", "-o", "j", code: 66, saying: "the key")
    #expect(try await run(folder, ["index", "a.jpg", "--index-dir", "ix"]).code == 0)
    let index = ["index", "a.jpg", "b.png", "--index-dir", "ix"]
    try await refused(
      "index", "a.jpg", "--shard", "0/8", "-o", "j", code: 64, saying: "from 1 to 8")
    try await refused("index", "a.jpg", "--shard", "1/2", code: 64, saying: "needs -o")
    try await refused("verify", "--shard", "1/2", "-o", "j", code: 64, saying: "--seed and --cases")
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
    try await refused("report", "j", "k", code: 64, saying: "two plans")
    try await refused("report", "none.jsonl", code: 66, saying: "none")
    try await refused("report", "a.jpg", code: 65, saying: "not a result")
    try await refused("report", "ix", code: 66, saying: "no shard is finished")
    try await refused("report", "k", "-o", "k", code: 73, saying: "folder")
    // A journal that ends inside its last line.
    let bytes = try folder.bytes(of: "j/shard-0002-of-0002.jsonl")
    try folder.write(bytes.dropLast(9), to: "j/shard-0002-of-0002.jsonl")
    try await refused("report", "j", code: 66, saying: "--shard 2/2")
    #expect(try await run(folder, ["report", "k"]).code == 0)
    #expect(try folder.bytes(of: "j/shard-0002-of-0002.jsonl").count == bytes.count - 9)
  }

  @Test func `a list and a root name the same pictures on any machine`() async throws {
    let folder = try TestFolder()
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
  }
}
