internal import ZoomGeometry
package import ZoomPipeline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Pixels {
  /// A function that reads the level of the sample with a given index.
  package typealias LevelReader = (_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Double

  /// The number of samples per pixel; a complex number counts as two samples.
  var channels: Int { format == .complex64 || format == .complex128 ? bands * 2 : bands }

  /// The function that reads samples, and the value of a full-scale sample: 1 for floating point.
  package var sampleType: (level: LevelReader, fullScale: Double) {
    func reader<Sample: BitwiseCopyable>(_ level: @escaping (Sample) -> Double) -> LevelReader {
      let stride = MemoryLayout<Sample>.stride
      return { level($0.loadUnaligned(fromByteOffset: $1 * stride, as: Sample.self)) }
    }
    func integers<Sample: FixedWidthInteger & BitwiseCopyable>(
      _: Sample.Type
    ) -> (level: LevelReader, fullScale: Double) {
      (reader { (sample: Sample) in Double(sample) }, Double(Sample.max))
    }
    return switch format {
    case .uint8: integers(UInt8.self)
    case .int8: integers(Int8.self)
    case .uint16: integers(UInt16.self)
    case .int16: integers(Int16.self)
    case .uint32: integers(UInt32.self)
    case .int32: integers(Int32.self)
    case .float32, .complex64: (reader { (sample: Float) in Double(sample) }, 1)
    case .float64, .complex128: (reader { (sample: Double) in sample }, 1)
    }
  }

  /// The mean of each pixel's bands on a scale of 255; infinite samples and NaN count as 0.
  var bandMeans: [Double] {
    let (channels, (level, fullScale)) = (channels, sampleType)
    let scale = 255 / (fullScale * Double(channels))
    return bytes.withUnsafeBytes { bytes in
      (0..<size.area).map { pixel in
        var sum = 0.0
        for channel in 0..<channels {
          let sample = level(bytes, pixel * channels + channel)
          if sample.isFinite { sum += sample }
        }
        return sum * scale
      }
    }
  }

  /// Whether the bytes are the same; `memcmp` is fast in debug builds too.
  package func hasSameBytes(as other: Pixels) -> Bool {
    bytes.count == other.bytes.count && memcmp(bytes, other.bytes, bytes.count) == 0
  }
}
