internal import PixelLaws
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
    let cut = pixels.cut(region)
    guard let means = factor == 1 ? cut : cut.meanOfBlocks(factor) else {
      throw PipelineError(.unsupported, operation: "read", file: nil, reason: "\(cut.format)")
    }
    let area = means.size.area
    return RegionAnswer(
      pixels: means.quarterTurned(request.turn),
      work: Work(bytesRead: 0, pixelsDecoded: area, pixelsDelivered: area),
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

  /// Returns the largest difference between corresponding samples; 256 for pixels of another size.
  package func largestDifference(from other: Pixels) -> Int {
    guard size == other.size, bands == other.bands else { return 256 }
    return zip(bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  /// Returns the mean absolute difference of the samples of two 8-bit pictures, in levels of 255.
  package func meanDifference(from other: Pixels) -> Double {
    precondition(size == other.size && bands == other.bands, "pictures of one size")
    var sum = 0
    for index in bytes.indices { sum += abs(Int(bytes[index]) - Int(other.bytes[index])) }
    return Double(sum) / Double(bytes.count)
  }
}

extension Reduction {
  /// All reductions except 1:1.
  package static var real: [Reduction] { [.half, .quarter, .eighth] }
}
