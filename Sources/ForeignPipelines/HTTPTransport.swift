internal import Foundation
internal import Synchronization

/// A picture service that is reached by HTTP: connections that stay open, a limit for time and size, and as many
/// requests a second as its owner allows.
package final class HTTPTransport: ServerTransport {
  private let service: String
  private let seconds: Double
  private let headers: [String]
  private let interval: Duration
  private let idle = Mutex<[HTTPClient]>([])
  /// When the next request may go out.
  private let next = Mutex(ContinuousClock.now)

  /// A service by its address, without a slash at its end.
  ///
  /// - Parameters:
  ///   - service: such as `http://host/iiif/photo.tif`.
  ///   - seconds: how long an answer may take.
  ///   - headers: lines sent with each request.
  ///   - rate: requests a second at most; nil for as many as are answered.
  package init(_ service: String, seconds: Double, headers: [String], rate: Double?) {
    self.service = service
    self.seconds = seconds
    self.headers = headers
    interval = rate.map { .seconds(1 / $0) } ?? .zero
  }

  /// No picture that a rule asks for is larger: 256 MB.
  private static let mostBytes = 1 << 28

  package func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
    wait()
    let client: HTTPClient
    do {
      client =
        try idle.withLock { $0.popLast() } ?? HTTPClient(seconds: seconds, headers: headers)
      defer { idle.withLock { $0.append(client) } }
      let answer = try client.send(request, to: service + request.path, limit: Self.mostBytes)
      return ServerAnswer(status: answer.status, headers: answer.headers, body: answer.bytes)
    } catch let failure as HTTPClient.Failure {
      throw ServerFailure(failure.reason)
    } catch { throw ServerFailure("\(error)") }
  }

  private func wait() {
    guard interval > .zero else { return }
    let start = next.withLock { next in
      let start = max(next, .now)
      next = start.advanced(by: interval)
      return start
    }
    let pause = ContinuousClock.now.duration(to: start)
    if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
  }
}
