internal import Synchronization
package import SystemPackage
internal import ZoomGeometry

/// Enters a JPEG at any place through a seek index and decodes only what the region needs.
///
/// A peek costs what it shows, wherever it lies and however large the picture is. The index grows as
/// far as peeks ask for it: the first one passes over what lies above it, later ones do not. The
/// picture's file stays as it is, and what libvips or libjpeg decodes is a standard JPEG.
///
/// A JPEG that cannot be entered, such as a progressive one, is read where an index with its sequential
/// form is found, and out of that.
package struct IndexedPipeline: Pipeline {
  package let name = "indexed"
  package let summary = "decode only the MCUs of the region, found by a seek index"

  private let stores: [SidecarStore]

  /// Makes the pipeline.
  /// - Parameter stores: where to look for indexes that `zoombench index` has written; nil: beside the
  ///   picture, then in the user's folder for caches. Nothing is ever written.
  package init(stores: [SidecarStore]? = nil) {
    // Without a folder for caches there is none to look into.
    self.stores =
      stores ?? [SidecarStore.Place.beside, nil].compactMap { try? SidecarStore($0) }
  }

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    let picture = try Picture(path)
    let opened = try OpenedJPEG(picture, for: "index")
    return try IndexedSource(picture, opened, try stored(opened))
  }

  /// Opens a picture if its index was made before.
  /// - Parameter picture: a picture in any format.
  /// - Returns: nil where no index of the picture stands.
  /// - Throws: `PipelineError` when the picture cannot be read.
  func openStored(_ picture: Picture) throws(PipelineError) -> (any RegionSource)? {
    guard picture.loader == "jpegload" else { return nil }
    do throws(PipelineError) {
      let opened = try OpenedJPEG(picture, for: "index")
      guard case .success(let sidecar) = try stored(opened) else { return nil }
      return try IndexedSource(picture, opened, .success(sidecar))
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }

  /// The first index that is the picture's own, or why the first that is there is not.
  private func stored(
    _ opened: OpenedJPEG
  ) throws(PipelineError) -> Result<Sidecar, SidecarRefusal> {
    var refusal = SidecarRefusal.absent
    for store in stores {
      switch try store.load(for: opened.file.path, opened.jpeg) {
      case .success(let sidecar): return .success(sidecar)
      case .failure(let other): if refusal == .absent { refusal = other }
      }
    }
    return .failure(refusal)
  }
}

final class IndexedSource: StoredSource, JPEGWindowSource {
  let picture: Picture
  /// The headers of `file`.
  private let jpeg: JPEGStructure
  private let windows: WindowMaker
  private let pass: Mutex<SeekPass>
  /// The index that was found with the picture.
  private let stored: SeekIndex?
  /// The picture, or its sequential form.
  private let file: any CodedSource
  /// Whether `file` is the sequential form.
  private let isSequentialForm: Bool
  /// What reads the picture where it cannot be entered after all.
  private let fallback: SequentialSource

  /// Takes an opened picture.
  /// - Parameters:
  ///   - picture: the picture.
  ///   - opened: its file.
  ///   - found: its index, or why there is none; then peeks lay it down.
  /// - Throws: `unsupported` when it can neither be entered nor has a sequential form with its index.
  init(
    _ picture: Picture, _ opened: OpenedJPEG, _ found: Result<Sidecar, SidecarRefusal>
  ) throws(PipelineError) {
    self.picture = picture
    let sidecar = try? found.get()
    stored = sidecar?.index
    isSequentialForm = sidecar?.payload != nil
    if let payload = sidecar?.payload {
      file = MemoryFile(payload, madeFrom: picture.path)
      jpeg = try JPEGParser.parse(file)
      guard jpeg.isSequentialForm(of: opened.jpeg) else {
        throw PipelineError(
          .unsupported, operation: "index", file: picture.path,
          reason: "its index holds another picture")
      }
    } else {
      try opened.assertSequential(remedy: Self.remedy(opened.jpeg, found))
      (file, jpeg) = (opened.file, opened.jpeg)
    }
    // A peek that stops above a cut would not notice it; a picture with an index is known whole.
    if stored == nil { try jpeg.assertComplete(picture.path) }
    pass = Mutex(try SeekPass(file, jpeg, resuming: stored))
    guard let windows = WindowMaker(jpeg, file) else {
      throw PipelineError(
        .unsupported, operation: "index", file: picture.path,
        reason: "a Huffman table is missing or senseless")
    }
    self.windows = windows
    fallback = SequentialSource(picture: picture)
  }

