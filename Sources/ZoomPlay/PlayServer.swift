internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
internal import Synchronization

/// Serves the page and its sessions.
///
/// What a client may make it hold is bounded: so many connections, so many sessions, so many bytes of a
/// head and of a message. A client that says nothing is closed, one that is not read fast enough waits.
package final class PlayServer: Sendable {
  /// Where it listens, and who may come.
  package struct Settings: Sendable {
    /// The address: a loopback one, or any with a token.
    package var host: String
    /// The port; 0 for any that is free.
    package var port: Int
    /// What a page's address has to have in it; nil on loopback.
    package var token: String?
    /// Pages of other places that may open a session, such as `http://localhost:3000`.
    package var origins: [String]

    /// Settings.
    package init(host: String, port: Int, token: String?, origins: [String] = []) {
      (self.host, self.port, self.token, self.origins) = (host, port, token, origins)
    }
  }

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let settings: Settings

  /// A browser opens six connections for a page; 64 are those of ten people.
  static let mostConnections = 64
  /// Each draws on the cores there are; more would only wait for each other.
  static let mostSessions = 8
  /// The largest message: a script of a few thousand events.
  static let largestMessage = 4 << 20
  /// A head comes at once or from nobody who means well.
  static let headSeconds: Int64 = 10

  /// Begins to listen.
  ///
  /// - Throws: What the operating system says, such as that the port is taken.
  package init(_ library: PlayLibrary, _ settings: Settings) async throws {
    self.settings = settings
    let gate = PlayGate(settings)
    let page = PlayPage()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    self.group = group
    do {
      channel = try await ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 128)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
          guard gate.enter() else { return channel.close() }
          channel.closeFuture.whenComplete { _ in gate.leave() }
          return channel.eventLoop.makeCompletedFuture {
            try Self.configure(channel, library, gate, page)
          }
        }
        .bind(host: settings.host, port: settings.port).get()
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  private static func configure(
    _ channel: any Channel, _ library: PlayLibrary, _ gate: PlayGate, _ page: PlayPage
  ) throws {
    let http = PlayHTTPHandler(gate: gate, page: page)
    let timer = NIOLoopBound(
      IdleStateHandler(readTimeout: .seconds(headSeconds)), eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: largestMessage, automaticErrorHandling: true,
      shouldUpgrade: { channel, head in
        // Who is refused here is answered by the handler of what is no session.
        guard gate.refusal(of: head, isSession: true) == nil, gate.enterSession() else {
          return channel.eventLoop.makeSucceededFuture(nil)
        }
        channel.closeFuture.whenComplete { _ in gate.leaveSession() }
        return channel.eventLoop.makeSucceededFuture(HTTPHeaders())
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          // Control frames and fragments of a message together are bounded as one.
          try channel.pipeline.syncOperations.addHandlers(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64,
              maxAccumulatedFrameSize: largestMessage),
            PlaySocketHandler(library: library))
        }
      })
    try channel.pipeline.syncOperations.addHandler(timer.value)
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          context.pipeline.syncOperations.removeHandler(http, promise: nil)
          context.pipeline.syncOperations.removeHandler(timer.value, promise: nil)
        }
      ))
    try channel.pipeline.syncOperations.addHandler(http)
  }

  /// The port it listens on.
  package var port: Int { channel.localAddress?.port ?? settings.port }

  /// The address to open in a browser.
  package var address: String {
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    return "http://\(host):\(port)/" + (settings.token.map { "?token=\($0)" } ?? "")
  }

  /// Serves until the task is cancelled.
  package func run() async throws {
    try await withTaskCancellationHandler {
      try await channel.closeFuture.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  /// Ends it.
  package func stop() async {
    try? await channel.close()
    try? await group.shutdownGracefully()
  }
}

/// Who may come in.
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

  /// What is answered instead of what was asked for; nil for who may come in.
  ///
  /// A page of another site may make a browser send requests here: it cannot choose the Host that its
  /// own address has, nor hide its Origin (RFC 6454). With a token it has to know that.
  func refusal(of head: HTTPRequestHead, isSession: Bool) -> HTTPResponseStatus? {
    guard head.method == .GET || head.method == .HEAD else { return .methodNotAllowed }
    guard let target = URLComponents(string: head.uri),
      target.path == (isSession ? "/session" : "/")
    else { return .notFound }
    let hosts = head.headers[canonicalForm: "host"]
    guard hosts.count == 1, let host = hosts.first.map(String.init) else { return .badRequest }
    if let token = settings.token {
      let given = target.queryItems?.first { $0.name == "token" }?.value ?? ""
      guard Self.isSame(given, token) else { return .forbidden }
    } else {
      guard Self.isLoopback(host) else { return .forbidden }
    }
    let origins = head.headers[canonicalForm: "origin"]
    guard origins.allSatisfy({ $0 == "http://\(host)" || settings.origins.contains(String($0)) })
    else { return .forbidden }
    // A browser says where a WebSocket comes from; who does not is none, and may use the token.
    return nil
  }

  /// Whether a Host header names this machine.
  private static func isLoopback(_ host: String) -> Bool {
    let name =
      host.hasPrefix("[")
      ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["localhost", "127.0.0.1", "[::1]"].contains(String(name).lowercased())
  }

  /// Compares in a time that does not tell how much is the same.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
