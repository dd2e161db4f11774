/// One request to a server's picture service.
package struct ServerRequest: Sendable, Hashable {
  package enum Method: String, Sendable { case get = "GET", head = "HEAD", options = "OPTIONS" }

  package var method: Method
  /// What follows the service's address, percent-encoded: "/full/max/0/default.png"; empty for the address itself.
  package var path: String
  /// Lines such as "Accept: application/ld+json".
  package var headers: [String]
  /// Whether an answer that names another address is followed.
  package var followsRedirects: Bool
  /// The most bytes of a body; a longer one is a failure.
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

/// What a server answered.
package struct ServerAnswer: Sendable, Hashable {
  package var status: Int
  /// By their names in lower case; of several with one name, joined by ", ".
  package var headers: [String: String]
  package var body: [UInt8]

  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// No answer, and why: the connection ended, the time was over, the answer was too long.
package struct ServerFailure: Error, Hashable, CustomStringConvertible {
  package let reason: String
  /// Whether the time of the whole run was over, which says nothing about the server.
  package let isOutOfTime: Bool

  package init(_ reason: String, isOutOfTime: Bool = false) {
    (self.reason, self.isOutOfTime) = (reason, isOutOfTime)
  }

  package var description: String { reason }
}

/// The way to a picture service: by HTTP, or in the same process.
package protocol ServerTransport: Sendable {
  /// Asks, and waits for the answer. Several may ask at a time.
  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer
}
