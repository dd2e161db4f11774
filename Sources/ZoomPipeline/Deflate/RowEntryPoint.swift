internal import CZlib

/// A point from which the rows of a deflate stream can be decoded without those above.
struct RowEntryPoint: Sendable, Hashable {
  /// The first row decoded from the point.
  let row: Int
  let entry: InflateEntry
  /// The number of bytes at the window's end that belong to that row.
  let excess: Int
  /// The length of the window; earlier bytes are not referred to.
  let windowLength: Int
  /// A zlib stream of the window and the row above, as differences from the left neighbour's bytes.
  let packed: [UInt8]

  init(row: Int, entry: InflateEntry, excess: Int, windowLength: Int, packed: [UInt8]) {
    self.row = row
    self.entry = entry
    self.excess = excess
    self.windowLength = windowLength
    self.packed = packed
  }

  func with(packed: [UInt8]) -> RowEntryPoint {
    RowEntryPoint(
      row: row, entry: entry, excess: excess, windowLength: windowLength, packed: packed)
  }

  init(startOf rows: DeflatedRows) {
    self.init(row: 0, entry: rows.start, excess: 0, windowLength: 0, packed: [])
  }

  init(_ moment: RowPass.Moment, _ rows: DeflatedRows) {
    let (row, unit) = (moment.above, rows.filterUnit ?? 1)
    let differences = row.indices.map { $0 < unit ? row[$0] : row[$0] &- row[$0 - unit] }
    self.init(
      row: moment.row, entry: moment.entry, excess: moment.excess,
      windowLength: moment.window.count, packed: Self.pack(moment.window + differences))
  }

  func unpacked(_ rows: DeflatedRows) throws(InflateFault) -> (window: [UInt8], above: [UInt8]) {
    guard !packed.isEmpty else { return ([], []) }
    let count = windowLength + rows.rowBytes
    guard let bytes = Self.unpack(packed, count: count) else { throw .invalid }
    var row = Array(bytes[windowLength...])
    let unit = rows.filterUnit ?? 1
    for place in row.indices.dropFirst(unit) {
      row[place] = row[place] &+ row[place - unit]
    }
    return (Array(bytes[..<windowLength]), row)
  }

  /// Packs at level 1 of 9, because the first peek waits for it; higher levels save a tenth.
  private static func pack(_ bytes: [UInt8]) -> [UInt8] {
    let bound = Int(compressBound(UInt(bytes.count)))
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      var length = UInt(bound)
      let status = unsafe compress2(buffer.baseAddress, &length, bytes, UInt(bytes.count), 1)
      precondition(status == Z_OK, "zlib has no memory")
      count = Int(length)
    }
  }

  private static func unpack(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var status = Z_OK
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var length = UInt(count)
      status = unsafe uncompress(buffer.baseAddress, &length, packed, UInt(packed.count))
      filled = status == Z_OK ? Int(length) : 0
    }
    return status == Z_OK && bytes.count == count ? bytes : nil
  }
}
