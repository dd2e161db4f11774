internal import ForeignPipelines
internal import Foundation
internal import Synchronization

/// The transport to a server that may go down: after a server error it waits until the server answers again.
///
/// Otherwise a later, correct request would be blamed for the effect of an earlier one.
final class PatientTransport: ServerTransport {
  private struct State {
    /// Whether info.json was served before; only then is its absence an outage.
    var hasAnswered = false
    var outages = 0
    var probes = 0
    var waited: Duration = .zero
    var isGivenUp = false
    var isOutOfTime = false
  }

  private let inner: any ServerTransport
  private let state = Mutex(State())
  /// The pause between two checks whether the server is up.
  private let pause: Duration
  /// The end of the run; nil for a run without an end.
  private let end: ContinuousClock.Instant?
  /// The most repetitions that a busy server may ask for, and the longest wait for one.
  private static let mostTries = 3
  private static let mostSeconds = 5.0
  /// The longest wait for one outage; web servers restart a program within a few seconds.
  private static let mostForOutage: Duration = .seconds(10)
  /// The longest wait for all outages, so that a run of 200 requests does not take an hour.
  private static let most: Duration = .seconds(120)

  init(_ inner: any ServerTransport, pause: Duration, end: ContinuousClock.Instant?) {
    (self.inner, self.pause, self.end) = (inner, pause, end)
  }

  /// Whether the run ended before an answer came.
  var isOutOfTime: Bool { state.withLock { $0.isOutOfTime } }

  var outages: Int { state.withLock { $0.outages } }
  /// The number of requests sent only to check whether the server is up.
  var probes: Int { state.withLock { $0.probes } }

  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
    var answer = Result { () throws(ServerFailure) in try inner.send(request) }
    var tries = 0
    while let seconds = answer.secondsToRepetition(standard: pause / .seconds(1)),
      tries < Self.mostTries, !isOver
    {
      tries += 1
      sleep(min(seconds, Self.mostSeconds))
      answer = Result { () throws(ServerFailure) in try inner.send(request) }
    }
    if case .failure(let failure) = answer, failure.isOutOfTime {
      state.withLock { $0.isOutOfTime = true }
    } else if answer.isOfServer {
      if state.withLock({ $0.hasAnswered && !$0.isGivenUp }) { waitForServer() }
    } else if request.path == "/info.json" {
      state.withLock { $0.hasAnswered = true }
    }
    return try answer.get()
  }

  private var isOver: Bool { end.map { .now >= $0 } ?? false }

  private func sleep(_ seconds: Double) {
    let left = end.map { ContinuousClock.now.duration(to: $0) / .seconds(1) } ?? seconds
    Thread.sleep(forTimeInterval: max(0, min(seconds, left)))
  }

  private func waitForServer() {
    guard !isUp else { return }
    state.withLock { $0.outages += 1 }
    let start = ContinuousClock.now
    var waited: Duration = .zero
    // The time of the probes counts too: they may run into their time limit.
    while waited < Self.mostForOutage, !isOver {
      sleep(pause / .seconds(1))
      let isUp = isUp
      waited = start.duration(to: .now)
      if isUp { break }
    }
    state.withLock { state in
      state.waited += waited
      state.isGivenUp = waited >= Self.mostForOutage || state.waited >= Self.most
    }
  }

  private var isUp: Bool {
    state.withLock { $0.probes += 1 }
    return !Result { () throws(ServerFailure) in try inner.send(ServerRequest("/info.json")) }
      .isOfServer
  }
}

extension Result<ServerAnswer, ServerFailure> {
  /// Returns the seconds after which a busy server asks for a repetition (RFC 9110, 10.2.3), or the standard
  /// if it does not state them; nil if the server is not busy.
  fileprivate func secondsToRepetition(standard: Double) -> Double? {
    guard case .success(let answer) = self, [429, 503].contains(answer.status) else { return nil }
    return answer.headers["retry-after"].flatMap(Double.init).map { max(0, $0) } ?? standard
  }

  /// Whether the answer is missing or reports a failure of the server.
  fileprivate var isOfServer: Bool {
    switch self {
    case .failure: true
    case .success(let answer): answer.isServerError
    }
  }
}
