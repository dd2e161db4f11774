/// The outcome of one request.
package struct LoadAnswer: Sendable {
  package enum Kind: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    case answered
    /// Status 429 or 503, by which a server sheds load.
    case busy
    /// Any other status than 200.
    case refused
    case timedOut, reset, failed
  }

  package let kind: Kind
  package private(set) var body: [UInt8]?
  package let byteCount: Int
  /// Whether a check needs the body itself, not only its digest.
  private let keepsBody: Bool
  /// The digest of the body, by which answers are counted until they are compared; nil until it is computed.
  package private(set) var digest: UInt64?
  /// The time between the request and the first byte, in nanoseconds; nil if it is not known.
  package var firstByte: UInt64?
  /// When the request was sent, or began to connect, and was answered, on the monotonic clock; nil if the client does not know.
  package var times: (sent: UInt64, end: UInt64)?
  /// The time in nanoseconds for which the thread that asked was ready to run, but the cores were taken.
  package var runDelay: UInt64 = 0
  package var hasRetryAfter = false
  /// The requests that were sent again by a new connection.
  package var retries = 0
  /// The reason of a failure.
  package var reason: String?

  package init(_ kind: Kind, reason: String? = nil) {
    (self.kind, self.reason, byteCount, keepsBody) = (kind, reason, 0, false)
  }

  package init(body: [UInt8], keepsBody: Bool = true, firstByte: UInt64? = nil) {
    (kind, self.body, self.keepsBody, self.firstByte) = (.answered, body, keepsBody, firstByte)
    byteCount = body.count
  }

  /// Digests the body, and frees it unless a check needs it.
  package mutating func digestBody() {
    digest = body.map(Self.digest)
    if !keepsBody { body = nil }
  }

  /// Returns a digest that is valid in this process, in much less time than a decode takes.
  package static func digest(_ bytes: [UInt8]) -> UInt64 {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
