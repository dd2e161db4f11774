internal import Synchronization
internal import SystemPackage
internal import ZoomGeometry

/// The headers of a picture of a format whose index can be stored.
enum IndexedHeaders: Sendable {
  case jpeg(JPEGStructure)
  case png(PNGHeaders)

  /// Reads the headers of a file.
  /// - Throws: `unsupported` for other formats, and the errors of the parsers.
  init(_ file: FileReader) throws(PipelineError) {
    let start = try file.bytes(at: 0, count: PNGHeaders.signature.count)
    if start == PNGHeaders.signature {
      self = .png(try PNGHeaders(file))
    } else if start.starts(with: [0xFF, 0xD8]) {
      self = .jpeg(try JPEGParser.parse(file))
    } else {
      throw .refusal("index", file.path, "indexes are stored for JPEGs and PNGs only")
    }
  }

  /// The picture's size, its coded units, and the offset of its coded data in the file.
  var facts: (size: PixelSize, unit: SidecarHeader.Unit, unitCount: Int, start: Int) {
    switch self {
    case .jpeg(let jpeg): (jpeg.size, .mcu, jpeg.mcuCount, jpeg.codedStart)
    case .png(let png): (png.size, .row, png.size.height, png.data.offset)
    }
  }

  /// Whether a sidecar may be of a picture with these headers; its identity decides.
  func match(_ header: SidecarHeader) -> Bool {
    let facts = facts
    return header.unit == facts.unit && header.unitCount == facts.unitCount
      && (header.start == facts.start || header.unit == .mcu && header.payloadCount > 0)
  }

  /// Returns the maximum size of a picture's sidecar in bytes; larger files are not read.
  ///
  /// An index is densest with a point at every unit: for a JPEG that is at most an eighth of the
  /// decoded pixels; for a PNG each point's data may not compress. A payload is some per cent
  /// longer than its picture, or far longer if most blocks are empty: a progressive picture codes
  /// many ends of blocks at once, a payload needs up to 2 bytes per block (Annex K's tables, with
  /// DC). For arithmetic coding the format sets no bound; 16 times the length is more than any known
  /// picture needs. Headers and tables get 64 KB.
  func largest(pictureLength: Int) -> Int {
    let fixed = SidecarHeader.byteCount + SidecarKey.tagByteCount
    switch self {
    case .png(let png):
      let point =
        SidecarHeader.entryByteCount + RowEntryPoint.recordByteCount + Inflater.windowLength
        + 2 * png.rowBytes + 1024
      // A header may claim 2^31 pixels a side, whose points exceed 64 bits.
      let (points, overflow) = png.size.height.multipliedReportingOverflow(by: point)
      return overflow ? .max : min(points, .max - fixed) + fixed
    case .jpeg(let jpeg):
      let points = jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
      let entries =
        (jpeg.mcuCount / SeekIndex.pointsPerBlock + 1) * SidecarHeader.entryByteCount
      guard SequentialForm.isNeeded(for: jpeg) else { return fixed + entries + points }
      // No picture has 2^44 bytes; the bound prevents overflow of the product.
      return fixed + entries + points + 16 * min(pictureLength, 1 << 44)
        + 2 * jpeg.blocksPerMCU * jpeg.mcuCount + 1 << 16
    }
  }

  /// Reads and checks all points of a sidecar.
  func checkPoints(of sidecar: Sidecar) throws(SidecarRefusal) {
    switch self {
    case .jpeg(let jpeg):
      _ = try SeekIndex(sidecar, componentCount: jpeg.components.count)
    case .png(let png):
      let start = RowEntryPoint(startOf: png.rows)
      var last = start.entry.symbol
      for number in 0..<sidecar.header.blockCount {
        let point = try RowEntryPoint(number, of: sidecar)
        let symbol = point.entry.symbol
        guard number > 0 || point == start, (last.offset, last.bit) <= (symbol.offset, symbol.bit),
          (try? point.unpacked(png.rows)) != nil
        else { throw .damaged("its points contradict each other") }
        last = symbol
      }
    }
  }
}

/// All entry points of a picture, as a sidecar stores them.
struct CompleteIndex: Sendable {
  let spacing: Int
  /// The range of the coded data in the payload, or in the picture's file if there is none.
  let start: Int
  let end: Int
  let blocks: [[UInt8]]
  var payload: [UInt8]?
}

