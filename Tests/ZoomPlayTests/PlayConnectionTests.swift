import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

/// Clients that hold connections and sessions, with a clock that the test advances.
@Suite struct PlayConnectionTests {
  private let gate = PlayGate(PlayServer.Settings(host: "127.0.0.1", port: 80, token: nil))

  private func connected() async throws -> NIOAsyncTestingChannel {
    let library = try PlayLibrary.painted()
    let (channel, gate) = (NIOAsyncTestingChannel(), gate)
    try await channel.testingEventLoop.executeInContext {
      try PlayServer.configure(channel, library, gate, PlayPage())
    }
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    return channel
  }

  private func send(_ bytes: some Sequence<UInt8>, to channel: NIOAsyncTestingChannel) async throws
  {
    try await channel.writeInbound(ByteBuffer(bytes: bytes))
  }

  private func pass(_ time: TimeAmount, on channel: NIOAsyncTestingChannel) async {
    await channel.testingEventLoop.advanceTime(by: time)
  }

  /// Returns the bytes sent to the client since the last call.
  private func received(from channel: NIOAsyncTestingChannel) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try await channel.readOutbound(as: ByteBuffer.self) {
      bytes += buffer.readableBytesView
    }
    return bytes
  }

  /// Returns a connection whose session has started and sent its lists.
  private func session() async throws -> NIOAsyncTestingChannel {
    let channel = try await connected()
    let request = [
      "GET /session HTTP/1.1", "Host: 127.0.0.1:80", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "",
    ].joined(separator: "\r\n")
    try await send(request.utf8, to: channel)
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains("painted") {
      bytes += try await received(from: channel)
      await channel.testingEventLoop.run()
    }
    return channel
  }

  @Test(.timeLimit(.minutes(1)))
  func `a request that comes byte by byte is cut off after ten seconds`() async throws {
    let channel = try await connected()
    var sent = 0
    for byte in "GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n".utf8 where channel.isActive {
      try await send([byte], to: channel)
      sent += 1
      await pass(.seconds(3), on: channel)
    }
    #expect(!channel.isActive)
    #expect(sent == 4)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an answer has more time than a request, and no end of it`() async throws {
    let channel = try await connected()
    await pass(.seconds(9), on: channel)
    #expect(channel.isActive)
    // The answer closes the connection; if it is never received, the same timer does.
    try await send("GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n".utf8, to: channel)
    #expect(try await !received(from: channel).isEmpty)
    await pass(PlayServer.answerTime, on: channel)
    #expect(!channel.isActive)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a session whose client is silent is asked once, and closed for others`() async throws {
    var channels: [NIOAsyncTestingChannel] = []
    for _ in 0..<PlayServer.mostSessions { channels.append(try await session()) }
    #expect(gate.enterSession() == nil)
    for channel in channels {
      await pass(PlayServer.silence, on: channel)
      // A ping without payload.
      #expect(try await received(from: channel) == [0x89, 0])
      #expect(channel.isActive)
      await pass(PlayServer.silence, on: channel)
      #expect(!channel.isActive)
    }
    // Places are released once the sessions' queues are idle.
    while gate.enterSession() == nil { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a session whose client answers stays, however long nothing is pressed`() async throws {
    let channel = try await session()
    for _ in 0..<20 {
      await pass(PlayServer.silence, on: channel)
      #expect(try await received(from: channel) == [0x89, 0])
      // A pong without payload, masked by zeros.
      try await send([0x8A, 0x80, 0, 0, 0, 0], to: channel)
    }
    #expect(channel.isActive)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a message that arrives slowly keeps its session, and one that stops does not`() async throws
  {
    let channel = try await session()
    // The head of a text of 65,535 bytes, masked by zeros, and one byte at a time.
    try await send([0x81, 0xFE, 0xFF, 0xFF, 0, 0, 0, 0], to: channel)
    for _ in 0..<20 {
      await pass(PlayServer.silence, on: channel)
      try await send([0x20], to: channel)
    }
    #expect(channel.isActive)
    for _ in 0..<2 { await pass(PlayServer.silence, on: channel) }
    #expect(!channel.isActive)
  }

  /// A link that transmits nothing while it is held.
  private final class Link: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var isHeld = true
    func flush(context: ChannelHandlerContext) { if !isHeld { context.flush() } }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `a client that receives slowly keeps its session, and one that receives nothing does not`(
    isReceiving: Bool
  ) async throws {
    let channel = try await session()
    try await channel.testingEventLoop.executeInContext {
      try channel.pipeline.syncOperations.addHandler(Link(), position: .first)
    }
    // A text "x", masked by zeros: the answer is an error message.
    try await send([0x81, 0x81, 0, 0, 0, 0, 0x78], to: channel)
    while try await channel.getOption(.bufferedWritableBytes).get() == 0 {
      await channel.testingEventLoop.run()
    }
    await pass(PlayServer.silence, on: channel)
    if isReceiving {
      try await channel.testingEventLoop.executeInContext {
        let link = try channel.pipeline.syncOperations.handler(type: Link.self)
        link.isHeld = false
        channel.pipeline.flush()
        link.isHeld = true
      }
    }
    await pass(PlayServer.silence, on: channel)
    #expect(channel.isActive == isReceiving)
    await pass(PlayServer.silence, on: channel)
    #expect(!channel.isActive)
  }

  /// Returns texts "x", masked by zeros, which the server answers by error messages.
  private func flood(_ count: Int) -> [UInt8] {
    Array([[UInt8]](repeating: [0x81, 0x81, 0, 0, 0, 0, 0x78], count: count).joined())
  }

  private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var count = 0
    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a session that has caught up reads once its client has received the answers`() async throws
  {
    let channel = try await session()
    try await channel.testingEventLoop.executeInContext {
      try channel.pipeline.syncOperations.addHandler(ReadCounter(), position: .first)
    }
    func reads() async throws -> Int {
      try await channel.testingEventLoop.executeInContext {
        try channel.pipeline.syncOperations.handler(type: ReadCounter.self).count
      }
    }
    channel.isWritable = false
    // More messages than may wait before reading is paused.
    try await send(flood(200), to: channel)
    var answers = ""
    while answers.ranges(of: #"{"error""#).count < 200 {
      answers += String(decoding: try await received(from: channel), as: UTF8.self)
      await channel.testingEventLoop.run()
    }
    let before = try await reads()
    await pass(.milliseconds(10), on: channel)
    #expect(try await reads() == before)
    channel.isWritable = true
    try await channel.testingEventLoop.executeInContext {
      channel.pipeline.fireChannelWritabilityChanged()
    }
    #expect(try await reads() == before + 1)
  }
}
