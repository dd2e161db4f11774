internal import Foundation
internal import NIOHTTP1
internal import Synchronization

/// Access control: limits connections and sessions, and refuses requests.
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

  /// One of the `PlayServer.mostSessions` places for sessions, released with its last reference.
  final class Place: Sendable {
    private let gate: PlayGate

    fileprivate init(_ gate: PlayGate) { self.gate = gate }

    deinit { gate.counts.withLock { $0.sessions -= 1 } }
  }

  /// Takes a place for a session; nil if none is left.
  func enterSession() -> Place? {
    let isEntered = counts.withLock { counts in
      guard counts.sessions < PlayServer.mostSessions else { return false }
      counts.sessions += 1
      return true
    }
    return isEntered ? Place(self) : nil
  }

  /// Returns the status that refuses a request; nil if the request may be answered.
  ///
  /// A page of another site can make a browser send requests here, but it can neither forge the Host header
  /// nor hide its Origin (RFC 6454). Other users and programs of this machine do not know the token. The page
  /// itself needs no token, as it contains no picture: it keeps the token in the browser's storage for its
  /// origin. A cookie would be sent to the servers of all other ports, too.
  func refusal(of head: HTTPRequestHead, isSession: Bool) -> HTTPResponseStatus? {
    guard head.method == .GET || head.method == .HEAD else { return .methodNotAllowed }
    guard let target = URLComponents(string: head.uri),
      target.path == (isSession ? "/session" : "/")
    else { return .notFound }
    let hosts = head.headers[canonicalForm: "host"]
    guard hosts.count == 1, let host = hosts.first.map(String.init) else { return .badRequest }
    guard !Self.isLoopback(settings.host) || Self.isLoopback(host) else { return .forbidden }
    if isSession, let token = settings.token {
      let given = target.queryItems?.first { $0.name == "token" }?.value
      guard Self.isSame(given ?? "", token) else { return .forbidden }
    }
    let origins = head.headers[canonicalForm: "origin"]
    guard origins.allSatisfy({ $0 == "http://\(host)" || settings.origins.contains(String($0)) })
    else { return .forbidden }
    // A client without an Origin is not a browser.
    return nil
  }

  /// The advice appended to a refusal.
  var advice: String {
    settings.token == nil
      ? "" : ": open the address that zoombench play has printed, which has a token in it"
  }

  /// Returns whether a host, with or without a port, is this machine.
  private static func isLoopback(_ host: String) -> Bool {
    let name =
      host.hasPrefix("[")
      ? host.prefix { $0 != "]" } + "]" : host == "::1" ? "[::1]" : host.prefix { $0 != ":" }
    return ["localhost", "127.0.0.1", "[::1]"].contains(String(name).lowercased())
  }

  /// Compares in constant time, so that timing reveals no part of the token.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
