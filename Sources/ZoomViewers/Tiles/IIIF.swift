internal import ZoomGeometry

/// IIIF Image API: level 1 in version 2.1, levels 0 and 2 in version 3.0, so that both are tried.
///
/// Each level has the tiles and sizes that `info.json` lists, and nothing else: viewers ask for no others, and a law
/// can say which are outside. Levels 1 and 2 also have them by one side.
extension TileService {
  func iiifJSON(_ level: Int, _ side: Int) -> String {
    let (id, levels) = (base.dropLast(), 0...halvings(toTileOf: side))
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

  /// Returns the addresses of a tile, or of the whole picture in a listed size, without the format.
  func iiifAddresses(_ region: PixelRegion, _ size: PixelSize, _ level: Int) -> [String] {
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
