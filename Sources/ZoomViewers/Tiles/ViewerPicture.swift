internal import Synchronization
package import ZoomGeometry
internal import ZoomPipeline

/// The test card as it is served to viewers, in memory, with its encoded tiles.
package final class ViewerPicture: Sendable {
  /// The card, whose colours are coordinates.
  let levels: PlanePyramid
  /// The alpha of all its pixels: 255, or less if the page is to show through.
  let alpha: UInt8
  private let cache = Mutex<[String: [UInt8]]>([:])

  /// The most encoded tiles in memory, of up to 200 kB each; a case requests less than 200.
  private static let mostCached = 300

  /// Creates the card; a turned one, by 180 degrees, has other colours at each place but its middle.
  package init(card size: PixelSize, alpha: UInt8 = 255, isTurned: Bool = false) {
    self.alpha = alpha
    let card = PlaceCard.pixels(of: size)
    let bytes =
      isTurned
      ? (0..<size.area).reversed().flatMap { card.bytes[3 * $0..<3 * $0 + 3] } : card.bytes
    levels = PlanePyramid(Pixels(rgb: size, bytes))
  }

  package var size: PixelSize { levels.size }

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
