internal import Synchronization
internal import ZoomGeometry

/// Reads TIFFs of several strips: copies the strips or rows of a region, or decodes its rows here.
final class TIFFStripReader: RegionReader {
  private let picture: Picture
  private let strips: TIFFStrips
  private let fields: [SmallTIFF.Field]
  /// The strips that are known to decode the same without earlier ones.
  ///
  /// A strip that libtiff (4.5) refuses must not be shown in part. libtiff decodes most strips
  /// whole, so the first peek decodes each strip whole; later peeks decode what they show. Deflate
  /// has a second reason: libdeflate stops before a match or stored block that exceeds the rows, and
  /// libtiff accepts that. The missing bytes keep what the buffer held before, which depends on
  /// earlier strips. A pass from the top decodes such strips.
  private let checked = Mutex<Set<Int>>([])
  /// Decodes LZW strips, and deflate strips that were not checked yet; nil for other codings.
  private let rowCarver: TIFFRowCarver?

  private static let bandStrips = 1 << 15
  /// The number of checked strips that are kept, to bound the memory.
  private static let mostChecked = 1 << 16
  /// The number in `checked` for a check of all strips.
  private static let allStrips = -1

  /// With fewer strips, a peek decodes so much that keeping one decode of the picture is better.
  private static let fewestStrips = 4

  /// Creates a reader of a picture; throws `unsupported` if its strips cannot be read alone.
  init(_ picture: Picture, _ strips: TIFFStrips) throws(PipelineError) {
    self.picture = picture
    self.strips = strips
    let count = strips.count
    guard strips.compression == .none || count >= Self.fewestStrips else {
      throw picture.file.refusal(
        count == 1
          ? "all rows are in one compressed strip"
          : "its \(count) compressed strips are too tall to be worth it")
    }
    fields = try strips.directory.fieldsOfSamples(in: picture.file)
    rowCarver = try? TIFFRowCarver(picture, strips)
  }

  var explanation: String {
    strips.compression == .none
      ? "its rows are not compressed, so only the region's bytes are read"
      : "only strips of \(strips.rowsPerStrip) rows that the region touches are decoded"
  }

  func cost(of stored: PixelRegion) -> PeekCost {
    guard strips.compression != .none else { return PeekCost(each: stored.area) }
    let (first, later) = (decodedRows(of: stored), decodedRows(of: stored, areChecked: true))
    return PeekCost(
      first: strips.size.width * first.count, later: strips.size.width * later.count)
  }

  /// libtiff's deflate (libdeflate) is faster than ours, so all strips are left to it.
  func keptUnit(of stored: PixelRegion) -> KeptUnit {
    if strips.isDeflate { return .whole }
    return strips.compression != .none && strips.areReadWhole
      ? .rows(decodedRows(of: stored)) : .parts
  }

  /// Returns the rows of coded strips that a peek decodes.
  private func decodedRows(of stored: PixelRegion, areChecked: Bool? = nil) -> Range<Int> {
    let needed = strips.strips(of: stored)
    let areChecked = areChecked ?? checked.withLock { $0.isSuperset(of: needed) }
    let isWhole =
      rowCarver == nil || strips.areReadWhole && (strips.isDeflate || !areChecked)
    let rows = strips.rows(of: needed)
    return rows.lowerBound..<(isWhole ? rows.upperBound : stored.maxY)
  }

  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan {
    try strips.expect(stored, in: picture.file)
    // Any number of uncompressed rows, but whole coded strips, so that none is decoded twice.
    let (unit, unitBytes) =
      strips.compression == .none
      ? (1, strips.cut(of: stored).byteCount)
      : (strips.rowsPerStrip, strips.stripByteCount)
    let units = min(bandBytes / max(1, unitBytes), Self.bandStrips)
    return RegionPlan(stored.bands(ofRows: unit * max(1, units)))
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let stored = band.region
    if strips.compression == .none { return try carveRows(stored) }
    if let file = try carveDecoded(stored) { return file }
    return try carveStrips(stored)
  }

  // MARK: Compressed

  /// Finds out whether a strip passes a check, unless it did before.
  ///
  /// A failure is not kept: memory may have been short, and the next decode may succeed.
  private func passes(
    _ strip: Int, _ check: () throws(PipelineError) -> Bool
  ) throws(PipelineError) -> Bool {
    if checked.withLock({ $0.contains(strip) }) { return true }
    guard try check() else { return false }
    keep(strip)
    return true
  }

  private func keep(_ strip: Int) {
    checked.withLock { checked in
      if checked.count >= Self.mostChecked { checked = [] }
      checked.insert(strip)
    }
  }

