internal import ZoomGeometry

extension Pixels {
  /// Returns the mean of each block of pixels, band by band.
  ///
  /// Blocks are counted from the top left; blocks at the right and bottom may be partial. Means of
  /// integers are rounded to the nearest, halves upwards; parts of complex numbers are independent.
  public func reduced(by reduction: Reduction) -> Pixels {
    if reduction == .none { return self }
    let side = reduction.rawValue
    let means =
      switch format {
      case .uint8: blockMeans(side, UInt8.self, bands)
      case .int8: blockMeans(side, Int8.self, bands)
      case .uint16: blockMeans(side, UInt16.self, bands)
      case .int16: blockMeans(side, Int16.self, bands)
      case .uint32: blockMeans(side, UInt32.self, bands)
      case .int32: blockMeans(side, Int32.self, bands)
      case .float32: blockMeans(side, Float.self, bands)
      case .float64: blockMeans(side, Double.self, bands)
      case .complex64: blockMeans(side, Float.self, bands * 2)
      case .complex128: blockMeans(side, Double.self, bands * 2)
      }
    return Pixels(
      size: size.reduced(by: reduction), bands: bands, format: format,
      interpretation: interpretation, bytes: means)
  }

  /// Sums rows first, which the compiler vectorises, then columns.
  private func blockMeans<Sample: BlockSample>(
    _ side: Int, _: Sample.Type, _ channels: Int
  ) -> [UInt8] {
    let rowLength = size.width * channels
    let (columns, rows) = ((size.width + side - 1) / side, (size.height + side - 1) / side)
    let byteCount = columns * rows * channels * MemoryLayout<Sample>.stride
    var sums = [Sample.Sum](repeating: Sample.emptySum, count: rowLength)
    return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
      unsafe bytes.withUnsafeBytes { source in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          guard var target = UnsafeMutableRawPointer(buffer.baseAddress),
            let source = source.baseAddress
          else { return }
          for row in 0..<rows {
            let band = row * side..<min(row * side + side, size.height)
            unsafe Self.sum(Sample.self, band, of: source, into: sums)
            for column in 0..<columns {
              let across = column * side..<min(column * side + side, size.width)
              let block = BlockCount(band.count * across.count)
              for channel in 0..<channels {
                var sum = Sample.emptySum
                for x in across { sum = unsafe Sample.add(sum, sums[x * channels + channel]) }
                unsafe target.storeBytes(of: Sample.mean(of: sum, over: block), as: Sample.self)
                unsafe target += MemoryLayout<Sample>.stride
              }
            }
          }
        }
      }
      initialized = byteCount
    }
  }

  /// Sums rows sample by sample; there is one sum for each sample of a row.
  @inline(__always)
  private static func sum<Sample: BlockSample>(
    _: Sample.Type, _ rows: Range<Int>, of source: UnsafeRawPointer,
    into sums: UnsafeMutableBufferPointer<Sample.Sum>
  ) {
    let stride = MemoryLayout<Sample>.stride
    unsafe sums.update(repeating: Sample.emptySum)
    for row in rows {
      let start = unsafe source + row * sums.count * stride
      for place in sums.indices {
        let sample = unsafe start.loadUnaligned(fromByteOffset: place * stride, as: Sample.self)
        unsafe sums[place] = unsafe Sample.add(sums[place], Sample.term(sample))
      }
    }
  }
}

/// A sample type whose mean over a block of at most 64 x 64 samples is computed without overflow.
protocol BlockSample: BitwiseCopyable {
  associatedtype Sum: BitwiseCopyable

  static var emptySum: Sum { get }
  static func term(_ sample: Self) -> Sum
  static func add(_ one: Sum, _ other: Sum) -> Sum
  static func mean(of sum: Sum, over block: BlockCount) -> Self
}

/// The number of samples in a block, 1...4096.
struct BlockCount {
  let count: Int
  /// The base 2 logarithm of the count; nil unless the count is a power of two.
  let power: Int?

  init(_ count: Int) {
    self.count = count
    power = count.nonzeroBitCount == 1 ? count.trailingZeroBitCount : nil
  }
}

/// An integer sample, whose mean is rounded to the nearest, halves upwards.
protocol WholeBlockSample: BlockSample, FixedWidthInteger where Sum: FixedWidthInteger {}

extension WholeBlockSample {
  @inline(__always) static var emptySum: Sum { 0 }
  @inline(__always) static func term(_ sample: Self) -> Sum { Sum(truncatingIfNeeded: sample) }
  @inline(__always) static func add(_ one: Sum, _ other: Sum) -> Sum { one &+ other }

  @inline(__always) static func mean(of sum: Sum, over block: BlockCount) -> Self {
    let raised = sum &+ Sum(truncatingIfNeeded: block.count / 2)
    if let power = block.power {
      // For signed numbers this shift rounds down, too.
      return Self(truncatingIfNeeded: raised &>> Sum(truncatingIfNeeded: power))
    }
    let (quotient, remainder) = raised.quotientAndRemainder(
      dividingBy: Sum(truncatingIfNeeded: block.count))
    return Self(truncatingIfNeeded: remainder < 0 ? quotient - 1 : quotient)
  }
}

extension UInt8: WholeBlockSample { typealias Sum = UInt32 }
extension Int8: WholeBlockSample { typealias Sum = Int32 }
extension UInt16: WholeBlockSample { typealias Sum = UInt32 }
extension Int16: WholeBlockSample { typealias Sum = Int32 }
extension UInt32: WholeBlockSample { typealias Sum = UInt64 }
extension Int32: WholeBlockSample { typealias Sum = Int64 }

extension BlockSample where Sum == Double {
  @inline(__always) static var emptySum: Double { 0 }
  @inline(__always) static func add(_ one: Double, _ other: Double) -> Double { one + other }
}

extension Float: BlockSample {
  @inline(__always) static func term(_ sample: Float) -> Double { Double(sample) }
  @inline(__always) static func mean(of sum: Double, over block: BlockCount) -> Float {
    Float(sum / Double(block.count))
  }
}

extension Double: BlockSample {
  /// Divides by 4096 (exactly, except for the smallest numbers): 4096 terms cannot overflow.
  @inline(__always) static func term(_ sample: Double) -> Double { sample / 4096 }
  @inline(__always) static func mean(of sum: Double, over block: BlockCount) -> Double {
    // The mean of finite numbers is finite. If the largest is P - u, with its last place u and a
    // power of two P, the sum of n numbers is at most n P - n u. Doubles there are less than 2 n u
    // apart, and n P is one of them. So the sum is not rounded up to it, and the mean is below P.
    sum / (Double(block.count) / 4096)
  }
}
