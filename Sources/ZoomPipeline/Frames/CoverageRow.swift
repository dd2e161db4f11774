/// How much of one row of the screen a shape covers, of 255 for each column.
///
/// Most of a row is one value, for a shape's inside is: that part stands apart, and costs nothing to
/// make. Used by one thread for one row after the other.
@safe struct CoverageRow: ~Copyable {
  private let values: UnsafeMutablePointer<UInt8>
  private let width: Int
  /// The columns that the shape touches.
  var columns = 0..<0
  /// The columns among them that all have the coverage `insideValue`.
  var inside = 0..<0
  /// The coverage of the inside.
  var insideValue: UInt8 = 0

  /// Takes memory for a row of the screen.
  init(width: Int) {
    self.width = width
    unsafe values = UnsafeMutablePointer<UInt8>.allocate(capacity: width)
  }

  deinit { unsafe values.deallocate() }

  /// The coverage of a column; asked only for those that are touched and not inside.
  subscript(column: Int) -> UInt8 {
    get {
      assert((0..<width).contains(column))
      return unsafe values[column]
    }
    set {
      assert((0..<width).contains(column))
      unsafe values[column] = newValue
    }
  }

  /// Turns a fraction into a coverage, rounded to the nearest; 0 for NaN.
  @inline(__always)
  static func coverage(_ fraction: Double) -> UInt8 {
    fraction > 0 ? UInt8(min(fraction, 1) * 255 + 0.5) : 0
  }

  /// A fraction that rounds to a full coverage: 255 * (1 - 1/1024) is 254.75.
  static let full = 1 - 1.0 / 1024
}

/// Something that covers a part of the screen.
protocol Shape: Sendable {
  /// The pixels of the screen that it may touch; nil for none.
  var bounds: PixelBox? { get }

  /// Says what the shape covers of a row.
  /// - Parameters:
  ///   - row: one of its bounds' rows.
  ///   - coverage: where to write it.
  func cover(row: Int, _ coverage: inout CoverageRow)
}

/// Columns and rows of a screen, neither of them empty.
struct PixelBox: Sendable, Hashable {
  let columns: Range<Int>
  let rows: Range<Int>
}
