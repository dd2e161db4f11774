import ForeignPipelines
import Measurement
import ReferenceServer
import Synchronization
import Testing

@testable import IIIFRules

/// Some faults of each step; `server-fault-matrix` tries all of them at night.
@Suite("A verifier of picture servers")
struct ServerFaultSearchTests {
  private static let faults = [
    "region-one-right", "region-snapped-to-8", "region-x-y-swapped", "overhang-padded",
    "pct-truncated", "square-squeezed", "width-one-short", "confined-fills", "caret-ignored",
    "reduced-half-pixel", "reduced-last-row-black", "turned-counterclockwise", "mirror-after-turn",
    "gray-inverted", "bitonal-in-grey", "channels-swapped", "format-ignored", "type-image-jpg",
    "error-status-200", "cors-missing", "info-sides-swapped", "info-id-with-slash",
    "cache-without-rotation", "repeat-differs",
  ]

  @Test("finds a fault within 200 requests and names the step", arguments: faults)
  func findsFaults(_ name: String) throws {
    let fault = try #require(ServerFaults.named(name))
    let api: ReferenceAPI = fault.versions.contains(.version3) ? .version3 : .version2
    let served = try Served(ReferenceSettings(api: api), fault: fault)
    let report = try served.verifier(seed: 7, mostFindings: 1).run()
    let finding = try #require(report.findings.first)
    #expect(finding.foundAfter <= 200)
    #expect(finding.stage.rawValue == fault.stage.rawValue)
    #expect(finding.shrinkRequests <= 80)
  }

  @Test(
    "has nothing against a correct server", arguments: ReferenceAPI.allCases,
    ReferenceRenderer.allCases)
  func hasNoFalseAlarms(_ api: ReferenceAPI, _ renderer: ReferenceRenderer) throws {
    for rounding in LengthRounding.allCases {
      var settings = ReferenceSettings(api: api, renderer: renderer)
      settings.rounding = rounding
      let report = try Served(settings).verifier(seed: 11).run()
      #expect(report.findings.map(\.text) == [])
      #expect(report.requests >= 200)
    }
  }

  @Test("makes the request small and plain")
  func shrinks() throws {
    let served = try Served(fault: ServerFaults.named("turned-counterclockwise"))
    let report = try served.verifier(seed: 3, mostFindings: 1).run()
    let finding = try #require(report.findings.first)
    let request = try #require(IIIFRequest(finding.requests[0]))
    #expect(request.rotation == "90" || request.rotation == "270")
    #expect(request.size == "max")
    #expect(request.quality == "default")
    #expect(finding.cause == "turned counterclockwise")
  }

  @Test(
    "reproduces a finding from its request alone, even one about what info.json lists",
    arguments: [
      ("gray-inverted", [IIIFRule.qualityGrey]),
      ("tiles-not-served", [.informationSizes, .informationTiles]),
    ])
  func replays(_ fault: String, _ rules: [IIIFRule]) throws {
    let served = try Served(fault: ServerFaults.named(fault))
    let findings = try served.verifier(seed: 5).run().findings.filter { rules.contains($0.rule) }
    #expect(!findings.isEmpty)
    for finding in findings {
      let request = try #require(IIIFRequest(finding.requests[0]))
      let again = try served.verifier(seed: 1).replay(request).findings
      #expect(again.map(\.rule).contains(finding.rule), "\(finding.text)")
      #expect(try Served().verifier(seed: 1).replay(request).findings.isEmpty)
    }
  }

  @Test("estimates how often an intermittent fault shows", arguments: [1, 2, 3])
  func estimatesUnsteadyFaults(_ seed: UInt64) throws {
    let served = try Served()
    let random = Mutex(SeededRandom(seed: seed, label: "refusals"))
    let findings = try served.verifier(seed: seed) { request throws(ServerFailure) in
      // Half of the requests for pictures are refused.
      let answer = try served.server.send(request)
      guard answer.status == 200, !request.path.contains("info.json") else { return answer }
      return random.withLock { $0.next() % 2 == 0 } ? ServerAnswer(status: 404) : answer
    }.run().findings
    let rates = findings.compactMap(\.failureRate)
    #expect(!rates.isEmpty)
    let steady = findings.filter {
      $0.failureRate == nil && $0.rule.strength == .must && $0.rule != .repeated
    }
    #expect(steady.map(\.text) == [])
    #expect(rates.filter { $0.contains(0.5) }.count * 2 >= rates.count)
  }

  @Test("finds a fault of every eleventh picture, and does not call it steady")
  func findsRareFaults() throws {
    let served = try Served(fault: ServerFaults.named("every-eleventh-black"))
    let findings = try served.verifier(seed: 2).run().findings
    #expect(!findings.isEmpty)
    let steady = findings.filter { $0.failureRate == nil && $0.rule != .repeated }
    #expect(steady.map(\.text) == [])
  }

  @Test("blames the request that takes a server down, and none that comes after it")
  func blamesCrashes() throws {
    let served = try Served()
    let down = Mutex(0)
    let findings = try served.verifier(seed: 4) { request throws(ServerFailure) in
      // It goes down after requests that begin below the picture, and answers the next two with 503.
      let isDown = down.withLock { down in
        defer { down = max(0, down - 1) }
        return down > 0
      }
      if isDown { return ServerAnswer(status: 503) }
      let region = request.path.split(separator: "/").first?.split(separator: ",") ?? []
      if region.count == 4, let y = Int(region[1]), y >= 79 {
        down.withLock { $0 = 2 }
        throw ServerFailure("the connection was closed")
      }
      return try served.server.send(request)
    }.run().findings
    #expect(findings.map(\.cause) == ["server goes down"])
    for finding in findings {
      let request = try #require(IIIFRequest(finding.requests[0]))
      #expect(request.region.split(separator: ",")[1] == "79", "the smallest y that does it")
    }
  }

  @Test("says that a server does not answer, and ends")
  func reportsSilence() throws {
    let report = try Served().verifier(seed: 1) { _ throws(ServerFailure) in
      throw ServerFailure("the time was over")
    }.run()
    #expect(report.findings.map(\.complaint) == ["info.json: the time was over"])
  }
}