  /// How a picture that cannot be entered itself could be all the same.
  private static func remedy(
    _ jpeg: JPEGStructure, _ found: Result<Sidecar, SidecarRefusal>
  ) -> String? {
    guard SequentialForm.isNeeded(for: jpeg), case .failure(let refusal) = found else { return nil }
    return "\(refusal) (`zoombench index FILE` makes one)"
  }

  /// The file is looked through for its end, or compared with what was indexed: then it may be less.
  var openingWork: Work {
    Work(
      bytesRead: picture.identity.length + (isSequentialForm ? file.length : 0),
      pixelsDecoded: 0, pixelsDelivered: 0)
  }

  var state: SourceState { pass.withLock { $0.mcu > 0 } ? .index : .openFile }

  var explanation: String {
    let spacing = pass.withLock { $0.index.spacing }
    let origin = stored == nil ? "laid down as peeks need it" : "found with the picture"
    let place = isSequentialForm ? " of its sequential form" : ""
    return "a seek index with an entry point every \(spacing) MCUs\(place), \(origin)"
  }

  func forget() {
    // A pass that cannot begin would have refused the picture at first.
    guard let fresh = try? SeekPass(file, jpeg, resuming: stored) else { return }
    pass.withLock { $0 = fresh }
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    if let answer = try read(stored, .none) { return answer }
    return try fallback.readStored(stored)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    if let answer = try read(stored, reduction) { return answer }
    return try fallback.readStored(stored, reducedBy: reduction)
  }

  /// Reads through windows; nil where the picture's data breaks the rules before the region's end.
  private func read(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    let bands = bands(of: stored, reduction)
    guard let (plans, passing) = try plan(bands.map { window(of: $0, reduction) }) else {
      return nil
    }
    do throws(PipelineError) {
      let answer = try BandReader(picture, jpeg).read(bands, of: stored, reduction) {
        number, _ throws(PipelineError) in
        guard let part = try windows.part(plans[number]) else { throw irregular }
        return part
      }
      return RegionAnswer(
        pixels: answer.pixels, work: answer.work + passing, resampling: answer.resampling)
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }

  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow {
    try picture.assertUnchanged()
    let stored = try picture.storedRegion(for: region)
    let window = window(of: stored, .none)
    guard let plan = try plan([window])?.plans.first, var bytes = try windows.part(plan)?.jpeg.bytes
    else {
      throw irregular
    }
    if picture.orientation != .up {
      // Behind the marker that begins the file.
      bytes.insert(contentsOf: JPEGStructure.segment(of: picture.orientation), at: 2)
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
  /// - Returns: nil when the coded data breaks the rules above their end.
  private func plan(
    _ windows: [MCUWindow]
  ) throws(PipelineError) -> (plans: [WindowPlan], passing: Work)? {
    let end = windows.map { $0.end(jpeg) }.max() ?? 0
    let result = pass.withLock { pass -> Result<([WindowPlan], Work)?, PipelineError> in
      let (bytes, mcus) = (pass.bytesRead, pass.mcu)
      do throws(PipelineError) {
        try pass.advance(to: end)
      } catch {
        return error.isRefusal ? .success(nil) : .failure(error)
      }
      let plans = windows.compactMap {
        WindowPlan($0, jpeg, pass.index, reach: pass.bit >> 3 + 2)
      }
      guard plans.count == windows.count else { return .success(nil) }
      return .success(
        (
          plans,
          Work(
            bytesRead: pass.bytesRead - bytes, unit: .mcu, unitsWalked: pass.mcu - mcus,
            pixelsDecoded: 0, pixelsDelivered: 0)
        ))
    }
    return try result.get()
  }

  private func bands(of stored: PixelRegion, _ reduction: Reduction) -> [PixelRegion] {
    let window = window(of: stored, reduction)
    let middle = (window.rows.lowerBound + window.rows.upperBound) / 2
    return BandReader.bands(
      of: stored, mcus: window.count, cutAt: middle * jpeg.mcuSize.height)
  }
}
