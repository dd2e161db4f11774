internal import ZoomGeometry

/// What a shape is painted with.
enum Paint: Sendable {
  /// One grey, 0 ... 255.
  case shade(UInt8)
  /// Pixels of a raster, of which the one in the origin's column and row stands in column 0, row 0 of
  /// the screen. They cover the shape.
  case raster(ScreenRaster, x: Int, y: Int)
}

/// A shape and what it is painted with.
struct PaintStep: Sendable {
  let shape: any Shape
  let paint: Paint
}

/// An 8-bit sRGB raster to paint on, black at first.
enum Canvas {
  /// Paints steps one over the other.
  ///
  /// Each row is painted by itself, so what comes out does not depend on who paints which.
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

  /// An address that threads may share: each writes rows of its own.
  @safe private struct SharedBytes: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt8>
  }
}

/// The rows of a raster that one thread paints.
@safe struct CanvasRows {
  private let start: UnsafeMutablePointer<UInt8>
  private let width: Int
  private let rows: Range<Int>

  /// Takes rows of a raster.
  /// - Parameters:
  ///   - start: the first byte of the first of them.
  ///   - width: pixels a row.
  ///   - rows: which rows of the raster they are.
  init(start: UnsafeMutablePointer<UInt8>, width: Int, rows: Range<Int>) {
    unsafe self.start = unsafe start
    self.width = width
    self.rows = rows
  }

  /// Blackens the rows and paints steps over them.
  func paint(_ steps: [PaintStep]) {
    unsafe start.initialize(repeating: 0, count: rows.count * width * ScreenRaster.bands)
    var coverage = CoverageRow(width: width)
    for step in steps {
      guard let bounds = step.shape.bounds else { continue }
      for row in rows.clamped(to: bounds.rows) {
        step.shape.cover(row: row, &coverage)
        switch step.paint {
        case .shade(let shade): fill(row, shade, coverage)
        case .raster(let raster, let x, let y):
          unsafe copy(row, raster.row(row + y, from: coverage.columns.lowerBound + x), coverage)
        }
      }
    }
  }

  private func address(_ row: Int, _ column: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe start + ((row - rows.lowerBound) * width + column) * ScreenRaster.bands
  }

  /// Paints a row with one grey where it is covered.
  private func fill(_ row: Int, _ shade: UInt8, _ coverage: borrowing CoverageRow) {
    for column in coverage.columns.lowerBound..<coverage.inside.lowerBound {
      unsafe Self.blend(address(row, column), shade, coverage[column])
    }
    let inside = coverage.inside
    if coverage.insideValue == 255 {
      unsafe address(row, inside.lowerBound)
        .update(repeating: shade, count: inside.count * ScreenRaster.bands)
    } else if coverage.insideValue > 0 {
      for column in inside { unsafe Self.blend(address(row, column), shade, coverage.insideValue) }
    }
    for column in inside.upperBound..<coverage.columns.upperBound {
      unsafe Self.blend(address(row, column), shade, coverage[column])
    }
  }

  /// Paints a row with pixels, the first of which is for the first column that is covered.
  private func copy(
    _ row: Int, _ source: UnsafePointer<UInt8>, _ coverage: borrowing CoverageRow
  ) {
    let first = coverage.columns.lowerBound
    let inside = coverage.inside
    for column in first..<inside.lowerBound {
      unsafe Self.blend(
        address(row, column), source + (column - first) * ScreenRaster.bands, coverage[column])
    }
    let insideSource = unsafe source + (inside.lowerBound - first) * ScreenRaster.bands
    if coverage.insideValue == 255 {
      unsafe address(row, inside.lowerBound)
        .update(from: insideSource, count: inside.count * ScreenRaster.bands)
    } else if coverage.insideValue > 0 {
      for number in 0..<inside.count {
        unsafe Self.blend(
          address(row, inside.lowerBound + number), insideSource + number * ScreenRaster.bands,
          coverage.insideValue)
      }
    }
    for column in inside.upperBound..<coverage.columns.upperBound {
      unsafe Self.blend(
        address(row, column), source + (column - first) * ScreenRaster.bands, coverage[column])
    }
  }

  @inline(__always)
  private static func blend(
    _ target: UnsafeMutablePointer<UInt8>, _ shade: UInt8, _ coverage: UInt8
  ) {
    guard coverage > 0 else { return }
    unsafe target[0] = unsafe over(target[0], shade, coverage)
    unsafe target[1] = unsafe over(target[1], shade, coverage)
    unsafe target[2] = unsafe over(target[2], shade, coverage)
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

  /// One sample over another: (below (255 - coverage) + above coverage) / 255, to the nearest.
  ///
  /// The division by 255 is exact for every sum here (J. Blinn, "Three wrongs make a right", IEEE
  /// CG&A 1995): coverage 0 leaves what is below, 255 leaves what is above.
  @inline(__always)
  static func over(_ below: UInt8, _ above: UInt8, _ coverage: UInt8) -> UInt8 {
    let sum = UInt32(below) * UInt32(255 - coverage) + UInt32(above) * UInt32(coverage) + 128
    return UInt8(truncatingIfNeeded: (sum + sum >> 8) >> 8)
  }
}
