import ForeignPipelines
import ReferenceServer
import Testing

@testable import IIIFRules

/// A rule counts as kept only if an answer decides it.
@Suite struct SilentServerTests {
  /// Returns the rules that were checked and not broken.
  private func held(_ answer: @escaping Answering.Answer) throws -> Set<IIIFRule> {
    let report = try Served().verifier(seed: 5, mostRequests: 80, instead: answer).run()
    return Set(report.coverage.filter { $0.count > 0 }.map(\.rule))
      .subtracting(report.findings.map(\.rule))
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
  func `no rule about pictures counts as kept by a server that gives none`(fault: Fault) throws {
    let server = try Served().server
    let held = try held { request throws(ServerFailure) in
      request.path == "/info.json" ? try server.send(request) : try fault.answer()
    }
    #expect(held.isSuperset(of: [.informationFields, .informationSize]))
    let ofPictures = IIIFRule.allCases.filter { $0.strength == .must && $0.stage != .protocol }
    #expect(held.isDisjoint(with: ofPictures + [.offered, .informationSizes, .informationTiles]))
    if fault == .silent { #expect(held.isDisjoint(with: [.syntax, .clientError, .sizeNone])) }
  }
}
