internal import ZoomGeometry
internal import ZoomPipeline

/// The paint of a shape: pixels of a picture, or one grey.
struct Paint: Sendable {
  fileprivate let bytes: [UInt8]
  /// The distance between two rows, and between two pixels of a row, in bytes; 0 for one grey.
  private let rowStep: Int
  fileprivate let step: Int
  private let x: Int
  private let y: Int

  /// Paints with one grey: 0 is black, 1 is white.
  static func shade(_ shade: Double) -> Paint {
    let pixel = [UInt8](repeating: CoverageRow.coverage(shade), count: Pixels.screenBands)
    return Paint(bytes: pixel, rowStep: 0, step: 0, x: 0, y: 0)
  }

  /// Paints with pixels that cover the shape; (x, y) in them is (0, 0) on the screen.
  static func pixels(_ pixels: Pixels, x: Int, y: Int) -> Paint {
    Paint(
      bytes: pixels.bytes, rowStep: pixels.rowByteCount, step: Pixels.screenBands, x: x, y: y)
  }

  /// Returns the index in `bytes` of the pixel for a place on the screen.
  fileprivate func index(row: Int, column: Int) -> Int {
    (row + y) * rowStep + (column + x) * step
  }
}

struct PaintStep: Sendable {
  let shape: any Shape
  let paint: Paint
}

/// An 8-bit sRGB raster to paint on, initially black.
enum Canvas {
  /// Paints steps one over the other, each row independently of the division into bands.
  static func paint(_ steps: [PaintStep], size: PixelSize) -> Pixels {
    unsafe pixels(size) { rows, target in
      guard let start = target.baseAddress else { return }
      unsafe CanvasRows(start: start, width: size.width, rows: rows).paint(steps)
    }
  }

  /// Creates pixels with a function that writes the rows of a band into memory of their size.
  static func pixels<Failure: Error>(
    _ size: PixelSize,
    write:
      @Sendable (
        _ rows: Range<Int>, _ target: UnsafeMutableBufferPointer<UInt8>
      ) throws(Failure) -> Void
  ) throws(Failure) -> Pixels {
    let rowBytes = size.width * Pixels.screenBands
    let bands = bands(of: size)
    let bytes = try unsafe [UInt8](writing: size.height * rowBytes) { buffer throws(Failure) in
      // Each band writes only its own rows.
      nonisolated(unsafe) let buffer = unsafe buffer
      _ = try concurrently(bands.count) { number throws(Failure) in
        let rows = bands[number]
        let target = unsafe UnsafeMutableBufferPointer(
          rebasing: buffer[rows.lowerBound * rowBytes..<rows.upperBound * rowBytes])
        try unsafe write(rows, target)
      }
      return size.height * rowBytes
    }
    return Pixels(rgb: size, bytes)
  }

  /// Divides the rows into two bands for two cores; a viewer leaves its other cores to decoders.
  ///
  /// A small raster stays whole: waking another thread takes 10 to 50 µs, in which a core stretches
  /// about 10000 pixels.
  static func bands(of size: PixelSize) -> [Range<Int>] {
    let isSmall = size.area < 1 << 14 || size.height < 2
    return isSmall ? [0..<size.height] : [0..<size.height / 2, size.height / 2..<size.height]
  }
}

@safe struct CanvasRows {
  let start: UnsafeMutablePointer<UInt8>
  let width: Int
  let rows: Range<Int>

  func paint(_ steps: [PaintStep]) {
    unsafe start.initialize(repeating: 0, count: rows.count * width * Pixels.screenBands)
    var coverage = CoverageRow(width: width)
    for step in steps {
      unsafe step.paint.bytes.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress else { return }
        for row in rows.clamped(to: step.shape.bounds.rows) {
          step.shape.cover(row: row, &coverage)
          let first = step.paint.index(row: row, column: coverage.columns.lowerBound)
          unsafe paint(row, source + first, step: step.paint.step, coverage)
        }
      }
    }
  }

  private func address(_ row: Int, _ column: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe start + ((row - rows.lowerBound) * width + column) * Pixels.screenBands
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
    if let first = inside.first {
      unsafe Self.blend(
        address(row, first), source + (first - columns.lowerBound) * step,
        count: inside.count * Pixels.screenBands, isOnePixel: step == 0, coverage.insideValue)
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
  /// The compiler vectorises the loops: a backdrop that dims a whole screen took two fifths of a
  /// frame's time.
  private static func blend(
    _ target: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, count: Int,
    isOnePixel: Bool, _ coverage: UInt8
  ) {
    let shade = unsafe source.pointee
    switch (coverage, isOnePixel) {
    case (0, _): break
    case (255, true): unsafe target.update(repeating: shade, count: count)
    case (255, false): unsafe target.update(from: source, count: count)
    case (_, true):
      for index in 0..<count { unsafe target[index] = unsafe over(target[index], shade, coverage) }
    case (_, false):
      for index in 0..<count {
        unsafe target[index] = unsafe over(target[index], source[index], coverage)
      }
    }
  }

  /// Blends samples: (below (255 - coverage) + above coverage) / 255, rounded to the nearest.
  ///
  /// The division by 255 is exact for all sums (J. Blinn, "Three wrongs make a right", CG&A 1995). They
  /// are at most 65407 and fit into 16 bits, so that the compiler processes sixteen at once.
  @inline(__always)
  static func over(_ below: UInt8, _ above: UInt8, _ coverage: UInt8) -> UInt8 {
    let sum = UInt16(below) &* UInt16(255 - coverage) &+ UInt16(above) &* UInt16(coverage) &+ 128
    return UInt8(truncatingIfNeeded: (sum &+ sum >> 8) >> 8)
  }
}
