import ForeignPipelines
import PixelLaws
import PropertyTesting
import PropertyTestingBridge
import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

struct TileServiceTests {
  private static let base = "https://v.test/p/"

  /// Schemes of small tiles, so that small pictures have several.
  private static let schemes: [TileScheme] = [
    TileScheme(.dzi, 16), TileScheme(.dzi, 15, overlap: 2), TileScheme(.zoomify, 16),
    TileScheme(.xyz, 16), TileScheme(.iiif0, 16), TileScheme(.iiif1, 16), TileScheme(.iiif2, 16),
  ]
  private static let sizes = Gen<PixelSize>.pictures(sides: 1...70)
  private static let anyScheme = Gen<TileScheme>.element(of: schemes)

  private static func service(_ size: PixelSize, _ scheme: TileScheme) throws -> TileService {
    TileService(ViewerPicture(card: size), scheme, base: base)
  }

  /// Returns the address of a tile by its level in halvings, its column and its row, as the format's
  /// specification has it.
  private static func address(
    _ service: TileService, _ level: Int, _ column: Int, _ row: Int, side: Int
  ) -> String {
    let size = service.picture.size
    let longer = max(size.width, size.height)
    switch service.scheme.kind {
    case .plain: return service.name
    case .dzi: return "card_files/\(TileLayout.levels(longer) - level)/\(column)_\(row).png"
    case .xyz: return "\(service.halvings(toTileOf: side) - level)/\(column)/\(row).png"
    case .zoomify:
      return TileLayout.Zoomify(service.size(of: level), tileSide: side) { ($0 + 1) / 2 }
        .address(column, row)
    case .iiif0, .iiif1, .iiif2:
      let (span, factor) = (side << level, 1 << level)
      let (x, y) = (column * span, row * span)
      let (width, height) = (min(span, size.width - x), min(span, size.height - y))
      let across = (width + factor - 1) / factor
      let down = (height + factor - 1) / factor
      // At level 1 only one side is named; a side of one pixel would name several levels.
      let one = height > width ? ",\(down)" : "\(across),"
      let answer = service.scheme.kind == .iiif1 ? one : "\(across),\(down)"
      return "\(x),\(y),\(width),\(height)/\(answer)/0/default.jpg"
    }
  }

  /// Returns the decoded pixels of a tile.
  private static func decoded(
    _ service: TileService, _ question: TileQuestion
  ) throws -> Pixels {
    let image = try Image(png: try service.answer(question).body)
    return try image.read(PixelRegion(whole: try image.size))
  }

  @Test(.property(cases: 60)) func `the tiles of each level make up the level`() async {
    await expectForAll(Self.sizes, Self.anyScheme) { size, scheme in
      let service = try Self.service(size, scheme)
      let side = try #require(scheme.side)
      for level in 0...service.halvings(toTileOf: side) {
        let whole = service.picture.levels.levels[level]
        for row in 0..<(whole.size.height + side - 1) / side {
          for column in 0..<(whole.size.width + side - 1) / side {
            let address = Self.address(service, level, column, row, side: side)
            let question = service.read(address)
            guard case .tile(let found, let region, let answerSize) = question else {
              Issue.record("\(address) is \(question)")
              return
            }
            // A part that is one pixel of several levels has one address in IIIF.
            let isLevel = found == level || region.reduced(by: 1 << found).size == answerSize
            #expect(isLevel, "\(address)")
            let held = region.reduced(by: 1 << level)
            let overlap = scheme.overlap
            #expect(held.x == max(0, column * side - overlap), "\(address)")
            #expect(held.maxY == min((row + 1) * side + overlap, whole.size.height), "\(address)")
            let tile = try Self.decoded(service, question)
            #expect(tile.size == answerSize, "\(address)")
            var own = tile.cut(PixelRegion(whole: held.size))
            if own.bands == 4 {
              let opaque = (0..<own.size.area).allSatisfy { own.bytes[4 * $0 + 3] == 255 }
              #expect(opaque, "\(address)")
              own = try own.forScreen()
            }
            #expect(isSame(own.bytes, whole.cut(held).bytes), "\(address)")
          }
        }
      }
    }
  }

  @Test(.property(cases: 60)) func `tiles beyond the last column and row are outside`() async {
    await expectForAll(Self.sizes, Self.anyScheme) { size, scheme in
      let service = try Self.service(size, scheme)
      let side = try #require(scheme.side)
      let (columns, rows) = ((size.width + side - 1) / side, (size.height + side - 1) / side)
      if "\(scheme)".hasPrefix("iiif") {
        let beyond = "\(size.width - 1),0,2,1/2,1/0/default.png"
        guard case .outside = service.read(beyond) else {
          Issue.record("\(beyond) is \(service.read(beyond))")
          return
        }
        return
      }
      for (column, row) in [(columns, 0), (0, rows), (-1, 0)] {
        let address = Self.address(service, 0, column, row, side: side)
        guard case .outside = service.read(address) else {
          Issue.record("\(address) is \(service.read(address))")
          return
        }
      }
    }
  }

