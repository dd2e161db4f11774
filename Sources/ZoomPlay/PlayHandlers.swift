internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Answers requests for the page, and refuses all others that open no session.
///
/// The connection is closed when the request or its answer takes too long, however busy it is.
final class PlayHTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let gate: PlayGate
  private let page: PlayPage
  private var closing: Scheduled<Void>?

  init(gate: PlayGate, page: PlayPage) { (self.gate, self.page) = (gate, page) }

  func handlerAdded(context: ChannelHandlerContext) {
    close(context.channel, in: PlayServer.requestTime)
  }

  func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }

  private func close(_ channel: any Channel, in time: TimeAmount) {
    closing?.cancel()
    closing = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Bodies are read past: nothing here takes one.
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    close(context.channel, in: PlayServer.answerTime)
    let isSession = head.uri.hasPrefix("/session")
    let refusal = gate.refusal(of: head, isSession: isSession)
    // Who comes as far as here with the session's address did not ask for a WebSocket, or there are
    // too many sessions.
    let asksForSession = head.headers[canonicalForm: "upgrade"].contains { $0 == "websocket" }
    let status =
      refusal ?? (!isSession ? .ok : asksForSession ? .serviceUnavailable : .upgradeRequired)
    let advice = status == .forbidden ? gate.advice : ""
    let body =
      status == .ok ? page.bytes : Array("\(status.code) \(status.reasonPhrase)\(advice)\n".utf8)
    var headers = HTTPHeaders([
      ("Content-Type", status == .ok ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"),
      ("Content-Length", "\(body.count)"), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Content-Security-Policy", page.policy), ("Connection", "close"),
    ])
    // So that links of reports, which have no token, open in the same browser.
    if status == .ok, let cookie = gate.cookie(for: head) {
      headers.add(name: "Set-Cookie", value: cookie)
    }
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
  /// Whether a ping was sent after which nothing has come.
  private var isAsked = false
  private var silence: Scheduled<Void>?

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
    listen(context: context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var frame = unwrapInboundIn(data)
    isAsked = false
    listen(context: context)
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

  /// Waits for the client to say something.
  ///
  /// By the loop's own clock: NIO's handler of idle connections asks the system's, which no test can move.
  private func listen(context: ChannelHandlerContext) {
    silence?.cancel()
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    silence = context.eventLoop.scheduleTask(in: PlayServer.silence) {
      let (own, context) = handler.value
      own.hasHeardNothing(context: context)
    }
  }

  /// Asks a silent client whether it is there, and closes the session of one that does not answer.
  ///
  /// Its session would keep others out. Browsers answer by themselves.
  private func hasHeardNothing(context: ChannelHandlerContext) {
    guard session != nil else { return }
    // Nothing is read while the session is behind.
    if isAsked && !isPaused {
      context.close(promise: nil)
      return
    }
    listen(context: context)
    if isPaused { return }
    isAsked = true
    let nothing = context.channel.allocator.buffer(capacity: 0)
    let ping = WebSocketFrame(fin: true, opcode: .ping, data: nothing)
    context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
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
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    silence?.cancel()
    session?.close()
    session = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
