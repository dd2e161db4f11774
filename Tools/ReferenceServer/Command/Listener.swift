import ForeignPipelines
import Foundation

/// An HTTP/1.1 server on loopback for services in this process: keep-alive, a thread per connection.
final class Listener: Sendable {
  typealias Answer =
    @Sendable (_ method: String, _ target: String, _ headers: [String]) -> ServerAnswer?

  let port: UInt16
  private let socket: Int32

  /// Listens on a port; 0 chooses a free one.
  init(port: UInt16) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listening = Foundation.socket(AF_INET, stream, 0)
    var reuse: Int32 = 1
    setsockopt(
      listening, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, length) == 0 && listen(listening, 64) == 0
          && getsockname(listening, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE) }
    socket = listening
    self.port = UInt16(bigEndian: address.sin_port)
  }

  func run(_ answer: @escaping Answer) -> Never {
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else {
        // Descriptors may have run out; other connections may be closed meanwhile.
        Thread.sleep(forTimeInterval: 0.01)
        continue
      }
      Thread.detachNewThread { Connection(connection).serve(answer) }
    }
  }
}

private final class Connection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // The body's second packet must not wait for the acknowledgement of the first.
    var now: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &now, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  func serve(_ answer: Listener.Answer) {
    while let lines = head() {
      let words = lines[0].split(separator: " ").map(String.init)
      guard words.count == 3, words[2].hasPrefix("HTTP/1."), !hasBody(lines) else {
        _ = send(ServerAnswer(status: 400, headers: ["content-length": "0"]), false)
        return
      }
      let connection = value(of: "connection", lines)?.lowercased()
      let isKept = words[2] == "HTTP/1.1" ? connection != "close" : connection == "keep-alive"
      // Without an answer the client sees a closed connection.
      guard let reply = answer(words[0], words[1], Array(lines.dropFirst())),
        send(reply, isKept), isKept
      else { return }
    }
  }

  /// Whether the request has a body, which this server refuses.
  private func hasBody(_ lines: [String]) -> Bool {
    value(of: "transfer-encoding", lines) != nil
      || (value(of: "content-length", lines) ?? "0") != "0"
  }

  private func value(of name: String, _ lines: [String]) -> String? {
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  /// Returns the lines of the next request's head; nil at the end of the connection.
  private func head() -> [String]? {
    while true {
      if let end = endOfHead {
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 4)
        let lines = text.split(separator: "\r\n").map(String.init)
        if !lines.isEmpty { return lines }
        continue
      }
      guard buffer.count < 1 << 16 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return nil }
      buffer += bytes[..<count]
    }
  }

  private var endOfHead: Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...buffer.count - 4).first { buffer[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
  }

  private func send(_ answer: ServerAnswer, _ isKept: Bool) -> Bool {
    var head = "HTTP/1.1 \(answer.status) \(Self.phrases[answer.status] ?? "Other")\r\n"
    for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) {
      head += "\(name): \(value)\r\n"
    }
    // The client would wait forever for the end of an answer without a length.
    if answer.headers["content-length"] == nil, answer.status != 204 {
      head += "content-length: \(answer.body.count)\r\n"
    }
    head += isKept ? "\r\n" : "connection: close\r\n\r\n"
    var rest = (Array(head.utf8) + answer.body)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  private static let phrases = [
    200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable",
  ]
}
