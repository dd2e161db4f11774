internal import PixelLaws
internal import PropertyTesting
internal import ZoomGeometry
package import ZoomPipeline

extension Pixels {
  /// Creates pixels from bytes, with one byte per sample unless another format is named.
  package init(
    _ width: Int, _ height: Int, _ bands: Int, _ format: SampleFormat = .uint8,
    _ interpretation: ColourInterpretation = .srgb, bytes: [UInt8]
  ) throws {
    self.init(
      size: try PixelSize(width: width, height: height), bands: bands, format: format,
      interpretation: interpretation, bytes: bytes)
  }

  /// Creates pixels with one byte per sample, computed one by one.
  package init(
    width: Int, height: Int, bands: Int = 3, interpretation: ColourInterpretation = .srgb,
    _ sample: (_ x: Int, _ y: Int, _ band: Int) -> UInt8
  ) throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * bands)
    for y in 0..<height {
      for x in 0..<width { for band in 0..<bands { bytes.append(sample(x, y, band)) } }
    }
    try self.init(width, height, bands, .uint8, interpretation, bytes: bytes)
  }

  /// Returns a seeded picture of random bytes.
  package static func noise(
    _ width: Int, _ height: Int, bands: Int = 3, format: SampleFormat = .uint8, seed: UInt64 = 3
  ) throws -> Pixels {
    var numbers = SplitMix64(seed: seed)
    let bytes = (0..<width * height * bands * format.byteCount).map { _ in
      UInt8.random(in: 0...255, using: &numbers)
    }
    return try Pixels(width, height, bands, format, bytes: bytes)
  }

  /// The samples of a pixel with one byte each.
  package subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * size.width + x) * bands
    return Array(bytes[start..<start + bands])
  }

  /// Returns the mean absolute difference of the samples of two pictures of one form.
  package func meanDifference(from other: Pixels) -> Double {
    let seen = PixelComparison(self, expected: other)
    precondition(seen.comparedPixels == size.area, "pictures of one form")
    return seen.meanDifference
  }

  /// Returns the largest difference between corresponding samples; infinity for another form.
  package func largestDifference(from other: Pixels) -> Double {
    let seen = PixelComparison(self, expected: other)
    return seen.comparedPixels == size.area ? seen.largestDifference : .infinity
  }

  /// Returns a picture without edges: an error of one pixel changes samples by a few levels.
  package static func slopes(_ width: Int, _ height: Int) throws -> Pixels {
    try Pixels(width: width, height: height) { x, y, band in
      switch band {
      case 0: UInt8(20 + 200 * x / width)
      case 1: UInt8(20 + 200 * y / height)
      default: UInt8(20 + 100 * x / width + 100 * (height - y) / height)
      }
    }
  }
}

extension Reduction {
  /// All reductions except 1:1.
  package static var real: [Reduction] { [.half, .quarter, .eighth] }
}
