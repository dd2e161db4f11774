package import ForeignPipelines
internal import PixelLaws
internal import ZoomPipeline

/// A tile or region of one of a run's pictures, which a viewer needs to show a view.
package struct LoadPart: Sendable, Hashable {
  package let picture: Int
  package let tile: TileGrid.Tile
}

/// The outcome of one request.
package struct LoadAnswer: Sendable {
  package enum Kind: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
    case answered
    /// Status 429 or 503, by which a server sheds load.
    case busy
    /// Any other status than 200.
    case refused
    case timedOut
    case reset
    case failed
  }

  package let kind: Kind
  /// The digest of the body, by which answers are counted until they are compared.
  package var digest: UInt64?
  /// The body itself, if the subject needs it for a check.
  package var body: [UInt8] = []
  package var byteCount = 0
  /// The time of the first byte since the request, in nanoseconds; nil if it is not known.
  package var firstByte: UInt64?
  package var hasRetryAfter = false
  /// The requests that were sent again by a new connection.
  package var retries = 0
  /// The reason of a failure.
  package var reason: String?

  package init(_ kind: Kind, reason: String? = nil) {
    (self.kind, self.reason) = (kind, reason)
  }

  /// Creates an answer with a body, and keeps the body only if a check needs it.
  package init(body: [UInt8], keepsBody: Bool, firstByte: UInt64? = nil) {
    kind = .answered
    digest = Self.digest(body)
    byteCount = body.count
    self.body = keepsBody ? body : []
    self.firstByte = firstByte
  }

  /// Returns a digest that is valid in this process, in much less time than a decode takes.
  package static func digest(_ bytes: [UInt8]) -> UInt64 {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

/// A source, program or server that many viewers ask at the same time.
package protocol LoadSubject: Sendable {
  var pictures: [TileGrid] { get }

  /// Asks for a part and waits for the answer; each lane has at most one request at a time.
  ///
  /// `arrived` is called when the answer has come, before it is digested.
  func answer(_ part: LoadPart, lane: Int, arrived: () -> Void) -> LoadAnswer

  /// Returns the fault of an answer by its digest or body, after the load; nil if the answer is right.
  ///
  /// - Throws: `Unchecked` if the right answer cannot be determined.
  func fault(_ digest: UInt64, body: [UInt8], of part: LoadPart) throws(Unchecked) -> AnswerFault?

  /// Frees the memory for comparisons.
  func endChecks()
}

/// The reason why an answer could not be compared.
package struct Unchecked: Error {
  let reason: String

  static let bodyNotKept = Unchecked(reason: "its body was not kept (memory for bodies is full)")
  static let notDecoded = Unchecked(reason: "the picture cannot be decoded whole within --memory")
}

/// A wrong answer, in one line.
package struct AnswerFault: Sendable, Hashable {
  package enum Kind: String, Sendable, Codable, CodingKeyRepresentable {
    /// The pixels differ from the picture.
    case wrong
    /// A body that ends too early or is not a picture.
    case short
    /// The right answer to another request.
    case mixedUp
  }

  package let kind: Kind
  package let reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  /// Compares pixels with the right ones; nil if they agree, or if they are lossy and alike.
  init?(_ got: Pixels, expected: Pixels, isLossy: Bool) {
    switch PixelAgreement(got, expected: expected) {
    case .same: return nil
    case .alike(let largest, _):
      if isLossy { return nil }
      self.init(.wrong, "samples differ by up to \(largest)")
    case .different(let reason): self.init(.wrong, reason)
    }
  }
}
