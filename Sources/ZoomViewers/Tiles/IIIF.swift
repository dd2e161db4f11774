internal import ForeignPipelines
internal import IIIFRules
internal import ZoomGeometry

/// IIIF Image API: level 1 in version 2.1, levels 0 and 2 in version 3.0, so that both are tried.
///
/// Level 0 has only the tiles and sizes that `info.json` lists. Levels 1 and 2 have every region in
/// pixels. Forms that viewers do not use for tiles are outside: percentages, squares, rotation,
/// mirroring and other qualities. Level 1 also has both sides if they are halved alike.
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

  func readIIIF(_ path: String, _ level: Int, _ side: Int) -> TileQuestion {
    guard let request = IIIFRequest(path),
      let information = try? IIIFInformation(json: Array(iiifJSON(level, side).utf8))
    else { return .unknown }
    guard let shown = ExpectedAnswer(request, information).shown, let region = shown.regions.first,
      ["full", "\(region.x),\(region.y),\(region.width),\(region.height)"].contains(request.region),
      !request.size.contains(/[:^]/), request.rotation == "0", request.quality == "default",
      ["png", "jpg"].contains(request.format)
    else { return .outside }
    // A side that is not named is scaled by whole blocks if these fit, as static services do.
    let blocks = (0...30).map { PixelRegion(whole: region.size).reduced(by: 1 << $0).size }
    let size =
      blocks.first { shown.admits(width: $0.width, height: $0.height, of: region) }
      ?? shown.nominalSize(of: region)
    // The coarsest level with at least as many pixels as the answer; a pixel is one of all levels.
    let halvings =
      blocks.prefix(1 + TileLayout.levels(max(region.width, region.height)))
      .lastIndex { $0.width >= size.width && $0.height >= size.height } ?? 0
    let found = TileQuestion.tile(level: halvings, region: region, size: size)
    let isWhole = region == PixelRegion(whole: picture.size) && size == self.size(of: halvings)
    let span = side << halvings
    let isTile = tile(halvings, region.x / span, region.y / span, side: side) == found
    let isListed = isTile || isWhole && halvings <= self.halvings(toTileOf: side)
    // Viewers name both sides at every level, which keeps the proportions.
    let isCanonical = ["max", "\(size.width),\(size.height)"].contains(request.size)
    let isOffered =
      isCanonical && blocks.contains(size) || shown.features.allSatisfy(information.supports)
    return size.width <= region.width && size.height <= region.height
      && (isListed && isCanonical || level > 0 && isOffered) ? found : .outside
  }
}
