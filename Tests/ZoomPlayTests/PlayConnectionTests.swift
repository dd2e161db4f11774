import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomPlay

/// What one client does to hold connections and sessions, with a clock of the test's own.
@Suite struct PlayConnectionTests {
  private let gate = PlayGate(PlayServer.Settings(host: "127.0.0.1", port: 80, token: nil))

  private func connected() async throws -> NIOAsyncTestingChannel {
    let size = try PixelSize(width: 40, height: 30)
    let library = PlayLibrary(
      pictures: [PlayLibrary.Entry(name: "painted", open: { _ in PaintedSource(size) })],
      sources: ["automatic"], scripts: [], findCase: { _ in throw PlayError("there is none") },
      save: nil)
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

  /// What was sent to the client since the last time.
  private func received(from channel: NIOAsyncTestingChannel) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try await channel.readOutbound(as: ByteBuffer.self) {
      bytes += buffer.readableBytesView
    }
    return bytes
  }

  /// A connection whose session has begun, and has said what there is.
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
    // The answer closes the connection; what is never taken is cut off by the same timer.
    try await send("GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n".utf8, to: channel)
    #expect(try await !received(from: channel).isEmpty)
    await pass(PlayServer.answerTime, on: channel)
    #expect(!channel.isActive)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a session whose client is silent is asked once, and closed for others`() async throws {
    var channels: [NIOAsyncTestingChannel] = []
    for _ in 0..<PlayServer.mostSessions { channels.append(try await session()) }
    #expect(!gate.enterSession())
    for channel in channels {
      await pass(PlayServer.silence, on: channel)
      // A ping without payload.
      #expect(try await received(from: channel) == [0x89, 0])
      #expect(channel.isActive)
      await pass(PlayServer.silence, on: channel)
      #expect(!channel.isActive)
    }
    #expect(gate.enterSession())
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
    // Bytes of a message that never ends are no answer.
    for _ in 0..<5 where channel.isActive {
      try await send([0x81, 0xFE, 0xFF][..<1], to: channel)
      await pass(PlayServer.silence, on: channel)
    }
    #expect(!channel.isActive)
  }
}
