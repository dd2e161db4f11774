internal import ZoomGeometry

/// Reads TIFFs of several strips: copies the strips or rows of a region, or decodes its rows here.
struct TIFFStripReader: RegionReader {
  private let picture: Picture
  private let strips: TIFFStrips
  private let fields: [SmallTIFF.Field]
  /// Whether a strip's decode does not depend on earlier strips, where that has to be found out.
  ///
  /// A strip that libtiff (4.5) refuses must not be shown in part. libtiff decodes most strips
  /// whole, so the first peek decodes each strip whole; later peeks decode what they show. Deflate
  /// has a second reason: libdeflate stops before a match or stored block that exceeds the rows, and
  /// libtiff accepts that. The missing bytes keep what the buffer held before, which depends on
  /// earlier strips. A pass from the top decodes such strips.
  private let answers = StripAnswers()
  /// Decodes LZW strips, and deflate strips that were not checked yet; nil for other codings.
  private let rowCarver: TIFFRowCarver?

  private static let bandStrips = 1 << 15

  /// Reads the tables of a picture; throws `unsupported` if its strips cannot be read alone.
  init(_ picture: Picture) throws(PipelineError) {
    self.picture = picture
    strips = try TIFFStrips(of: picture)
    try strips.assertSeveral(picture)
    fields = try strips.directory.fieldsOfSamples(in: picture)
    let isDecodedHere = strips.compression == .lzw || strips.isDeflate
    rowCarver = isDecodedHere ? try? TIFFRowCarver(picture, strips) : nil
  }

  var explanation: String {
    strips.compression == .none
      ? "its rows are not compressed, so only the region's bytes are read"
      : "only strips of \(strips.rowsPerStrip) rows that the region touches are decoded"
  }

  func cost(of stored: PixelRegion) -> PeekCost {
    guard strips.compression != .none else { return PeekCost(each: stored.area) }
    let needed = strips.strips(of: stored)
    let stripEnd = strips.rows(of: needed.upperBound - 1).upperBound
    let top = strips.rows(of: needed.lowerBound).lowerBound
    func pixels(to end: Int) -> Int { strips.size.width * (end - top) }
    return PeekCost(
      first: pixels(to: rowCarver == nil || strips.areReadWhole ? stripEnd : stored.maxY),
      later: pixels(
        to: rowCarver == nil || strips.areReadWhole && strips.isDeflate ? stripEnd : stored.maxY))
  }

  func plan(_ stored: PixelRegion) -> RegionPlan {
    // Any number of uncompressed rows, but whole coded strips, so that none is decoded twice.
    let (unit, unitBytes) =
      strips.compression == .none
      ? (1, strips.cut(of: stored).byteCount * strips.planes)
      : (strips.rowsPerStrip, strips.stripByteCount * strips.planes)
    let units = min(bandBytes / max(1, unitBytes), Self.bandStrips / strips.planes)
    return RegionPlan(stored.bands(ofRows: unit * max(1, units)))
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let stored = band.region
    if strips.compression == .none { return try carveRows(stored) }
    if let file = try carveDecoded(stored) { return file }
    return try carveStrips(stored)
  }

  // MARK: Compressed

