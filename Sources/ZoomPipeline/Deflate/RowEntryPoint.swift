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
}

extension RowEntryPoint {
  init(startOf rows: DeflatedRows) {
    self.init(row: 0, entry: rows.start, excess: 0, windowLength: 0, packed: [])
  }

  init(_ moment: RowPass.Moment, _ rows: DeflatedRows) {
    let (row, unit) = (moment.above, rows.filterUnit ?? 1)
    let differences = row.indices.map { $0 < unit ? row[$0] : row[$0] &- row[$0 - unit] }
    // Level 1 of 9, because the first peek waits for it; higher levels save a tenth.
    let packed = (moment.window + differences).deflated(level: 1)
    self.init(
      row: moment.row, entry: moment.entry, excess: moment.excess,
      windowLength: moment.window.count, packed: packed)
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

extension [UInt8] {
  /// Returns a zlib stream of the bytes; level 0 of 9 only copies them.
  func deflated(level: Int32) -> [UInt8] {
    let bound = Int(compressBound(UInt(count)))
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
      var length = UInt(bound)
      let status = unsafe compress2(buffer.baseAddress, &length, self, UInt(count), level)
      precondition(status == Z_OK, "zlib is out of memory")
      filled = Int(length)
    }
  }
}

// MARK: Sidecars

extension RowEntryPoint {
  /// The length of a point in a sidecar without its packed bytes.
  static let recordByteCount = 30

  var storedByteCount: Int { Self.recordByteCount + packed.count }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for place in [entry.block, entry.symbol] {
      bytes.append(place.offset, byteCount: 6)
      bytes.append(place.rest, byteCount: 4)
      bytes.append(place.bit, byteCount: 1)
    }
    bytes.append(entry.stored, byteCount: 2)
    bytes.append(excess, byteCount: 2)
    bytes.append(windowLength, byteCount: 4)
    return bytes + packed
  }

  /// Reads and checks the point of a number.
  init(_ number: Int, of sidecar: Sidecar) throws(SidecarRefusal) {
    let (bytes, header) = (try sidecar.block(number), sidecar.header)
    guard bytes.count >= Self.recordByteCount else { throw .damaged("a point is too short") }
    var cursor = ByteCursor(bytes: bytes, position: 0)
    func place() -> StreamPlace {
      StreamPlace(offset: cursor.integer(6), rest: cursor.integer(4), bit: cursor.integer(1))
    }
    let (block, symbol, stored) = (place(), place(), cursor.integer(2))
    self.init(
      row: number * header.spacing,
      entry: InflateEntry(block: block, symbol: symbol, stored: stored),
      excess: cursor.integer(2), windowLength: cursor.integer(4),
      packed: Array(bytes[Self.recordByteCount...]))
    guard excess <= windowLength, windowLength <= Inflater.windowLength,
      windowLength == 0 || !packed.isEmpty,
      [block, symbol].allSatisfy({ (header.start...header.end).contains($0.offset) && $0.bit < 8 })
    else { throw .damaged("its points contradict each other") }
  }
}
