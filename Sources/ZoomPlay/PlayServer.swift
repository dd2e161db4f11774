internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// Serves the page and its sessions.
///
/// The numbers of connections and sessions and the bytes of a head and of a message are limited. The
/// connection of a silent client is closed. While a session has many messages to handle, no more are read
/// from its client.
package final class PlayServer: Sendable {
  /// The address to listen on, and the accepted token and origins.
  package struct Settings: Sendable {
    package var host: String
    /// The port; 0 for any free port.
    package var port: Int
    /// The token that sessions need; nil admits every program of this machine, so the host must be loopback.
    package var token: String?
    /// The origins of other pages that may open a session, such as `http://localhost:3000`.
    package var origins: [String]

    package init(host: String, port: Int, token: String?, origins: [String] = []) {
      (self.host, self.port, self.token, self.origins) = (host, port, token, origins)
    }
  }

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let settings: Settings

  /// The most connections: enough for ten people, as a browser opens six for a page.
  static let mostConnections = 64
  /// The most sessions: each draws on all cores, so more would only wait for each other.
  static let mostSessions = 8
  /// The most bytes of a message: a script of a few thousand events.
  static let largestMessage = 4 << 20
  /// The time limit from the connection to the complete head of the request, which browsers send at once.
  static let requestTime = TimeAmount.seconds(10)
  /// The time limit from the head to the end of the answer: 40 kB, also over a slow network.
  static let answerTime = TimeAmount.seconds(60)
  /// The time without any traffic after which a session's client is sent a ping.
  static let silence = TimeAmount.seconds(20)

  /// Starts to listen.
  ///
  /// - Throws: The error of the operating system, such as that the port is in use.
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

  /// Configures a connection to answer requests and to open sessions.
  static func configure(
    _ channel: any Channel, _ library: PlayLibrary, _ gate: PlayGate, _ page: PlayPage
  ) throws {
    let http = NIOLoopBound(
      PlayHTTPHandler(gate: gate, page: page), eventLoop: channel.eventLoop)
    let place = NIOLoopBoundBox<PlayGate.Place?>(nil, eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: largestMessage, automaticErrorHandling: true,
      shouldUpgrade: { channel, head in
        // `PlayHTTPHandler` answers a request that is refused here.
        if gate.refusal(of: head, isSession: true) == nil { place.value = gate.enterSession() }
        return channel.eventLoop.makeSucceededFuture(place.value.map { _ in HTTPHeaders() })
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          guard let session = place.value else { throw PlayError("no place was taken") }
          place.value = nil
          // A limit on all frames of a message together, control frames between them included.
          try channel.pipeline.syncOperations.addHandlers(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64,
              maxAccumulatedFrameSize: largestMessage),
            PlaySocketHandler(library: library, place: session))
        }
      })
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          context.pipeline.syncOperations.removeHandler(http.value, promise: nil)
        }
      ))
    try channel.pipeline.syncOperations.addHandler(http.value)
  }

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

  package func stop() async {
    try? await channel.close()
    try? await group.shutdownGracefully()
  }
}
