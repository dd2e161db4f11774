package import ZoomGeometry

/// Regions at which decoders that read a part go wrong, if they do.
///
/// Chroma of a lower resolution is smoothed across the borders of MCUs, so that a part decoded
/// without its neighbours is off there (libjpeg-turbo's libjpeg.txt says so of `jpeg_crop_scanline`);
/// at the picture's own edges it is cut off, and below three columns another upsampler takes over.
package struct TellingRegions: Sendable {
  private let size: PixelSize
  private let seed: UInt64

  package init(of size: PixelSize, seed: UInt64 = 1) {
    self.size = size
    self.seed = seed
  }

  /// Every kind below; the whole picture last.
  package func all() throws -> [PixelRegion] {
    try corners() + edges() + singlePixels() + aroundMCUs() + lines() + random(12)
      + [PixelRegion(whole: size)]
  }

  /// A region in each corner.
  package func corners() throws -> [PixelRegion] {
    try clipped([(0, 0), (0, .max), (.max, 0), (.max, .max)].map { ($0.0, $0.1, 37, 29) })
  }

  /// A region at the middle of each edge.
  package func edges() throws -> [PixelRegion] {
    let (x, y) = (size.width / 2, size.height / 2)
    return try clipped([
      (x, 0, 41, 19), (x, .max, 41, 19), (0, y, 19, 41), (.max, y, 19, 41),
    ])
  }

  /// Single pixels: corners, centre, and both sides of the borders of an MCU near the centre.
  package func singlePixels() throws -> [PixelRegion] {
    let (x, y) = (size.width / 2, size.height / 2)
    let (left, top) = (x / 16 * 16, y / 16 * 16)
    let borders = [left - 1, left, left + 15].flatMap { x in
      [top - 1, top, top + 15].map { (x, $0) }
    }
    return try clipped(
      ([(x, y), (0, 0), (0, .max), (.max, 0), (.max, .max)] + borders).map { ($0.0, $0.1, 1, 1) })
  }

  /// Borders at 0, 1, 14 and 15 modulo 16: every pair of left and right, with every pair of top and
  /// bottom in turn, and each of those four times.
  package func aroundMCUs() throws -> [PixelRegion] {
    let places = [0, 1, 14, 15]
    let (left, top) = (size.width / 3 / 16 * 16, size.height / 3 / 16 * 16)
    return try clipped(
      (0..<64).map { number in
        let (across, turn) = (number / 4, number % 4)
        let down = (across * 5 + turn * 4) % 16
        let (x, y) = (places[across / 4], places[down / 4])
        return (left + x, top + y, 32 + places[across % 4] - x, 32 + places[down % 4] - y)
      })
  }

  /// Whole rows and columns, single and a few at a time.
  package func lines() throws -> [PixelRegion] {
    let (width, height) = (size.width, size.height)
    return try clipped([
      (0, 0, width, 1), (0, height / 2, width, 1), (0, .max, width, 1), (0, height / 3, width, 5),
      (0, 0, 1, height), (width / 2, 0, 1, height), (.max, 0, 1, height),
      (width / 3, 0, 5, height),
    ])
  }

  /// Seeded regions of any place and size, small ones more often than large ones.
  package func random(_ count: Int) throws -> [PixelRegion] {
    var numbers = SplitMix64(seed: seed)
    return try (0..<count).map { _ in
      let shrink = Int.random(in: 1...8, using: &numbers)
      let width = Int.random(in: 1...max(1, size.width / shrink), using: &numbers)
      let height = Int.random(in: 1...max(1, size.height / shrink), using: &numbers)
      return try PixelRegion(
        x: Int.random(in: 0...size.width - width, using: &numbers),
        y: Int.random(in: 0...size.height - height, using: &numbers), width: width,
        height: height)
    }
  }

  /// Moves and cuts what does not fit the picture; `Int.max` stands for the far edge.
  private func clipped(_ places: [(x: Int, y: Int, width: Int, height: Int)]) throws
    -> [PixelRegion]
  {
    try places.map { place in
      let width = min(place.width, size.width)
      let height = min(place.height, size.height)
      return try PixelRegion(
        x: min(max(place.x, 0), size.width - width), y: min(max(place.y, 0), size.height - height),
        width: width, height: height)
    }
  }
}
