internal import ZoomGeometry

/// A JPEG that is entered through a seek index.
final class IndexedSource: StoredSource, JPEGWindowSource {
  let picture: Picture
  /// The headers of `file`.
  private let jpeg: JPEGStructure
  private let encoder: WindowEncoder
  private let index: GrowingIndex
  private let isStored: Bool
  let openingWork: Work
  /// Where the index is from, in a few words.
  private let origin: String
  /// What reads the picture where it cannot be entered after all.
  private let fallback: SequentialSource

  /// Takes an opened picture; without an index peeks build it.
  /// - Throws: `unsupported` when it can neither be entered nor has a sequential form with its index.
  init(_ entry: IndexedPipeline.Entry) throws(PipelineError) {
    picture = entry.picture
    let own = entry.opened.file
    let sidecar = try? entry.found.get()
    let file: any CodedSource
    let tables: ScanTables
    if let payload = sidecar?.payload {
      file = MemoryFile(payload, madeFrom: own.path, guarding: own)
      jpeg = try JPEGParser.parse(file)
      tables = try ScanTables(jpeg, of: own.path)
      guard jpeg.isSequentialForm(of: entry.opened.jpeg) else {
        throw PipelineError(
          .unsupported, operation: "index", file: own.path,
          reason: "its index holds another picture"
        )
      }
    } else {
      try entry.opened.assertSequential(remedy: Self.remedy(entry))
      (file, jpeg) = (own, entry.opened.jpeg)
      tables = try entry.opened.headers.tables()
    }
    // A peek that stops above a cut would not notice it; a picture with an index is known whole.
    if sidecar == nil { try jpeg.assertComplete(own) }
    isStored = sidecar != nil
    index = GrowingIndex(file, jpeg, tables, stored: sidecar?.index)
    encoder = WindowEncoder(jpeg: jpeg, tables: tables, file: file)
    fallback = SequentialSource(picture: picture)
    openingWork =
      picture.openingWork
      + Work(opening: own.bytesRead - entry.bytesBefore + (sidecar?.bytesRead ?? 0))
    origin =
      if sidecar?.payload != nil {
        "from the index of its sequential form, found with the picture"
      } else if sidecar != nil {
        "from an index found with the picture"
      } else if jpeg.restartInterval > 0 {
        "found as peeks need them, from its restart markers on"
      } else {
        "found as peeks need them"
      }
  }

  /// How a picture that cannot be entered itself could be all the same.
  private static func remedy(_ entry: IndexedPipeline.Entry) -> String? {
    guard SequentialForm.isNeeded(for: entry.opened.jpeg), case .failure(let refusal) = entry.found
    else { return nil }
    return entry.wasLookedFor
      ? "\(refusal) (`zoombench index FILE` makes one)"
      : "no index is looked for (`bench --index-dir` says where)"
  }

  var state: SourceState { index.hasGrown ? .index : .openFile }

  var explanation: String { "entry points every \(index.spacing) MCUs, \(origin)" }

  func completeIndex() throws(PipelineError) { _ = try index.complete() }

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

  /// Reads through windows.
  /// - Returns: nil where the picture's data is irregular before the region's end; and what making the
  ///   index grow took.
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
        guard let part = try part(plans[number]) else { throw irregular }
        return part
      }
      return (answer, growing)
    } catch {
      guard error.isRefusal else { throw error }
      return (nil, growing)
    }
  }

  /// Makes a JPEG of a window; nil when none can be made.
  private func part(_ plan: WindowPlan) throws(PipelineError) -> PartialJPEG? {
    let made = try encoder.encode(plan, noting: isStored ? nil : index.spacing)
    try encoder.file.assertUntouched()
    guard let made else { return nil }
    index.note(made.found)
    return PartialJPEG(
      bytes: made.bytes, window: plan.window,
      work: Work(
        bytesRead: made.bytesRead, unitsDecoded: plan.window.count, unit: .mcu,
        unitsWalked: plan.mcusWalked, pixelsDecoded: 0, pixelsDelivered: 0))
  }

  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow {
    try picture.assertUnchanged()
    let stored = try picture.storedRegion(for: region)
    let window = MCUWindow(jpeg, region: stored)
    guard let plan = try index.plan([window]).plans?.first, var bytes = try part(plan)?.bytes
    else { throw irregular }
    if picture.orientation != .up {
      JPEGStructure.insert(JPEGStructure.segment(of: picture.orientation), into: &bytes)
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
  /// The same pixels with more that was done for them.
  fileprivate func adding(_ more: Work) -> RegionAnswer {
    RegionAnswer(pixels: pixels, work: work + more, resampling: resampling)
  }
}
