internal import ForeignPipelines
internal import ZoomGeometry
package import ZoomLaws

extension TileService {
  /// Returns how often the picture is halved, rounded up, until it fits one tile.
  func halvings(toTileOf side: Int) -> Int { TileLayout.levels((longerSide + side - 1) / side) }

  /// Returns the numbering of Zoomify up to a level.
  private func zoomify(_ level: Int, _ side: Int) -> TileLayout.Zoomify {
    TileLayout.Zoomify(size(of: level), tileSide: side) { ($0 + 1) / 2 }
  }

  func zoomifyXML(_ side: Int) -> String {
    let size = picture.size
    return """
      <IMAGE_PROPERTIES WIDTH="\(size.width)" HEIGHT="\(size.height)" \
      NUMTILES="\(zoomify(0, side).tiles)" NUMIMAGES="1" VERSION="1.8" TILESIZE="\(side)" />

      """
  }

  /// Reads `TileGroupGROUP/LEVEL-COLUMN-ROW.jpg`; level 0 is one tile.
  func readZoomify(_ path: String, _ side: Int) -> TileQuestion {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("TileGroup"), let stem = Self.stem(parts[1]) else {
      return .unknown
    }
    let place = stem.split(separator: "-", omittingEmptySubsequences: false)
    let found = tile(place, ofLevels: halvings(toTileOf: side), side: side)
    guard case .tile(let level, let region, _) = found else { return found }
    let (column, row) = ((region.x >> level) / side, (region.y >> level) / side)
    let group = zoomify(level, side).address(column, row).prefix { $0 != "/" }
    return group == parts[0] ? found : .outside("\(parts[1]) is in \(group), not in \(parts[0])")
  }

  /// Reads an address of the template; at zoom 0 the picture is one tile.
  func readXYZ(_ path: String, _ side: Int) -> TileQuestion {
    let patterns = name.split(separator: "/", omittingEmptySubsequences: false)
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard patterns.count == parts.count else { return .unknown }
    var values: [Substring: Substring] = [:]
    for (pattern, part) in zip(patterns, parts) {
      guard let open = pattern.firstIndex(of: "{"), let close = pattern.lastIndex(of: "}"),
        open < close
      else {
        if pattern == part { continue }
        return .unknown
      }
      let (head, tail) = (pattern[..<open], pattern[pattern.index(after: close)...])
      guard part.hasPrefix(head), part.hasSuffix(tail), part.count >= head.count + tail.count else {
        return .unknown
      }
      values[pattern[open...close]] = part.dropFirst(head.count).dropLast(tail.count)
    }
    let place = ["{z}", "{x}", "{y}"].compactMap { (key: Substring) in values[key] }
    let found = tile(place, ofLevels: halvings(toTileOf: side), side: side)
    guard case .tile(let level, let region, _) = found else { return found }
    return .tile(level: level, region: region, size: Self.size(side, side))
  }
}

extension TileScheme {
  /// The scheme's word in the address of a page.
  package var kind: String {
    switch self {
    case .plain: "plain"
    case .deepZoom: "dzi"
    case .iiif: "iiif"
    case .zoomify: "zoomify"
    case .xyz: "xyz"
    }
  }
}
