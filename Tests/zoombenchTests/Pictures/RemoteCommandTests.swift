import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomPipeline

@testable import zoombench

/// Commands take addresses where they take files, and show no secret of them.
@Suite struct RemoteCommandTests {
  private static let secret = "s3cret"

  private let folder: TestFolder
  private let server: RangeServer
  private let address: String

  init() throws {
    folder = try TestFolder()
    let bytes = try JPEGBytes(900, 700, JPEGEncoding(quality: 90)).bytes
    try folder.write(bytes, to: "photo.jpg")
    server = try RangeServer(["/photo.jpg": bytes])
    address = "\(server.address)/photo.jpg?signature=\(Self.secret)"
    try folder.write("X-Api-Key: \(Self.secret)\n".utf8, to: "headers")
  }

  /// Runs a command, which must not print a secret.
  private func run(_ words: [String], code: Int32 = 0) async throws -> CommandRun {
    let run = try await folder.zoombench(words + ["--headers", "headers"])
    #expect(run.code == code, "\(words): \(run.errors)")
    for text in [run.output, run.errors] + run.progress { #expect(!text.contains(Self.secret)) }
    return run
  }

  @Test func `a peek is the same as into the file, and says what it fetched`() async throws {
    defer { server.stop() }
    let view = ["--touch", "90,70", "--viewport", "180x140@0.5"]
    _ = try await run(["peek", "photo.jpg", "-o", "local.png"] + view)
    let remote = try await run(["peek", address, "-o", "remote.png"] + view)
    let files = try ["local.png", "remote.png"].map { try bytes(of: folder.file($0)) }
    #expect(isSame(files[0], files[1]))
    #expect(remote.output.contains("\nfetched   "))
    #expect(server.requests.allSatisfy { $0.header("x-api-key") == Self.secret })
    #expect(server.requests.allSatisfy { $0.head.contains("signature=\(Self.secret)") })
  }

  @Test func `an index of an address makes later peeks cheap`() async throws {
    defer { server.stop() }
    _ = try await run(["index", address, "--index-dir", "indexes", "--quiet"])
    let check = try await run([
      "index", "--check", address, "--index-dir", "indexes", "--quiet", "--format", "json",
    ])
    #expect(try check.result().rows.map(\.verdict.word) == [.current])
    let inspected = try await run(["inspect", address, "--index-dir", "indexes"])
    #expect(inspected.output.contains("stored index"))
    #expect(inspected.output.contains("fetched to inspect it: "))
    _ = try await run(
      ["index", "--remove", address, "--index-dir", "indexes", "--quiet"])
    let beside = try await folder.zoombench(["index", address, "--beside", "--quiet"])
    #expect(beside.code != 0)
    #expect((beside.output + beside.errors).contains("nothing is written to a server"))
  }

  /// Returns another server that has the picture with an index beside it.
  private func serverWithIndex() async throws -> RangeServer {
    _ = try await run(["index", address, "--index-dir", "indexes", "--quiet"])
    let stored = try #require(try folder.names().first { $0.hasSuffix(".zidx") })
    let index = try bytes(of: folder.path.removingLastComponent().pushing(FilePath(stored)))
    return try RangeServer([
      "/photo.jpg": try folder.bytes(of: "photo.jpg"), "/photo.jpg.zidx": index,
    ])
  }

  @Test func `bench and verify use an index beside an address, but none beside a file`()
    async throws
  {
    defer { server.stop() }
    let other = try await serverWithIndex()
    defer { other.stop() }
    _ = try await run(["index", "photo.jpg", "--beside", "--quiet"])
    func usesIndex(_ picture: String) async throws -> Bool {
      let result = try await run([
        "bench", picture, "--sources", "partial", "--rounds", "1", "--quick", "--quiet", "--format",
        "json",
      ]).result()
      let methods = result.rows.compactMap(\.bench?.method)
      #expect(!methods.isEmpty)
      return methods.allSatisfy { $0.contains("from an index found with the picture") }
    }
    #expect(try await usesIndex("\(other.address)/photo.jpg"))
    #expect(try await !usesIndex("photo.jpg"))
    for (source, isUsed) in [("partial", true), ("naive", false)] {
      let before = other.requests.count
      _ = try await run([
        "verify", "\(other.address)/photo.jpg", "--sources", source, "--cases", "5", "--seed", "1",
        "--quiet",
      ])
      let asked = other.requests.dropFirst(before)
      #expect(asked.contains { $0.path == "/photo.jpg.zidx" } == isUsed, "\(source)")
    }
  }

  @Test func `an index is not requested without a key, or for a source that uses none`()
    async throws
  {
    defer { server.stop() }
    let other = try await serverWithIndex()
    defer { other.stop() }
    let run = try await folder.zoombench(
      ["inspect", "\(other.address)/photo.jpg"],
      environment: ["XDG_DATA_HOME": folder.file("empty").string])
    #expect(run.code == 0)
    _ = try await self.run([
      "peek", "\(other.address)/photo.jpg", "--source", "naive", "--touch", "9,9", "--viewport",
      "90x70", "-o", "a.png",
    ])
    #expect(!other.requests.isEmpty)
    #expect(other.requests.allSatisfy { $0.path == "/photo.jpg" })
  }

  @Test func `an index beside an address is found, and not written`() async throws {
    defer { server.stop() }
    let other = try await serverWithIndex()
    defer { other.stop() }
    let indexed = "\(other.address)/photo.jpg"
    let check = try await run(["index", "--check", indexed, "--beside", "--format", "json"])
    #expect(try check.result().rows.map(\.verdict.word) == [.current])
    #expect(try check.result().rows.map(\.file?.where) == ["\(indexed).zidx"])
    let inspect = ["inspect", "--format", "json"]
    let (with, without) = (
      try await run(inspect + [indexed]).result().rows.first?.file,
      try await run(inspect + [address]).result().rows.first?.file
    )
    #expect(with?.firstPeek != nil && with?.gainsByIndex == false)
    #expect(without?.firstPeek != with?.firstPeek)
    let before = server.requests.count
    #expect(try await folder.zoombench("index", "--beside", address, "--quiet").code != 0)
    let fetched = server.requests.dropFirst(before).reduce(0) { $0 + $1.range.count }
    #expect(fetched < (try folder.bytes(of: "photo.jpg")).count)
  }

  @Test func `a benchmark counts requests, and its result holds no secret`() async throws {
    defer { server.stop() }
    _ = try await run(["index", address, "--index-dir", "indexes", "--quiet"])
    let run = try await run([
      "bench", address, "--sources", "partial", "--rounds", "1", "--quick", "--quiet", "--format",
      "json", "--index-dir", "indexes",
    ])
    let result = try run.result()
    #expect(result.pictures.map(\.path) == ["\(server.address)/photo.jpg"])
    let rows = result.rows.filter { $0.contender == "partial" }
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(row.verdict.word == .agrees)
      // A warm row counts a later peek elsewhere, not one into what was fetched before.
      #expect(row.counters["round trips"] ?? 0 > 0)
      #expect(row.counters["bytes fetched"] ?? 0 > 0)
    }
  }

