import ForeignPipelines
import Foundation
import TestSupport
import Testing
import ZoomLoad

@testable import zoombench

@Suite struct LoadCommandTests {
  @Test func `only this machine counts as loopback`() throws {
    func isRemote(_ host: String) throws -> Bool {
      try ForeignPipeline("x=iiif:http://\(host)/{name}").isRemote
    }
    for host in ["localhost", "127.0.0.1", "127.255.0.9", "[::1]"] {
      #expect(try !isRemote(host), "\(host)")
    }
    for host in [
      "", "example.org", "127.0.0.1.example.org", "localhost.example.org", "128.0.0.1",
      "127.0.0.256", "127.0.0.x", "10.0.0.1", "0.0.0.0", "[::]",
    ] {
      #expect(try isRemote(host), "\(host)")
    }
  }

  @Test(arguments: [
    (["--rates", "20", "--pipeline", "x=iiif:http://192.0.2.1/{name}"], "--i-may-load-it"),
    (
      ["--rates", "20", "--i-may-load-it", "--pipeline", "x=iiif:http://192.0.2.1/{name}"],
      "--rates up to 2"
    ),
    (
      ["--closed", "2", "--i-may-load-it", "--pipeline", "x=iiif:http://192.0.2.1/{name}"],
      "--rates up to 2"
    ),
    (
      ["--connections", "7", "--i-may-load-it", "--pipeline", "x=iiif:http://192.0.2.1/{name}"],
      "up to 6"
    ),
    (["--pipeline", "x=iiif:http://127.0.0.1{name}/"], "--i-may-load-it"),
    (["--closed", "2", "--rates", "3"], "--closed excludes"),
    (["--for", "30m"], "need one rate"),
    (["--for", "299s", "--rates", "2"], "at least 5m"),
    (["--for", "30m", "--rates", "2", "--tile", "0"], "needs tiles"),
    (["--bound", "p101<1s"], "--bound takes"),
    (["--rates", "0"], "--rates"),
    (["--sources", "none"], "none"),
    (["--screen", "0x0"], "--screen"),
    (["--server-pid", "2147483647"], "--server-pid"),
  ])
  func `loads that may harm or mean nothing are refused before they begin`(
    _ arguments: [String], _ words: String
  ) async throws {
    let run = try await TestFolder().zoombench(["load", "photo.jpg", "--quiet"] + arguments)
    #expect(run.code == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    (["--load", "5"], "needs --pictures"), (["--load", "0.9", "--pictures", "a.jpg"], "1...10000"),
    (["--load", "5", "--pictures", "a.jpg"], "servers on this machine"),
    (["--load", "5", "--pictures", "http://192.0.2.1/a.jpg"], "name a local copy"),
  ])
  func `comparisons under load need pictures, and servers on this machine`(
    _ options: [String], _ words: String
  ) async throws {
    let servers = ["a=iiif:http://127.0.0.1:1/{name}", "b=iiif:http://192.0.2.1/{name}"]
    let run = try await TestFolder().zoombench(["compare"] + servers + options + ["--quiet"])
    #expect(run.code == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func `a server on this machine is asked itself, although a proxy is set`() async throws {
    let (server, proxy) = (
      try LoopbackServer { _ in .status(404) }, try LoopbackServer { _ in .status(404) }
    )
    defer {
      server.stop()
      proxy.stop()
    }
    _ = try await TestFolder().zoombench(
      [
        "load", "tiny-17x3", "--quiet", "--bound", "p50<60s", "--rates", "5", "--step", "1",
        "--pipeline", "x=http:http://127.0.0.1:\(server.port)/{x}/{y}/{w}/{h}",
      ],
      environment: [
        "http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": nil, "NO_PROXY": nil,
      ])
    #expect(!server.heads.isEmpty && proxy.heads.isEmpty)
  }

  @Test func `a source is loaded, its answers are compared, and the result is a table or JSON`()
    async throws
  {
    let folder = try TestFolder()
    let options = [
      "load", "tiny-17x3", "--quiet", "--bound", "p50<60s", "--rates", "50", "--step", "1",
    ]
    let table = try await folder.zoombench(options)
    #expect(table.output.contains("50 views/s"), "\(table.errors)")
    let json = try await folder.zoombench(options + ["--format", "json"])
    let result = try ResultFile.result(named: "run.json", content: Data(json.output.utf8))
    let step = try #require(result.rows.first?.load?.steps.first)
    #expect(step.checks.unchecked == 0 && step.checks.compared > 0 && step.checks.wrong == 0)
    // Neither the exit code nor the verdict is compared: a busy machine makes requests slow.
  }
}
