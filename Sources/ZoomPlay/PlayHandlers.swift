internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Answers what is no session: the page, and refusals.
final class PlayHTTPHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let gate: PlayGate
  private let page: PlayPage

  init(gate: PlayGate, page: PlayPage) { (self.gate, self.page) = (gate, page) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Bodies are read past: nothing here takes one.
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    let isSession = head.uri.hasPrefix("/session")
    let refusal = gate.refusal(of: head, isSession: isSession)
    // Who comes as far as here with the session's address did not ask for a WebSocket, or there are
    // too many sessions.
    let asksForSession = head.headers[canonicalForm: "upgrade"].contains { $0 == "websocket" }
    let status =
      refusal ?? (!isSession ? .ok : asksForSession ? .serviceUnavailable : .upgradeRequired)
    let body = status == .ok ? page.bytes : Array("\(status.code) \(status.reasonPhrase)\n".utf8)
    var headers = HTTPHeaders([
      ("Content-Type", status == .ok ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"),
      ("Content-Length", "\(body.count)"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Content-Security-Policy", page.policy), ("Connection", "close"),
    ])
    if status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
    context.write(
      wrapOutboundOut(
        .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
    if head.method != .HEAD {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: body)))),
        promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A session that is refused is answered; all else is no HTTP.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }
}

/// Takes a page's messages and sends it frames.
///
/// While many messages wait no more are read, so that a flood waits where it comes from.
final class PlaySocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let library: PlayLibrary
  private var session: PlaySession?
  private var isPaused = false

  init(library: PlayLibrary) { self.library = library }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    let session = PlaySession(library: library) { output in
      let (opcode, bytes): (WebSocketOpcode, Data) =
        switch output {
        case .text(let bytes): (.text, bytes)
        case .binary(let bytes): (.binary, bytes)
        }
      let frame = WebSocketFrame(
        fin: true, opcode: opcode, data: channel.allocator.buffer(bytes: bytes))
      channel.writeAndFlush(frame, promise: nil)
    }
    self.session = session
    session.begin()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary:
      let bytes = frame.unmaskedData
      if let session, !session.take(Data(bytes.readableBytesView)), !isPaused {
        isPaused = true
        resume(context: context)
      }
    case .ping:
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose:
      let channel = context.channel
      let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(answer)).whenComplete { _ in channel.close(promise: nil)
      }
    default: break
    }
    frame.data.clear()
  }

  /// Lets reads through unless too much waits, here or to be read there: answers to a client that does
  /// not read them would otherwise grow without end.
  func read(context: ChannelHandlerContext) {
    if !isPaused && context.channel.isWritable { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if !isPaused && context.channel.isWritable { context.read() }
    context.fireChannelWritabilityChanged()
  }

  /// Reads on once the session has caught up.
  private func resume(context: ChannelHandlerContext) {
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(5)) {
      let (own, context) = handler.value
      guard own.session != nil else { return }
      guard own.session?.hasCaughtUp == true else {
        own.resume(context: context)
        return
      }
      guard own.isPaused else { return }
      own.isPaused = false
      context.read()
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    session?.close()
    session = nil
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    session?.close()
    session = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
