internal import Foundation
internal import Synchronization
internal import ZoomPipeline

/// One request to a server's picture service.
package struct ServerRequest: Sendable, Hashable {
  package enum Method: String, Sendable { case get = "GET", head = "HEAD", options = "OPTIONS" }

  package var method: Method
  /// The percent-encoded text after the service's address: "/full/max/0/default.png"; may be empty.
  package var path: String
  /// Header lines such as "Accept: application/ld+json".
  package var headers: [String]
  package var followsRedirects: Bool
  /// The most bytes of a body; a longer body is a failure.
  package var mostBytes = 1 << 28

  package init(
    _ path: String, method: Method = .get, headers: [String] = [], followsRedirects: Bool = true
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.followsRedirects = followsRedirects
  }
}

package struct ServerAnswer: Sendable, Hashable {
  package var status: Int
  /// The values by header name in lower case; several values of one name are joined by ", ".
  package var headers: [String: String]
  package var body: [UInt8]
  /// Whether time was over after more than half of the body had arrived.
  var isCut = false

  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The reason for a missing answer: the connection ended, the time was over, the answer was too long.
package struct ServerFailure: Error, Hashable, CustomStringConvertible {
  package let reason: String
  /// Whether the whole run ran out of time, which is not a fault of the server.
  package let isOutOfTime: Bool

  package init(_ reason: String, isOutOfTime: Bool = false) {
    (self.reason, self.isOutOfTime) = (reason, isOutOfTime)
  }

  package var description: String { reason }
}

/// The connection to a picture service: by HTTP, or in the same process.
package protocol ServerTransport: Sendable {
  /// Sends a request and waits for the answer; may be called by several threads at the same time.
  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer
}

/// A picture service reached by HTTP, with limits of time, size and rate; connections stay open.
final class HTTPTransport: ServerTransport {
  private let service: String
  private let options: ForeignOptions
  private let interval: Duration
  private let idle = Mutex<[HTTPClient]>([])
  /// The earliest time of the next request.
  private let next = Mutex(ContinuousClock.now)

  /// Creates a transport to a service, the address without a slash at its end: `http://host/iiif/photo.tif`.
  init(_ service: String, _ options: ForeignOptions) {
    (self.service, self.options) = (service, options)
    interval = options.rate.map { .seconds(1 / $0) } ?? .zero
  }

  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
    wait()
    do throws(AnswerFailure) {
      let client: HTTPClient =
        if let kept = idle.withLock({ $0.popLast() }) {
          kept
        } else { try HTTPClient(headers: options.headers) }
      defer { idle.withLock { $0.append(client) } }
      return try client.send(
        request, to: service + request.path, limit: request.mostBytes, until: options.deadline()
      ).answer
    } catch {
      throw ServerFailure(error.reason, isOutOfTime: error.code == .outOfTime)
    }
  }

  private func wait() {
    guard interval > .zero else { return }
    let start = next.withLock { next in
      let start = max(next, .now)
      next = start.advanced(by: interval)
      return start
    }
    let pause = ContinuousClock.now.duration(to: start)
    let left = AnswerDeadline(seconds: pause / .seconds(1), end: options.runEnd.time).left
    if pause > .zero { Thread.sleep(forTimeInterval: Double(left) / 1e9) }
  }
}