  /// Returns the region's columns of rows decoded here; nil if libtiff has to decode the strips.
  private func carveDecoded(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    guard let rowCarver else { return nil }
    let needed = strips.strips(of: stored)
    let areKnown = answers.areTrue(needed)
    // libtiff's deflate (libdeflate) is faster than ours, and correct for strips that were checked.
    if strips.isDeflate, areKnown { return nil }
    guard let found = try strips.places(needed, plane: 0, in: picture.file) else { return nil }
    return try unsafe rowCarver.carve(stored) { wantedBytes, take throws(PipelineError) in
      var (bytesRead, rowsDecoded) = (found.bytesRead, 0)
      for (strip, place) in zip(needed, found.places) {
        let rows = strips.rows(of: strip)
        let wanted = rows.clamped(to: stored.y..<stored.maxY)
        let reader = try rowCarver.reader(of: place, rows: rows.count, in: picture.file)
        // A strip that libtiff refuses must not be shown in part: see `answers`.
        let end = strips.areReadWhole && !areKnown ? rows.upperBound : wanted.upperBound
        let local = wanted.lowerBound - rows.lowerBound..<end - rows.lowerBound
        let read = try unsafe reader?.read(local, wantedBytes: wantedBytes) { row, bytes in
          let row = rows.lowerBound + row
          if row < wanted.upperBound { unsafe take(row, bytes) }
        }
        guard let read else { return nil }
        if end == rows.upperBound { answers.set(strip, to: true) }
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
    let top = strips.rows(of: needed.lowerBound).lowerBound
    let rows = top..<strips.rows(of: needed.upperBound - 1).upperBound
    var places: [TIFFStrips.Place] = []
    var bytesRead = 0
    for plane in 0..<strips.planes {
      guard let found = try strips.places(needed, plane: plane, in: picture.file) else {
        return nil
      }
      places += found.places
      bytesRead += found.bytesRead
    }
    let length = picture.file.length
    let most = min(strips.mostCodedBytes, picture.limits.memory.limit)
    guard
      places.allSatisfy({ place in
        place.offset > 0 && place.count > 0 && place.count <= most && place.offset <= length
          && place.count <= length - place.offset
      }), places.reduce(0, { $0 + $1.count }) <= picture.limits.memory.limit,
      var small = SmallTIFF(
        like: strips.directory,
        fields: fields.sized(strips.size.width, rows.count, in: strips.directory),
        rowsPerStrip: strips.rowsPerStrip, stripBytes: places.map(\.count))
    else { return nil }
    var target = small.dataStart
    for run in Self.runs(places) {
      guard try read(run.offset, run.count, into: &small.bytes, at: target) else { return nil }
      target += run.count
      bytesRead += run.count
    }
    guard try standAlone(places, needed, small) else { return nil }
    let region = stored.relative(to: (0, rows.lowerBound))
    let decodedRows = strips.rowsPerStrip > SmallTIFF.mostRowsAtOnce ? region.maxY : rows.count
    return CarvedFile(
      bytes: small.bytes, region: region,
      work: Work(
        bytesRead: bytesRead, unitsDecoded: places.count, unit: .strip,
        pixelsDecoded: strips.size.width * decodedRows, pixelsDelivered: 0))
  }

  /// Whether the strips decode the same without those before them.
  ///
  /// In some codings, libtiff leaves missing rows of a strip as they are in the strip before.
  private func standAlone(
    _ places: [TIFFStrips.Place], _ needed: Range<Int>, _ small: SmallTIFF
  ) throws(PipelineError) -> Bool {
    let isGroup4 = strips.compression == .group4 && strips.rowsPerStrip <= SmallTIFF.mostRowsAtOnce
    guard isGroup4 || strips.isDeflate || [.jpeg, .webp, .lzw].contains(strips.compression)
    else { return true }
    let hasTables = fields.contains { $0.tag == 347 }
    var start = small.dataStart
    for (number, place) in places.enumerated() {
      let coded = small.bytes[start..<start + place.count]
      start += place.count
      let strip = needed.lowerBound + number % needed.count
      if strips.compression == .lzw {
        // libtiff decodes all strips in its old bit order if the picture's first strip has it.
        guard coded.first != 0 else { return false }
        continue
      }
      if strips.isDeflate {
        // Answers are numbered plane by plane.
        let own = number / needed.count * strips.stripsPerPlane + strip
        let isWhole = try answers.answer(for: own) { () throws(PipelineError) in
          try strips.holdsJustItsRows(strip, place, in: picture.file)
        }
        guard isWhole else { return false }
        continue
      }
      if isGroup4 {
        let check = Group4Check(
          picture: picture, strips: strips, fields: fields.filter { $0.tag != TIFFTag.width })
        guard try answers.answer(for: strip, { check.isWhole(strip, coded) }) else { return false }
        continue
      }
      let rows = strips.rows(of: strip).count
      let size =
        strips.compression == .jpeg
        ? try jpegSize(coded, hasTables: hasTables) : CodedStrip.webpSize(coded)
      guard let size, size.width == strips.size.width,
        // The last strip may be as tall as the others.
        size.height == rows
          || strip == strips.stripsPerPlane - 1 && size.height == strips.rowsPerStrip
      else { return false }
    }
    return true
  }

  /// Returns the size of a JPEG strip; nil if its tables may be in an earlier strip.
  private func jpegSize(
    _ coded: ArraySlice<UInt8>, hasTables: Bool
  ) throws(PipelineError) -> (width: Int, height: Int)? {
    guard let header = CodedStrip.jpegHeader(coded) else { return nil }
    if !header.isComplete {
      guard hasTables else { return nil }
      // One answer for all strips.
      let areCommon = try answers.answer(for: 0) { () throws(PipelineError) in
        try strips.haveCommonTablesOnly(in: picture.file)
      }
      guard areCommon else { return nil }
    }
    return (header.width, header.height)
  }

  /// Joins strips that are adjacent in the file, so that one call reads them.
  private static func runs(_ places: [TIFFStrips.Place]) -> [TIFFStrips.Place] {
    var runs: [TIFFStrips.Place] = []
    for place in places {
      if let last = runs.last, last.offset + last.count == place.offset {
        runs[runs.count - 1] = TIFFStrips.Place(
          offset: last.offset, count: last.count + place.count)
      } else {
        runs.append(place)
      }
    }
    return runs
  }

  // MARK: Uncompressed

  private func carveRows(_ stored: PixelRegion) throws(PipelineError) -> CarvedFile? {
    let cut = strips.cut(of: stored)
    let rowsPerStrip = SmallTIFF.rowsPerStrip(of: stored.height, rowBytes: cut.byteCount)
    let planeStrips = (stored.height + rowsPerStrip - 1) / rowsPerStrip
    let stripBytes = (0..<planeStrips).map { strip in
      min(rowsPerStrip, stored.height - strip * rowsPerStrip) * cut.byteCount
    }
    guard
      var small = SmallTIFF(
        like: strips.directory,
        fields: fields.sized(cut.width, stored.height, in: strips.directory),
        rowsPerStrip: rowsPerStrip,
        stripBytes: (0..<strips.planes).flatMap { _ in stripBytes })
    else { return nil }
    let region = stored.relative(to: (cut.firstColumn, stored.y))
    let needed = strips.strips(of: stored)
    var target = small.dataStart
    var bytesRead = 0
    for plane in 0..<strips.planes {
      guard let found = try strips.places(needed, plane: plane, in: picture.file) else {
        return nil
      }
      bytesRead += found.bytesRead
      for (strip, place) in zip(needed, found.places) {
        let rows = strips.rows(of: strip)
        guard strips.holds(place, rows: rows.count, picture.file.length) else { return nil }
        let (top, foot) = (max(rows.lowerBound, stored.y), min(rows.upperBound, stored.maxY))
        let start = place.offset + (top - rows.lowerBound) * strips.rowByteCount + cut.firstByte
        guard
          let read = try read(
            rows: foot - top, of: cut.byteCount, at: start, into: &small.bytes, at: target)
        else { return nil }
        bytesRead += read
        target += (foot - top) * cut.byteCount
      }
    }
    return CarvedFile(
      bytes: small.bytes, region: region,
      work: Work(
        bytesRead: bytesRead, unitsDecoded: needed.count * strips.planes, unit: .strip,
        pixelsDecoded: cut.width * stored.height, pixelsDelivered: 0))
  }

  // MARK: Reading

  /// Reading up to this many bytes between the parts of two rows is faster than a system call.
  private static let nearBytes = 2048

  private func read(
    rows: Int, of count: Int, at offset: Int, into bytes: inout [UInt8], at target: Int
  ) throws(PipelineError) -> Int? {
    let rowByteCount = strips.rowByteCount
    if rowByteCount == count {
      let all = rows * count
      return try read(offset, all, into: &bytes, at: target) ? all : nil
    }
    guard rowByteCount - count <= Self.nearBytes else {
      for row in 0..<rows {
        guard
          try read(offset + row * rowByteCount, count, into: &bytes, at: target + row * count)
        else { return nil }
      }
      return rows * count
    }
    var bytesRead = 0
    let rowsAtOnce = max(1, (1 << 20) / rowByteCount)
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
    var outcome: Result<Int, PipelineError> = .success(0)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(PipelineError) {
        let part = unsafe UnsafeMutableRawBufferPointer(
          rebasing: buffer[target..<target + count])
        outcome = .success(try unsafe picture.file.read(at: offset, into: part))
      } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get() == count
  }
}
