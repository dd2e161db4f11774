internal import Dispatch
internal import Synchronization
internal import ZoomGeometry

enum Paint: Sendable {
  /// One grey, 0...255.
  case shade(UInt8)
  /// Pixels of a raster that covers the shape; (x, y) in the raster is (0, 0) on the screen.
  case raster(ScreenRaster, x: Int, y: Int)
}

struct PaintStep: Sendable {
  let shape: any Shape
  let paint: Paint
}

/// An 8-bit sRGB raster to paint on, initially black.
enum Canvas {
  /// Paints steps one over the other, each row independently of the division into bands.
  static func paint(_ steps: [PaintStep], size: PixelSize) throws(PipelineError) -> Pixels {
    var failure: PipelineError?
    let count = size.area * ScreenRaster.bands
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      let target = unsafe SharedBytes(start: start)
      do throws(PipelineError) {
        try RowBands(of: size).forEach { rows in
          unsafe CanvasRows(
            start: target.start + rows.lowerBound * size.width * ScreenRaster.bands,
            width: size.width, rows: rows
          ).paint(steps)
        }
        initialized = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    return Pixels(
      size: size, bands: ScreenRaster.bands, format: .uint8, interpretation: .srgb, bytes: bytes)
  }

  /// An address that threads share; each writes other rows.
  @safe private struct SharedBytes: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt8>
  }
}

@safe struct CanvasRows {
  private let start: UnsafeMutablePointer<UInt8>
  private let width: Int
  private let rows: Range<Int>

  init(start: UnsafeMutablePointer<UInt8>, width: Int, rows: Range<Int>) {
    unsafe self.start = unsafe start
    self.width = width
    self.rows = rows
  }

  func paint(_ steps: [PaintStep]) {
    unsafe start.initialize(repeating: 0, count: rows.count * width * ScreenRaster.bands)
    var coverage = CoverageRow(width: width)
    for step in steps {
      for row in rows.clamped(to: step.shape.bounds.rows) {
        step.shape.cover(row: row, &coverage)
        switch step.paint {
        case .shade(let shade):
          let pixel = [UInt8](repeating: shade, count: ScreenRaster.bands)
          unsafe pixel.withUnsafeBufferPointer { pixel in
            if let source = pixel.baseAddress { unsafe paint(row, source, step: 0, coverage) }
          }
        case .raster(let raster, let x, let y):
          unsafe paint(
            row, raster.row(row + y, from: coverage.columns.lowerBound + x),
            step: ScreenRaster.bands, coverage)
        }
      }
    }
  }

  private func address(_ row: Int, _ column: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe start + ((row - rows.lowerBound) * width + column) * ScreenRaster.bands
  }

  /// Paints a covered row; source pixels, from the first column on, are `step` bytes apart.
  private func paint(
    _ row: Int, _ source: UnsafePointer<UInt8>, step: Int, _ coverage: borrowing CoverageRow
  ) {
    let (columns, inside) = (coverage.columns, coverage.inside)
    @inline(__always) func blend(_ column: Int, _ share: UInt8) {
      unsafe Self.blend(
        address(row, column), source + (column - columns.lowerBound) * step, share)
    }
    for column in columns.lowerBound..<inside.lowerBound { blend(column, coverage[column]) }
    if coverage.insideValue == 255 {
      let (target, count) = unsafe (
        address(row, inside.lowerBound), inside.count * ScreenRaster.bands
      )
      if step == 0 {
        unsafe target.update(repeating: source.pointee, count: count)
      } else {
        unsafe target.update(
          from: source + (inside.lowerBound - columns.lowerBound) * step, count: count)
      }
    } else if coverage.insideValue > 0, let first = inside.first {
      unsafe Self.blend(
        address(row, first), source + (first - columns.lowerBound) * step,
        count: inside.count * ScreenRaster.bands, isOnePixel: step == 0, coverage.insideValue)
    }
    for column in inside.upperBound..<columns.upperBound { blend(column, coverage[column]) }
  }

  @inline(__always)
  private static func blend(
    _ target: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, _ coverage: UInt8
  ) {
    guard coverage > 0 else { return }
    unsafe target[0] = unsafe over(target[0], source[0], coverage)
    unsafe target[1] = unsafe over(target[1], source[1], coverage)
    unsafe target[2] = unsafe over(target[2], source[2], coverage)
  }

  /// Blends samples of equal coverage with one grey or with as many samples.
  ///
  /// Sums fit into 16 bits, so that the compiler processes sixteen at once: a backdrop that dims a
  /// whole screen took two fifths of a frame's time.
  private static func blend(
    _ target: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, count: Int,
    isOnePixel: Bool, _ coverage: UInt8
  ) {
    let (above, below) = (UInt16(coverage), UInt16(255 - coverage))
    if isOnePixel {
      let shade = unsafe UInt16(source.pointee) &* above &+ 128
      for index in 0..<count {
        let sum = unsafe UInt16(target[index]) &* below &+ shade
        unsafe target[index] = UInt8(truncatingIfNeeded: (sum &+ sum >> 8) >> 8)
      }
    } else {
      for index in 0..<count {
        let sum = unsafe UInt16(target[index]) &* below &+ UInt16(source[index]) &* above &+ 128
        unsafe target[index] = UInt8(truncatingIfNeeded: (sum &+ sum >> 8) >> 8)
      }
    }
  }

  /// Blends samples: (below (255 - coverage) + above coverage) / 255, rounded to the nearest.
  ///
  /// The division by 255 is exact for all sums (J. Blinn, "Three wrongs make a right", CG&A 1995).
  @inline(__always)
  static func over(_ below: UInt8, _ above: UInt8, _ coverage: UInt8) -> UInt8 {
    let sum = UInt32(below) * UInt32(255 - coverage) + UInt32(above) * UInt32(coverage) + 128
    return UInt8(truncatingIfNeeded: (sum + sum >> 8) >> 8)
  }
}

/// The rows of a raster in two bands for two cores; a viewer leaves its other cores to decoders.
///
/// The result for a row must not depend on its band.
struct RowBands {
  let bands: [Range<Int>]

  /// Divides a raster into two bands, except a small one.
  ///
  /// Waking another thread takes 10 to 50 µs, in which a core stretches about 10000 pixels.
  init(of size: PixelSize) {
    let isSmall = size.area < 1 << 14 || size.height < 2
    bands = isSmall ? [0..<size.height] : [0..<size.height / 2, size.height / 2..<size.height]
  }

  /// Calls the body for every band; throws the first error in the order of bands.
  func forEach(
    _ body: @Sendable (Range<Int>) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    guard bands.count > 1 else { return try body(bands[0]) }
    let failures = Mutex([PipelineError?](repeating: nil, count: bands.count))
    DispatchQueue.concurrentPerform(iterations: bands.count) { number in
      do throws(PipelineError) { try body(bands[number]) } catch {
        failures.withLock { $0[number] = error }
      }
    }
    if let failure = failures.withLock({ $0.compactMap(\.self).first }) { throw failure }
  }
}
