internal import ZoomGeometry
internal import ZoomPipeline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Pixels {
  /// A function that reads the level of the sample with a given index.
  typealias LevelReader = (_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Double

  /// The number of samples per pixel; a complex number counts as two samples.
  var channels: Int { format == .complex64 || format == .complex128 ? bands * 2 : bands }

  /// The value of a full-scale sample: 1 for floating-point formats.
  var fullScale: Double {
    switch format {
    case .uint8: Double(UInt8.max)
    case .int8: Double(Int8.max)
    case .uint16: Double(UInt16.max)
    case .int16: Double(Int16.max)
    case .uint32: Double(UInt32.max)
    case .int32: Double(Int32.max)
    case .float32, .float64, .complex64, .complex128: 1
    }
  }

  var levelReader: LevelReader {
    func reader<Sample: BitwiseCopyable>(_ level: @escaping (Sample) -> Double) -> LevelReader {
      let stride = MemoryLayout<Sample>.stride
      return { level($0.loadUnaligned(fromByteOffset: $1 * stride, as: Sample.self)) }
    }
    return switch format {
    case .uint8: reader { (sample: UInt8) in Double(sample) }
    case .int8: reader { (sample: Int8) in Double(sample) }
    case .uint16: reader { (sample: UInt16) in Double(sample) }
    case .int16: reader { (sample: Int16) in Double(sample) }
    case .uint32: reader { (sample: UInt32) in Double(sample) }
    case .int32: reader { (sample: Int32) in Double(sample) }
    case .float32, .complex64: reader { (sample: Float) in Double(sample) }
    case .float64, .complex128: reader { (sample: Double) in sample }
    }
  }

  /// The mean of each pixel's bands on a scale of 255; infinite samples and NaN count as 0.
  var bandMeans: [Double] {
    let (channels, level) = (channels, levelReader)
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
  func hasSameBytes(as other: Pixels) -> Bool {
    bytes.count == other.bytes.count && memcmp(bytes, other.bytes, bytes.count) == 0
  }
}
