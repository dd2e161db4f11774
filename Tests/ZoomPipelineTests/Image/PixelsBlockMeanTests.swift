import PixelLaws
import PropertyTesting
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelsBlockMeanTests {
  private static let sizes = [(1, 1), (8, 8), (7, 3), (16, 24), (17, 9), (1, 20), (29, 31)]

  @Test(arguments: [1, 2, 3, 4, 5], [1, 2, 3, 8, 13, 64])
  func `8-bit samples have the mean that its definition gives`(_ bands: Int, _ side: Int) throws {
    let reduction = try #require(Reduction(rawValue: side))
    for (width, height) in Self.sizes {
      let pixels = try Pixels.noise(width, height, bands: bands)
      let wanted = try #require(pixels.meanOfBlocks(side))
      #expect(pixels.reduced(by: reduction).difference(from: wanted) == nil)
    }
  }

  @Test(arguments: [1, 2, 3, 8, 13, 64])
  func `whole numbers are rounded to the nearest, halves upwards`(_ side: Int) throws {
    let reduction = try #require(Reduction(rawValue: side))
    try expectMeans(UInt8.self, reduction)
    try expectMeans(Int8.self, reduction)
    try expectMeans(UInt16.self, reduction)
    try expectMeans(Int16.self, reduction)
    try expectMeans(UInt32.self, reduction)
    try expectMeans(Int32.self, reduction)
  }

  @Test func `floating-point numbers have their mean, the largest ones too`() throws {
    #expect(try means([0.25, 0.5, 0.75, 1] as [Double], width: 2, .half) == [0.625])
    #expect(try means([-0.25, 0.75] as [Double], width: 2, .half) == [0.25])
    #expect(try means([1, 2, 6] as [Float], width: 3, .quarter) == [3])
    let largest = [Float](repeating: .greatestFiniteMagnitude, count: 11 * 9)
    for reduction in Reduction.real {
      let means = try means(largest, width: 11, reduction)
      #expect(means.allSatisfy { $0 == .greatestFiniteMagnitude })
    }
  }

  /// The sums of the largest doubles have more digits than a double holds.
  @Test func `a mean of doubles is infinite where one of them is, and nowhere else`() throws {
    let largest = Double.greatestFiniteMagnitude
    for width in 1...8 {
      for height in 1...8 {
        for sign in [-1.0, 1] {
          let samples = [Double](repeating: sign * largest, count: width * height)
          let mean = try #require(try means(samples, width: width, .eighth).first)
          let isLargest = mean.isFinite && sign * mean >= largest * (1 - 1e-15)
          #expect(isLargest, "\(width) x \(height)")
        }
      }
    }
    let block = [Double](repeating: largest, count: 64 * 64)
    let most = try #require(Reduction(rawValue: 64))
    let mean = try #require(try means(block, width: 64, most).first)
    #expect(mean.isFinite && mean >= largest * (1 - 1e-12))
    for end in [Double.infinity, -.infinity] {
      #expect(try means([end, 1, 2, 3], width: 2, .half) == [end])
      #expect(try means([1, 2, end, end], width: 2, .half) == [end])
    }
    #expect(try means([.infinity, -.infinity, 0, 0] as [Double], width: 2, .half)[0].isNaN)
  }

  @Test func `a sample that is no number spoils its own block alone`() throws {
    let means = try means([.nan, 1, 2, 4] as [Float], width: 4, .half)
    #expect(means[0].isNaN)
    #expect(means[1] == 3)
  }

  @Test func `complex numbers are averaged part by part`() throws {
    // Two pixels of one complex band: (1, 10) and (3, 20).
    let pixels = try Pixels(
      2, 1, 1, .complex64, .grey, bytes: bytes(of: [1, 10, 3, 20] as [Float]))
    #expect(pixels.reduced(by: .half).bytes == bytes(of: [2, 15] as [Float]))
  }

  @Test func `format, bands and interpretation stay as they are`() throws {
    for format in SampleFormat.allCases {
      let zeros = [UInt8](repeating: 0, count: 9 * 5 * 5 * format.byteCount)
      let reduced = try Pixels(9, 5, 5, format, .cmyk, bytes: zeros).reduced(by: .quarter)
      let wanted = [UInt8](repeating: 0, count: 3 * 2 * 5 * format.byteCount)
      #expect(try reduced == Pixels(3, 2, 5, format, .cmyk, bytes: wanted))
    }
  }

  // MARK: Helpers

  /// Compares means of random samples, the extreme ones among them, with their definition.
  private func expectMeans<Sample: FixedWidthInteger & BitwiseCopyable>(
    _: Sample.Type, _ reduction: Reduction
  ) throws {
    var numbers = SplitMix64(seed: 6)
    let side = reduction.rawValue
    for (width, height) in Self.sizes {
      let samples = (0..<width * height).map { _ in
        let sample = Sample.random(in: .min ... .max, using: &numbers)
        return [sample, sample, .min, .max].randomElement(using: &numbers) ?? sample
      }
      let means = try means(samples, width: width, reduction)
      let columns = (width + side - 1) / side
      for (place, mean) in means.enumerated() {
        let (left, top) = (place % columns * side, place / columns * side)
        let block = (top..<min(top + side, height)).flatMap { row in
          samples[row * width + left..<row * width + min(left + side, width)].map { Int($0) }
        }
        // The distance from the mean in parts of 2 * count: above -count and at most count.
        let distance = 2 * Int(mean) * block.count - 2 * block.reduce(0, +)
        #expect(distance > -block.count && distance <= block.count, "\(Sample.self) \(place)")
      }
    }
  }

  private func bytes<Sample>(of samples: [Sample]) -> [UInt8] {
    samples.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  private func format(of sample: Any.Type) throws -> SampleFormat {
    let formats: [(Any.Type, SampleFormat)] = [
      (UInt8.self, .uint8), (Int8.self, .int8), (UInt16.self, .uint16), (Int16.self, .int16),
      (UInt32.self, .uint32), (Int32.self, .int32), (Float.self, .float32),
      (Double.self, .float64),
    ]
    return try #require(formats.first { $0.0 == sample }).1
  }

  private func means<Sample: BitwiseCopyable>(
    _ samples: [Sample], width: Int, _ reduction: Reduction
  ) throws -> [Sample] {
    let pixels = try Pixels(
      width, samples.count / width, 1, try format(of: Sample.self), .grey, bytes: bytes(of: samples)
    )
    let reduced = pixels.reduced(by: reduction)
    return reduced.bytes.withUnsafeBytes { buffer in
      (0..<reduced.size.area).map { index in
        buffer.loadUnaligned(
          fromByteOffset: index * MemoryLayout<Sample>.stride, as: Sample.self)
      }
    }
  }
}
