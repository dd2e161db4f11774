package import ForeignPipelines
internal import PixelLaws
internal import ZoomPipeline

/// A tile or region of one of a run's pictures, which a viewer needs to show a view.
package struct LoadPart: Sendable, Hashable {
  package let picture: Int
  package let tile: TileGrid.Tile
}

/// A source, program or server that many viewers ask at the same time.
package protocol LoadSubject: Sendable {
  var pictures: [TileGrid] { get }

  /// Asks for a part and waits for the answer; each lane has at most one request at a time.
  func answer(_ part: LoadPart, lane: Int) -> LoadAnswer

  /// Returns the fault of an answer by its digest or body, after the load; nil if the answer is right.
  ///
  /// The body is nil if it was not kept.
  /// - Throws: `Unchecked` if the right answer cannot be determined.
  func fault(_ digest: UInt64, body: [UInt8]?, of part: LoadPart) throws(Unchecked) -> AnswerFault?

  /// Frees the memory for comparisons, after those of one picture.
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
