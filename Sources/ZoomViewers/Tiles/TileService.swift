internal import ForeignPipelines
internal import Foundation
internal import Synchronization
package import ZoomGeometry
package import ZoomLaws
internal import ZoomPipeline

package enum TileQuestion: Sendable, Hashable {
  case descriptor
  /// A tile: the number of halvings from full size, the part of the picture in its own pixels,
  /// including the overlap, and the size of the answer.
  case tile(level: Int, region: PixelRegion, size: PixelSize)
  /// A tile that the description does not offer, or anything else below the base.
  case outside
}

/// A picture as a pyramid of tiles in one scheme.
///
/// Addresses are relative to a base. A tile's suffix may differ from its format, because many
/// viewers always write ".jpg", and browsers go by the media type.
package struct TileService {
  let picture: ViewerPicture
  let scheme: TileScheme
  let base: String
  /// The description, and the plain picture or the numbered tiles, by their addresses.
  private var tiles: [String: TileQuestion] = [:]

  /// Creates the service of a picture below a base, which ends in a slash.
  package init(_ picture: ViewerPicture, _ scheme: TileScheme, base: String) {
    (self.picture, self.scheme, self.base) = (picture, scheme, base)
    let whole = PixelRegion(whole: picture.size)
    tiles[name] =
      scheme == .plain ? .tile(level: 0, region: whole, size: picture.size) : .descriptor
    addNumberedTiles()
  }

  /// The name of the description, the form of the addresses of numbered tiles, which is empty without them, and the
  /// description with its type.
  private var layout: (name: String, form: String, text: String, type: String) {
    let size = picture.size
    let side = scheme.side ?? 0
    return switch scheme.kind {
    case .plain: ("card.png", "", "", "text/plain")
    case .dzi:
      (
        "card.dzi", "card_files/{z}/{x}_{y}",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="png" \
        Overlap="\(scheme.overlap)" TileSize="\(side)">
          <Size Width="\(size.width)" Height="\(size.height)"/>
        </Image>

        """, "application/xml"
      )
    case .iiif0, .iiif1, .iiif2: ("info.json", "", iiifJSON(side), "application/json")
    case .zoomify:
      (
        "ImageProperties.xml", "TileGroup{group}/{z}-{x}-{y}",
        """
        <IMAGE_PROPERTIES WIDTH="\(size.width)" HEIGHT="\(size.height)" \
        NUMTILES="\(tiles.count - 1)" NUMIMAGES="1" VERSION="1.8" TILESIZE="\(side)" />

        """, "application/xml"
      )
    case .xyz: ("{z}/{x}/{y}.png", "{z}/{x}/{y}.png", "", "text/plain")
    }
  }

  var name: String { layout.name }

  /// The absolute address of the description, of the plain picture, or the template of tiles.
  package var descriptor: String { base + name }

  /// Returns the meaning of an address; nil if it is not below the base.
  func read(url: String) -> TileQuestion? {
    url.hasPrefix(base) ? read(String(url.dropFirst(base.count))) : nil
  }

  /// Returns the meaning of an address that is relative to the base.
  package func read(_ path: String) -> TileQuestion {
    let plain = String(path.prefix { $0 != "?" && $0 != "#" })
    let path = plain.removingPercentEncoding ?? plain
    return tiles[path] ?? tiles[path.replacing(/\.(png|jpe?g)$/, with: "")] ?? .outside
  }

  /// Returns the answer to a question; that to an address outside is not a picture.
  package func answer(_ question: TileQuestion) throws(ViewerFailure) -> PageResponse {
    switch question {
    case .descriptor: return PageResponse(type: layout.type, body: Array(layout.text.utf8))
    case .outside:
      return PageResponse(type: "text/plain", body: Array("This is not a picture.".utf8))
    case .tile(let level, let region, let size):
      let key = "\(scheme) \(question)"
      if let known = picture.encoded(key) { return known }
      let tile = picture.levels.levels[level].cut(region.reduced(by: 1 << level))
      let isWhole = tile.size == size && picture.alpha == 255
      let pixels = isWhole ? tile : tile.padded(to: size, alpha: picture.alpha)
      let png: [UInt8]
      do throws(PipelineError) {
        png = try Image.withoutCopying(pixels) { image throws(PipelineError) in
          try image.pngBytes()
        }
      } catch { throw .picture(error) }
      let response = PageResponse(type: "image/png", body: png)
      picture.keep(response, as: key)
      return response
    }
  }

  static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelRegion(uncheckedX: 0, y: 0, width: width, height: height).size
  }

  func size(of level: Int) -> PixelSize {
    PixelRegion(whole: picture.size).reduced(by: 1 << level).size
  }

  private var longerSide: Int { max(picture.size.width, picture.size.height) }

  /// Returns how often the picture is halved, rounded up, until it fits one tile.
  func halvings(toTileOf side: Int) -> Int { TileLayout.levels((longerSide + side - 1) / side) }

  private func tile(_ level: Int, _ column: Int, _ row: Int, side: Int) -> TileQuestion {
    let (size, whole) = (self.size(of: level), picture.size)
    func span(_ index: Int, _ length: Int, _ most: Int) -> Range<Int> {
      let start = max(0, index * side - scheme.overlap)
      let end = min((index + 1) * side + scheme.overlap, length)
      return start << level..<min(end << level, most)
    }
    let across = span(column, size.width, whole.width)
    let down = span(row, size.height, whole.height)
    let region = PixelRegion(
      uncheckedX: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    let answer = scheme.kind == .xyz ? Self.size(side, side) : region.reduced(by: 1 << level).size
    return .tile(level: level, region: region, size: answer)
  }

  /// Adds all tiles of a form, and the pictures that IIIF lists; what several levels have is of the finest one.
  ///
  /// Levels are numbered from the coarsest one, which is a pixel in Deep Zoom and a tile elsewhere. Zoomify puts 256
  /// tiles into a folder.
  private mutating func addNumberedTiles() {
    guard let side = scheme.side else { return }
    let form = layout.form
    let last = scheme.kind == .dzi ? TileLayout.levels(longerSide) : halvings(toTileOf: side)
    var count = 0
    for level in (0...last).reversed() {
      let size = size(of: level)
      for row in 0...(size.height - 1) / side {
        for column in 0...(size.width - 1) / side {
          let values = ["z": last - level, "x": column, "y": row, "group": count / 256]
          count += 1
          let address = Placeholders.fill(form, values.mapValues(String.init))
          add(tile(level, column, row, side: side), at: address)
        }
      }
      if iiifLevel != nil {
        add(.tile(level: level, region: PixelRegion(whole: picture.size), size: size), at: "")
      }
    }
  }

  private mutating func add(_ question: TileQuestion, at address: String) {
    for address in iiifAddresses(question) ?? [address] { tiles[address] = question }
  }
}

/// IIIF Image API: level 1 in version 2.1, levels 0 and 2 in version 3.0, so that both are tried.
///
/// Each level has the tiles and sizes that `info.json` lists, and nothing else: viewers ask for no others, and a law
/// can say which are outside. Levels 1 and 2 also have them by one side.
extension TileService {
  private var iiifLevel: Int? {
    scheme.kind.rawValue.hasPrefix("iiif") ? scheme.kind.rawValue.last?.wholeNumberValue : nil
  }

  private func iiifJSON(_ side: Int) -> String {
    let (id, level, levels) = (base.dropLast(), iiifLevel ?? 0, 0...halvings(toTileOf: side))
    let sizes = levels.reversed().map { number in
      "{\"width\": \(size(of: number).width), \"height\": \(size(of: number).height)}"
    }
    let service =
      level == 1
      ? """
      "@context": "http://iiif.io/api/image/2/context.json", "@id": "\(id)",
       "profile": ["http://iiif.io/api/image/2/level1.json", {"formats": ["png"]}]
      """
      : """
      "@context": "http://iiif.io/api/image/3/context.json", "id": "\(id)",
       "type": "ImageService3", "profile": "level\(level)",
       "extraFormats": ["png"], "preferredFormats": ["png"]
      """
    return """
      {\(service),
       "protocol": "http://iiif.io/api/image",
       "width": \(picture.size.width), "height": \(picture.size.height),
       "sizes": [\(sizes.joined(separator: ", "))],
       "tiles": [{"width": \(side), "scaleFactors": \(levels.map { 1 << $0 })}]}
      """
  }

  /// Returns the addresses of a tile, or of the whole picture in a listed size, without the format; nil in other schemes.
  private func iiifAddresses(_ question: TileQuestion) -> [String]? {
    guard let level = iiifLevel, case .tile(_, let region, let size) = question else { return nil }
    var sizes = ["\(size.width),\(size.height)"]
    if level > 0 { sizes += ["\(size.width),", ",\(size.height)"] }
    // Version 2 has two words for the full size.
    if size == region.size { sizes += level == 1 ? ["max", "full"] : ["max"] }
    let isWhole = region == PixelRegion(whole: picture.size)
    let regions = ["\(region.x),\(region.y),\(region.width),\(region.height)"]
    return (regions + (isWhole ? ["full"] : [])).flatMap { region in
      sizes.map { "\(region)/\($0)/0/default" }
    }
  }
}

/// The test card as it is served to viewers, in memory, with its encoded tiles.
package final class ViewerPicture: Sendable {
  let levels: PlanePyramid
  /// The alpha of all its pixels: 255, or less if the page is to show through.
  let alpha: UInt8
  private let tiles = Mutex<[String: PageResponse]>([:])

  /// The most encoded tiles in memory, of up to 200 kB each; a case requests less than 200.
  private static let mostEncoded = 300

  /// Creates the card; a turned one, by 180 degrees, has other colours at each place but its middle.
  package init(card size: PixelSize, alpha: UInt8 = 255, isTurned: Bool = false) {
    self.alpha = alpha
    let card = PlaceCard.pixels(of: size)
    levels = PlanePyramid(isTurned ? card.turned(by: .half) : card)
  }

  package var size: PixelSize { levels.size }

  func encoded(_ key: String) -> PageResponse? { tiles.withLock { $0[key] } }

  func keep(_ tile: PageResponse, as key: String) {
    tiles.withLock { tiles in
      if tiles.count == Self.mostEncoded { tiles = [:] }
      tiles[key] = tile
    }
  }
}

extension Pixels {
  /// Returns the pixels with an alpha at the top left of a picture that is transparent elsewhere.
  fileprivate func padded(to size: PixelSize, alpha: UInt8) -> Pixels {
    var padded = [UInt8](repeating: 0, count: 4 * size.area)
    for place in 0..<self.size.area {
      let at = 4 * (place / self.size.width * size.width + place % self.size.width)
      padded.replaceSubrange(at..<at + 4, with: bytes[3 * place..<3 * place + 3] + [alpha])
    }
    return Pixels(
      size: size, bands: 4, format: format, interpretation: interpretation, bytes: padded)
  }
}
