internal import ZoomGeometry

/// Enters a baseline JPEG at its restart markers and decodes only what the region needs.
///
/// The MCU rows of the region are read, the MCUs beside it are walked through without decoding, and
/// what is decoded is a standard JPEG of the rest: nothing private of any decoder is touched.
/// Where that cannot be made, whole rows are decoded. The picture's file stays as it is.
package struct RestartPipeline: PicturePipeline {
  package let name = "restart"
  package let summary = "decode only the MCUs of the region, found by restart markers"

  package let limits: PictureLimits

  /// Makes the pipeline.
  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try RestartSource(picture: picture)
  }
}

final class RestartSource: StoredSource {
  let picture: Picture
  private let jpeg: JPEGStructure
  private let index: RestartIndex
  private let entries: SeekIndex?
  private let file: FileReader
  private let windows: WindowMaker?
  /// Kept for good: the index is what opening is for.
  let state = SourceState.index

  init(picture: Picture) throws(PipelineError) {
    self.picture = picture
    let opened = try OpenedJPEG(picture, for: "restart")
    try opened.assertSequential()
    file = opened.file
    jpeg = opened.jpeg
    index = try RestartIndex.scan(file, jpeg)
    entries = index.entries(jpeg)
    windows = WindowMaker(jpeg, file)
  }

  var openingWork: Work {
    Work(bytesRead: index.bytesScanned, pixelsDecoded: 0, pixelsDelivered: 0)
  }

  var explanation: String {
    let rows =
      index.rowsPerSegment == 1 ? "every MCU row" : "every \(index.rowsPerSegment) MCU rows"
    return "a restart marker at \(rows): \(index.starts.count) entry points"
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    try read(stored, .none)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    return try read(stored, reduction)
  }

  func forget() {}

  private func read(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer {
    try BandReader(picture, jpeg).read(
      RestartWindow.bands(of: stored, jpeg, index), of: stored, reduction
    ) { _, band throws(PipelineError) in
      if let part = try window(band, reduction) { return part }
      return try rows(band)
    }
  }

  /// A JPEG of just the MCUs needed; nil where none can be made or it saves nothing.
  private func window(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> BandReader.Part? {
    let window = MCUWindow(jpeg, region: stored, reduction: reduction)
    // Walking an MCU costs about a third of decoding it: past three quarters nothing is saved.
    guard window.columns.count * 4 <= jpeg.mcusPerRow * 3, let windows, let entries,
      let plan = WindowPlan(window, jpeg, entries, reach: index.end)
    else { return nil }
    return try windows.part(plan)
  }

  /// A JPEG of whole rows, copied as they are.
  private func rows(_ stored: PixelRegion) throws(PipelineError) -> BandReader.Part {
    let rows = RestartWindow(jpeg, index, region: stored)
    return (
      PartialJPEG(
        bytes: try rows.encoded(jpeg, index, from: file), origin: (0, rows.top),
        size: (picture.storedSize.width, rows.height)),
      Work(
        bytesRead: index.bytes(of: rows.segments).count, unitsDecoded: rows.mcuCount,
        unit: .mcu, pixelsDecoded: 0, pixelsDelivered: 0)
    )
  }
}
