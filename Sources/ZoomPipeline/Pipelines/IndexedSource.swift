internal import ZoomGeometry

/// A JPEG that is entered through a seek index.
final class IndexedSource: StoredSource, JPEGWindowSource {
  let picture: Picture
  /// The headers of `file`.
  private let jpeg: JPEGStructure
  private let windows: WindowMaker
  private let index: GrowingIndex
  let openingWork: Work
  /// Where the index is from, in a few words.
  private let origin: String
  /// What reads the picture where it cannot be entered after all.
  private let fallback: SequentialSource

  /// Takes an opened picture; without an index peeks lay it down.
  /// - Throws: `unsupported` when it can neither be entered nor has a sequential form with its index.
  init(_ entry: IndexedPipeline.Entry) throws(PipelineError) {
    picture = entry.picture
    let own = entry.opened.file
    let sidecar = try? entry.found.get()
    let file: any CodedSource
    if let payload = sidecar?.payload {
      file = MemoryFile(payload, madeFrom: own.path, guarding: own)
      jpeg = try JPEGParser.parse(file)
      guard jpeg.isSequentialForm(of: entry.opened.jpeg) else {
        throw PipelineError(
          .unsupported, operation: "index", file: own.path,
          reason: "its index holds another picture"
        )
      }
    } else {
      try entry.opened.assertSequential(remedy: Self.remedy(entry))
      (file, jpeg) = (own, entry.opened.jpeg)
    }
    // A peek that stops above a cut would not notice it; a picture with an index is known whole.
    if sidecar == nil { try jpeg.assertComplete(own) }
    let layout = try EntropyLayout(jpeg, of: own.path)
    let stored = try? sidecar?.index.whole()
    index = try GrowingIndex(file, jpeg, layout, stored: stored)
    windows = WindowMaker(jpeg, layout, file)
    fallback = SequentialSource(picture: picture)
    openingWork = Work(
      bytesRead: own.bytesRead + (sidecar?.header.fileByteCount ?? 0), pixelsDecoded: 0,
      pixelsDelivered: 0)
    origin =
      (sidecar?.payload == nil ? "" : " of its sequential form")
      + (sidecar == nil ? ", laid down as peeks need it" : ", found with the picture")
  }

  /// How a picture that cannot be entered itself could be all the same.
  private static func remedy(_ entry: IndexedPipeline.Entry) -> String? {
    guard SequentialForm.isNeeded(for: entry.opened.jpeg), case .failure(let refusal) = entry.found
    else { return nil }
    return entry.wasLookedFor
      ? "\(refusal) (`zoombench index FILE` makes one)"
      : "no index is looked for (`bench --index-dir` says where)"
  }

  var state: SourceState { index.laid.mcu > 0 ? .index : .openFile }

  var explanation: String {
    "a seek index with an entry point every \(index.laid.index.spacing) MCUs\(origin)"
  }

  func forget() { index.forget() }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let (answer, passing) = try read(stored, .none)
    if let answer { return answer.adding(passing) }
    return try fallback.readStored(stored).adding(passing)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    let (answer, passing) = try read(stored, reduction)
    if let answer { return answer.adding(passing) }
    return try fallback.readStored(stored, reducedBy: reduction)?.adding(passing)
  }

  /// Reads through windows.
  /// - Returns: nil where the picture's data breaks the rules before the region's end; and what laying
  ///   down the index took.
  private func read(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> (answer: RegionAnswer?, passing: Work) {
    let bands = bands(of: stored, reduction)
    let (plans, passing) = try plan(bands.map { window(of: $0, reduction) })
    guard let plans else { return (nil, passing) }
    do throws(PipelineError) {
      let answer = try BandReader(picture, jpeg).read(bands, of: stored, reduction) {
        number, _ throws(PipelineError) in
        guard let part = try windows.part(plans[number]) else { throw irregular }
        return part
      }
      return (answer, passing)
    } catch {
      guard error.isRefusal else { throw error }
      return (nil, passing)
    }
  }

  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow {
    try picture.assertUnchanged()
    let stored = try picture.storedRegion(for: region)
    let window = window(of: stored, .none)
    guard let plan = try plan([window]).plans?.first, var bytes = try windows.part(plan)?.jpeg.bytes
    else {
      throw irregular
    }
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

  private func window(of band: PixelRegion, _ reduction: Reduction) -> MCUWindow {
    MCUWindow(jpeg, region: band, reduction: reduction)
  }

  /// Lays down the index as far as windows need it, and plans them.
  /// - Returns: no plans when the coded data breaks the rules above their end; and what it took.
  private func plan(
    _ windows: [MCUWindow]
  ) throws(PipelineError) -> (plans: [WindowPlan]?, passing: Work) {
    let (laid, passing) = try index.laid(to: windows.map { $0.end(jpeg) }.max() ?? 0)
    guard let laid else { return (nil, passing) }
    let plans = windows.compactMap { WindowPlan($0, jpeg, laid.index, reach: laid.reach) }
    return (plans.count == windows.count ? plans : nil, passing)
  }

  private func bands(of stored: PixelRegion, _ reduction: Reduction) -> [PixelRegion] {
    let window = window(of: stored, reduction)
    let middle = (window.rows.lowerBound + window.rows.upperBound) / 2
    return BandReader.bands(
      of: stored, mcus: window.count, cutAt: middle * jpeg.mcuSize.height)
  }
}

extension RegionAnswer {
  /// The same pixels with more that was done for them.
  fileprivate func adding(_ more: Work) -> RegionAnswer {
    RegionAnswer(pixels: pixels, work: work + more, resampling: resampling)
  }
}
