internal import SystemPackage
internal import ZoomGeometry

/// The index of a PNG in a separate file.
///
/// Opening reads the start, the table of entry points and the tag of both; the data of a point is
/// read when a peek needs it. Documentation/SeekIndexFormat.md describes the layout.
struct PNGSidecar: Sendable {
  /// An entry point, and the length and digest of its packed window and row.
  struct Entry: Sendable, Hashable {
    let point: RowEntryPoint
    let byteCount: Int
    let digest: [UInt8]
  }

  static let magic = Array("ZIDP".utf8)
  static let formatVersion = 2
  /// The bytes before the table.
  static let headByteCount = SidecarIdentity.byteCount + 22
  static let entryByteCount = 54

  let identity: SidecarIdentity
  let entries: [Entry]
  private let file: any CodedSource
  private let offsets: [Int]
  let bytesRead: Int

  var points: [RowEntryPoint] { entries.map(\.point) }

  var byteCount: Int { file.length }

  private static func frame(_ png: PNGHeaders, pointCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(png.size.width, byteCount: 4)
    bytes.append(png.size.height, byteCount: 4)
    bytes.append(png.depth, byteCount: 1)
    bytes.append(png.colourType, byteCount: 1)
    bytes.append(png.data.offset, byteCount: 8)
    bytes.append(pointCount, byteCount: 4)
    return bytes
  }

  /// Reads the sidecar of a picture; throws if the bytes are not from our own writer.
  init(_ file: any CodedSource, of png: PNGHeaders, key: SidecarKey) throws(SidecarRefusal) {
    var head = try Sidecar.bytes(of: file, at: 0, count: min(file.length, 1 << 14))
    identity = try SidecarIdentity(
      head, magic: Self.magic, formatVersion: Self.formatVersion, key: key)
    guard head.count >= Self.headByteCount else { throw .damaged("it is cut off") }
    let count = head.integer(at: Self.headByteCount - 4, byteCount: 4)
    guard
      head[SidecarIdentity.byteCount..<Self.headByteCount]
        .elementsEqual(Self.frame(png, pointCount: count))
    else { throw .stale("the picture's headers differ") }
    // At most one point per row, so the product does not overflow.
    let end = Self.headByteCount + count * Self.entryByteCount
    guard (1...png.size.height).contains(count), end + SidecarKey.tagByteCount <= file.length
    else { throw .damaged("it is cut off") }
    if head.count < end + SidecarKey.tagByteCount {
      head += try Sidecar.bytes(
        of: file, at: head.count, count: end + SidecarKey.tagByteCount - head.count)
    }
    bytesRead = head.count
    let tag = head[end..<end + SidecarKey.tagByteCount]
    let difference = zip(key.tag(of: head[..<end]), tag).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard difference == 0 else { throw .damaged("its tag does not match") }
    var cursor = ByteCursor(bytes: head, position: Self.headByteCount)
    let entries = (0..<count).map { _ in Entry(&cursor) }
    var offset = end + SidecarKey.tagByteCount
    offsets = entries.map { entry in
      defer { offset += entry.byteCount }
      return offset
    }
    guard offset == file.length, Self.areConsistent(entries.map(\.point), png) else {
      throw .damaged("its points contradict each other")
    }
    self.entries = entries
    self.file = file
  }

  private static func areConsistent(_ points: [RowEntryPoint], _ png: PNGHeaders) -> Bool {
    points.first?.row == 0 && zip(points, points.dropFirst()).allSatisfy { $0.row < $1.row }
      && points.allSatisfy { point in
        point.row < png.size.height && point.excess <= point.windowLength
          && point.windowLength <= Inflater.windowLength
          && [point.entry.block, point.entry.symbol].allSatisfy {
            $0.offset >= png.data.offset && $0.bit < 8
          }
      }
  }

  func packed(_ number: Int) throws(SidecarRefusal) -> [UInt8] {
    let entry = entries[number]
    guard entry.byteCount > 0 else { return [] }
    let bytes = try Sidecar.bytes(of: file, at: offsets[number], count: entry.byteCount)
    guard SHA256.digest(of: bytes).prefix(entry.digest.count) == entry.digest[...] else {
      throw .damaged("an entry point does not match")
    }
    return bytes
  }

  /// Returns the largest size of a sidecar: a point for every row, with incompressible data.
  static func largest(for png: PNGHeaders) -> Int {
    let (most, overflow) = png.size.height.multipliedReportingOverflow(
      by: entryByteCount + Inflater.windowLength + 2 * png.rowBytes + 1024)
    return overflow ? .max : most
  }

  // MARK: Writing

  static func encoded(
    _ identity: SidecarIdentity, _ png: PNGHeaders, _ points: [RowEntryPoint], with key: SidecarKey
  ) -> [UInt8] {
    var bytes = identity.encoded(magic: magic, formatVersion: formatVersion, key: key)
    bytes += frame(png, pointCount: points.count)
    for point in points { bytes += Entry(point).encoded }
    bytes += key.tag(of: bytes[...])
    for point in points { bytes += point.packed }
    return bytes
  }
}

extension PNGSidecar.Entry {
  init(_ point: RowEntryPoint) {
    self.point = point
    byteCount = point.packed.count
    digest = Array(SHA256.digest(of: point.packed).prefix(SidecarHeader.digestByteCount))
  }

  fileprivate init(_ cursor: inout ByteCursor) {
    func place() -> StreamPlace {
      StreamPlace(offset: cursor.integer(6), rest: cursor.integer(4), bit: cursor.integer(1))
    }
    let row = cursor.integer(4)
    let (block, symbol, stored) = (place(), place(), cursor.integer(2))
    point = RowEntryPoint(
      row: row, entry: InflateEntry(block: block, symbol: symbol, stored: stored),
      excess: cursor.integer(2), windowLength: cursor.integer(4), packed: [])
    byteCount = cursor.integer(4)
    digest = cursor.bytes(SidecarHeader.digestByteCount)
  }

  fileprivate var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(point.row, byteCount: 4)
    for place in [point.entry.block, point.entry.symbol] {
      bytes.append(place.offset, byteCount: 6)
      bytes.append(place.rest, byteCount: 4)
      bytes.append(place.bit, byteCount: 1)
    }
    bytes.append(point.entry.stored, byteCount: 2)
    bytes.append(point.excess, byteCount: 2)
    bytes.append(point.windowLength, byteCount: 4)
    bytes.append(byteCount, byteCount: 4)
    return bytes + digest
  }
}