  @Test func `a history holds no secret`() async throws {
    defer { server.stop() }
    _ = try await run([
      "bench", address, "--sources", "partial", "--rounds", "1", "--quick", "--quiet", "--record",
      "--commit", "v1", "--history", "h",
    ])
    let history = try folder.bytes(of: "h")
    #expect(!history.isEmpty)
    #expect(!String(decoding: history, as: UTF8.self).contains(Self.secret))
    let list = try await folder.zoombench("history", "list", "--history", "h")
    #expect(list.code == 0 && list.output.contains("v1"))
  }

  @Test func `the laws hold for a picture on a server`() async throws {
    defer { server.stop() }
    let run = try await run([
      "verify", address, "--sources", "partial", "--cases", "20", "--seed", "1", "--quiet",
    ])
    #expect(run.output.contains("held"))
  }

  @Test func `a missing picture is a plain error`() async throws {
    defer { server.stop() }
    let run = try await run(
      [
        "peek", "\(server.address)/none.jpg?signature=\(Self.secret)", "--touch", "1,1",
        "--viewport", "100x100", "-o", "a.png",
      ], code: 66)
    #expect(run.errors.contains("\(server.address)/none.jpg: fetch: the server has no such file"))
  }

  @Test func `headers must be header lines`() async throws {
    defer { server.stop() }
    try folder.write("no header\n".utf8, to: "headers")
    let run = try await folder.zoombench(["inspect", address, "--headers", "headers"])
    #expect(run.code == 64)
    #expect(run.errors.contains("line 1 is not a header"))
  }

