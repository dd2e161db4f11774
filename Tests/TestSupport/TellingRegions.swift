internal import PropertyTesting
package import ZoomGeometry

/// Regions at which faulty decoders of parts fail.
///
/// Subsampled chroma is interpolated across the borders of MCUs, so a part decoded without its
/// neighbours is wrong there (libjpeg-turbo's libjpeg.txt on `jpeg_crop_scanline`). The picture's
/// own edges cut it off, and below three columns another upsampler is used.
package struct TellingRegions: Sendable {
  private let size: PixelSize
  private let seed: UInt64
  private let mcu: (width: Int, height: Int)

  package init(
    of size: PixelSize, seed: UInt64 = 1, mcu: (width: Int, height: Int) = (16, 16)
  ) {
    self.size = size
    self.seed = seed
    self.mcu = mcu
  }

  /// Returns every kind below, and the whole picture last.
  package func all() throws -> [PixelRegion] {
    try corners() + edges() + singlePixels() + aroundMCUs() + lines() + random(12)
      + [PixelRegion(whole: size)]
  }

  package func corners() throws -> [PixelRegion] {
    try clipped([(0, 0), (0, .max), (.max, 0), (.max, .max)].map { ($0.0, $0.1, 37, 29) })
  }

  package func edges() throws -> [PixelRegion] {
    let (x, y) = (size.width / 2, size.height / 2)
    return try clipped([
      (x, 0, 41, 19), (x, .max, 41, 19), (0, y, 19, 41), (.max, y, 19, 41),
    ])
  }

  /// Returns single pixels: corners, centre, and both sides of MCU borders near the centre.
  package func singlePixels() throws -> [PixelRegion] {
    let (x, y) = (size.width / 2, size.height / 2)
    let (left, top) = (x / 16 * 16, y / 16 * 16)
    let borders = [left - 1, left, left + 15].flatMap { x in
      [top - 1, top, top + 15].map { (x, $0) }
    }
    return try clipped(
      ([(x, y), (0, 0), (0, .max), (.max, 0), (.max, .max)] + borders).map { ($0.0, $0.1, 1, 1) })
  }

  /// Returns regions that start and end at 0, 1, 14 or 15 modulo 16; on each axis every pair of
  /// start and end occurs four times.
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

  /// Returns whole rows and columns, single ones and a few at a time.
  package func lines() throws -> [PixelRegion] {
    let (width, height) = (size.width, size.height)
    return try clipped([
      (0, 0, width, 1), (0, height / 2, width, 1), (0, .max, width, 1), (0, height / 3, width, 5),
      (0, 0, 1, height), (width / 2, 0, 1, height), (.max, 0, 1, height),
      (width / 3, 0, 5, height),
    ])
  }

  /// Returns at most `count` different seeded regions with sides of at most `longest`.
  ///
  /// Half of the ends are near borders of MCUs, and half of the extents are a single row or column.
  package func random(_ count: Int, longest: Int = .max) throws -> [PixelRegion] {
    var numbers = SplitMix64(seed: seed)
    func range(_ side: Int, _ mcu: Int) -> (start: Int, count: Int) {
      func place() -> Int {
        guard Bool.random(using: &numbers) else { return Int.random(in: 0..<side, using: &numbers) }
        let border = Int.random(in: 0...(side + mcu - 1) / mcu, using: &numbers) * mcu
        // A smooth chroma sample affects at most four pixels.
        return min(max(border + Int.random(in: -4...4, using: &numbers), 0), side - 1)
      }
      let one = place()
      let other = Bool.random(using: &numbers) ? one : place()
      var count = abs(one - other) + 1
      if count > longest { count = Int.random(in: 1...longest, using: &numbers) }
      return (one < other ? one : one - count + 1, count)
    }
    var seen: Set<PixelRegion> = []
    return try (0..<count).compactMap { _ in
      let (x, y) = (range(size.width, mcu.width), range(size.height, mcu.height))
      let region = try PixelRegion(x: x.start, y: y.start, width: x.count, height: y.count)
      return seen.insert(region).inserted ? region : nil
    }
  }

  /// Returns regions moved and cut to fit the picture; `Int.max` means the far edge.
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
