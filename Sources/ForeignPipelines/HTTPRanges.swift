internal import Foundation
package import ZoomPipeline

/// Requests for ranges of pictures by libcurl.
package final class HTTPRanges: RangeTransport {
  private let group: Result<HTTPGroup, AnswerFailure>

  /// The most connections to a server that is not reached by HTTP/2.
  ///
  /// A peek of 375 pixels into a JPEG touches 24 or 25 rows of MCUs, each in another place of the
  /// file. With fewer connections, more bytes are fetched in the same number of round trips.
  package static let connections = 32

  /// Creates a client without a connection; `headers` are sent only to the origin of each address.
  package init(headers: [String]) {
    group = Result { () throws(AnswerFailure) in
      try HTTPGroup(headers: headers, connections: Self.connections)
    }
  }

  package func send(
    _ questions: [RangeQuestion], until deadline: ContinuousClock.Instant
  ) -> RangeReplies {
    let group: HTTPGroup
    do throws(AnswerFailure) { group = try self.group.get() } catch {
      return RangeReplies(
        questions.map { _ in .failure(RangeFailure(error.reason)) }, requests: 0, roundTrips: 0,
        lanes: 1)
    }
    let before = group.sent
    let seconds = ContinuousClock.now.duration(to: deadline) / .seconds(1)
    let answers = group.send(
      questions.map { question in
        HTTPGroup.Request(
          request: ServerRequest("", headers: question.headers),
          route: HTTPRoute(question.address, moved: question.moved), limit: question.limit,
          deadline: AnswerDeadline(
            seconds: min(seconds, question.seconds ?? .infinity).rounded(.up), end: nil))
      })
    let replies = zip(questions, answers).map { question, answer in
      answer.map { reply in
        RangeReply(
          status: reply.answer.status, headers: reply.answer.headers, body: reply.answer.body,
          isTooLong: reply.isTooLong, isCut: reply.answer.isCut,
          moved: reply.place == question.address ? nil : reply.place)
      }.mapError { RangeFailure($0.reason, isLost: $0.isLost, advice: $0.advice) }
    }
    return RangeReplies(
      replies, requests: group.sent.requests - before.requests,
      roundTrips: group.sent.rounds - before.rounds, lanes: group.lanes)
  }
}
