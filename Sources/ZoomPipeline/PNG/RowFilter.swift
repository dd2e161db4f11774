/// Undoes PNG's row filters (PNG 3rd edition, 9.2).
///
/// Each step processes eight bytes; the next one, a pixel further, overwrites the excess.
enum RowFilter {
  /// The bytes after a row that may be read and overwritten.
  static let padding = 8

  /// Undoes a row's filter.
  ///
  /// The buffers have `padding` bytes after `count`; `unit` is the bytes of a pixel, at most 8.
  /// - Returns: false if the filter type is invalid.
  static func undo(
    _ type: UInt8, of filtered: UnsafePointer<UInt8>, into row: UnsafeMutablePointer<UInt8>,
    above: UnsafePointer<UInt8>, count: Int, unit: Int
  ) -> Bool {
    switch type {
    case 0: unsafe row.update(from: filtered, count: count)
    case 1: unsafe undoSub(filtered, row, count, unit)
    case 2: for place in 0..<count { unsafe row[place] = filtered[place] &+ above[place] }
    case 3: unsafe undoAverage(filtered, row, above, count, unit)
    case 4: unsafe undoPaeth(filtered, row, above, count, unit)
    default: return false
    }
    return true
  }

  @inline(__always)
  private static func load(_ bytes: UnsafePointer<UInt8>) -> SIMD8<UInt8> {
    unsafe UnsafeRawPointer(bytes).loadUnaligned(as: SIMD8<UInt8>.self)
  }

  @inline(__always)
  private static func store(_ vector: SIMD8<UInt8>, _ bytes: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(bytes).storeBytes(of: vector, as: SIMD8<UInt8>.self)
  }

  private static func undoSub(
    _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>, _ count: Int, _ unit: Int
  ) {
    var left = SIMD8<UInt8>()
    for place in stride(from: 0, to: count, by: unit) {
      unsafe left &+= load(filtered + place)
      unsafe store(left, row + place)
    }
  }

  private static func undoAverage(
    _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>,
    _ above: UnsafePointer<UInt8>, _ count: Int, _ unit: Int
  ) {
    var left = SIMD8<UInt8>()
    for place in stride(from: 0, to: count, by: unit) {
      let up = unsafe load(above + place)
      // Half of a sum of nine bits, in eight bits: the common bits, and half of the differing ones.
      unsafe left = load(filtered + place) &+ (left & up) &+ ((left ^ up) &>> 1)
      unsafe store(left, row + place)
    }
  }

  private static func undoPaeth(
    _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>,
    _ above: UnsafePointer<UInt8>, _ count: Int, _ unit: Int
  ) {
    var (left, corner) = (SIMD8<Int16>(), SIMD8<Int16>())
    for place in stride(from: 0, to: count, by: unit) {
      let up = unsafe SIMD8<Int16>(truncatingIfNeeded: load(above + place))
      let (byUp, byLeft) = (up &- corner, left &- corner)
      let (first, second) = (magnitude(byUp), magnitude(byLeft))
      let third = magnitude(byUp &+ byLeft)
      // Ties prefer the left neighbour, then the one above, then the corner.
      var chosen = corner.replacing(with: up, where: second .<= third)
      chosen.replace(with: left, where: (first .<= second) .& (first .<= third))
      let sum = unsafe SIMD8<UInt8>(truncatingIfNeeded: chosen) &+ load(filtered + place)
      unsafe store(sum, row + place)
      (left, corner) = (SIMD8<Int16>(truncatingIfNeeded: sum), up)
    }
  }

  @inline(__always)
  private static func magnitude(_ vector: SIMD8<Int16>) -> SIMD8<Int16> {
    let negative = 0 &- vector
    return vector.replacing(with: negative, where: negative .> vector)
  }
}
