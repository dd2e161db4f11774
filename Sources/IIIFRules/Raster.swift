internal import ZoomGeometry
internal import ZoomPipeline

/// 8-bit pixels with plain arithmetic for the operations of a picture service: the oracle of these rules.
///
/// It shares no code with libvips and with the pipelines that it judges.
struct Raster: Sendable, Hashable {
  let width: Int
  let height: Int
  let bands: Int
  var samples: [UInt8]

  init(width: Int, height: Int, bands: Int, samples: [UInt8]) {
    precondition(samples.count == width * height * bands, "as many samples as the sizes say")
    (self.width, self.height, self.bands, self.samples) = (width, height, bands, samples)
  }

  /// Creates a raster of one to four 8-bit bands; nil for other formats.
  init?(_ pixels: Pixels) {
    guard pixels.format == .uint8, (1...4).contains(pixels.bands) else { return nil }
    self.init(
      width: pixels.size.width, height: pixels.size.height, bands: pixels.bands,
      samples: pixels.bytes)
  }

  /// The same samples for comparisons and drawings; nil for an empty raster.
  var pixels: Pixels? {
    guard let size = try? PixelSize(width: width, height: height) else { return nil }
    return Pixels(
      size: size, bands: bands, format: .uint8,
      interpretation: bands < 3 ? .grey : .srgb, bytes: samples)
  }

  var size: String { "\(width)x\(height)" }

  /// Returns a raster whose pixels come from other places: `place` returns the source of each pixel.
  func rearranged(
    width: Int, height: Int, _ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
  ) -> Raster {
    var result: [UInt8] = []
    result.reserveCapacity(width * height * bands)
    for y in 0..<height {
      for x in 0..<width {
        let from = place(x, y)
        let at = (from.y * self.width + from.x) * bands
        for band in 0..<bands { result.append(samples[at + band]) }
      }
    }
    return Raster(width: width, height: height, bands: bands, samples: result)
  }

  func cropped(x: Int, y: Int, width: Int, height: Int) -> Raster {
    precondition(
      x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= self.width
        && y + height <= self.height, "the part lies inside")
    var result: [UInt8] = []
    result.reserveCapacity(width * height * bands)
    for row in y..<y + height {
      let start = (row * self.width + x) * bands
      result += samples[start..<start + width * bands]
    }
    return Raster(width: width, height: height, bands: bands, samples: result)
  }

  func cropped(_ region: PixelRegion) -> Raster {
    cropped(x: region.x, y: region.y, width: region.width, height: region.height)
  }

  var mirrored: Raster {
    rearranged(width: width, height: height) { (width - 1 - $0, $1) }
  }

  func turned(quarters: Int) -> Raster {
    switch (quarters % 4 + 4) % 4 {
    case 1: rearranged(width: height, height: width) { ($1, height - 1 - $0) }
    case 2: rearranged(width: width, height: height) { (width - 1 - $0, height - 1 - $1) }
    case 3: rearranged(width: height, height: width) { (width - 1 - $1, $0) }
    default: self
    }
  }

  /// Returns one band, computed from red, green and blue; grey is returned unchanged.
  func grey(_ level: (_ red: Double, _ green: Double, _ blue: Double) -> Double) -> Raster {
    guard bands >= 3 else {
      return rearrangedBands(1) { $0.append($1[$1.startIndex]) }
    }
    return rearrangedBands(1) { result, pixel in
      let first = pixel.startIndex
      let value = level(
        Double(pixel[first]), Double(pixel[first + 1]), Double(pixel[first + 2]))
      result.append(UInt8(min(max(value.rounded(), 0), 255)))
    }
  }

  var opaque: Raster {
    bands == 2 || bands == 4 ? rearrangedBands(bands - 1) { $0 += $1.dropLast() } : self
  }

  /// Returns the raster with one or three colour bands, if that loses nothing; otherwise unchanged.
  func withColourBands(_ count: Int) -> Raster {
    if bands == 1 && count == 3 {
      return rearrangedBands(3) { $0 += [UInt8](repeating: $1[$1.startIndex], count: 3) }
    }
    if bands == 3 && count == 1 && isGrey {
      return rearrangedBands(1) { $0.append($1[$1.startIndex]) }
    }
    return self
  }

  var isGrey: Bool {
    bands < 3
      || stride(from: 0, to: samples.count, by: bands).allSatisfy { (at: Int) -> Bool in
        samples[at] == samples[at + 1] && samples[at] == samples[at + 2]
      }
  }

  private func rearrangedBands(
    _ count: Int, _ append: (inout [UInt8], ArraySlice<UInt8>) -> Void
  ) -> Raster {
    var result: [UInt8] = []
    result.reserveCapacity(width * height * count)
    for at in stride(from: 0, to: samples.count, by: bands) {
      append(&result, samples[at..<at + bands])
    }
    return Raster(width: width, height: height, bands: count, samples: result)
  }

  /// Returns whether it has fewer than a quarter of a picture's levels; false for few samples.
  func hasFewLevels(besides picture: Raster) -> Bool {
    guard samples.count > 2000 else { return false }
    return Set(samples).count * 4 < Set(picture.samples).count
  }

  func profile(alongWidth: Bool) -> [Double] {
    var sums = [Int](repeating: 0, count: alongWidth ? width : height)
    for y in 0..<height {
      for x in 0..<width {
        let at = (y * width + x) * bands
        for band in 0..<bands { sums[alongWidth ? x : y] += Int(samples[at + band]) }
      }
    }
    return sums.map { Double($0) / Double((alongWidth ? height : width) * bands) }
  }

  /// Returns the mean absolute difference from a raster of the same size and bands, in levels.
  func meanDifference(from other: Raster) -> Double {
    precondition(samples.count == other.samples.count, "rasters of one form")
    var sum = 0
    for (one, another) in zip(samples, other.samples) { sum += abs(Int(one) - Int(another)) }
    return Double(sum) / Double(max(1, samples.count))
  }

  func hasForm(of other: Raster) -> Bool {
    width == other.width && height == other.height && bands == other.bands
  }
}