  @Test(.property(cases: 60)) func `descriptions are read by the client of tile pyramids`() async {
    await expectForAll(Self.sizes, Self.anyScheme) { size, scheme in
      let service = try Self.service(size, scheme)
      // The client uses 256 pixels for XYZ.
      if scheme.kind == .xyz { return }
      let question = service.read(service.name)
      #expect(question == .descriptor)
      let text = String(decoding: try service.answer(question).body, as: UTF8.self)
      if let level = ["iiif0", "iiif1", "iiif2"].firstIndex(of: scheme.kind.rawValue) {
        let information = try IIIFInformation(json: Array(text.utf8))
        #expect(information.size == size)
        #expect(information.level == level)
        #expect(information.tiles.first?.width == scheme.side)
        #expect(information.offers(format: "png"))
        for listed in information.sizes {
          // At level 1 one side is named; the longer one names one of the sizes only.
          let isTall = listed.height > listed.width
          let side = isTall ? ",\(listed.height)" : "\(listed.width),"
          let address = "full/\(level == 1 ? side : "\(listed.width),\(listed.height)")/0"
          guard case .tile(_, _, listed) = service.read("\(address)/default.png") else {
            Issue.record("\(address) is \(service.read("\(address)/default.png"))")
            return
          }
        }
      } else {
        #expect(text.contains("\(size.width)") && text.contains("\(size.height)"))
      }
    }
  }

  @Test func `a tile of Zoomify in another group is outside`() throws {
    let service = try Self.service(try PixelSize(width: 400, height: 300), TileScheme(.zoomify, 16))
    let right = Self.address(service, 0, 24, 18, side: 16)
    #expect(right.hasPrefix("TileGroup2/"))
    guard case .tile = service.read(right) else {
      Issue.record("\(right) is outside")
      return
    }
    guard case .outside = service.read(right.replacing("TileGroup2", with: "TileGroup0")) else {
      Issue.record("a tile in another group is not outside")
      return
    }
  }

  @Test func `what is neither the description nor a tile is outside`() throws {
    let service = try Self.service(try PixelSize(width: 40, height: 30), TileScheme(.xyz, 16))
    for path in ["logo.png", "0/0/a.js", "0/NaN/0.png"] { #expect(service.read(path) == .outside) }
    #expect(service.read(url: "https://v.test/q/0/0/0.png") == nil)
  }

  @Test func `tiles of IIIF have one size, which level 1 names by one side, too`() throws {
    let service = try Self.service(
      try PixelSize(width: 64, height: 40), TileScheme(.iiif1, 16))
    for (size, isOffered) in [
      ("16,16", true), ("16,", true), (",16", true), ("8,8", false), ("17,", false), ("max", false),
    ] {
      let question = service.read("32,0,32,32/\(size)/0/default.jpg")
      #expect((question != .outside) == isOffered, "\(size)")
    }
  }

  @Test func `the answer to an address outside is not a picture`() throws {
    let service = try Self.service(try PixelSize(width: 64, height: 64), .plain)
    let none = try service.answer(.outside).body
    #expect(throws: PipelineError.self) { try Image(png: none) }
  }

  @Test func `each pixel of a tile has the alpha of the picture, and beside it none`() throws {
    let picture = ViewerPicture(card: TileService.size(20, 10), alpha: 128)
    let padded = TileService(picture, TileScheme(.xyz, 16), base: Self.base)
    let tile = try Self.decoded(padded, padded.read("1/1/0.png"))
    #expect(tile.size == TileService.size(16, 16) && tile.bands == 4)
    for place in 0..<256 {
      let isInside = place % 16 < 4 && place / 16 < 10
      #expect(tile.bytes[4 * place + 3] == (isInside ? 128 : 0), "\(place)")
    }
    let plain = TileService(picture, .plain, base: Self.base)
    let whole = try Self.decoded(plain, plain.read("card.png"))
    #expect((0..<200).allSatisfy { whole.bytes[4 * $0 + 3] == 128 })
  }

  @Test func `a PNG larger than the budget is refused before it is decoded`() throws {
    let bytes = try Image(try Pixels.noise(40, 30)).pngBytes()
    let image = try Image(png: bytes)
    #expect(try image.read(PixelRegion(whole: image.size)) == Pixels.noise(40, 30))
    let limits = PictureLimits(memory: MemoryBudget(limit: 40 * 30 * 3 - 1))
    #expect(throws: PipelineError.self) { try Image(png: bytes, limits: limits) }
  }
}
