import PixelLaws
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelsBlockMeanTests {
  @Test(arguments: [1, 2, 3, 4, 5], Reduction.allCases)
  func `8-bit samples have the mean that its definition gives`(
    _ bands: Int, _ reduction: Reduction
  ) throws {
    for (width, height) in [(1, 1), (8, 8), (7, 3), (16, 24), (17, 9), (1, 20), (29, 31)] {
      let pixels = try Pixels.noise(width, height, bands: bands)
      let wanted = try #require(pixels.meanOfBlocks(reduction.rawValue))
      #expect(pixels.reduced(by: reduction).difference(from: wanted) == nil)
    }
  }

  @Test func `whole numbers are rounded to the nearest, halves upwards`() throws {
    #expect(try mean([0, 1, 0, 1] as [UInt8]) == 1)
    #expect(try mean([0, 0, 0, 1] as [UInt8]) == 0)
    #expect(try mean([254, 255, 255, 254] as [UInt8]) == 255)
    #expect(try mean([-1, 0, -1, 0] as [Int8]) == 0)
    #expect(try mean([-2, -1, -1, -1] as [Int8]) == -1)
    #expect(try mean([-3, -2, -2, -3] as [Int16]) == -2)
    #expect(try mean([-3, -3, -2, -3] as [Int32]) == -3)
  }

  @Test func `two samples and their mean lie evenly`() {
    func middle<Sample: BlockSample>(_ one: Sample, _ other: Sample) -> Sample {
      .mean(of: Sample.add(Sample.term(one), Sample.term(other)), over: BlockCount(2))
    }
    #expect(middle(3, 11) as UInt8 == 7 && middle(-3, 11) as Int8 == 4)
    #expect(middle(300, 1100) as UInt16 == 700 && middle(-300, 1100) as Int16 == 400)
    #expect(middle(3, 11) as UInt32 == 7 && middle(-3, 11) as Int32 == 4)
    #expect(middle(0.25, 0.75) as Float == 0.5 && middle(-0.25, 0.75) as Double == 0.25)
  }

  @Test func `a part of a block is divided by what there is of it`() throws {
    // One row of three columns: a partial block, whose area of 3 cannot be divided by shifting.
    #expect(try means([10, 20, 40] as [UInt8], width: 3, .quarter) == [23])
    #expect(try means([-10, -20, -41] as [Int16], width: 3, .quarter) == [-24])
    #expect(try means([-1, -1, -2] as [Int32], width: 3, .eighth) == [-1])
    #expect(try means([1, 2, 6] as [Float], width: 3, .quarter) == [3])
  }

  @Test(arguments: Reduction.real)
  func `the largest and the smallest samples of every format are their own mean`(
    _ reduction: Reduction
  ) throws {
    try expectConstant(UInt8.max, reduction)
    try expectConstant(Int8.min, reduction)
    try expectConstant(Int8.max, reduction)
    try expectConstant(UInt16.max, reduction)
    try expectConstant(Int16.min, reduction)
    try expectConstant(UInt32.max, reduction)
    try expectConstant(Int32.min, reduction)
    try expectConstant(Int32.max, reduction)
    try expectConstant(Float.greatestFiniteMagnitude, reduction)
    // Their sums have more digits than a double holds: the mean may be off by the last digit.
    let largest = Double.greatestFiniteMagnitude
    for sign in [-1.0, 1] {
      let means = try means([Double](repeating: sign * largest, count: 99), width: 11, reduction)
      #expect(means.allSatisfy { $0.isFinite && sign * $0 >= largest * (1 - 1e-15) })
    }
  }

  @Test func `a mean of doubles is infinite where one of them is, and nowhere else`() throws {
    let largest = Double.greatestFiniteMagnitude
    for width in 1...8 {
      for height in 1...8 {
        let samples = [Double](repeating: largest, count: width * height)
        let mean = try #require(try means(samples, width: width, .eighth).first)
        #expect(mean.isFinite && mean >= largest * (1 - 1e-15), "\(width) x \(height)")
      }
    }
    for end in [Double.infinity, -.infinity] {
      #expect(try mean([end, 1, 2, 3] as [Double]) == end)
      #expect(try mean([1, 2, end, end] as [Double]) == end)
    }
    #expect(try mean([.infinity, -.infinity, 0, 0] as [Double]).isNaN)
  }

  @Test func `16-bit and 32-bit samples are not cut to 8`() throws {
    #expect(try mean([1000, 2000, 3001, 4000] as [UInt16]) == 2500)
    let large: UInt32 = 4_000_000_000
    #expect(try mean([large, large + 2, large, large + 2]) == large + 1)
    #expect(try mean([0.25, 0.5, 0.75, 1] as [Double]) == 0.625)
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
      let pixels = try Pixels(
        9, 5, 5, format, .cmyk, bytes: [UInt8](repeating: 0, count: 45 * 5 * format.byteCount))
      let reduced = pixels.reduced(by: .quarter)
      #expect(reduced.format == format)
      #expect(reduced.bands == 5)
      #expect(reduced.interpretation == .cmyk)
      #expect(try reduced.size == PixelSize(width: 3, height: 2))
      #expect(reduced.bytes.allSatisfy { $0 == 0 })
    }
  }

  // MARK: Helpers

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

  private func mean<Sample: BitwiseCopyable>(_ samples: [Sample]) throws -> Sample {
    try #require(try means(samples, width: 2, .half).first)
  }

  private func expectConstant<Sample: BitwiseCopyable & Equatable>(
    _ sample: Sample, _ reduction: Reduction
  ) throws {
    let means = try means([Sample](repeating: sample, count: 11 * 9), width: 11, reduction)
    #expect(means.allSatisfy { $0 == sample }, "\(sample) by \(reduction.rawValue)")
  }
}
