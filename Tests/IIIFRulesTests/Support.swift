import ForeignPipelines
import ReferenceServer
import ZoomGeometry
import ZoomPipeline

@testable import IIIFRules

/// A server that is a function.
struct Answering: ServerTransport {
  typealias Answer = @Sendable (ServerRequest) throws(ServerFailure) -> ServerAnswer

  let answer: Answer

  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer { try answer(request) }
}

/// The reference server of a test card.
struct Served {
  let settings: ReferenceSettings
  let server: ReferenceServer
  let pixels: Pixels

  init(
    _ settings: ReferenceSettings = ReferenceSettings(), fault: ServerFault? = nil
  ) throws {
    pixels = TestCard.pixels(of: try PixelSize(width: 113, height: 79))
    self.settings = settings
    server = try ReferenceServer(pixels, settings, fault: fault)
  }

  /// Returns a verifier of the server, or of another one in its place.
  func verifier(
    seed: UInt64, mostRequests: Int = 200, mostFindings: Int = .max,
    instead answer: Answering.Answer? = nil
  ) throws -> IIIFVerifier {
    var verifier = try IIIFVerifier(
      answer.map { Answering(answer: $0) as any ServerTransport } ?? server,
      address: settings.address, picture: pixels, seed: seed, mostRequests: mostRequests,
      mostFindings: mostFindings)
    verifier.outagePause = .milliseconds(1)
    return verifier
  }
}

extension IIIFFinding {
  var text: String { "\(rule.id) \(requests): \(complaint)" }
}
