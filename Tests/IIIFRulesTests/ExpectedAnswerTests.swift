import ForeignPipelines
import PixelLaws
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import IIIFRules

@Suite("The expected answer")
struct ExpectationTests {
  private func information(_ version: Int = 3, _ more: String = "") throws -> IIIFInformation {
    let text =
      version == 3
      ? """
      {"@context": "http://iiif.io/api/image/3/context.json", "type": "ImageService3",
       "profile": "level2", "width": 300, "height": 200\(more)}
      """
      : """
      {"@context": "http://iiif.io/api/image/2/context.json",
       "profile": ["http://iiif.io/api/image/2/level2.json"], "width": 300, "height": 200\(more)}
      """
    return try IIIFInformation(json: Array(text.utf8))
  }

  private func expectation(
    _ text: String, _ version: Int = 3, _ more: String = ""
  ) throws -> ExpectedAnswer {
    ExpectedAnswer(try #require(IIIFRequest(text)), try information(version, more))
  }

  @Test("is a refusal of regions without pixels and of unknown words")
  func refusals() throws {
    for (request, rule) in [
      ("0,0,0,5/max/0/default.png", IIIFRule.regionEmpty),
      ("300,0,5,5/max/0/default.png", .regionEmpty),
      ("pct:0,100,5,5/max/0/default.png", .regionEmpty),
      ("full/0,/0/default.png", .sizeNone), ("full/max/361/default.png", .rotationRange),
      ("full/max/-1/default.png", .rotationRange), ("full/max/0/colour.png", .qualityUnknown),
      ("full/max/0/default.xyz", .formatUnknown), ("0,0,9,9/10,/0/default.png", .sizeAbove),
    ] {
      #expect(try expectation(request).outcome == .refusal(rule), "\(request)")
    }
  }

  @Test("is left open where the grammar does not have it")
  func malformed() throws {
    for request in [
      "1,2,3/max/0/default.png", "1.5,0,5,5/max/0/default.png", "full/1e2,/0/default.png",
      "full/max/ninety/default.png", "full/full/0/default.png", "full/!5,/0/default.png",
    ] {
      #expect(try expectation(request).isMalformed, "\(request)")
    }
    #expect(try expectation("full/full/0/default.png", 2).outcome == .picture)
    #expect(try expectation("full/^max/0/default.png", 2).isMalformed)
  }

  @Test("allows either rounding of a calculated side, and only the exact value of a requested one")
  func sizes() throws {
    let whole = PixelRegion(whole: try PixelSize(width: 300, height: 200))
    let byWidth = try #require(try expectation("full/100,/0/default.png").shown)
    #expect(byWidth.admits(width: 100, height: 66, of: whole))
    #expect(byWidth.admits(width: 100, height: 67, of: whole))
    #expect(!byWidth.admits(width: 100, height: 65, of: whole))
    #expect(!byWidth.admits(width: 99, height: 66, of: whole))
    let within = try #require(try expectation("full/!100,100/0/default.png").shown)
    #expect(within.admits(width: 100, height: 67, of: whole))
    #expect(!within.admits(width: 101, height: 67, of: whole))
    #expect(!within.admits(width: 90, height: 60, of: whole))
  }

  @Test("also allows a narrow tile the height of its region divided by the scale factor")
  func narrowTiles() throws {
    let tiles = #", "tiles": [{"width": 90, "scaleFactors": [1, 2]}]"#
    let column = PixelRegion.checked(267, 0, 33, 180)
    let request = "267,0,33,180/17,/0/default.jpg"
    let shown = try #require(try expectation(request, 2, tiles).shown)
    #expect([90, 92, 93].allSatisfy { shown.admits(width: 17, height: $0, of: column) })
    #expect(!shown.admits(width: 17, height: 91, of: column))
    let untiled = try #require(try expectation(request, 2).shown)
    #expect(!untiled.admits(width: 17, height: 90, of: column))
  }

  @Test("cuts a region at the edge, and rounds the edges of one in percent up or down")
  func regions() throws {
    let cut = try #require(try expectation("290,190,50,50/max/0/default.png").shown)
    #expect(cut.regions == [.checked(290, 190, 10, 10)])
    let rounded = try #require(try expectation("pct:0.5,0,50,50/max/0/default.png").shown)
    #expect(Set(rounded.regions.map(\.x)) == [1, 2])
  }

  @Test("leaves open what one rounding of a region in percent allows and another forbids")
  func roundedPercentages() throws {
    // 0.3 pixels high: rounded to 0 or 1.
    #expect(try expectation("pct:0,0,50,0.15/max/0/default.png").outcome == .open)
    // 13 or 14 pixels wide: 14 may be scaled to 14, 13 must not.
    #expect(try expectation("pct:0,0,4.5,50/14,/0/default.png").outcome == .open)
    #expect(
      try expectation("pct:0,0,4.5,50/15,/0/default.png").outcome == .refusal(.sizeAbove))
    #expect(try expectation("pct:0,0,4.5,50/13,/0/default.png").outcome == .picture)
  }

