internal import Foundation
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// The addresses and regions of the tiles of a pyramid.
package struct TileLayout: Sendable {
  /// The picture's size as the pyramid states it; nil if it states none.
  var size: PixelSize?
  var tileWidth: Int
  var tileHeight: Int
  /// The width of the strip of each neighbour that a tile also contains, in pixels.
  var overlap = 0
  /// Whether tiles at the right and bottom edges are padded to the full size.
  var isPadded = false
  /// The most halvings of a level whose size is the picture's, rounded up.
  var mostHalvings = Int.bitWidth
  var address: @Sendable (TileGrid.Tile) -> String

  /// Returns the tiles of a picture, at the levels whose sizes are the picture's, halved and rounded up.
  func grid(of size: PixelSize, in file: FilePath) throws(PipelineError) -> TileGrid {
    let tile = try Self.tileSize(tileWidth, tileHeight, of: size, in: file)
    return TileGrid(
      size: size, tile: tile, overlap: overlap,
      factors: TileGrid.halvings(of: size, tile: tile).prefix(mostHalvings + 1))
  }

  /// Returns the size of a picture's tiles; a server could state one that makes a million requests of a view.
  static func tileSize(
    _ width: Int, _ height: Int, of size: PixelSize, in file: FilePath
  ) throws(PipelineError) -> PixelSize {
    guard width >= min(16, size.width), height >= min(16, size.height) else {
      throw PipelineError(
        .unsupported, operation: "open", file: file,
        reason: "its tiles of \(width)x\(height) pixels are too small")
    }
    return try PixelRegion.at(0, 0, width, height, of: file).size
  }

  /// Finds a layout by the name of its description: `….dzi`, `…/ImageProperties.xml`, `…/info.json`, or a
  /// template with {z}, {x} and {y}.
  ///
  /// `exists` returns whether there is a tile, and throws if that cannot be determined; `read`
  /// reads a description. Throws if the description is missing or invalid.
  static func find(
    _ name: String, size: PixelSize,
    exists: (_ tile: String, _ side: Int) throws(PipelineError) -> Bool,
    read: (String) throws(PipelineError) -> [UInt8]
  ) throws(PipelineError) -> TileLayout {
    let found: TileLayout?
    if name.hasSuffix(".dzi") || name.hasSuffix(".xml") && !name.hasSuffix("ImageProperties.xml") {
      found = deepZoom(name, String(decoding: try read(name), as: UTF8.self))
    } else if name.hasSuffix("ImageProperties.xml") {
      found = try zoomify(name, String(decoding: try read(name), as: UTF8.self), exists: exists)
    } else if name.hasSuffix("info.json") {
      found = levelZero(name, try read(name))
    } else if ["{z}", "{x}", "{y}"].allSatisfy(name.contains) {
      found = template(name, size)
    } else {
      throw PipelineError(
        .unsupported, operation: "open", file: nil, reason: "\(name) describes no tiles",
        advice:
          "name a .dzi, an ImageProperties.xml, an info.json, or a template with {z}, {x} and {y}"
      )
    }
    guard let found, found.tileWidth > 0, found.tileHeight > 0,
      (0..<found.tileWidth).contains(found.overlap)
    else {
      throw PipelineError(
        .misbehaved, operation: "open", file: nil, reason: "\(name) cannot be understood")
    }
    return found
  }

  /// Returns a numeric attribute; both XML formats are read as a list of attributes.
  static func number(_ name: String, in text: String) -> Int? {
    text.range(of: "\\b\(name)\\s*=\\s*[\"'](\\d+)[\"']", options: .regularExpression)
      .flatMap { Int(text[$0].filter(\.isNumber)) }
      // Pictures do not have longer sides, and larger numbers would overflow the calculations.
      .flatMap { (0...(1 << 31)).contains($0) ? $0 : nil }
  }

  private static func deepZoom(_ name: String, _ text: String) -> TileLayout? {
    guard let side = number("TileSize", in: text), let overlap = number("Overlap", in: text),
      let width = number("Width", in: text), let height = number("Height", in: text),
      let size = try? PixelSize(width: width, height: height),
      let format = text.firstMatch(of: /\bFormat\s*=\s*["']([A-Za-z0-9]+)["']/)?.1
    else { return nil }
    let base = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    let level = levels(max(width, height))
    return TileLayout(size: size, tileWidth: side, tileHeight: side, overlap: overlap) { tile in
      "\(base)_files/\(level - tile.halvings)/\(tile.column)_\(tile.row).\(format)"
    }
  }

  /// Returns how often a length can be halved, rounded up, until it is 1.
  package static func levels(_ length: Int) -> Int {
    length <= 1 ? 0 : Int.bitWidth - (length - 1).leadingZeroBitCount
  }

  private static func levelZero(_ name: String, _ bytes: [UInt8]) -> TileLayout? {
    guard let information = try? IIIFInformation(json: bytes),
      // libvips (8.14) lists no scale factor for a picture that fits into one tile.
      let tiles = information.tiles.first(where: { tile in
        tile.scaleFactors.contains(1)
          || tile.scaleFactors.isEmpty && information.size.width <= tile.width
            && information.size.height <= tile.height
      })
    else { return nil }
    let base = name.dropLast("/info.json".count)
    return TileLayout(size: information.size, tileWidth: tiles.width, tileHeight: tiles.height) {
      tile in
      let part = tile.request.region
      // The canonical size: `w,` of version 2, `w,h` of version 3.
      let size = information.version == .three ? "\(part.width),\(part.height)" : "\(part.width),"
      return "\(base)/\(part.x),\(part.y),\(part.width),\(part.height)/\(size)/0/default.jpg"
    }
  }

  /// Returns the layout of web maps: padded tiles of 256 pixels.
  private static func template(_ name: String, _ size: PixelSize) -> TileLayout {
    let level = levels((max(size.width, size.height) + 255) / 256)
    return TileLayout(size: nil, tileWidth: 256, tileHeight: 256, isPadded: true) { tile in
      Placeholders.fill(
        name, ["z": "\(level - tile.halvings)", "x": "\(tile.column)", "y": "\(tile.row)"])
    }
  }
}
