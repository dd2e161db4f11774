import TestSupport
import Testing
import ZoomPipeline

@testable import ZoomLoad

struct ReducedTileTests {
  /// Returns 16 by 16 pixels of one value.
  private func uniform<Sample: BitwiseCopyable>(
    _ sample: Sample, _ format: SampleFormat
  ) throws -> Pixels {
    let bytes = withUnsafeBytes(of: sample) { Array($0) }
    return try Pixels(
      16, 16, 1, format, .grey, bytes: Array(repeatElement(bytes, count: 256).joined()))
  }

  private func isWrong<Sample: BitwiseCopyable>(
    _ got: Sample, for expected: Sample, _ format: SampleFormat
  ) throws -> Bool {
    ServerSubject.verdict(
      onReduced: try uniform(got, format), try uniform(expected, format)) != .right
  }

  @Test func `a reduced tile may differ by a twentieth of the full scale of its samples`() throws {
    #expect(try !isWrong(UInt8(112), for: 100, .uint8))
    #expect(try isWrong(UInt8(114), for: 100, .uint8))
    #expect(try !isWrong(Int16(1600), for: 0, .int16))
    #expect(try isWrong(Int16(1700), for: 0, .int16))
    #expect(try !isWrong(Float(0.54), for: 0.5, .float32))
    #expect(try isWrong(Float(0.56), for: 0.5, .float32))
  }
}
