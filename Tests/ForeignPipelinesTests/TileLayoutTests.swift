import Foundation
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ForeignPipelines

/// The addresses of full-size tiles, at sizes for which the halving rules differ.
struct TileLayoutTests {
  /// The rounding of halved lengths.
  enum Halving: String, CaseIterable, CustomTestStringConvertible {
    case upwards, downwards

    func half(_ length: Int) -> Int {
      max(1, self == .upwards ? (length + 1) / 2 : length / 2)
    }

    var testDescription: String { rawValue }
  }

  /// Returns the files of a Zoomify pyramid, numbered by level from the smallest, then by row.
  private static func zoomify(
    _ width: Int, _ height: Int, side: Int, _ halving: Halving
  ) -> (files: Set<String>, fullSize: [String]) {
    var levels = [(width, height)]
    while let (width, height) = levels.first, max(width, height) > side {
      levels.insert((halving.half(width), halving.half(height)), at: 0)
    }
    var files: Set<String> = []
    var fullSize: [String] = []
    for (level, (width, height)) in levels.enumerated() {
      for row in 0...(height - 1) / side {
        for column in 0...(width - 1) / side {
          let file = "TileGroup\(files.count / 256)/\(level)-\(column)-\(row).jpg"
          files.insert(file)
          if level == levels.count - 1 { fullSize.append(file) }
        }
      }
    }
    return (files, fullSize)
  }

  private static func layout(
    _ name: String, _ width: Int, _ height: Int, description: String = "",
    files: Set<String> = []
  ) throws -> TileLayout {
    try TileLayout.find(
      name, size: PixelSize(width: width, height: height),
      exists: { tile, _ in files.contains(tile) }, read: { _ in Array(description.utf8) })
  }

  /// Returns the address of a tile of a level that is halved some times.
  private static func address(
    _ layout: TileLayout, _ column: Int, _ row: Int, _ region: PixelRegion, halvings: Int = 0
  ) throws -> String {
    let reduction = try #require(Reduction(rawValue: 1 << halvings))
    return layout.address(
      TileGrid.Tile(
        column: column, row: row, request: RegionRequest(region, reduction: reduction)))
  }

  /// Sizes next to multiples of the tile's side times powers of two, where halved lengths differ by one, and
  /// sizes for which only the folder of some tiles differs.
  private static let sizes = [
    (1, 1), (256, 256), (257, 1), (513, 400), (400, 513), (512, 512), (1025, 769), (1057, 757),
    (2047, 2049), (5121, 5121), (5120, 5121), (4097, 8193), (10_241, 9999),
  ]

  @Test(arguments: Halving.allCases)
  func `the files of Zoomify pyramids are found, whichever way their writer halves`(
    _ halving: Halving
  ) throws {
    var differences = 0
    for (width, height) in Self.sizes {
      let pyramid = Self.zoomify(width, height, side: 256, halving)
      let others = Halving.allCases.map { Self.zoomify(width, height, side: 256, $0).fullSize }
      if others[0] != others[1] { differences += 1 }
      // The number of tiles identifies the rule. If it is missing or wrong, the files identify it.
      for tiles in ["NUMTILES='\(pyramid.files.count)'", "NUMTILES='12345678'", ""] {
        let text =
          "<IMAGE_PROPERTIES WIDTH='\(width)' HEIGHT='\(height)' \(tiles) TILESIZE='256' />"
        let layout = try Self.layout(
          "ImageProperties.xml", width, height, description: text, files: pyramid.files)
        let columns = (width + 255) / 256
        let addresses = try pyramid.fullSize.indices.map { place in
          try Self.address(
            layout, place % columns, place / columns,
            PixelRegion(x: 0, y: 0, width: 1, height: 1))
        }
        #expect(addresses == pyramid.fullSize, "\(width)x\(height) \(tiles)")
      }
    }
    #expect(differences >= 6)
  }

  @Test(arguments: Halving.allCases)
  func `tiles of smaller levels have the addresses at which their writer put them`(
    _ halving: Halving
  ) throws {
    var tried = 0
    for (width, height) in Self.sizes {
      let pyramid = Self.zoomify(width, height, side: 256, halving)
      let text = """
        <IMAGE_PROPERTIES WIDTH='\(width)' HEIGHT='\(height)' NUMTILES='\(pyramid.files.count)'
        TILESIZE='256' />
        """
      let layout = try Self.layout("ImageProperties.xml", width, height, description: text)
      for halvings in 0...layout.mostHalvings {
        func reduced(_ length: Int) -> Int { (length + (1 << halvings) - 1) >> halvings }
        for row in 0...(reduced(height) - 1) / 256 {
          for column in 0...(reduced(width) - 1) / 256 {
            let address = try Self.address(
              layout, column, row, PixelRegion(x: 0, y: 0, width: 1, height: 1),
              halvings: halvings)
            #expect(pyramid.files.contains(address), "\(width)x\(height): \(address)")
            if halvings > 0 { tried += 1 }
          }
        }
      }
    }
    #expect(tried > 10)
  }

  /// Two formats prescribe the rounding: Deep Zoom halves upwards down to one pixel, web maps to one tile.
  @Test func `the level of the full size counts halvings upwards`() throws {
    let pixel = try PixelRegion(x: 0, y: 0, width: 1, height: 1)
    for (width, height) in Self.sizes {
      func levels(downTo side: Int) -> Int {
        var (length, levels) = (max(width, height), 0)
        while length > side { (length, levels) = (Halving.upwards.half(length), levels + 1) }
        return levels
      }
      let text =
        "<Image TileSize='254' Overlap='1' Format='png'>"
        + "<Size Width='\(width)' Height='\(height)'/></Image>"
      let deepZoom = try Self.layout("p.dzi", width, height, description: text)
      #expect(
        try Self.address(deepZoom, 0, 0, pixel) == "p_files/\(levels(downTo: 1))/0_0.png")
      let map = try Self.layout("{z}/{y}/{x}.png", width, height)
      #expect(try Self.address(map, 1, 2, pixel) == "\(levels(downTo: 256))/2/1.png")
      #expect(
        try Self.address(deepZoom, 3, 4, pixel, halvings: 2)
          == "p_files/\(levels(downTo: 1) - 2)/3_4.png")
      #expect(
        try Self.address(map, 1, 2, pixel, halvings: 1) == "\(levels(downTo: 256) - 1)/2/1.png")
    }
  }

  @Test func `a picture of one tile is found though its description lists no scale factor`() throws
  {
    for (width, height, isFound) in [(512, 512, true), (509, 254, true), (513, 10, false)] {
      let text = """
        {"@context": "http://iiif.io/api/image/2/context.json", "width": \(width),
         "height": \(height), "tiles": [{"scaleFactors": [], "width": 512}]}
        """
      let region = try PixelRegion(x: 0, y: 0, width: width, height: height)
      let layout = try? Self.layout("a/info.json", width, height, description: text)
      let address = try layout.map { try Self.address($0, 0, 0, region) }
      #expect(
        address == (isFound ? "a/0,0,\(width),\(height)/\(width),/0/default.jpg" : nil))
    }
  }
}
