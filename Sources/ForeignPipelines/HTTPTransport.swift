internal import Foundation
internal import Synchronization
internal import ZoomPipeline

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
