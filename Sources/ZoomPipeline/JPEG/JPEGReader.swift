internal import ZoomGeometry

/// Reads the MCUs of a JPEG that a region needs, found by a seek index.
///
/// The MCUs are decoded from smaller JPEGs, one per band of rows, in parallel.
struct JPEGReader: RegionReader {
  private let picture: Picture
  /// The index of the file that is read: the picture's own, or its sequential form.
  private let entries: GrowingIndex
  let storedBytesRead: Int

  private var jpeg: JPEGStructure { entries.jpeg }

  /// Reads the first stored index of a picture that can be used; without one, peeks build it.
  /// - Throws: `unsupported` when it lacks entry points and its index lacks a sequential form.
  init(_ picture: Picture, _ stores: [SidecarStore]) throws(PipelineError) {
    let jpeg = try picture.anyJPEG(for: "index")
    let found = try stores.first(for: picture, .jpeg(jpeg))
    do throws(PipelineError) {
      try self.init(picture, found)
    } catch {
      // The stored index is of no use; read the picture itself.
      guard case .success = found, error.isRefusal else { throw error }
      try self.init(picture, .failure(.damaged(error.reason)))
    }
  }

  /// Creates a reader from a picture's index, or the reason that it has none.
  ///
  /// `found` is nil if no index was looked for.
  init(_ picture: Picture, _ found: Result<Sidecar, SidecarRefusal>?) throws(PipelineError) {
    self.picture = picture
    let own = picture.file
    let structure = try picture.anyJPEG(for: "index")
    let sidecar = try? found?.get()
    let file: any CodedSource
    let jpeg: JPEGStructure
    if let payload = sidecar?.payload {
      file = MemoryFile(payload, madeFrom: own.path)
      jpeg = try JPEGParser.parse(file)
      guard jpeg.isSequentialForm(of: structure) else {
        throw .refusal("index", own.path, "its index holds another picture")
      }
    } else {
      (file, jpeg) = (own, structure)
      if let reason = jpeg.scanRefusal {
        let remedy = Self.remedy(jpeg, found).map { ", and \($0)" } ?? ""
        throw .refusal("index", own.path, reason + remedy)
      }
    }
    let tables = try ScanTables(jpeg, of: own.path)
    // A peek that stops above the end of a truncated file does not notice it. A picture with a
    // stored index was complete when the index was made.
    if sidecar == nil { try jpeg.assertComplete(own) }
    storedBytesRead = sidecar?.bytesRead ?? 0
    entries = GrowingIndex(file, jpeg, tables, stored: sidecar)
  }

  private static func remedy(
    _ jpeg: JPEGStructure, _ found: Result<Sidecar, SidecarRefusal>?
  ) -> String? {
    guard SequentialForm.isNeeded(for: jpeg) else { return nil }
    guard case .failure(let refusal) = found else {
      return "no index is looked for (make one with `zoombench index --index-dir DIR FILE` and give"
        + " --index-dir DIR)"
    }
    if case .overBudget = refusal { return "\(refusal)" }
    return "\(refusal) (`zoombench index FILE` makes one)"
  }

  var index: (any EntryIndex)? { entries }

  func cost(of stored: PixelRegion) -> PeekCost {
    let part = MCUWindow(jpeg, region: stored).part
    let width = jpeg.mcusPerRow * jpeg.mcuSize.width
    // On average, a peek parses half the distance between two entry points before each row of MCUs.
    let walked = min(entries.spacing, entries.segmentLength) * jpeg.mcuSize.width / 2
    let later = min(width, part.width + walked) * part.height
    return PeekCost(first: entries.stored == nil ? width * part.maxY : later, later: later)
  }

  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan { try plan(stored, .none) }

  func plan(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionPlan? {
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    return try plan(stored, reduction)
  }

  private func plan(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionPlan {
    let whole = MCUWindow(jpeg, region: stored, reduction: reduction)
    var (windows, growing) = try entries.plan([whole])
    var regions = [stored]
    if let window = windows?.first {
      regions = bands(of: stored, whole, walking: window.mcusWalked)
    }
    if regions.count > 1 {
      windows = try entries.plan(
        regions.map { MCUWindow(jpeg, region: $0, reduction: reduction) }
      ).plans
    }
    try entries.expect(windows ?? [])
    let bands = windows.map { windows in
      zip(regions, windows).map { RegionBand(region: $0, reduction: reduction, window: $1) }
    }
    return RegionPlan(bands: bands, work: growing, isParallel: true)
  }

  /// Splits a region, in stored pixels, into the bands to decode in parallel, from the top.
  ///
  /// There are at most two bands on every machine: each split costs up to two margin rows, and a
  /// read must do the same work everywhere. Below 4,096 MCUs (1,000 x 1,000 pixels at 4:2:0) the
  /// margin and the second thread cost nearly a tenth more processor time, which a busy server
  /// cannot spare. MCUs that are only parsed need no margin, so first peeks are split sooner.
  private func bands(
    of region: PixelRegion, _ window: MCUWindow, walking walked: Int
  ) -> [PixelRegion] {
    let row = (window.rows.lowerBound + window.rows.upperBound) / 2 * jpeg.mcuSize.height
    guard window.count >= 4096 || walked >= 1024, region.y < row, row < region.maxY else {
      return [region]
    }
    return [region.rows(region.y..<row), region.rows(row..<region.maxY)]
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    guard let plan = band.window, let made = try entries.encode(plan, band.reduction) else {
      return nil
    }
    let part = plan.window.part
    // The window's origin is at an MCU, so it is at a block.
    let region = band.region.relative(to: (part.x, part.y)).reduced(by: band.reduction.rawValue)
    return CarvedFile(bytes: made.bytes, region: region, work: made.work)
  }

  /// Decodes by libjpeg directly, because libvips' overhead takes longer than a small part.
  ///
  /// libvips decodes where libjpeg's colours might differ, and reports errors.
  func decode(
    _ file: CarvedFile, _ band: RegionBand, of picture: Picture,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Bool {
    let isDone = try unsafe JPEGDecoder(picture)?.decode(
      file.bytes, file.region, band.reduction, into: target)
    if isDone == true { return true }
    let image = try Image.open(jpeg: file.bytes, for: picture.path, reduction: band.reduction)
    guard image.bands == picture.bands, try image.format == picture.format else {
      throw PipelineError(
        .fault, operation: "decode", file: picture.path,
        reason: "a part of the picture has other bands than the whole")
    }
    try unsafe image.read(file.region, into: target, of: picture.path)
    return true
  }
}

extension PartSource: JPEGWindowSource where Reader == JPEGReader {
  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow {
    let stored = try picture.storedRegion(for: region)
    return try unchanged { () throws(PipelineError) in try reader.window(of: stored) }
  }
}

extension JPEGReader {
  /// Returns a JPEG of the MCUs of a region, in stored pixels.
  fileprivate func window(of stored: PixelRegion) throws(PipelineError) -> JPEGWindow {
    let window = MCUWindow(jpeg, region: stored)
    let part = window.part
    let plans = try entries.plan([window]).plans ?? []
    try entries.expect(plans)
    guard let plan = plans.first, let made = try entries.encode(plan) else {
      throw .refusal(
        "read", picture.path, "its coded data breaks the rules, or is not what was indexed")
    }
    var bytes = made.bytes
    if picture.orientation != .up {
      JPEGSegment.insert([.exif(picture.orientation)], into: &bytes)
    }
    return JPEGWindow(
      bytes: bytes, stored: part,
      offset: PixelPoint(x: stored.x - part.x, y: stored.y - part.y), size: stored.size)
  }
}