  /// Returns the region's columns of rows decoded here; nil if libtiff has to decode the strips.
  private func carveDecoded(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    guard let rowCarver else { return nil }
    let needed = strips.strips(of: stored)
    let areChecked = checked.withLock { $0.isSuperset(of: needed) }
    // libtiff's deflate (libdeflate) is faster than ours, and correct for strips that were checked.
    if strips.isDeflate, areChecked { return nil }
    guard let found = try strips.places(needed, in: picture.file) else { return nil }
    return try unsafe rowCarver.carve(stored) { wantedBytes, take throws(PipelineError) in
      var (bytesRead, rowsDecoded) = (found.bytesRead, 0)
      for (strip, place) in zip(needed, found.places) {
        let rows = strips.rows(of: strip)
        let wanted = rows.clamped(to: stored.y..<stored.maxY)
        // Each peek decodes the strip from its top, so no entry points are built.
        let reader = try rowCarver.reader(
          of: place, rows: rows.count, in: picture.file, spacing: rows.count + 1)
        // A strip that libtiff refuses must not be shown in part: see `checked`.
        let end = strips.areReadWhole && !areChecked ? rows.upperBound : wanted.upperBound
        let local = wanted.lowerBound - rows.lowerBound..<end - rows.lowerBound
        let read = try unsafe reader?.read(local, wantedBytes: wantedBytes) { row, bytes in
          let row = rows.lowerBound + row
          if row < wanted.upperBound { unsafe take(row, bytes) }
        }
        guard let read else { return nil }
        if end == rows.upperBound { keep(strip) }
        bytesRead += read.bytesRead
        rowsDecoded += read.whole + read.parts
      }
      return Work(
        bytesRead: bytesRead, unitsDecoded: needed.count, unit: .strip,
        pixelsDecoded: strips.size.width * rowsDecoded, pixelsDelivered: 0)
    }
  }

  /// Returns a file of whole strips, which libtiff decodes as it does in the whole file.
  private func carveStrips(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    let needed = strips.strips(of: stored)
    let rows = strips.rows(of: needed)
    let most = min(strips.mostCodedBytes, picture.limits.memory.limit)
    guard let found = try strips.places(needed, in: picture.file) else { return nil }
    let places = found.places
    guard
      places.allSatisfy({ place in
        TIFFStrips.isInside(place, picture.file) && place.count > 0 && place.count <= most
      }), places.reduce(0, { $0 + $1.count }) <= picture.limits.memory.limit,
      var small = SmallTIFF(
        like: strips.directory, fields: fields, width: strips.size.width, height: rows.count,
        rowsPerStrip: strips.rowsPerStrip, stripBytes: places.map(\.count))
    else { return nil }
    var bytesRead = found.bytesRead
    var target = SmallTIFF.dataStart
    for (strip, place) in zip(needed, places) {
      let end = target + place.count
      guard try read(place.offset, place.count, into: &small.bytes, at: target),
        try standsAlone(strip, place, small.bytes[target..<end])
      else { return nil }
      target = end
      bytesRead += place.count
    }
    let region = stored.relative(to: (0, rows.lowerBound))
    let decodedRows = strips.rowsPerStrip > SmallTIFF.mostRowsAtOnce ? region.maxY : rows.count
    return CarvedFile(
      bytes: small.bytes, region: region,
      work: Work(
        bytesRead: bytesRead, unitsDecoded: places.count, unit: .strip,
        pixelsDecoded: strips.size.width * decodedRows, pixelsDelivered: 0))
  }

  /// Whether a strip decodes the same without those before it.
  ///
  /// In some codings, libtiff leaves missing rows of a strip as they are in the strip before.
  private func standsAlone(
    _ strip: Int, _ place: TIFFStrips.Place, _ coded: ArraySlice<UInt8>
  ) throws(PipelineError) -> Bool {
    switch strips.compression {
    // libtiff decodes all strips in its old bit order if the picture's first strip has it.
    case .lzw: coded.first != 0
    case .deflate, .oldDeflate:
      try passes(strip) { () throws(PipelineError) in try holdsJustItsRows(strip, place) }
    case .group4 where strips.rowsPerStrip <= SmallTIFF.mostRowsAtOnce:
      try passes(strip) {
        Group4Check(picture: picture, strips: strips, fields: fields).isWhole(strip, coded)
      }
    case .jpeg:
      try passes(strip) { () throws(PipelineError) in try isWholeJPEG(strip, coded) }
    default: true
    }
  }

