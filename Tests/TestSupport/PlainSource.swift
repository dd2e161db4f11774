internal import PropertyTesting
internal import Synchronization
package import ZoomGeometry
package import ZoomPipeline

/// A source over pixels in memory that answers by the definition of crop, mean and turn.
package final class PlainSource: RegionSource {
  private let pixels: Pixels
  private let asked = Mutex<[RegionRequest]>([])

  /// Creates a source of pixels with 8-bit samples.
  package init(_ pixels: Pixels) { self.pixels = pixels }

  package var size: PixelSize { pixels.size }
  package var state: SourceState { .raster }
  package var openingWork: Work { Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0) }
  package var explanation: String { "a test" }
  package func forget() {}

  /// The requests so far, in order.
  package var requests: [RegionRequest] { asked.withLock { $0 } }

  package func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let (region, factor) = (request.region, request.reduction.rawValue)
    guard region.isInside(size), region.x.isMultiple(of: factor), region.y.isMultiple(of: factor),
      region.maxX.isMultiple(of: factor) || region.maxX == size.width,
      region.maxY.isMultiple(of: factor) || region.maxY == size.height
    else {
      throw PipelineError(.outside, operation: "read", file: nil, reason: "\(request)")
    }
    asked.withLock { $0.append(request) }
    let cut = pixels.crop(region).blockMeans(factor)
      .turnedPlainly(request.turn)
    return RegionAnswer(
      pixels: cut,
      work: Work(
        bytesRead: 0, pixelsDecoded: cut.size.area, pixelsDelivered: cut.size.area),
      resampling: factor == 1 ? .none : .blockMean)
  }
}

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

  /// Returns a seeded picture of random pixels.
  package static func noise(_ width: Int, _ height: Int, seed: UInt64 = 3) throws -> Pixels {
    var numbers = SplitMix64(seed: seed)
    return try Pixels(width: width, height: height) { _, _, _ in
      UInt8.random(in: 0...255, using: &numbers)
    }
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

  package subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * size.width + x) * bands
    return Array(bytes[start..<start + bands])
  }

  /// Returns rearranged pixels; `place` maps each to its source.
  package func rearranged(
    width: Int, height: Int, _ place: (_ x: Int, _ y: Int) -> (x: Int, y: Int)
  ) throws -> Pixels {
    try Pixels(width: width, height: height, bands: bands, interpretation: interpretation) {
      x, y, band in
      let from = place(x, y)
      return bytes[(from.y * size.width + from.x) * bands + band]
    }
  }

  /// Returns the rounded mean of each block; blocks at the right and bottom edge may be smaller.
  package func blockMeans(_ factor: Int) -> Pixels {
    guard factor > 1 else { return self }
    let reduced = PixelRegion(whole: size).reduced(by: factor).size
    var means: [UInt8] = []
    for y in 0..<reduced.height {
      for x in 0..<reduced.width {
        for band in 0..<bands {
          var (sum, count) = (0, 0)
          for row in y * factor..<min(y * factor + factor, size.height) {
            for column in x * factor..<min(x * factor + factor, size.width) {
              sum += Int(bytes[(row * size.width + column) * bands + band])
              count += 1
            }
          }
          means.append(UInt8((sum + count / 2) / count))
        }
      }
    }
    return Pixels(
      size: reduced, bands: bands, format: format, interpretation: interpretation, bytes: means)
  }

  /// Returns the largest difference between corresponding samples; 256 for pixels of another size.
  package func largestDifference(from other: Pixels) -> Int {
    guard size == other.size, bands == other.bands else { return 256 }
    return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }
}
