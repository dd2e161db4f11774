internal import ZoomGeometry
internal import ZoomPipeline

/// A sample that can be converted to a `Double`.
protocol LevelSample: BitwiseCopyable {
  var level: Double { get }
  /// The full scale: the largest value of an integer type, 1 for a floating-point type.
  static var fullScale: Double { get }
}

extension LevelSample where Self: FixedWidthInteger {
  var level: Double { Double(self) }
  static var fullScale: Double { Double(Self.max) }
}

extension UInt8: LevelSample {}
extension Int8: LevelSample {}
extension UInt16: LevelSample {}
extension Int16: LevelSample {}
extension UInt32: LevelSample {}
extension Int32: LevelSample {}

extension Float: LevelSample {
  var level: Double { Double(self) }
  static var fullScale: Double { 1 }
}

extension Double: LevelSample {
  var level: Double { self }
  static var fullScale: Double { 1 }
}

protocol SampleVisitor {
  associatedtype Result
  /// Processes samples of the given type with `channels` samples per pixel.
  func visit<Sample: LevelSample>(_: Sample.Type, channels: Int) -> Result
}

extension Pixels {
  /// Calls a visitor with the type of the samples; a complex number counts as two samples.
  func visitSamples<Visitor: SampleVisitor>(_ visitor: Visitor) -> Visitor.Result {
    switch format {
    case .uint8: visitor.visit(UInt8.self, channels: bands)
    case .int8: visitor.visit(Int8.self, channels: bands)
    case .uint16: visitor.visit(UInt16.self, channels: bands)
    case .int16: visitor.visit(Int16.self, channels: bands)
    case .uint32: visitor.visit(UInt32.self, channels: bands)
    case .int32: visitor.visit(Int32.self, channels: bands)
    case .float32: visitor.visit(Float.self, channels: bands)
    case .float64: visitor.visit(Double.self, channels: bands)
    case .complex64: visitor.visit(Float.self, channels: bands * 2)
    case .complex128: visitor.visit(Double.self, channels: bands * 2)
    }
  }

  /// Whether the bytes are the same; `memcmp` is fast in debug builds too.
  func hasSameBytes(as other: Pixels) -> Bool {
    bytes.count == other.bytes.count && memcmp(bytes, other.bytes, bytes.count) == 0
  }
}

extension Pixels {
  /// The value of a full-scale sample.
  var fullScale: Double { visitSamples(FullScale()) }

  /// The mean of each pixel's bands on a scale of 255; infinite samples and NaN count as 0.
  var bandMeans: [Double] { visitSamples(BandMeans(pixels: self)) }
}

private struct FullScale: SampleVisitor {
  func visit<Sample: LevelSample>(_: Sample.Type, channels: Int) -> Double { Sample.fullScale }
}

private struct BandMeans: SampleVisitor {
  let pixels: Pixels

  func visit<Sample: LevelSample>(_: Sample.Type, channels: Int) -> [Double] {
    let stride = MemoryLayout<Sample>.stride
    let scale = 255 / (Sample.fullScale * Double(channels))
    return pixels.bytes.withUnsafeBytes { bytes in
      (0..<pixels.size.area).map { pixel in
        var sum = 0.0
        for channel in 0..<channels {
          let place = (pixel * channels + channel) * stride
          let level = bytes.loadUnaligned(fromByteOffset: place, as: Sample.self).level
          if level.isFinite { sum += level }
        }
        return sum * scale
      }
    }
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
