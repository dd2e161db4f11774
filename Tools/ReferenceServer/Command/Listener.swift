import ForeignPipelines
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server on loopback for services in this process.
enum Listener {
  typealias Answer =
    @Sendable (_ method: String, _ target: String, _ headers: [String]) -> ServerAnswer?

  /// Listens on a port; 0 chooses a free one.
  static func listen(port: UInt16, _ answer: @escaping Answer) throws -> any Channel {
    // Connections take the threads in turn, so a slow answer delays only every 16th of the others, and
    // never the acceptance of a new one.
    try ServerBootstrap(
      group: MultiThreadedEventLoopGroup(numberOfThreads: 1),
      childGroup: MultiThreadedEventLoopGroup(numberOfThreads: 16)
    )
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer))
      }
    }
    .bind(host: "127.0.0.1", port: Int(port)).wait()
  }
}

private final class AnswerHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let answer: Listener.Answer
  private var head: HTTPRequestHead?
  private var isRefused = false

  init(_ answer: @escaping Listener.Answer) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body:
      // No request needs a body, so the first part of one is refused.
      refuse(413, context)
    case .end:
      guard let head, !isRefused else { return }
      guard
        let reply = answer(
          head.method.rawValue, head.uri, head.headers.map { "\($0.name): \($0.value)" })
        // Without an answer the client sees a closed connection.
      else { return context.close(promise: nil) }
      send(reply, isKept: head.isKeepAlive, context)
    }
  }

  private func refuse(_ status: Int, _ context: ChannelHandlerContext) {
    if isRefused { return }
    isRefused = true
    send(ServerAnswer(status: status), isKept: false, context)
  }

  private func send(_ reply: ServerAnswer, isKept: Bool, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders(reply.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    // The client would wait forever for the end of an answer without a length.
    if reply.headers["content-length"] == nil, reply.status != 204 {
      headers.add(name: "content-length", value: "\(reply.body.count)")
    }
    if !isKept { headers.add(name: "connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
    let channel = context.channel
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(channel.allocator.buffer(bytes: reply.body)))), promise: nil
    )
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if !isKept { channel.close(promise: nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    // A method that HTTP does not know is not implemented (RFC 9110, 9.1).
    case HTTPParserError.invalidMethod: refuse(501, context)
    case is HTTPParserError: refuse(400, context)
    default: context.close(promise: nil)
    }
  }
}
