internal import ZoomGeometry

final class IndexedSource: StoredSource, JPEGWindowSource, IndexCompletingSource {
  let picture: Picture
  /// The headers of the file that is read: the picture's own, or its sequential form.
  private let jpeg: JPEGStructure
  private let encoder: WindowEncoder
  private let index: GrowingIndex
  private let isStored: Bool
  let openingWork: Work
  /// Reads the picture if its entropy-coded data turns out to be irregular.
  private let fallback: SequentialSource

  /// Creates a source from a picture and its index, or the reason that it has none.
  ///
  /// `found` is nil if no index was looked for; `bytesBefore` counts the bytes read before that.
  /// - Throws: `unsupported` when it lacks entry points and its index lacks a sequential form.
  init(
    _ picture: Picture, _ found: Result<Sidecar, SidecarRefusal>?, bytesBefore: Int
  ) throws(PipelineError) {
    self.picture = picture
    let own = picture.file
    let headers = try picture.jpegHeaders(for: "index")
    let sidecar = try? found?.get()
    let file: any CodedSource
    let tables: ScanTables
    if let payload = sidecar?.payload {
      file = MemoryFile(payload, madeFrom: own.path)
      jpeg = try JPEGParser.parse(file)
      tables = try ScanTables(jpeg, of: own.path)
      guard jpeg.isSequentialForm(of: headers.structure) else {
        throw PipelineError(
          .unsupported, operation: "index", file: own.path,
          reason: "its index holds another picture")
      }
    } else {
      (file, jpeg) = (own, headers.structure)
      _ = try picture.sequentialJPEG(for: "index", remedy: Self.remedy(jpeg, found))
      tables = try headers.tables()
    }
    // A peek that stops above the end of a truncated file does not notice it. A picture with a
    // stored index was complete when the index was made.
    if sidecar == nil { try jpeg.assertComplete(own) }
    isStored = sidecar != nil
    index = GrowingIndex(file, jpeg, tables, stored: sidecar?.index)
    encoder = WindowEncoder(jpeg: jpeg, tables: tables, file: file)
    fallback = SequentialSource(picture: picture)
    openingWork =
      picture.openingWork + Work(opening: own.bytesRead - bytesBefore + (sidecar?.bytesRead ?? 0))
  }

  private static func remedy(
    _ jpeg: JPEGStructure, _ found: Result<Sidecar, SidecarRefusal>?
  ) -> String? {
    guard SequentialForm.isNeeded(for: jpeg) else { return nil }
    guard case .failure(let refusal) = found else {
      return "no index is looked for (make one with `zoombench index --index-dir DIR FILE` and give"
        + " --index-dir DIR)"
    }
    return "\(refusal) (`zoombench index FILE` makes one)"
  }

  var state: SourceState { index.hasGrown ? .index : .openFile }

  var explanation: String { index.summary }

  func cost(of stored: PixelRegion) -> PeekCost? {
    let window = MCUWindow(jpeg, region: stored)
    let size = window.size(jpeg)
    let width = jpeg.mcusPerRow * jpeg.mcuSize.width
    // On average, a peek parses half the distance between two entry points before each row of MCUs.
    let walked = min(index.spacing, index.segmentLength) * jpeg.mcuSize.width / 2
    let later = min(width, size.width + walked) * size.height
    return PeekCost(
      first: isStored ? later : width * (window.origin(jpeg).y + size.height), later: later)
  }

  func completeIndex() throws(PipelineError) { try index.complete() }

  func forget() { index.forget() }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let (answer, growing) = try read(stored, .none)
    if let answer { return answer.adding(growing) }
    return try fallback.readStored(stored).adding(growing)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    let (answer, growing) = try read(stored, reduction)
    if let answer { return answer.adding(growing) }
    return try fallback.readStored(stored, reducedBy: reduction)?.adding(growing)
  }

  /// Checks that the file is still the one indexed, by its time of change too.
  func assertUnchanged() throws(PipelineError) {
    do throws(PipelineError) {
      try picture.file.assertUntouched()
    } catch {
      // Drop the index: entry points of the old file must not be mixed with new ones.
      index.forget()
      throw error
    }
  }

  /// Reads through windows.
  /// - Returns: the answer, nil if the data is irregular, and the work of extending the index.
  private func read(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> (answer: RegionAnswer?, growing: Work) {
    let whole = MCUWindow(jpeg, region: stored, reduction: reduction)
    var (plans, growing) = try index.plan([whole])
    guard let plan = plans?.first else { return (nil, growing) }
    let reader = WindowReader(picture: picture, jpeg: jpeg)
    let bands = reader.bands(of: stored, reduction, walking: plan.mcusWalked)
    if bands.count > 1 {
      plans = try index.plan(bands.map { MCUWindow(jpeg, region: $0, reduction: reduction) }).plans
    }
    guard let plans else { return (nil, growing) }
    do throws(PipelineError) {
      let answer = try reader.read(bands, of: stored, reduction) { number throws(PipelineError) in
        try part(plans[number])
      }
      return (answer, growing)
    } catch {
      guard error.isRefusal else { throw error }
      return (nil, growing)
    }
  }

  private func part(_ plan: WindowPlan) throws(PipelineError) -> WindowEncoder.Result {
    guard let made = try encoder.encode(plan, noting: isStored ? nil : index.spacing) else {
      throw irregular
    }
    index.note(made.found)
    return made
  }

  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow {
    let stored = try picture.storedRegion(for: region)
    let window = MCUWindow(jpeg, region: stored)
    var bytes = try unchanged { () throws(PipelineError) in
      guard let plan = try index.plan([window]).plans?.first else { throw irregular }
      return try part(plan).bytes
    }
    if picture.orientation != .up {
      JPEGSegment.insert([.exif(picture.orientation)], into: &bytes)
    }
    let (origin, size) = (window.origin(jpeg), window.size(jpeg))
    do {
      return JPEGWindow(
        bytes: bytes,
        stored: try PixelRegion(
          x: origin.x, y: origin.y, width: size.width, height: size.height),
        offset: PixelPoint(x: stored.x - origin.x, y: stored.y - origin.y), size: stored.size)
    } catch {
      throw PipelineError(.fault, operation: "cut out", file: picture.path, reason: "\(error)")
    }
  }

  private var irregular: PipelineError {
    PipelineError(
      .unsupported, operation: "read", file: picture.path,
      reason: "its coded data breaks the rules, or is not what was indexed")
  }
}

extension RegionAnswer {
  fileprivate func adding(_ more: Work) -> RegionAnswer {
    RegionAnswer(pixels: pixels, work: work + more, resampling: resampling)
  }
}
