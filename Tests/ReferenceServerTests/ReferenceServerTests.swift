import ForeignPipelines
import Testing
import ZoomPipeline

@testable import ReferenceServer

/// The correct server, checked against the specification's examples.
@Suite struct ReferenceServerTests {
  /// Returns a server of a 300x200 picture, as in the specification.
  private func server(
    _ api: ReferenceAPI = .version3, _ renderer: ReferenceRenderer = .own, limit: Int? = nil
  ) throws -> ReferenceServer {
    try ReferenceServer(
      Samples.picture(300, 200),
      ReferenceSettings(
        api: api, renderer: renderer, limits: limit.map { SizeLimits(maxWidth: $0) }))
  }

  @Test(
    arguments: [
      ("full/max", "300x200"), ("square/max", "200x200"), ("125,15,120,140/max", "120x140"),
      ("pct:41.6,7.5,40,70/max", "120x140"), ("125,15,200,200/max", "175x185"),
      ("pct:41.6,7.5,66.6,100/max", "175x185"), ("full/150,", "150x100"), ("full/,150", "225x150"),
      ("full/pct:50", "150x100"), ("full/225,100", "225x100"), ("full/!225,100", "150x100"),
      ("full/^360,", "360x240"), ("full/^,240", "360x240"), ("full/^pct:120", "360x240"),
      ("full/^360,360", "360x360"), ("full/^!360,360", "360x240"), ("full/!400,400", "300x200"),
      ("full/^max", "600x400"),
    ], ReferenceRenderer.allCases)
  func `examples of version 3 have the specification's sizes`(
    example: (String, String), renderer: ReferenceRenderer
  ) throws {
    #expect(try server(.version3, renderer).size("/\(example.0)/0/default.png") == example.1)
  }

  @Test(
    arguments: [
      ("full/full", "300x200"), ("full/max", "300x200"), ("125,15,200,200/full", "175x185"),
      ("full/360,", "360x240"), ("full/!360,360", "360x240"), ("full/pct:120", "360x240"),
    ])
  func `examples of version 2 have the specification's sizes`(example: (String, String)) throws {
    #expect(try server(.version2).size("/\(example.0)/0/default.png") == example.1)
  }

  @Test func `max keeps the limits, and asking for more is refused`() throws {
    #expect(try server(limit: 200).size("/full/max/0/default.png") == "200x133")
    #expect(try server(limit: 360).size("/full/^max/0/default.png") == "360x240")
    #expect(try server(limit: 200).status("/full/201,/0/default.png") == 400)
    #expect(try server(.version2, limit: 200).status("/full/full/0/default.png") == 400)
    let area = try ReferenceServer(
      Samples.picture(300, 200), ReferenceSettings(limits: SizeLimits(maxArea: 1000)))
    #expect(try area.size("/full/max/0/default.png") == "38x25")
    #expect(try area.status("/full/^301,/0/default.png") == 400)
  }

  @Test func `without limits nothing is enlarged`() throws {
    let server = try ReferenceServer(
      Samples.picture(30, 20), ReferenceSettings(limits: SizeLimits()))
    #expect(try server.status("/full/^31,/0/default.png") == 501)
    #expect(try server.status("/full/31,/0/default.png") == 400)
    #expect(try server.size("/full/^max/0/default.png") == "30x20")
  }

  @Test(arguments: [
    "0,0,0,10/max/0/default.png", "0,0,10,0/max/0/default.png", "300,0,10,10/max/0/default.png",
    "0,200,1,1/max/0/default.png", "pct:100,0,10,10/max/0/default.png",
    "pct:0,0,0,10/max/0/default.png", "1,2,3/max/0/default.png", "1,2,3,4,5/max/0/default.png",
    "-1,2,3,4/max/0/default.png", "+1,2,3,4/max/0/default.png", "1.0,2,3,4/max/0/default.png",
    "1,,3,4/max/0/default.png", "1, 2,3,4/max/0/default.png", "pct:1,2,3/max/0/default.png",
    "pct:1e1,2,3,4/max/0/default.png", "pct:-1,2,3,4/max/0/default.png",
    "pct:1.,2,3,4/max/0/default.png", "Full/max/0/default.png", "/max/0/default.png",
    "full/full/0/default.png", "full//0/default.png", "full/,/0/default.png",
    "full/0,/0/default.png", "full/,0/0/default.png", "full/0,0/0/default.png",
    "full/!0,5/0/default.png", "full/pct:0/0/default.png", "full/pct:/0/default.png",
    "full/301,/0/default.png", "full/,201/0/default.png", "full/301,10/0/default.png",
    "full/pct:100.1/0/default.png", "full/!10,/0/default.png", "full/!^10,10/0/default.png",
    "full/,^240/0/default.png", "full/10/0/default.png", "full/1.5,/0/default.png",
    "full/^601,/0/default.png", "0,0,300,1/10,/0/default.png", "full/max/361/default.png",
    "full/max/-90/default.png", "full/max/+90/default.png", "full/max/90!/default.png",
    "full/max/!/default.png", "full/max//default.png", "full/max/1e1/default.png",
    "full/max/0/Default.png", "full/max/0/sepia.png", "full/max/0/default.tif",
    "full/max/0/default.PNG", "full/max/0/default", "full/max/0/.png", "full/max/0/default.",
    "full/max/0/default.png.png", "full/max/0", "full/max/0/default.png/", "full/%4/0/default.png",
  ])
  func `what the specification does not allow is a bad request`(path: String) throws {
    for api in ReferenceAPI.allCases {
      // Version 2 enlarges without ^.
      let isLarger = ["30", ",201", "100.1"].contains { path.dropFirst(5).contains($0) }
      if api == .version2, isLarger || path.hasPrefix("full/full/") { continue }
      let answer = try server(api).get("/" + path)
      #expect(answer.status == 400, "\(api.rawValue)")
      #expect(answer.headers["access-control-allow-origin"] == "*")
      #expect(!answer.body.isEmpty)
    }
  }

