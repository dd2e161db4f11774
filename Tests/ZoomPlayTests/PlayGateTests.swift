import NIOHTTP1
import Testing

@testable import ZoomPlay

@Suite struct PlayGateTests {
  private func refusal(
    _ uri: String, token: String? = nil, host: [String] = ["127.0.0.1:80"], origin: String? = nil,
    method: HTTPMethod = .GET
  ) -> UInt? {
    var headers = HTTPHeaders(host.map { ("Host", $0) })
    if let origin { headers.add(name: "Origin", value: origin) }
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
    let gate = PlayGate(PlayServer.Settings(host: "127.0.0.1", port: 80, token: token))
    return gate.refusal(of: head, isSession: uri.hasPrefix("/session"))?.code
  }

  @Test func `on this machine its own pages alone come in`() {
    #expect(refusal("/") == nil)
    #expect(refusal("/?a=b") == nil)
    #expect(refusal("/session", host: ["localhost:80"], origin: "http://localhost:80") == nil)
    #expect(refusal("/session", host: ["[::1]:80"]) == nil)
    #expect(refusal("/session", origin: "http://example.org") == 403)
    #expect(refusal("/session", origin: "null") == 403)
    #expect(refusal("/session", origin: "http://127.0.0.1:81") == 403)
    #expect(refusal("/", host: ["example.org"]) == 403)
    #expect(refusal("/", host: ["127.0.0.1.example.org"]) == 403)
    #expect(refusal("/", host: []) == 400)
    #expect(refusal("/", host: ["127.0.0.1", "127.0.0.1"]) == 400)
  }

  @Test func `elsewhere who knows the token comes in`() {
    let token = "abcdefghijklmnop"
    #expect(refusal("/?token=abcdefghijklmnop", token: token, host: ["10.0.0.1"]) == nil)
    #expect(refusal("/session?token=abcdefghijklmnop", token: token, host: ["x"]) == nil)
    for uri in [
      "/", "/?token=", "/?token=abcdefghijklmnoq", "/session?token=abc", "/?TOKEN=\(token)",
    ] {
      #expect(refusal(uri, token: token) == 403, "\(uri)")
    }
  }

  @Test(arguments: [
    "/..", "/../x", "/%2e%2e/", "//", "/page.js", "/sessions", "*", "http://x/y", "",
  ])
  func `there is nothing but the page and its session`(_ uri: String) {
    #expect(refusal(uri) == 404)
  }

  @Test func `a page of another place comes in where it is allowed, and no other does`() {
    let gate = PlayGate(
      PlayServer.Settings(
        host: "127.0.0.1", port: 80, token: nil, origins: ["http://localhost:3000"]))
    func refusal(_ origin: String) -> UInt? {
      let headers = HTTPHeaders([("Host", "127.0.0.1:80"), ("Origin", origin)])
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/session", headers: headers)
      return gate.refusal(of: head, isSession: true)?.code
    }
    #expect(refusal("http://localhost:3000") == nil)
    #expect(refusal("http://localhost:30000") == 403)
    #expect(refusal("https://localhost:3000") == 403)
  }

  @Test func `nothing is changed by asking`() {
    for method: HTTPMethod in [.POST, .PUT, .DELETE, .OPTIONS] {
      #expect(refusal("/", method: method) == 405)
    }
  }
}