  @Test func `headers are sent to one server only`() async throws {
    defer { server.stop() }
    let other = try RangeServer(["/photo.jpg": folder.bytes(of: "photo.jpg")])
    defer { other.stop() }
    try folder.write("\(address)\n\(other.address)/photo.jpg\n".utf8, to: "list")
    for words in [
      ["inspect", address, "\(other.address)/photo.jpg"], ["inspect", "--list", "list"],
      ["index", "--list", "list", "--index-dir", "indexes"],
      ["verify", "--list", "list", "--sources", "partial"],
    ] {
      let run = try await run(words, code: 64)
      #expect(run.errors.contains("--headers: the addresses have several servers"))
    }
    #expect(server.requests.isEmpty && other.requests.isEmpty)
    let plain = try await folder.zoombench("inspect", address, "\(other.address)/photo.jpg")
    #expect(plain.code == 0)
  }

  @Test func `connections stay open from picture to picture`() async throws {
    defer { server.stop() }
    let picture = try folder.bytes(of: "photo.jpg")
    let other = try RangeServer(["/a.jpg": picture, "/b.jpg": picture, "/c.jpg": picture])
    defer { other.stop() }
    let addresses = ["a", "b", "c"].map { "\(other.address)/\($0).jpg" }
    for more in [[], ["--jobs", "1", "--format", "json"]] {
      let before = other.connections
      _ = try await run(["inspect", addresses[0]] + more)
      let one = other.connections - before
      _ = try await run(["inspect"] + addresses + more)
      #expect(other.connections - before - one < 3 * one)
    }
  }

  @Test func `only addresses of pictures lose their query`() {
    let named = GivenAddresses.named([
      "zoombench", "https://h/a.jpg?x=1", "--output", "https://h/b?x=1", "c.jpg",
      "mine=iiif:https://h/d?x=1", "--commit", "https://h/e?x=1",
    ])
    #expect(
      named == [
        "zoombench", "https://h/a.jpg", "--output", "https://h/b?x=1", "c.jpg",
        "mine=iiif:https://h/d?x=1", "--commit", "https://h/e?x=1",
      ])
    for words in [
      ["history", "bless", "main", "--reason", "https://bugs/show?id=17"],
      ["history", "series", "https://h/a.jpg#2/partial"],
      ["play", "photo.jpg", "--allow-origin", "http://localhost:3000"],
    ] {
      #expect(GivenAddresses.named(["zoombench"] + words) == ["zoombench"] + words)
    }
  }

  @Test(arguments: [
    ["peek", "https://h/a\tb.jpg?x=s3cret"], ["https://me:s3cret/@h/a.jpg", "b.jpg"],
    ["verify", "https://h/" + String(repeating: "s3cret", count: 3000)],
    ["inspect", "https:/h/a.jpg?x=s3cret"], ["bench", "--pictures=https://h/a.jpg?x=s3cret"],
    ["verify", "--pictures", "png,https://h/a.jpg?x=s3cret"],
    ["peek", " https://h/a.jpg?x=s3cret"],
  ])
  func `an unusable address is a usage error without its text`(words: [String]) async throws {
    server.stop()
    let run = try await run(words, code: 64)
    #expect(run.errors.contains("address"))
  }

  @Test func `user, password and spaces are sent, and not shown`() async throws {
    defer { server.stop() }
    let other = try RangeServer(["/my%20photo.jpg": folder.bytes(of: "photo.jpg")])
    defer { other.stop() }
    let address = "http://me:\(Self.secret)@127.0.0.1:\(other.port)/my photo.jpg?x=\(Self.secret)"
    let run = try await run(["inspect", address, "--format", "json"])
    #expect(try run.result().rows.map(\.picture) == ["\(other.address)/my%20photo.jpg"])
    #expect(!other.requests.isEmpty)
    #expect(other.requests.allSatisfy { $0.header("authorization")?.hasPrefix("Basic ") == true })
  }

  @Test func `an address with dots keeps its query`() async throws {
    defer { server.stop() }
    let dotted = "\(server.address)/./photo.jpg?signature=\(Self.secret)"
    let run = try await run(["inspect", dotted, "--format", "json"])
    #expect(try run.result().rows.map(\.verdict.word) == [.readable])
    #expect(!server.requests.isEmpty)
    #expect(server.requests.allSatisfy { $0.head.contains("signature=\(Self.secret)") })
  }

  @Test func `a list of addresses shows no secret, and each must be valid`() async throws {
    defer { server.stop() }
    try folder.write("photo.jpg\n\(address)\n".utf8, to: "list")
    let words = ["inspect", "--list", "list", "--format", "json"]
    let rows = try await run(words).result().rows
    #expect(rows.map(\.verdict.word) == [.readable, .readable])
    try folder.write("\(address)\nhttps://h/a\tb.jpg?x=\(Self.secret)\n".utf8, to: "list")
    let refused = try await run(words, code: 65)
    #expect(refused.errors.contains("list: a line is not an address of HTTP"))
  }
}
