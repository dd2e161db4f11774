internal import Foundation
internal import NIOHTTP1
internal import Synchronization

/// Access control: how many connections and sessions there are, and which requests are refused.
final class PlayGate: Sendable {
  private let settings: PlayServer.Settings
  private let counts = Mutex((connections: 0, sessions: 0))

  init(_ settings: PlayServer.Settings) { self.settings = settings }

  func enter() -> Bool {
    counts.withLock { counts in
      guard counts.connections < PlayServer.mostConnections else { return false }
      counts.connections += 1
      return true
    }
  }

  func leave() { counts.withLock { $0.connections -= 1 } }

  func enterSession() -> Bool {
    counts.withLock { counts in
      guard counts.sessions < PlayServer.mostSessions else { return false }
      counts.sessions += 1
      return true
    }
  }

  func leaveSession() { counts.withLock { $0.sessions -= 1 } }

  /// The status that refuses a request; nil for one that is answered.
  ///
  /// A page of another site may make a browser send requests here: it cannot choose the Host that its
  /// own address has, nor hide its Origin (RFC 6454). Other users and programs of this machine do not
  /// know the token.
  func refusal(of head: HTTPRequestHead, isSession: Bool) -> HTTPResponseStatus? {
    guard head.method == .GET || head.method == .HEAD else { return .methodNotAllowed }
    guard let target = URLComponents(string: head.uri),
      target.path == (isSession ? "/session" : "/")
    else { return .notFound }
    let hosts = head.headers[canonicalForm: "host"]
    guard hosts.count == 1, let host = hosts.first.map(String.init) else { return .badRequest }
    guard !Self.isLoopback(settings.host) || Self.isLoopback(host) else { return .forbidden }
    if let token = settings.token {
      let given = target.queryItems?.first { $0.name == "token" }?.value
      guard Self.isSame(given ?? cookie(of: head, from: host) ?? "", token) else {
        return .forbidden
      }
    }
    let origins = head.headers[canonicalForm: "origin"]
    guard origins.allSatisfy({ $0 == "http://\(host)" || settings.origins.contains(String($0)) })
    else { return .forbidden }
    // A client without an Origin is not a browser.
    return nil
  }

  /// The words that follow a refusal.
  var advice: String {
    settings.token == nil
      ? "" : ": open the address that zoombench play has printed, which has a token in it"
  }

  /// The Set-Cookie header of the page; nil without a token.
  ///
  /// It comes along with links from other pages, as reports have them, and not with their scripts.
  func cookie(for head: HTTPRequestHead) -> String? {
    guard let token = settings.token, let host = head.headers[canonicalForm: "host"].first else {
      return nil
    }
    return "\(Self.cookieName(String(host)))=\(token); Path=/; HttpOnly; SameSite=Lax"
  }

  private func cookie(of head: HTTPRequestHead, from host: String) -> String? {
    let start = Self.cookieName(host) + "="
    return head.headers[canonicalForm: "cookie"].flatMap { $0.split(separator: ";") }
      .map { $0.drop { $0 == " " } }.first { $0.hasPrefix(start) }
      .map { String($0.dropFirst(start.count)) }
  }

  /// Browsers keep one set of cookies for all ports of a host.
  private static func cookieName(_ host: String) -> String {
    "zoombench-play-" + host.reversed().prefix { $0.isNumber }.reversed()
  }

  /// Whether a host, with a port or without, is this machine.
  private static func isLoopback(_ host: String) -> Bool {
    let name =
      host.hasPrefix("[")
      ? host.prefix { $0 != "]" } + "]" : host == "::1" ? "[::1]" : host.prefix { $0 != ":" }
    return ["localhost", "127.0.0.1", "[::1]"].contains(String(name).lowercased())
  }

  /// Compares in a time that does not tell how much is the same.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
