import NIOHTTP1
import Testing

@testable import ZoomPlay

@Suite struct PlayGateTests {
  private func refusal(
    _ uri: String, token: String? = nil, host: [String] = ["127.0.0.1:80"], origin: String? = nil,
    method: HTTPMethod = .GET, cookie: String? = nil, listening: String = "127.0.0.1",
    allowed: [String] = []
  ) -> UInt? {
    var headers = HTTPHeaders(host.map { ("Host", $0) })
    if let origin { headers.add(name: "Origin", value: origin) }
    if let cookie { headers.add(name: "Cookie", value: cookie) }
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
    let gate = PlayGate(
      PlayServer.Settings(host: listening, port: 80, token: token, origins: allowed))
    return gate.refusal(of: head, isSession: uri.hasPrefix("/session"))?.code
  }

  @Test func `without a token only this machine's own pages come in`() {
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

  @Test(arguments: ["127.0.0.1", "0.0.0.0"])
  func `a client that knows the token comes in, and no other`(_ listening: String) {
    let token = "abcdefghijklmnop"
    #expect(refusal("/", token: token, listening: listening) == nil)
    #expect(refusal("/session?token=\(token)", token: token, listening: listening) == nil)
    // A foreign name may resolve to this machine; only a server for other machines accepts it.
    let elsewhere = refusal(
      "/session?token=\(token)", token: token, host: ["x"], listening: listening)
    #expect(elsewhere == (listening == "0.0.0.0" ? nil : 403))
    for uri in [
      "/session", "/session?token=", "/session?token=abcdefghijklmnoq", "/session?token=abc",
      "/session?TOKEN=\(token)",
    ] {
      #expect(refusal(uri, token: token, listening: listening) == 403, "\(uri)")
    }
  }

  @Test func `a cookie is as good as none, since every port of this machine gets it`() {
    let token = "abcdefghijklmnop"
    for cookie in ["zoombench-play-80=\(token)", "token=\(token)"] {
      #expect(refusal("/session", token: token, cookie: cookie) == 403)
    }
  }

  @Test(arguments: [
    "/..", "/../x", "/%2e%2e/", "//", "/page.js", "/sessions", "*", "http://x/y", "",
  ])
  func `only the page and its session are served`(_ uri: String) {
    #expect(refusal(uri) == 404)
  }

  @Test func `a page of another origin comes in only if it is allowed`() {
    let allowed = ["http://localhost:3000"]
    #expect(refusal("/session", origin: "http://localhost:3000", allowed: allowed) == nil)
    #expect(refusal("/session", origin: "http://localhost:30000", allowed: allowed) == 403)
    #expect(refusal("/session", origin: "https://localhost:3000", allowed: allowed) == 403)
  }

  @Test func `only reading methods are allowed`() {
    for method: HTTPMethod in [.POST, .PUT, .DELETE, .OPTIONS] {
      #expect(refusal("/", method: method) == 405)
    }
  }
}
