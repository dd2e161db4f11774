import ForeignPipelines
import Measurement
import ReferenceServer
import Synchronization
import Testing
import ZoomGeometry
import ZoomPipeline

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
    let report = try served.verify(seed: 7, mostFindings: 1)
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
      let report = try Served(settings).verify(seed: 11)
      #expect(report.findings.map { "\($0.rule.id) \($0.requests)" } == [])
      #expect(report.requests >= 200)
    }
  }

  @Test("makes the request small and plain")
  func shrinks() throws {
    let served = try Served(
      ReferenceSettings(), fault: ServerFaults.named("turned-counterclockwise"))
    let finding = try #require(try served.verify(seed: 3, mostFindings: 1).findings.first)
    let request = try #require(IIIFRequest(finding.requests[0]))
    #expect(request.rotation == "90" || request.rotation == "270")
    #expect(request.size == "max")
    #expect(request.quality == "default")
    #expect(finding.cause == "turned counterclockwise")
  }

  @Test("shows a finding again by its request alone")
  func replays() throws {
    let served = try Served(ReferenceSettings(), fault: ServerFaults.named("gray-inverted"))
    let finding = try #require(try served.verify(seed: 5, mostFindings: 1).findings.first)
    let request = try #require(IIIFRequest(finding.requests[0]))
    #expect(try served.verifier(seed: 1).replay(request).findings.map(\.rule) == [finding.rule])
    #expect(
      try Served(ReferenceSettings()).verifier(seed: 1).replay(request).findings.isEmpty)
  }

  @Test(
    "shows again what info.json offers in vain", arguments: ["tiles-not-served"])
  func replaysOffers(_ fault: String) throws {
    let served = try Served(ReferenceSettings(), fault: ServerFaults.named(fault))
    let findings = try served.verify(seed: 5).findings
    let offered = findings.filter { ["IIIF-I3", "IIIF-I4"].contains($0.rule.id) }
    #expect(!offered.isEmpty)
    for finding in offered {
      let request = try #require(IIIFRequest(finding.requests[0]))
      let again = try served.verifier(seed: 1).replay(request).findings
      #expect(
        again.map(\.rule.id).contains(finding.rule.id), "\(finding.requests) \(finding.complaint)")
    }
  }

  @Test("says with which share a fault shows that does not show every time", arguments: [1, 2, 3])
  func estimatesUnsteadyFaults(_ seed: UInt64) throws {
    let served = try Served(ReferenceSettings())
    let verifier = try IIIFVerifier(
      Unsteady(served.server, seed: seed), address: served.settings.address,
      picture: served.pixels, seed: seed)
    let findings = try verifier.run().findings
    let rates = findings.compactMap(\.failureRate)
    #expect(!rates.isEmpty)
    let steady = findings.filter {
      $0.failureRate == nil && $0.rule.strength == .must && $0.rule.id != "IIIF-H5"
    }
    #expect(steady.map { "\($0.rule.id) \($0.requests): \($0.complaint)" } == [])
    #expect(rates.filter { $0.contains(0.5) }.count * 2 >= rates.count)
  }

  @Test("finds a fault of every eleventh picture, and does not call it steady")
  func findsRareFaults() throws {
    let served = try Served(ReferenceSettings(), fault: ServerFaults.named("every-eleventh-black"))
    let findings = try served.verify(seed: 2).findings
    #expect(!findings.isEmpty)
    let steady = findings.filter { $0.failureRate == nil && $0.rule.id != "IIIF-H5" }
    #expect(steady.map { "\($0.rule.id) \($0.requests): \($0.complaint)" } == [])
  }

  @Test("blames the request that takes a server down, and none that comes after it")
  func blamesCrashes() throws {
    let served = try Served(ReferenceSettings())
    var verifier = try IIIFVerifier(
      Fragile(served.server), address: served.settings.address, picture: served.pixels, seed: 4)
    verifier.outagePause = .milliseconds(1)
    let findings = try verifier.run().findings
    #expect(findings.map(\.cause) == ["server goes down"])
    for finding in findings {
      let request = try #require(IIIFRequest(finding.requests[0]))
      #expect(request.region.split(separator: ",")[1] == "79", "the smallest y that does it")
    }
  }

  @Test("says that a server does not answer, and ends")
  func reportsSilence() throws {
    struct Silent: ServerTransport {
      func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
        throw ServerFailure("the time was over")
      }
    }
    let card = TestCard.pixels(of: try PixelSize(width: 40, height: 30))
    let report = try IIIFVerifier(Silent(), picture: card, seed: 1).run()
    #expect(report.findings.map(\.complaint) == ["info.json: the time was over"])
  }
}

/// A server that goes down after requests that begin below the picture, and answers the next two with 503.
private final class Fragile: ServerTransport {
  let inner: ReferenceServer
  private let down = Mutex(0)

  init(_ inner: ReferenceServer) { self.inner = inner }

  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
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
    return try inner.send(request)
  }
}

/// A server that refuses picture requests at random, half of them.
private final class Unsteady: ServerTransport {
  let inner: ReferenceServer
  private let random: Mutex<SeededRandom>

  init(_ inner: ReferenceServer, seed: UInt64) {
    self.inner = inner
    random = Mutex(SeededRandom(seed: seed, label: "refusals"))
  }

  func send(_ request: ServerRequest) throws(ServerFailure) -> ServerAnswer {
    let answer = try inner.send(request)
    guard answer.status == 200, !request.path.contains("info.json") else { return answer }
    return random.withLock { $0.next() % 2 == 0 } ? ServerAnswer(status: 404) : answer
  }
}

private struct Served {
  let settings: ReferenceSettings
  let server: ReferenceServer
  let pixels: Pixels

  init(_ settings: ReferenceSettings, fault: ServerFault? = nil) throws {
    pixels = TestCard.pixels(of: try PixelSize(width: 113, height: 79))
    self.settings = settings
    server = try ReferenceServer(pixels, settings, fault: fault)
  }

  func verifier(seed: UInt64, mostFindings: Int = .max) throws -> IIIFVerifier {
    try IIIFVerifier(
      server, address: settings.address, picture: pixels, seed: seed, mostFindings: mostFindings)
  }

  func verify(seed: UInt64, mostFindings: Int = .max) throws -> IIIFReport {
    try verifier(seed: seed, mostFindings: mostFindings).run()
  }
}
