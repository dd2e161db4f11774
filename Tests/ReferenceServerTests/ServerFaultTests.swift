import ForeignPipelines
import Synchronization
import Testing
import ZoomPipeline

@testable import ReferenceServer

/// Every planted fault must change an answer.
@Suite struct ServerFaultTests {
  /// Requests of every kind, valid and invalid, some of them repeated.
  private static let requests: [ServerRequest] = {
    let regions = [
      "full", "square", "3,5,41,37", "0,0,64,64", "64,0,67,64", "64,64,64,64", "90,40,41,100",
      "7,9,2,30", "17,3,66,50", "pct:10,20,30,40", "pct:12.5,6.25,41.6,33.3", "pct:3.43511,0,50,50",
      "pct:50,50,80,80", "0,0,131,89",
    ]
    let sizes = [
      "max", "full", "20,", ",20", "21,", ",23", "pct:33.3", "pct:50.5", "20,30", "!20,30",
      "!31,20", "^max", "^200,", "^,150", "^!200,190", "^170,60", "^pct:150", "!200,200", "200,",
      "19,40",
    ]
    var paths = ["20,", "max", "pct:33.3", "20,30", "33,23"].flatMap { size in
      regions.map { "/\($0)/\(size)/0/default.png" }
    }
    paths += ["full", "3,5,41,37", "64,0,67,64", "90,40,41,100"].flatMap { region in
      sizes.map { "/\(region)/\($0)/0/default.png" } + ["/\(region)/max/90/default.png"]
    }
    for rotation in [
      "0", "90", "180", "270", "360", "!0", "!90", "!180", "!270", "22.5", "!45", "30", "400",
      "-90", "1e1", "x",
    ] {
      paths += ["/full/40,/\(rotation)/default.png", "/5,6,40,30/20,/\(rotation)/color.png"]
    }
    for quality in ["default", "color", "gray", "bitonal", "COLOR", "sepia"] {
      paths += ["png", "jpg", "PNG", "jpeg", "tif"].map { "/3,5,40,30/max/0/\(quality).\($0)" }
      paths += ["/full/30,/0/\(quality).png", "/full/33,/90/\(quality).png"]
    }
    paths += [
      "0,0,0,10", "131,0,10,10", "200,300,10,10", "+3,5,41,37", "3, 5,41,37", "3.5,5,41,37",
      "-3,5,41,37", "3,5,41", "3,5,41,37,9", "what", "%66ull", "0,0,99999999999,20",
      "5,0,2147483647,20",
    ].map { "/\($0)/max/0/default.png" }
    // 33,22, 66,45 and 131,89 are sizes of info.json; 33,23 is the size of a tile.
    paths += [
      "0,", "pct:0", "what", "30", "300,", "^300,", "^3000,", "%5Emax", "17,12", "33,22", "66,45",
      "131,89", "33,23",
    ].map { "/full/\($0)/0/default.png" }
    paths += [
      "/0,0,131,1/10,/0/default.png", "/0,0,2,89/,30/0/default.png", "/0,0,131,2/30,/0/default.png",
      "/full/max/0/default", "/full/max/0", "/nothing",
      // The last tile of info.json.
      "/0,0,131,89/33,23/0/default.png",
    ]
    let accepts = ["application/json", "application/ld+json", "text/html, */*;q=0.1"]
    var requests =
      [ServerRequest("/info.json"), ServerRequest(""), ServerRequest("", followsRedirects: false)]
      + accepts.map { ServerRequest("/info.json", headers: ["Accept: \($0)"]) }
      + ["/info.json", "/full/max/0/default.png"].flatMap { path in
        [ServerRequest(path, method: .head), ServerRequest(path, method: .options)]
      }
    requests += paths.map { ServerRequest($0) }
    // Repeated for faults that only a second request shows.
    requests += paths.suffix(40).map { ServerRequest($0) }
    return requests
  }()

  private struct Configuration: Hashable {
    let api: ReferenceAPI
    let needs: Set<ServerFault.Need>

    func server(_ fault: ServerFault? = nil) throws -> ReferenceServer {
      let limits = needs.contains(.limits) ? SizeLimits(maxWidth: 100, maxHeight: 50) : nil
      let pixels =
        try needs.contains(.grey) ? Samples.grey(131, 89) : Samples.picture(131, 89)
      return try ReferenceServer(pixels, ReferenceSettings(api: api, limits: limits), fault: fault)
    }
  }

  /// The answers of the correct servers, cached.
  private static let sound = Mutex<[Configuration: [Result<ServerAnswer, ServerFailure>]]>([:])

  private static func answer(
    _ server: ReferenceServer, _ request: ServerRequest
  ) -> Result<ServerAnswer, ServerFailure> {
    Result { () throws(ServerFailure) in try server.send(request) }
  }

  /// Returns whether a fault changes the answer to one of the requests.
  private func changesAnswer(_ fault: ServerFault, _ configuration: Configuration) throws -> Bool {
    let sound = try Self.sound.withLock { kept in
      if let answers = kept[configuration] { return answers }
      let server = try configuration.server()
      let answers = Self.requests.map { Self.answer(server, $0) }
      kept[configuration] = answers
      return answers
    }
    let faulty = try configuration.server(fault)
    return zip(Self.requests, sound).contains { Self.answer(faulty, $0) != $1 }
  }

  @Test func `faults have names of their own and say what goes wrong`() {
    // Documentation/ImageServers.md gives this number.
    #expect(ServerFaults.all.count == 186)
    #expect(Set(ServerFaults.all.map(\.name)).count == ServerFaults.all.count)
    for fault in ServerFaults.all {
      #expect(fault.summary.hasSuffix("."), "\(fault)")
      #expect(!fault.name.contains { !$0.isLowercase && !$0.isNumber && $0 != "-" }, "\(fault)")
    }
  }

  // server-fault-matrix shows those that need concurrency.
  @Test(arguments: ServerFaults.all.filter { !$0.needs.contains(.concurrency) })
  func `a fault changes an answer`(fault: ServerFault) throws {
    for api in fault.versions {
      #expect(try changesAnswer(fault, Configuration(api: api, needs: fault.needs)))
    }
  }
}
