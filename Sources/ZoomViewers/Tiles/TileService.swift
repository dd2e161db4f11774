internal import ForeignPipelines
internal import Foundation
internal import PixelLaws
package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

package enum TileQuestion: Sendable, Hashable {
  case descriptor
  /// A tile: the number of halvings from full size, the part of the picture in its own pixels,
  /// including the overlap, and the size of the answer.
  case tile(level: Int, region: PixelRegion, size: PixelSize)
  /// A tile that the description does not offer, and the reason.
  case outside(String)
  /// Not an address of the service.
  case unknown
}

package typealias TileAnswer = (body: [UInt8], type: String)

/// A picture as a pyramid of tiles in one scheme.
///
/// Addresses are relative to a base. A tile's suffix may differ from its format, because many
/// viewers always write ".jpg", and browsers go by the media type.
package struct TileService: Sendable {
  let picture: ViewerPicture
  let scheme: TileScheme
  let base: String
  let name: String

  /// Creates the service of a picture below a base, which ends in a slash.
  ///
  /// `name` is the relative address of the description, or a template with {z}, {x} and {y}; nil for
  /// the usual one.
  package init(
    _ picture: ViewerPicture, _ scheme: TileScheme, base: String, name: String? = nil
  ) {
    precondition(base.hasSuffix("/"), "a base ends in a slash")
    if let side = scheme.side {
      precondition(side > max(scheme.overlap, 0), "a side must be longer than the overlap")
    }
    (self.picture, self.scheme, self.base) = (picture, scheme, base)
    let usualName =
      switch scheme {
      case .plain: "card.png"
      case .deepZoom: "card.dzi"
      case .iiif: "info.json"
      case .zoomify: "ImageProperties.xml"
      case .xyz: "{z}/{x}/{y}.png"
      }
    self.name = name ?? usualName
  }

  /// The absolute address of the description, of the plain picture, or the template of tiles.
  package var descriptor: String { base + name }

  /// Returns the meaning of an address that is relative to the base.
  package func read(_ path: String) -> TileQuestion {
    let plain = String(path.prefix { $0 != "?" && $0 != "#" })
    let path = plain.removingPercentEncoding ?? plain
    let stem = Self.stem(path[...]) ?? path[...]
    switch scheme {
    case .plain:
      return path == name
        ? .tile(level: 0, region: PixelRegion(whole: picture.size), size: picture.size) : .unknown
    case .xyz(let side): return tile(path[...], as: name, side: side)
    case _ where path == name: return .descriptor
    case .iiif(let level, let side): return readIIIF(path, level, side)
    case .deepZoom(let side, let overlap):
      let start = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
      return tile(
        stem, as: "\(start)_files/{z}/{x}_{y}", last: TileLayout.levels(longerSide), side: side,
        overlap: overlap)
    case .zoomify(let side): return tile(stem, as: "TileGroup{group}/{z}-{x}-{y}", side: side)
    }
  }

  /// Returns the answer to a question; that to an address outside is the reason.
  package func answer(_ question: TileQuestion) throws(PipelineError) -> TileAnswer {
    switch question {
    case .descriptor: return (Array(description.text.utf8), description.type)
    case .outside(let why): return (Array(why.utf8), "text/plain")
    case .unknown: return ([], "text/plain")
    case .tile(let level, let region, let size):
      return try picture.answer("\(scheme) \(question)") { () throws(PipelineError) -> TileAnswer in
        let tile = try pixels(level, region, size)
        return try Image.withoutCopying(tile) { image throws(PipelineError) -> TileAnswer in
          (try image.pngBytes(), "image/png")
        }
      }
    }
  }

  /// Returns the question to whose answer a faulty server gives instead; see `Delivery`.
  package func wrong(_ body: Delivery.Body, for question: TileQuestion) -> TileQuestion {
    guard case .tile(let level, let region, let size) = question else { return question }
    switch body {
    case .notAPicture: return .outside("This is not a picture.")
    case .otherSize:
      func other(_ side: Int) -> Int { side > 8 ? side / 2 : side + 8 }
      let wrong = Self.size(other(size.width), other(size.height))
      return .tile(level: level, region: region, size: wrong)
    case .neighbour:
      let hasNext = region.maxX + region.width <= picture.size.width
      let left = hasNext ? region.maxX : max(0, region.x - region.width)
      let wrong = PixelRegion(
        uncheckedX: left, y: region.y, width: region.width, height: region.height)
      return .tile(level: level, region: wrong, size: size)
    }
  }

  private var description: (text: String, type: String) {
    let size = picture.size
    switch scheme {
    case .deepZoom(let side, let overlap):
      return (
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="png" \
        Overlap="\(overlap)" TileSize="\(side)">
          <Size Width="\(size.width)" Height="\(size.height)"/>
        </Image>

        """, "application/xml"
      )
    case .zoomify(let side):
      return (
        """
        <IMAGE_PROPERTIES WIDTH="\(size.width)" HEIGHT="\(size.height)" \
        NUMTILES="\(zoomify(0, side).tiles)" NUMIMAGES="1" VERSION="1.8" TILESIZE="\(side)" />

        """, "application/xml"
      )
    case .iiif(let level, let side): return (iiifJSON(level, side), "application/json")
    case .plain, .xyz: return ("", "text/plain")
    }
  }

  private func pixels(
    _ level: Int, _ region: PixelRegion, _ size: PixelSize
  ) throws(PipelineError) -> Pixels {
    let (factor, whole) = (1 << level, picture.size)
    let isOfWholeBlocks =
      region.x.isMultiple(of: factor) && region.y.isMultiple(of: factor)
      && (region.maxX.isMultiple(of: factor) || region.maxX == whole.width)
      && (region.maxY.isMultiple(of: factor) || region.maxY == whole.height)
    if isOfWholeBlocks {
      let tile = try picture.reduced(region, halvings: level)
      if tile.size == size { return tile }
      if case .xyz(let side) = scheme, size == Self.size(side, side) {
        return tile.padded(to: size)
      }
    }
    return try picture.pixels.cut(region).resampled(to: size)
  }
}

// MARK: Grids

extension TileService {
  static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelRegion(uncheckedX: 0, y: 0, width: width, height: height).size
  }

  func size(of level: Int) -> PixelSize {
    PixelRegion(whole: picture.size).reduced(by: 1 << level).size
  }

  private var longerSide: Int { max(picture.size.width, picture.size.height) }

  /// Returns how often the picture is halved, rounded up, until it fits one tile.
  func halvings(toTileOf side: Int) -> Int { TileLayout.levels((longerSide + side - 1) / side) }

  private func zoomify(_ level: Int, _ side: Int) -> TileLayout.Zoomify {
    TileLayout.Zoomify(size(of: level), tileSide: side) { ($0 + 1) / 2 }
  }

  func tile(
    _ level: Int, _ column: Int, _ row: Int, side: Int, overlap: Int = 0
  ) -> TileQuestion {
    let (size, whole) = (self.size(of: level), picture.size)
    let columns = (size.width + side - 1) / side
    let rows = (size.height + side - 1) / side
    guard (0..<columns).contains(column), (0..<rows).contains(row) else {
      return .outside(
        "column \(column), row \(row) is beyond \(columns)x\(rows) tiles of \(size)")
    }
    func span(_ index: Int, _ length: Int, _ most: Int) -> Range<Int> {
      let start = max(0, index * side - overlap)
      let end = min((index + 1) * side + overlap, length)
      return start << level..<min(end << level, most)
    }
    let across = span(column, size.width, whole.width)
    let down = span(row, size.height, whole.height)
    let region = PixelRegion(
      uncheckedX: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    return .tile(level: level, region: region, size: region.reduced(by: 1 << level).size)
  }

  /// Reads the address of a tile by a template with {z}, {x} and {y}.
  ///
  /// Levels are numbered from the coarsest one, which is a pixel in Deep Zoom and a tile elsewhere.
  private func tile(
    _ path: Substring, as template: String, last: Int? = nil, side: Int, overlap: Int = 0
  ) -> TileQuestion {
    guard let values = Self.values(in: path, as: template) else {
      let start = template.prefix { $0 != "{" }
      return start.isEmpty || !path.hasPrefix(start)
        ? .unknown : .outside("\(path) is not like \(template)")
    }
    let last = last ?? halvings(toTileOf: side)
    let place = ["z", "x", "y"].compactMap { (key: Substring) in
      values[key].flatMap { Self.number($0) }
    }
    guard place.count == 3, place[0] <= last else {
      return .outside("\(path): not a level from 0 to \(last), a column and a row")
    }
    let found = tile(last - place[0], place[1], place[2], side: side, overlap: overlap)
    guard case .tile(let level, let region, _) = found else { return found }
    switch scheme {
    case .zoomify:
      let address = zoomify(level, side).address(place[1], place[2])
      return address.hasPrefix("TileGroup\(values["group"] ?? "")/")
        ? found : .outside("\(path) is \(address)")
    case .xyz: return .tile(level: level, region: region, size: Self.size(side, side))
    case .plain, .deepZoom, .iiif: return found
    }
  }

  /// Returns the texts in the place of a template's placeholders; nil if the path does not match.
  private static func values(
    in path: Substring, as template: String
  ) -> [Substring: Substring]? {
    let parts = template.split(separator: "{", omittingEmptySubsequences: false)
    guard path.hasPrefix(parts[0]) else { return nil }
    var (rest, values) = (path.dropFirst(parts[0].count), [Substring: Substring]())
    for part in parts.dropFirst() {
      let key = part.prefix { $0 != "}" }
      let literal = part.dropFirst(key.count + 1)
      let end: Range<Substring.Index>? =
        literal.isEmpty ? rest.endIndex..<rest.endIndex : rest.range(of: literal)
      guard let end else { return nil }
      values[key] = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
    }
    return rest.isEmpty ? values : nil
  }

  static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.count <= 9 && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  /// Returns the name of a picture's file without its suffix; nil for other names.
  static func stem(_ name: Substring) -> Substring? {
    for suffix in [".png", ".jpg", ".jpeg"] where name.hasSuffix(suffix) {
      return name.dropLast(suffix.count)
    }
    return nil
  }
}

extension Pixels {
  /// Returns the pixels at the top left of a larger picture that is transparent elsewhere.
  fileprivate func padded(to size: PixelSize) -> Pixels {
    let hasAlpha = bands.isMultiple(of: 2)
    let count = hasAlpha ? bands : bands + 1
    var padded = [UInt8](repeating: 0, count: size.area * count)
    for y in 0..<self.size.height {
      for x in 0..<self.size.width {
        let (from, to) = ((y * self.size.width + x) * bands, (y * size.width + x) * count)
        for band in 0..<bands { padded[to + band] = bytes[from + band] }
        if !hasAlpha { padded[to + bands] = 255 }
      }
    }
    return Pixels(
      size: size, bands: count, format: format, interpretation: interpretation, bytes: padded)
  }
}