  @Test("reads a request as it writes it, and encodes what an address cannot hold")
  func requests() throws {
    let request = try #require(IIIFRequest("0,0,5,5/^max/!90/default.png"))
    #expect(request.description == "0,0,5,5/^max/!90/default.png")
    #expect(request.path == "/0,0,5,5/%5Emax/!90/default.png")
    #expect(IIIFRequest("full/max/0") == nil)
  }
}

@Test func `every rule has a name, a strength, a section and a sentence`() {
  #expect(Set(IIIFRule.allCases.map(\.id)).count == IIIFRule.allCases.count)
  for rule in IIIFRule.allCases {
    let strength = rule.rawValue.split(separator: " ")[1]
    #expect(rule.strength.rawValue == strength && rule.statement.hasSuffix("."))
    #expect([rule.section2, rule.section3].contains { $0?.first?.isNumber == true })
  }
}

@Suite("Comparing by means and place")
struct ClosenessTests {
  @Test("lets every kernel pass, also as if it were lossy")
  func kernels() throws {
    let card = TestCard.pixels(of: try PixelSize(width: 150, height: 110))
    let size = try PixelSize(width: 61, height: 47)
    let right = Kernel.allCases.map { card.scaled(to: size, $0) }
    for one in right {
      #expect(Closeness(right: right, isLossy: false).difference(of: one) == nil)
      #expect(Closeness(right: right, isLossy: true).difference(of: one) == nil)
    }
  }

  @Test("sees half a pixel, a darker picture, a black column and a stretch")
  func differences() throws {
    let card = TestCard.pixels(of: try PixelSize(width: 300, height: 220))
    let size = try PixelSize(width: 70, height: 50)
    func reduced(_ x: Int, _ width: Int, _ kernel: Kernel = .linear) -> Pixels {
      card.cut(.checked(x, 0, width, 200)).scaled(to: size, kernel)
    }
    let right = Kernel.allCases.map { reduced(0, 280, $0) }
    let closeness = Closeness(right: right, isLossy: false)
    let plain = right[1]
    let dark = plain.with(plain.size, plain.bytes.map { UInt8(Double($0) * 0.96) })
    let isInLastColumn = { (place: Int) in place / 3 % 70 == 69 }
    let black = plain.with(
      plain.size, plain.bytes.enumerated().map { isInLastColumn($0) ? 0 : $1 })
    // Two of 280 pixels are half a pixel of 70.
    #expect(closeness.difference(of: reduced(2, 280)) != nil)
    #expect(closeness.difference(of: reduced(0, 270)) != nil)
    #expect(closeness.difference(of: dark) != nil)
    #expect(closeness.difference(of: black) != nil)
  }

  @Test("scales a flat picture to the same level by each kernel")
  func flatness() throws {
    let flat = Pixels(
      width: 37, height: 23, bands: 1, bytes: [UInt8](repeating: 131, count: 37 * 23))
    for kernel in Kernel.allCases {
      for (width, height) in [(11, 7), (60, 50), (1, 1), (37, 5)] {
        let size = try PixelSize(width: width, height: height)
        #expect(Set(flat.scaled(to: size, kernel).bytes) == [131])
      }
    }
  }
}
