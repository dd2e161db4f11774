internal import ZoomGeometry

/// IIIF Image API: level 1 in version 2.1, levels 0 and 2 in version 3.0, so that both are tried.
///
/// Level 0 has only the tiles and sizes that `info.json` lists. Levels 1 and 2 have every region in
/// pixels. Forms that viewers do not use for tiles are outside: percentages, squares, rotation,
/// mirroring and other qualities.
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

  /// Reads `REGION/SIZE/0/default.png`.
  func readIIIF(_ path: String, _ level: Int, _ side: Int) -> TileQuestion {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return .unknown }
    guard let region = self.region(parts[0]), let size = answerSize(parts[1], of: region, level),
      parts[2] == "0", Self.stem(parts[3]) == "default"
    else { return .outside("\(path) is not a part of the picture at level \(level)") }
    // The coarsest level with at least as many pixels as the answer.
    var halvings = 0
    while 1 << halvings < max(region.width, region.height) {
      let coarser = region.reduced(by: 2 << halvings)
      guard coarser.width >= size.width, coarser.height >= size.height else { break }
      halvings += 1
    }
    let found = TileQuestion.tile(level: halvings, region: region, size: size)
    let isWhole = region == PixelRegion(whole: picture.size) && size == self.size(of: halvings)
    let span = side << halvings
    let isTile = tile(halvings, region.x / span, region.y / span, side: side) == found
    guard level > 0 || isTile || isWhole && halvings <= self.halvings(toTileOf: side) else {
      return .outside("\(path) is not a tile that info.json lists")
    }
    return found
  }

  private func region(_ text: Substring) -> PixelRegion? {
    if text == "full" { return PixelRegion(whole: picture.size) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let read = parts.compactMap { Self.number($0) }
    guard parts.count == 4, read.count == 4, read[2] > 0, read[3] > 0 else { return nil }
    let region = PixelRegion(uncheckedX: read[0], y: read[1], width: read[2], height: read[3])
    return region.isInside(picture.size) ? region : nil
  }

  /// Returns the size that a text gives a region; nil if it enlarges it or the level lacks the form.
  private func answerSize(
    _ text: Substring, of region: PixelRegion, _ level: Int
  ) -> PixelSize? {
    let whole = region.size
    if text == "max" || level == 1 && text == "full" { return whole }
    let isConfined = text.hasPrefix("!")
    let parts = text.dropFirst(isConfined ? 1 : 0)
      .split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let made: (width: Int, height: Int)
    switch (Self.number(parts[0]), Self.number(parts[1])) {
    case (let width?, let height?) where isConfined:
      guard level == 2 else { return nil }
      let isWide = width * whole.height < height * whole.width
      let (across, down) = (min(width, whole.width), min(height, whole.height))
      made =
        isWide
        ? (across, Self.length(whole.height, as: across, of: whole.width))
        : (Self.length(whole.width, as: down, of: whole.height), down)
    case (let width?, let height?):
      // Level 1 keeps the proportions, up to the rounding of a side.
      let difference = abs(width * whole.height - height * whole.width)
      guard level != 1 || difference <= max(whole.width, whole.height) else { return nil }
      made = (width, height)
    case (let width?, nil) where level > 0 && !isConfined && parts[1].isEmpty:
      made = (width, Self.length(whole.height, as: width, of: whole.width))
    case (nil, let height?) where level > 0 && !isConfined && parts[0].isEmpty:
      made = (Self.length(whole.width, as: height, of: whole.height), height)
    default: return nil
    }
    guard (1...whole.width).contains(made.width), (1...whole.height).contains(made.height) else {
      return nil
    }
    return Self.size(made.width, made.height)
  }

  /// Returns a side scaled as another is: by whole blocks if these fit, as static services do, else
  /// rounded.
  private static func length(_ side: Int, as length: Int, of other: Int) -> Int {
    func halved(_ side: Int, _ times: Int) -> Int { (side + (1 << times) - 1) >> times }
    for times in 0..<31 where halved(other, times) == length { return halved(side, times) }
    return max(1, (2 * side * length + other) / (2 * other))
  }
}
