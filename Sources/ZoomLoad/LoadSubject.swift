package import ForeignPipelines

/// A tile or region of one of a run's pictures, which a viewer needs to show a view.
package struct LoadPart: Sendable, Hashable {
  package let picture: Int
  package let tile: TileGrid.Tile
}

/// The outcome of one request.
package struct LoadAnswer: Sendable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
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

  /// Digests eight bytes at a time, so that it takes a hundredth of the time of a decode.
  ///
  /// It need not resist an adversary: each distinct digest of a tile is decoded and compared later.
  package static func digest(_ bytes: [UInt8]) -> UInt64 {
    var state = UInt64(bytes.count)
    bytes.withUnsafeBytes { bytes in
      let whole = bytes.count & ~7
      for start in stride(from: 0, to: whole, by: 8) {
        let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
      }
      for byte in bytes[whole...] { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
    return state
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
  package enum Kind: String, Sendable, Codable, CaseIterable {
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
}
