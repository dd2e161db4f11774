import TestSupport
import Testing

@testable import ForeignPipelines

extension Foreign {
  /// The headers that a user gives for a server often contain passwords.
  struct RedirectTests {
    private func get(
      _ address: String, headers: [String] = ["X-Api-Key: secret"]
    ) throws -> [UInt8] {
      try HTTPClient(headers: headers).send(
        ServerRequest("", headers: ["Accept: text/plain"]), to: address, limit: 1 << 20,
        until: AnswerDeadline(seconds: 10, end: nil)
      ).answer.body
    }

    private func isHeld(_ header: String, by head: String) -> Bool {
      head.lowercased().contains("\r\n\(header.lowercased())")
    }

    @Test func `a redirect within a server keeps its headers`() throws {
      let server = try LoopbackServer { target in
        target == "/a" ? .redirect("/b") : .ok([1, 2], type: "text/plain")
      }
      defer { server.stop() }
      #expect(try get("\(server.address)/a") == [1, 2])
      #expect(server.heads.map { $0.prefix(6) } == ["GET /a", "GET /b"])
      #expect(server.heads.map { isHeld("X-Api-Key: secret", by: $0) } == [true, true])
    }

    @Test func `a redirect to another port or host loses them, and what is not secret stays`()
      throws
    {
      let other = try LoopbackServer { _ in .ok([3], type: "text/plain") }
      defer { other.stop() }
      let server = try LoopbackServer { target in
        .redirect(
          target == "/port" ? "\(other.address)/" : "http://localhost:\(other.port)/")
      }
      defer { server.stop() }
      for target in ["port", "host"] {
        #expect(try get("\(server.address)/\(target)") == [3])
      }
      #expect(server.heads.map { isHeld("X-Api-Key", by: $0) } == [true, true])
      #expect(other.heads.map { isHeld("X-Api-Key", by: $0) } == [false, false])
      #expect(other.heads.map { isHeld("Accept: text/plain", by: $0) } == [true, true])
    }

    @Test func `a user in the address stays with the server`() throws {
      let other = try LoopbackServer { _ in .ok([3], type: "text/plain") }
      defer { other.stop() }
      let server = try LoopbackServer { target in
        .redirect(target == "/a" ? "/b" : "\(other.address)/")
      }
      defer { server.stop() }
      _ = try get("http://me:word@127.0.0.1:\(server.port)/a", headers: [])
      #expect(server.heads.map { isHeld("Authorization: Basic", by: $0) } == [true, true])
      #expect(other.heads.map { isHeld("Authorization", by: $0) } == [false])
    }

    @Test func `an origin is scheme, host and port`() throws {
      let home = try #require(HTTPOrigin("https://Host.example/a?b"))
      for same in [
        "https://host.example:443/", "HTTPS://HOST.example/x", "https://me:w@host.example/",
      ] {
        #expect(HTTPOrigin(same) == home, "\(same)")
      }
      for other in [
        "http://host.example/", "http://host.example:443/", "https://host.example:8443/",
        "https://host.example.org/", "https://host.example@evil.example/", "https://127.0.0.1/",
        "https://a.host.example/",
      ] {
        let origin = try #require(HTTPOrigin(other))
        #expect(origin != home, "\(other)")
      }
      #expect(HTTPOrigin("no address") == nil)
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1:1/", "gopher://127.0.0.1:1/"])
    func `no other protocol is followed`(place: String) throws {
      let server = try LoopbackServer { _ in .redirect(place) }
      defer { server.stop() }
      let failure = #expect(throws: AnswerFailure.self) {
        try get("\(server.address)/")
      }
      #expect(failure?.reason.lowercased().contains("protocol") == true)
    }
  }
}
