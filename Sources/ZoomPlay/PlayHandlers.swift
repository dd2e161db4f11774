internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Answers requests for the page, and refuses all others that do not open a session.
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
    // Bodies are ignored: no request needs one.
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    close(context.channel, in: PlayServer.answerTime)
    let isSession = head.uri.hasPrefix("/session")
    let refusal = gate.refusal(of: head, isSession: isSession)
    // A request for /session arrives here if it does not ask for a WebSocket, or if it was refused.
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
    // channelRead answers a refused session; any other error is a malformed request.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }
}

/// Passes a page's messages to its session, and frames back.
///
/// It stops reading while many messages wait, so that a client that floods the server is slowed down.
final class PlaySocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let library: PlayLibrary
  /// The place for the session, until the session holds it.
  private var place: PlayGate.Place?
  private var session: PlaySession?
  private var isPaused = false
  /// Whether a ping was sent and nothing has been received since.
  private var isAsked = false
  /// The number of unsent bytes when the client was last checked.
  private var unsent = 0
  private var silence: Scheduled<Void>?

  init(library: PlayLibrary, place: PlayGate.Place) {
    (self.library, self.place) = (library, place)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    guard let place else { return }
    self.place = nil
    let channel = context.channel
    let session = PlaySession(library: library, place: place) { output, whenSent in
      let (opcode, bytes): (WebSocketOpcode, Data) =
        switch output {
        case .text(let bytes): (.text, bytes)
        case .binary(let bytes): (.binary, bytes)
        }
      let frame = WebSocketFrame(
        fin: true, opcode: opcode, data: channel.allocator.buffer(bytes: bytes))
      // If the connection is closed, the promise fails.
      channel.writeAndFlush(frame).whenComplete { _ in whenSent() }
    }
    self.session = session
    session.begin()
    listen(context: context)
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

  /// Notes that bytes were received, also of incomplete messages: a large one may take minutes to arrive.
  func channelReadComplete(context: ChannelHandlerContext) {
    isAsked = false
    listen(context: context)
    context.fireChannelReadComplete()
  }

  /// Starts the timer that detects a silent client.
  ///
  /// NIO's IdleStateHandler reads the system's clock, which tests cannot advance; this uses the event loop's.
  private func listen(context: ChannelHandlerContext) {
    silence?.cancel()
    guard session != nil else { return }
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    silence = context.eventLoop.scheduleTask(in: PlayServer.silence) {
      let (own, context) = handler.value
      own.hasHeardNothing(context: context)
    }
  }

  /// Sends a silent client a ping, and closes the connection of one that neither answers nor receives.
  ///
  /// Otherwise dead clients would keep their places. Browsers answer pings automatically, but over a slow
  /// link a ping waits until the frames before it have been sent.
  private func hasHeardNothing(context: ChannelHandlerContext) {
    let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let isReceiving = waiting < unsent
    unsent = waiting
    // A paused session reads nothing, so the answer to a ping would go unnoticed. If nothing is unsent, the
    // session is busy; otherwise it may be waiting for the client.
    if isPaused && (waiting == 0 || isReceiving) {
      isAsked = false
      listen(context: context)
      return
    }
    if isAsked && !isReceiving {
      context.close(promise: nil)
      return
    }
    listen(context: context)
    if isAsked { return }
    isAsked = true
    let nothing = context.channel.allocator.buffer(capacity: 0)
    let ping = WebSocketFrame(fin: true, opcode: .ping, data: nothing)
    context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
  }

  /// Reads only while few messages wait in the session and few bytes are unsent: otherwise the answers to a
  /// client that receives nothing would grow without limit.
  func read(context: ChannelHandlerContext) {
    if !isPaused && context.channel.isWritable { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    read(context: context)
    context.fireChannelWritabilityChanged()
  }

  /// Continues reading once the session has handled all messages.
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
      own.read(context: context)
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
