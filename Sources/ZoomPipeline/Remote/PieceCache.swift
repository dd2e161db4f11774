/// Parts of a file that were fetched, up to a number of bytes; the least recently used are dropped.
///
/// The parts are as they were fetched, not rounded to blocks: a JPEG peek reads a few hundred bytes
/// at each of many offsets.
struct PieceCache {
  private struct Piece {
    let start: Int
    let bytes: [UInt8]
    /// The time of the last use, counted in uses.
    var used: Int

    var end: Int { start + bytes.count }
  }

  /// The limit in bytes; what is fetched for one read is kept even if it exceeds the limit.
  let limit: Int
  /// In the order of their starts, without overlaps.
  private var pieces: [Piece] = []
  private(set) var byteCount = 0
  private var uses = 0

  /// More pieces make searches and insertions slow.
  private static let mostPieces = 1 << 14

  init(limit: Int) { self.limit = limit }

  /// Returns the first piece that ends after an offset.
  private func index(after offset: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the parts of a range that are not held, in order.
  func missing(in range: Range<Int>) -> [Range<Int>] {
    var missing: [Range<Int>] = []
    var place = range.lowerBound
    for piece in pieces[index(after: place)...] where piece.start < range.upperBound {
      if piece.start > place { missing.append(place..<piece.start) }
      place = piece.end
      if place >= range.upperBound { break }
    }
    if place < range.upperBound { missing.append(place..<range.upperBound) }
    return missing
  }

  /// Whether no byte of a range is held.
  func lacksAll(of range: Range<Int>) -> Bool { range.isEmpty || missing(in: range) == [range] }

  /// Copies a range of the file; false, with an undefined target, if parts of it are not held.
  mutating func copy(_ range: Range<Int>, into target: UnsafeMutableRawBufferPointer) -> Bool {
    var place = range.lowerBound
    var index = index(after: place)
    uses += 1
    while place < range.upperBound {
      guard index < pieces.count, pieces[index].start <= place else { return false }
      let end = min(pieces[index].end, range.upperBound)
      let part = place - pieces[index].start..<end - pieces[index].start
      unsafe pieces[index].bytes.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[(place - range.lowerBound)...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
      }
      pieces[index].used = uses
      (place, index) = (end, index + 1)
    }
    return true
  }

  /// Keeps parts that were fetched at once, and drops older ones above the limit, except in ranges
  /// that are about to be read.
  mutating func insert(
    _ parts: [(start: Int, bytes: [UInt8])], keeping wanted: [Range<Int>] = []
  ) {
    uses += 1
    for range in wanted {
      var index = index(after: range.lowerBound)
      while index < pieces.count, pieces[index].start < range.upperBound {
        pieces[index].used = uses
        index += 1
      }
    }
    for part in parts where !part.bytes.isEmpty {
      let index = index(after: part.start)
      precondition(index == pieces.count || pieces[index].start >= part.start + part.bytes.count)
      pieces.insert(Piece(start: part.start, bytes: part.bytes, used: uses), at: index)
      byteCount += part.bytes.count
    }
    guard byteCount > limit || pieces.count > Self.mostPieces else { return }
    // More than needed, so that not every insertion has to drop some.
    let (bytes, count) = (limit / 4 * 3, Self.mostPieces / 4 * 3)
    for old in pieces.filter({ $0.used < uses }).sorted(by: { $0.used < $1.used }) {
      guard byteCount > bytes || pieces.count > count else { break }
      pieces.remove(at: index(after: old.start))
      byteCount -= old.bytes.count
    }
  }
}
