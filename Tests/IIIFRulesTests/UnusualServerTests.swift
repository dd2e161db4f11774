import ForeignPipelines
import Foundation
import ReferenceServer
import Synchronization
import Testing

@testable import IIIFRules

/// Unusual behaviour that the specification allows must not be reported as a breach.
@Suite("No breach is reported for a server")
struct UnusualServerTests {
  /// Runs the rules against the reference server with a change, and returns the reported breaches.
  private func breaches(
    _ api: ReferenceAPI,
    _ change:
      @escaping @Sendable (ServerRequest, ReferenceServer) throws(ServerFailure) ->
      ServerAnswer
  ) throws -> [String] {
    let served = try Served(ReferenceSettings(api: api))
    let verifier = try served.verifier(seed: 5) { request throws(ServerFailure) in
      try change(request, served.server)
    }
    return try verifier.run().findings.filter { $0.rule.strength == .must }.map(\.text)
  }

  /// Returns the same info.json without some keys and features.
  private static func without(_ words: [String], _ answer: ServerAnswer) -> ServerAnswer {
    guard var root = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    else { return answer }
    for word in words { root[word] = nil }
    root["extraFeatures"] = (root["extraFeatures"] as? [String])?.filter { !words.contains($0) }
    var changed = answer
    changed.body = [UInt8]((try? JSONSerialization.data(withJSONObject: root)) ?? Data())
    return changed
  }

  @Test("that turns by quarters only and refuses 360")
  func refuses360() throws {
    let found = try breaches(.version3) { request, inner throws(ServerFailure) in
      let turns = ["/0/", "/90/", "/180/", "/270/", "/!0/", "/!90/", "/!180/", "/!270/"]
      if request.path == "/info.json" {
        return Self.without(["rotationArbitrary"], try inner.send(request))
      }
      return request.path.isEmpty || turns.contains(where: request.path.contains)
        ? try inner.send(request) : ServerAnswer(status: 400, body: Array("no".utf8))
    }
    #expect(found == [])
  }

  @Test("that enlarges nothing and refuses every ^ with 501")
  func enlargesNothing() throws {
    let found = try breaches(.version3) { request, inner throws(ServerFailure) in
      if request.path.contains("/^") || request.path.contains("/%5E") {
        return ServerAnswer(status: 501, body: Array("no".utf8))
      }
      let answer = try inner.send(request)
      return request.path == "/info.json"
        ? Self.without(["sizeUpscaling", "maxWidth", "maxHeight", "maxArea"], answer) : answer
    }
    #expect(found == [])
  }

  @Test("whose default is grey", arguments: ReferenceAPI.allCases)
  func isGreyByDefault(api: ReferenceAPI) throws {
    let found = try breaches(api) { request, inner throws(ServerFailure) in
      var request = request
      request.path = request.path.replacing("/default.", with: "/gray.")
      return try inner.send(request)
    }
    #expect(found == [])
  }

  @Test("that says 404 for unknown values, and 500 for malformed requests")
  func hasOtherStatuses() throws {
    let found = try breaches(.version3) { request, inner throws(ServerFailure) in
      var answer = try inner.send(request)
      let isMalformed = ["nan", "ninety", "1e2", "%00", "etc", "pct:-5"].contains {
        request.path.contains($0)
      }
      if answer.status == 400 { answer.status = isMalformed ? 500 : 404 }
      return answer
    }
    #expect(found.filter { !$0.contains("status 404 instead of 400") } == [])
  }

  @Test("that is busy now and then", arguments: ReferenceAPI.allCases)
  func isBusy(api: ReferenceAPI) throws {
    let count = Mutex(0)
    let found = try breaches(api) { request, inner throws(ServerFailure) in
      let number = count.withLock { count -> Int in
        count += 1
        return count
      }
      return number % 13 == 0
        ? ServerAnswer(status: 503, headers: ["retry-after": "0"], body: Array("busy".utf8))
        : try inner.send(request)
    }
    #expect(found == [])
  }

  @Test("that allows other origins at info.json only, and knows no preflight")
  func allowsFewOrigins() throws {
    let found = try breaches(.version2) { request, inner throws(ServerFailure) in
      if request.method == .options { return ServerAnswer(status: 405) }
      var answer = try inner.send(request)
      if request.path != "/info.json" { answer.headers["access-control-allow-origin"] = nil }
      return answer
    }
    #expect(found == [])
  }

  @Test("that lists numbers too large to calculate with, except by the rules about them")
  func survivesNonsense() throws {
    let nonsense = """
      {"@context": "http://iiif.io/api/image/3/context.json", "type": "ImageService3",
       "id": "http://localhost/iiif/picture", "protocol": "http://iiif.io/api/image",
       "profile": "level2", "width": 113, "height": 79, "maxWidth": 9223372036854775807,
       "sizes": [{"width": 9223372036854775807, "height": 9223372036854775807},
        {"width": 1, "height": 100000000}],
       "tiles": [{"width": 16, "height": 0, "scaleFactors": [0, -1, 9223372036854775807]},
        {"width": 9223372036854775807, "scaleFactors": [1]}]}
      """
    let found = try breaches(.version3) { request, inner throws(ServerFailure) in
      var answer = try inner.send(request)
      if request.path == "/info.json" { answer.body = Array(nonsense.utf8) }
      answer.headers["link"] =
        "<http://localhost/iiif/p/1,0,9223372036854775807,1/max/0/default.png>;rel=\"canonical\""
      return answer
    }
    #expect(!found.isEmpty, "the nonsense is called wrong")
    // A server that claims such limits must enlarge to them (S1).
    let ofInformation: [IIIFRule] = [
      .sizeLargest, .informationFields, .informationSizes, .informationTiles, .informationLimits,
      .canonical,
    ]
    for text in found { #expect(ofInformation.contains { text.hasPrefix($0.id + " ") }, "\(text)") }
  }
}
