internal import Foundation
internal import Synchronization
internal import ZoomPipeline

/// A picture service reached by HTTP, with limits of time, size and rate; connections stay open.
package final class HTTPTransport: ServerTransport {
  private let service: String
  private let seconds: Double
  private let headers: [String]
  private let interval: Duration
  private let runEnd: RunEnd
  private let isShortened: Bool
  private let idle = Mutex<[HTTPClient]>([])
  /// The earliest time of the next request.
  private let next = Mutex(ContinuousClock.now)

  /// Creates a transport to a service.
  ///
  /// - Parameters:
  /// - service: the address without a slash at its end, such as `http://host/iiif/photo.tif`.
  /// - seconds: the time limit of an answer.
  /// - headers: the header lines sent with each request.
  /// - rate: the most requests per second; nil without a limit.
  package convenience init(
    _ service: String, seconds: Double, headers: [String], rate: Double?
  ) {
    self.init(service, seconds: seconds, headers: headers, rate: rate, runEnd: RunEnd())
  }

  init(
    _ service: String, seconds: Double, headers: [String], rate: Double?, runEnd: RunEnd,
    isShortened: Bool = false
  ) {
    self.runEnd = runEnd
    self.isShortened = isShortened
    self.service = service
    self.seconds = seconds
    self.headers = headers
    interval = rate.map { .seconds(1 / $0) } ?? .zero
  }

  package func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
    wait()
    do throws(AnswerFailure) {
      let client: HTTPClient =
        if let kept = idle.withLock({ $0.popLast() }) {
          kept
        } else { try HTTPClient(headers: headers) }
      defer { idle.withLock { $0.append(client) } }
      let answer = try client.send(
        request, to: service + request.path, limit: request.mostBytes,
        until: AnswerDeadline(seconds: seconds, end: runEnd.time, isShortened: isShortened))
      return ServerAnswer(status: answer.status, headers: answer.headers, body: answer.bytes)
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
    let left = AnswerDeadline(seconds: pause / .seconds(1), end: runEnd.time).left
    if pause > .zero { Thread.sleep(forTimeInterval: Double(left) / 1e9) }
  }
}
