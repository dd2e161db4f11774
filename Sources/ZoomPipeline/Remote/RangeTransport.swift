/// A request for a part of a file on a server.
package struct RangeQuestion: Sendable {
  /// The address that the user gave; the user's own headers are sent only to its origin.
  package let address: String
  /// The address that an earlier request was redirected to; nil for the first.
  package let moved: String?
  /// Header lines such as "Range: bytes=0-99".
  package let headers: [String]
  /// The most bytes of the body; more are not read.
  package let limit: Int
  /// The time limit of this request, in seconds, if it is less important than those sent with it.
  package let seconds: Double?

  package init(
    address: String, moved: String? = nil, headers: [String], limit: Int, seconds: Double? = nil
  ) {
    self.address = address
    self.moved = moved
    self.headers = headers
    self.limit = limit
    self.seconds = seconds
  }
}

/// An answer as a server gave it; nothing in it has been checked.
package struct RangeReply: Sendable {
  package let status: Int
  /// The values by header name in lower case; several values of one name are joined by ", ".
  package let headers: [String: String]
  package let body: [UInt8]
  /// Whether the body was longer than the limit, so that `body` is only its beginning or empty.
  package let isTooLong: Bool
  /// Whether time was over, so that the rest of the body is missing.
  package let isCut: Bool
  /// The address that answered, if requests were redirected; otherwise nil.
  package let moved: String?

  package init(
    status: Int, headers: [String: String], body: [UInt8], isTooLong: Bool = false,
    isCut: Bool = false, moved: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isTooLong = isTooLong
    self.isCut = isCut
    self.moved = moved
  }
}

/// The reason why a request got no answer.
package struct RangeFailure: Error, Sendable {
  /// The reason in a few words; it must not contain an address, which may hold secrets.
  package let reason: String
  /// Whether the same request may succeed, because the connection was lost.
  package let isLost: Bool
  package let advice: String?

  package init(_ reason: String, isLost: Bool = false, advice: String? = nil) {
    self.reason = reason
    self.isLost = isLost
    self.advice = advice
  }
}

/// The replies to several requests that were sent at once.
package struct RangeReplies: Sendable {
  package let replies: [Result<RangeReply, RangeFailure>]
  /// The requests sent, redirected ones included.
  package let requests: Int
  /// The greatest number of requests that had to wait for each other.
  package let roundTrips: Int
  /// The requests that the server takes at once: connections, or streams of one connection.
  package let lanes: Int

  package init(
    _ replies: [Result<RangeReply, RangeFailure>], requests: Int, roundTrips: Int, lanes: Int
  ) {
    self.replies = replies
    self.requests = requests
    self.roundTrips = roundTrips
    self.lanes = lanes
  }
}

/// A client of HTTP that keeps its connections; used by one thread at a time.
package protocol RangeTransport: Sendable {
  /// Sends requests at once, follows redirects, and returns one reply for each.
  func send(_ questions: [RangeQuestion], until deadline: ContinuousClock.Instant) -> RangeReplies
}
