/// A predictor of TIFF rows that is undone here (TIFF 6.0, section 14).
///
/// The one for floating-point samples is left to libtiff.
enum TIFFPredictor: Int, Sendable {
  case none = 1
  /// Each sample is stored as the difference from the left neighbour's sample.
  case horizontal = 2

  struct Samples: Sendable {
    let count: Int
    let bits: Int
    let isLittleEndian: Bool
  }

  /// Whether libtiff (4.5) undoes it for such samples.
  func takes(_ samples: Samples) -> Bool {
    self == .none || [8, 16, 32].contains(samples.bits)
  }

  /// Writes the samples of some columns of a coded row; the first column must begin at a byte.
  func undo(
    _ coded: UnsafePointer<UInt8>, _ columns: Range<Int>, _ samples: Samples,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    switch self {
    case .none:
      let bits = samples.count * samples.bits
      let first = columns.lowerBound * bits / 8
      unsafe target.update(from: coded + first, count: (columns.count * bits + 7) / 8)
    case .horizontal:
      switch (samples.bits, samples.count) {
      case (8, 3...4): unsafe Self.sum(coded, columns, samples.count, into: target)
      case (8, _): unsafe Self.sum(coded, columns, samples, UInt8.self, into: target)
      case (16, _): unsafe Self.sum(coded, columns, samples, UInt16.self, into: target)
      default: unsafe Self.sum(coded, columns, samples, UInt32.self, into: target)
      }
    }
  }

  private static func sum<Sample: FixedWidthInteger>(
    _ coded: UnsafePointer<UInt8>, _ columns: Range<Int>, _ samples: Samples, _: Sample.Type,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    let isLittle = samples.isLittleEndian
    let (source, target) = unsafe (UnsafeRawPointer(coded), UnsafeMutableRawPointer(target))
    let step = MemoryLayout<Sample>.size
    for sample in 0..<samples.count {
      var sum: Sample = 0
      for column in 0..<columns.upperBound {
        let place = (column * samples.count + sample) * step
        let stored = unsafe source.loadUnaligned(fromByteOffset: place, as: Sample.self)
        sum &+= isLittle ? Sample(littleEndian: stored) : Sample(bigEndian: stored)
        guard column >= columns.lowerBound else { continue }
        unsafe target.storeBytes(
          of: isLittle ? sum.littleEndian : sum.bigEndian,
          toByteOffset: place - columns.lowerBound * samples.count * step, as: Sample.self)
      }
    }
  }

  /// Sums whole pixels of three or four bytes; the next store overwrites a fourth byte.
  private static func sum(
    _ coded: UnsafePointer<UInt8>, _ columns: Range<Int>, _ step: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    let source = unsafe UnsafeRawPointer(coded)
    var sum = SIMD4<UInt8>()
    // At the last pixel, four bytes might exceed the buffers.
    let last = columns.upperBound - 1
    for column in 0..<columns.lowerBound {
      unsafe sum &+= source.loadUnaligned(fromByteOffset: column * step, as: SIMD4<UInt8>.self)
    }
    let raw = UnsafeMutableRawPointer(target)
    var place = 0
    for column in columns.lowerBound..<last {
      unsafe sum &+= source.loadUnaligned(fromByteOffset: column * step, as: SIMD4<UInt8>.self)
      unsafe raw.storeBytes(of: sum, toByteOffset: place, as: SIMD4<UInt8>.self)
      place += step
    }
    for sample in 0..<step {
      unsafe target[place + sample] = sum[sample] &+ coded[last * step + sample]
    }
  }
}
