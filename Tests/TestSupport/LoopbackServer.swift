internal import Foundation
internal import Synchronization

/// A server on loopback that answers with any bytes, valid or not.
///
/// Tests need wrong lengths, endless bodies and redirect loops, which a library's server avoids.
package final class LoopbackServer: Sendable {
  package enum Reply: Sendable {
    case ok([UInt8], type: String)
    case status(Int)
    /// A status; then the server closes the connection, although its answer did not announce that.
    case statusThenEnd(Int)
    case redirect(String)
    /// The bytes as they are; then the connection is closed.
    case raw([UInt8])
    /// The bytes as they are; the connection stays open.
    case exact([UInt8])
    /// A head, and a body that is sent at one byte per 50 ms.
    case drip(head: [UInt8], body: [UInt8])
    /// A head, then zeros until the client stops reading.
    case endless
    /// The head, then zeros until the client stops reading.
    case endlessBody(head: [UInt8])
    case silence
  }

  package let port: UInt16
  private let socket: Int32
  private let seen = Mutex<[String]>([])
  private let accepted = Mutex(0)

  /// The heads of the requests so far, in order.
  package var heads: [String] { seen.withLock { $0 } }

  /// The number of connections so far.
  package var connections: Int { accepted.withLock { $0 } }

  /// Starts a server that answers a request by its target, such as "/a?b".
  package convenience init(_ reply: @escaping @Sendable (String) -> Reply) throws {
    try self.init(heads: { head in
      let words = head.split(separator: " ")
      return words.count > 1 ? reply(String(words[1])) : .raw([])
    })
  }

  /// Starts a server that answers a request by its whole head.
  ///
  /// This is not an initializer, because a trailing closure has no label that distinguishes two.
  package static func answering(
    _ reply: @escaping @Sendable (_ head: String) -> Reply
  ) throws -> LoopbackServer {
    try LoopbackServer(heads: reply)
  }

  private init(heads reply: @escaping @Sendable (String) -> Reply) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listening = Foundation.socket(AF_INET, stream, 0)
    socket = listening
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, length) == 0 && listen(listening, 64) == 0
          && getsockname(listening, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { return }
        accepted.withLock { $0 += 1 }
        Thread.detachNewThread { [self] in serve(connection, reply) }
      }
    }
  }

  package func stop() {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private func serve(_ connection: Int32, _ reply: (String) -> Reply) {
    defer { close(connection) }
    while let head = head(connection) {
      seen.withLock { $0.append(head) }
      switch reply(head) {
      case .ok(let body, let type):
        let head =
          "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
        guard send(Array(head.utf8) + body, connection) else { return }
      case .status(let code):
        guard send(Array("HTTP/1.1 \(code) No\r\nContent-Length: 2\r\n\r\nno".utf8), connection)
        else { return }
      case .statusThenEnd(let code):
        _ = send(Array("HTTP/1.1 \(code) No\r\nContent-Length: 2\r\n\r\nno".utf8), connection)
        // Gives the next request time to arrive unread, so that the system resets the connection.
        Thread.sleep(forTimeInterval: 0.2)
        return
      case .redirect(let place):
        let head = "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n"
        guard send(Array(head.utf8), connection) else { return }
      case .raw(let bytes):
        _ = send(bytes, connection)
        return
      case .exact(let bytes):
        guard send(bytes, connection) else { return }
      case .drip(let head, let body):
        guard send(head, connection) else { return }
        for byte in body {
          Thread.sleep(forTimeInterval: 0.05)
          guard send([byte], connection) else { return }
        }
      case .endless:
        sendEndlessly(after: Array("HTTP/1.1 200 OK\r\n\r\n".utf8), connection)
        return
      case .endlessBody(let head):
        sendEndlessly(after: head, connection)
        return
      case .silence:
        Thread.sleep(forTimeInterval: 20)
        return
      }
    }
  }

  private func sendEndlessly(after head: [UInt8], _ connection: Int32) {
    guard send(head, connection) else { return }
    // Slow enough that a time limit of seconds is reached long before a limit of a gigabyte.
    while send([UInt8](repeating: 0, count: 1 << 16), connection) {
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  /// Reads the head of the next request; nil if there is none.
  private func head(_ connection: Int32) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard read(connection, &byte, 1) == 1, head.count < 1 << 16 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }
}
