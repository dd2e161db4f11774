internal import PixelLaws
internal import Synchronization
package import ZoomGeometry
package import ZoomPipeline

/// A picture that is shown to viewers, in memory, with its encoded tiles.
package final class ViewerPicture: Sendable {
  /// The picture: 8-bit sRGB, with or without alpha.
  let pixels: Pixels
  /// The picture as a screen shows it over black, for recognising it in screenshots.
  package let levels: PlanePyramid
  private let cache = Mutex<[String: [UInt8]]>([:])

  /// The most encoded tiles in memory, of up to 200 kB each; a case requests less than 200.
  private static let mostCached = 300

  private init(_ pixels: Pixels) throws(PipelineError) {
    self.pixels = pixels
    levels = PlanePyramid(try pixels.forScreen())
  }

  /// Creates the test card, whose colours are coordinates; another seed has another texture.
  package convenience init(card size: PixelSize, seed: UInt32 = 0) throws(PipelineError) {
    try self.init(PlaceCard.pixels(of: size, seed: seed))
  }

  /// Creates a card with transparent discs whose edges are soft.
  package convenience init(alpha size: PixelSize) throws(PipelineError) {
    let card = PlaceCard.pixels(of: size)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * size.area)
    for place in 0..<size.area {
      // A disc with a radius of 40 pixels in each square of 96. The edge is 32 pixels wide, so that
      // a picture drawn twice over itself differs by 9 levels in the mean on a light page.
      let (x, y) = (place % size.width % 96 - 48, place / size.width % 96 - 48)
      let distance = Double(x * x + y * y).squareRoot()
      bytes += card.bytes[3 * place..<3 * place + 3]
      bytes.append(UInt8(min(max((distance - 8) / 32, 0), 1) * 255))
    }
    try self.init(
      Pixels(size: size, bands: 4, format: .uint8, interpretation: .srgb, bytes: bytes))
  }

  package var size: PixelSize { pixels.size }

  /// Returns the levels of a picture with three bands and alpha as a screen shows them over a colour.
  func levels(over background: SIMD4<Float>) -> PlanePyramid {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Pixels.screenBands * size.area)
    for place in 0..<size.area {
      let alpha = Float(pixels.bytes[place * pixels.bands + Pixels.screenBands])
      let colour = mixed(background, pixels.colour(place), alpha / 255)
      for band in 0..<Pixels.screenBands { bytes.append(UInt8(colour[band].rounded())) }
    }
    return PlanePyramid(Pixels(rgb: size, bytes))
  }

  /// Returns the block means of a region that consists of whole blocks.
  func reduced(_ region: PixelRegion, halvings: Int) throws(PipelineError) -> Pixels {
    pixels.bands > Pixels.screenBands
      ? try pixels.cut(region).reducedByAlpha(by: 1 << halvings)
      : levels.levels[halvings].cut(region.reduced(by: 1 << halvings))
  }

  /// Returns the PNG of a tile, which is made only once while it is kept.
  func png(
    _ key: String, making make: () throws(PipelineError) -> [UInt8]
  ) throws(PipelineError) -> [UInt8] {
    if let known = cache.withLock({ $0[key] }) { return known }
    let made = try make()
    cache.withLock { cache -> Void in
      if cache.count == Self.mostCached { cache = [:] }
      cache[key] = made
    }
    return made
  }
}