extension CompleteIndex {
  /// Builds the index of a picture, or of its sequential form.
  /// - Throws: `PipelineError`: `unsupported` when the picture cannot be indexed.
  init(
    of picture: Picture, _ headers: IndexedHeaders, spacing: Int? = nil
  ) throws(PipelineError) {
    switch headers {
    case .png(let png):
      try picture.assertRowsFit(png.rowBytes, "index")
      let index = RowIndex(picture.file, png.rows, spacing: spacing)
      let points = try index.complete()
      self.init(
        spacing: index.spacing, start: png.data.offset, end: picture.file.length,
        blocks: points.map(\.encoded))
    case .jpeg(let jpeg) where SequentialForm.isNeeded(for: jpeg):
      self = try SequentialForm.index(of: picture)
    case .jpeg(let jpeg): self.init(try SeekIndex.build(of: picture.file, jpeg))
    }
  }

  /// Creates the index of a JPEG, or of its sequential form.
  init(_ index: SeekIndex, payload: [UInt8]? = nil) {
    self.init(
      spacing: index.spacing, start: index.codedStart, end: index.scanEnd, blocks: index.blocks,
      payload: payload)
  }
}

extension SidecarDraft {
  /// Creates a draft; nil if its parts contradict each other.
  init?(
    _ identity: SidecarIdentity, _ unit: SidecarHeader.Unit, count: Int, _ index: CompleteIndex
  ) {
    let payload = index.payload
    let header = SidecarHeader(
      identity: identity, unit: unit, unitCount: count, spacing: index.spacing,
      start: index.start, end: index.end, payloadCount: payload?.count ?? 0,
      payloadDigest: payload.map { SHA256.digest(of: $0) }
        ?? [UInt8](repeating: 0, count: SHA256.byteCount))
    guard header.isConsistent, header.blockCount == index.blocks.count else { return nil }
    self.init(header: header, blocks: index.blocks, payload: payload)
  }

  /// Builds the index of a settled picture or its sequential form, and returns a sidecar of it.
  /// - Throws: `PipelineError`: `unsupported` when the picture cannot be indexed or the sidecar
  ///   would exceed the size that readers accept, `overBudget` past the limits, `changed` when the
  ///   file is written to meanwhile.
  static func build(
    of path: FilePath, limits: PictureLimits = .standard
  ) throws(PipelineError) -> (draft: SidecarDraft, headers: IndexedHeaders) {
    if RemoteAddress.isName(path) { return try build(ofRemote: path, limits: limits) }
    func changed(_ reason: String, _ advice: String) -> PipelineError {
      PipelineError(.changed, operation: "index", file: path, reason: reason, advice: advice)
    }
    let settled = try FileVersion.settled(of: path)
    let picture = try Picture(path, limits: limits)
    guard picture.version == settled else {
      throw changed("the file is being written", "index it when it is complete")
    }
    // libvips may give a JPEG another size than its headers.
    _ = try picture.jpeg?.get()
    let headers = try IndexedHeaders(picture.file)
    // One thread reads the picture for its index, another for its digest.
    let isWanted = Atomic<Bool>(true)
    let parts = try concurrently(2) {
      number throws(PipelineError) -> (index: CompleteIndex?, digest: [UInt8]) in
      if number == 1 {
        return (nil, try SHA256.digest(of: picture.file) { isWanted.load(ordering: .relaxed) })
      }
      do throws(PipelineError) {
        return (try CompleteIndex(of: picture, headers), [])
      } catch {
        isWanted.store(false, ordering: .relaxed)
        // If the file was written to meanwhile, that is the error to report.
        try picture.file.assertUntouched()
        throw error
      }
    }
    guard let index = parts[0].index else { preconditionFailure("each number makes its own") }
    guard try FileVersion(of: path) == picture.version else {
      throw changed("the file changed meanwhile", "index it again")
    }
    let identity = SidecarIdentity(version: picture.version, contentDigest: parts[1].digest)
    return (try SidecarDraft(identity, headers, index, of: picture.file), headers)
  }

  init(
    _ identity: SidecarIdentity, _ headers: IndexedHeaders, _ index: CompleteIndex,
    of file: FileReader
  ) throws(PipelineError) {
    let facts = headers.facts
    guard let draft = SidecarDraft(identity, facts.unit, count: facts.unitCount, index),
      headers.match(draft.header)
    else {
      throw PipelineError(
        .fault, operation: "index", file: file.path, reason: "the index is of another picture")
    }
    guard draft.byteCount <= headers.largest(pictureLength: file.length) else {
      throw .refusal("index", file.path, "its sequential form is too large to be kept")
    }
    self = draft
  }
}
