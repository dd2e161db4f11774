import ForeignPipelines
import ReferenceServer
import Testing
import ZoomGeometry

@testable import IIIFRules

/// A rule counts as kept only if an answer decides it.
@Suite struct SilentServerTests {
  private struct Transport: ServerTransport {
    let answer: @Sendable (ServerRequest) throws(ServerFailure) -> ServerAnswer

    func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
      try answer(request)
    }
  }

  /// Returns the rules that were checked and not broken.
  private func held(
    _ answer: @escaping @Sendable (ServerRequest) throws(ServerFailure) -> ServerAnswer
  ) throws -> Set<String> {
    let pixels = TestCard.pixels(of: try PixelSize(width: 113, height: 79))
    var verifier = try IIIFVerifier(
      Transport(answer: answer), picture: pixels, seed: 5, mostRequests: 80)
    verifier.outagePause = .milliseconds(1)
    let report = try verifier.run()
    let broken = Set(report.findings.map(\.rule.id))
    return Set(report.coverage.filter { $0.count > 0 }.map(\.rule.id)).subtracting(broken)
  }

  enum Fault: CaseIterable {
    case silent, failing, refusing, garbage

    func answer() throws(ServerFailure) -> ServerAnswer {
      switch self {
      case .silent: throw ServerFailure("connection refused")
      case .failing: ServerAnswer(status: 500, body: Array("broken".utf8))
      case .refusing: ServerAnswer(status: 401, body: Array("who are you?".utf8))
      case .garbage:
        ServerAnswer(
          status: 200, headers: ["content-type": "image/png"], body: Array("{\"width\": ".utf8))
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `nothing is held by a server that never gives its info_json`(fault: Fault) throws {
    #expect(try held { _ throws(ServerFailure) in try fault.answer() } == [])
  }

  @Test(arguments: Fault.allCases)
  func `nothing of pictures is held by a server that gives none`(fault: Fault) throws {
    let pixels = TestCard.pixels(of: try PixelSize(width: 113, height: 79))
    let server = try ReferenceServer(pixels, ReferenceSettings(api: .version3))
    let held = try held { request throws(ServerFailure) in
      request.path == "/info.json" ? try server.send(request) : try fault.answer()
    }
    #expect(held.isSuperset(of: ["IIIF-I1", "IIIF-I2"]))
    let ofPictures = IIIFRule.allCases.filter { $0.strength == .must && $0.stage != .protocol }
    #expect(held.isDisjoint(with: ofPictures.map(\.id)))
    #expect(!held.contains(IIIFRule.offered.id))
    #expect(held.isDisjoint(with: [IIIFRule.informationSizes.id, IIIFRule.informationTiles.id]))
    if fault == .silent { #expect(held.isDisjoint(with: ["IIIF-N1", "IIIF-N2", "IIIF-S7"])) }
  }
}