  @Test(arguments: [
    "full/max/360/default.png", "full/max/0.0/default.png", "full/max/.5/default.png",
    "full/%6dax/0/default.png", "pct%3A0,0,50,50/max/0/default.png", "000,00,10,10/max/0/color.png",
    "0,0,99999999999999999999,10/max/0/default.png", "full/max/0/default.jpg?x=1",
    "pct:0,0,.5,0.50/max/0/default.png", "pct:99.9,99.9,0.1,0.1/max/0/default.png",
  ])
  func `unusual spellings of what is allowed are served`(path: String) throws {
    #expect(try server().status("/" + path) == 200)
  }

  @Test(arguments: [
    (nil, false, true), ("*/*", false, true), ("application/json", false, false),
    ("application/ld+json", true, true), ("application/ld+json;profile=\"x\"", true, true),
    ("application/json, application/ld+json;q=0.5", false, false),
    ("application/ld+json;q=0, */*", false, false), ("text/html", false, true),
  ])
  func `the media type of the information is negotiated`(
    example: (accept: String?, isLinked2: Bool, isLinked3: Bool)
  ) throws {
    let headers = example.accept.map { ["accept: \($0)"] } ?? []
    let (plain, linked) = ("application/json", "application/ld+json")
    let second = try server(.version2).get("/info.json", headers: headers)
    #expect(second.headers["content-type"] == (example.isLinked2 ? linked : plain))
    let third = try server(.version3).get("/info.json", headers: headers)
    let profile = "profile=\"http://iiif.io/api/image/3/context.json\""
    #expect(third.headers["content-type"] == (example.isLinked3 ? "\(linked);\(profile)" : plain))
  }

  @Test(arguments: [
    (
      "pct:0,0,100,100/max/!90.0/color.jpg", "full/max/!90/default.jpg", "full/full/!90/default.jpg"
    ),
    (
      "250,150,100,100/20,/360/gray.png", "250,150,50,50/20,20/0/gray.png",
      "250,150,50,50/20,/0/gray.png"
    ),
    (
      "square/!50,60/22.50/default.png", "50,0,200,200/50,50/22.5/default.png",
      "50,0,200,200/50,/22.5/default.png"
    ),
    ("full/30,30/0/bitonal.png", "full/30,30/0/bitonal.png", "full/30,30/0/bitonal.png"),
  ])
  func `spellings of a request have one canonical link, and its answer is the same`(
    example: (asked: String, version3: String, version2: String)
  ) throws {
    for (api, path) in [(ReferenceAPI.version3, example.version3), (.version2, example.version2)] {
      let server = try server(api)
      let answer = try server.get("/" + example.asked)
      let address = server.settings.address
      #expect(
        answer.headers["link"] == "<\(address)/\(path)>;rel=\"canonical\", "
          + "<http://iiif.io/api/image/\(api.major)/level2.json>;rel=\"profile\"")
      #expect(try server.get("/" + path).body == answer.body)
    }
  }

  @Test func `what is enlarged has a caret in its canonical link`() throws {
    let link = try server().get("/0,0,10,10/^20,/0/default.png").headers["link"]
    #expect(link?.contains("/0,0,10,10/^20,20/0/default.png>") == true)
    let largest = try server().get("/full/^600,/0/default.png").headers["link"]
    #expect(largest?.contains("/full/^max/0/") == true)
  }

  @Test func `a size rounds as it is told`() throws {
    let expected: [LengthRounding: String] = [.nearest: "7x5", .down: "7x4", .up: "7x5"]
    for (rounding, size) in expected {
      let server = try ReferenceServer(
        Samples.picture(300, 200), ReferenceSettings(rounding: rounding))
      #expect(try server.size("/full/7,/0/default.png") == size)
    }
  }
}