  /// Whether a deflate strip decodes to exactly its rows.
  private func holdsJustItsRows(
    _ strip: Int, _ place: TIFFStrips.Place
  ) throws(PipelineError) -> Bool {
    let (count, file) = (strips.rows(of: strip).count, picture.file)
    guard strips.hasPlainRows,
      let rows = try DeflatedRows(
        of: place, rows: count, rowBytes: strips.rowByteCount, in: file)
    else { return false }
    let index = RowIndex(file, rows, spacing: count + 1)
    return try unsafe index.read(count - 1..<count, wantedBytes: 0) { _, _ in } != nil
  }

  /// Whether a JPEG strip has the size of its rows, and needs no tables of earlier strips.
  private func isWholeJPEG(
    _ strip: Int, _ coded: ArraySlice<UInt8>
  ) throws(PipelineError) -> Bool {
    guard let header = JPEGStripHeader(coded, of: picture.path),
      header.size.width == strips.size.width,
      // The last strip may be as tall as the others.
      header.size.height == strips.rows(of: strip).count
        || strip == strips.count - 1 && header.size.height == strips.rowsPerStrip
    else { return false }
    if header.isComplete { return true }
    // JPEGTables.
    guard fields.contains(where: { $0.tag == 347 }) else { return false }
    return try passes(Self.allStrips) { () throws(PipelineError) in
      try strips.haveCommonTablesOnly(in: picture.file)
    }
  }

  // MARK: Uncompressed

  private func carveRows(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    let cut = strips.cut(of: stored)
    let needed = strips.strips(of: stored)
    guard
      var small = SmallTIFF(
        like: strips.directory, fields: fields, width: cut.width, height: stored.height,
        rowBytes: cut.byteCount),
      let found = try strips.places(needed, in: picture.file)
    else { return nil }
    var bytesRead = found.bytesRead
    var target = SmallTIFF.dataStart
    for (strip, place) in zip(needed, found.places) {
      let rows = strips.rows(of: strip)
      guard strips.holds(place, rows: rows.count, picture.file) else { return nil }
      let wanted = rows.clamped(to: stored.y..<stored.maxY)
      let start =
        place.offset + (wanted.lowerBound - rows.lowerBound) * strips.rowByteCount + cut.firstByte
      guard
        let read = try read(
          rows: wanted.count, of: cut.byteCount, at: start, into: &small.bytes, at: target)
      else { return nil }
      bytesRead += read
      target += wanted.count * cut.byteCount
    }
    return CarvedFile(
      bytes: small.bytes, region: stored.relative(to: (cut.firstColumn, stored.y)),
      work: Work(
        bytesRead: bytesRead, unitsDecoded: found.places.count, unit: .strip,
        pixelsDecoded: cut.width * stored.height, pixelsDelivered: 0),
      pixelStart: strips.holdPixels(of: picture) ? SmallTIFF.dataStart : nil)
  }

  // MARK: Reading

  /// Reading up to this many bytes between the parts of two rows is faster than a system call.
  private static let nearBytes = 2048

  /// Reads parts of rows and returns the bytes read; nil if the file was truncated.
  private func read(
    rows: Int, of count: Int, at offset: Int, into bytes: inout [UInt8], at target: Int
  ) throws(PipelineError) -> Int? {
    let rowByteCount = strips.rowByteCount
    // Whole rows are contiguous.
    if count == rowByteCount {
      return try read(offset, rows * count, into: &bytes, at: target) ? rows * count : nil
    }
    let isNear = rowByteCount - count <= Self.nearBytes
    let rowsAtOnce = isNear ? max(1, (1 << 20) / rowByteCount) : 1
    var bytesRead = 0
    for first in stride(from: 0, to: rows, by: rowsAtOnce) {
      let some = min(rowsAtOnce, rows - first)
      let span = (some - 1) * rowByteCount + count
      let part = try picture.file.bytes(at: offset + first * rowByteCount, count: span)
      guard part.count == span else { return nil }
      bytesRead += span
      for row in 0..<some {
        let place = target + (first + row) * count
        bytes.replaceSubrange(
          place..<place + count, with: part[row * rowByteCount..<row * rowByteCount + count])
      }
    }
    return bytesRead
  }

  private func read(
    _ offset: Int, _ count: Int, into bytes: inout [UInt8], at target: Int
  ) throws(PipelineError) -> Bool {
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(PipelineError) -> Bool in
      let part = unsafe UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: buffer[target..<target + count]))
      return try unsafe picture.file.read(at: offset, into: part) == count
    }
  }
}
