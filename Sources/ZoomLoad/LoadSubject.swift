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
  /// Whether `answer` works in the calling thread, so that waiting for a core is part of its time, not lag.
  var worksInThread: Bool { get }

  /// Asks for a part and waits for the answer; each lane has at most one request at a time.
  func answer(_ part: LoadPart, lane: Int) -> LoadAnswer

  /// Judges an answer by its digest or body, after the load; the body is nil if it was not kept.
  func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict

  /// Frees the memory for comparisons, after those of one picture.
  func endChecks()
}

/// The result of comparing an answer with the picture.
package enum AnswerVerdict: Sendable, Hashable {
  case right
  /// The kind of the fault, and the fault in one line.
  case faulty(AnswerFault, String)
  /// The reason why it is unknown whether the answer is right.
  case unchecked(String)

  static let bodyNotKept = unchecked("its body was not kept (memory for bodies is full)")

  /// Compares pixels with the right ones; lossy ones need only be alike.
  init(_ got: Pixels, expected: Pixels, isLossy: Bool) {
    switch PixelAgreement(got, expected: expected) {
    case .same: self = .right
    case .alike where isLossy: self = .right
    case .alike(let largest, _): self = .faulty(.wrong, "samples differ by up to \(largest)")
    case .different(let reason): self = .faulty(.wrong, reason)
    }
  }
}

/// The kind of a wrong answer.
package enum AnswerFault: String, Sendable, Codable, CodingKeyRepresentable {
  /// The pixels differ from the picture.
  case wrong
  /// A body that ends too early or is not a picture.
  case short
  /// The right answer to another request.
  case mixedUp
}
