internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// Plain arithmetic on the 8-bit pixels of a picture service, in addition to that of `PixelLaws`.
///
/// It shares no code with libvips and with the pipelines that it judges.
extension Pixels {
  var width: Int { size.width }
  var height: Int { size.height }

  /// Creates pixels of one to four 8-bit bands, in grey or colour, with or without alpha.
  init(width: Int, height: Int, bands: Int, bytes: [UInt8]) {
    self.init(
      size: PixelRegion.checked(0, 0, width, height).size, bands: bands, format: .uint8,
      interpretation: bands < 3 ? .grey : .srgb, bytes: bytes)
  }

  /// Creates the pixels with the usual interpretation of their bands; nil unless they have one to four bands of 8 bits.
  init?(comparable pixels: Pixels) {
    guard pixels.format == .uint8, (1...4).contains(pixels.bands) else { return nil }
    self.init(
      width: pixels.width, height: pixels.height, bands: pixels.bands, bytes: pixels.bytes)
  }

  var mirrored: Pixels { seen(through: .upMirrored) }

  func turned(quarters: Int) -> Pixels {
    quarterTurned(QuarterTurn(rawValue: (quarters % 4 + 4) % 4) ?? .none)
  }

  /// Returns one band, computed from red, green and blue; grey is returned unchanged.
  func grey(_ level: (_ red: Double, _ green: Double, _ blue: Double) -> Double) -> Pixels {
    guard bands >= 3 else { return withBands(1) { $0.append($1[$1.startIndex]) } }
    return withBands(1) { result, pixel in
      let first = pixel.startIndex
      let value = level(
        Double(pixel[first]), Double(pixel[first + 1]), Double(pixel[first + 2]))
      result.append(UInt8(min(max(value.rounded(), 0), 255)))
    }
  }

  var opaque: Pixels {
    bands == 2 || bands == 4 ? withBands(bands - 1) { $0 += $1.dropLast() } : self
  }

  /// Returns the pixels with one or three colour bands, if that loses nothing; otherwise unchanged.
  func withColourBands(_ count: Int) -> Pixels {
    if bands == 1 && count == 3 {
      return withBands(3) { $0 += [UInt8](repeating: $1[$1.startIndex], count: 3) }
    }
    if bands == 3 && count == 1 && isGrey() { return withBands(1) { $0.append($1[$1.startIndex]) } }
    return self
  }

  /// Returns whether the colours of each pixel differ by at most `slack` levels.
  func isGrey(within slack: Int = 0) -> Bool {
    bands < 3
      || stride(from: 0, to: bytes.count, by: bands).allSatisfy { (at: Int) -> Bool in
        let colours = bytes[at..<at + 3]
        return Int(colours.max() ?? 0) - Int(colours.min() ?? 0) <= slack
      }
  }

  /// Returns pixels with another number of bands; `append` adds those of each pixel.
  func withBands(
    _ count: Int, _ append: (inout [UInt8], ArraySlice<UInt8>) -> Void
  ) -> Pixels {
    var result: [UInt8] = []
    result.reserveCapacity(size.area * count)
    for at in stride(from: 0, to: bytes.count, by: bands) {
      append(&result, bytes[at..<at + bands])
    }
    return Pixels(width: width, height: height, bands: count, bytes: result)
  }

  /// Returns whether it has fewer than a quarter of a picture's levels; false for few samples.
  func hasFewLevels(besides picture: Pixels) -> Bool {
    bytes.count > 2000 && Set(bytes).count * 4 < Set(picture.bytes).count
  }

  func profile(alongWidth: Bool) -> [Double] {
    var sums = [Int](repeating: 0, count: alongWidth ? width : height)
    for y in 0..<height {
      for x in 0..<width {
        let at = (y * width + x) * bands
        for band in 0..<bands { sums[alongWidth ? x : y] += Int(bytes[at + band]) }
      }
    }
    return sums.map { Double($0) / Double((alongWidth ? height : width) * bands) }
  }

  /// Returns the mean absolute difference from pixels of the same size and bands, in levels.
  func meanDifference(from other: Pixels) -> Double {
    precondition(bytes.count == other.bytes.count, "pixels of one form")
    var sum = 0
    for (one, another) in zip(bytes, other.bytes) { sum += abs(Int(one) - Int(another)) }
    return Double(sum) / Double(max(1, bytes.count))
  }

  func hasForm(of other: Pixels) -> Bool { size == other.size && bands == other.bands }
}
