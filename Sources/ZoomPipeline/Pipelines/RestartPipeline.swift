internal import Dispatch
internal import Synchronization
package import SystemPackage
internal import ZoomGeometry

/// Enters a baseline JPEG at its restart markers and decodes only what the region needs.
///
/// The MCU rows of the region are read, the MCUs beside it are walked through without decoding, and
/// what libvips decodes is a standard JPEG of the rest: nothing private of any decoder is touched.
/// Where that cannot be made, whole rows are decoded. The picture's file stays as it is.
package struct RestartPipeline: Pipeline {
  package let name = "restart"
  package let summary = "decode only the MCUs of the region, found by restart markers"

  /// Makes the pipeline.
  package init() {}

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    try RestartSource(picture: try Picture(path))
  }
}

final class RestartSource: StoredSource {
  let picture: Picture
  private let file: FileReader
  private let jpeg: JPEGStructure
  private let index: RestartIndex
  private let layout: EntropyLayout?
  /// Kept for good: the index is what opening is for.
  let state = SourceState.index

  init(picture: Picture) throws(PipelineError) {
    guard picture.loader == "jpegload" else {
      throw PipelineError(
        .unsupported, operation: "restart", file: picture.path, reason: "it is not a JPEG")
    }
    self.picture = picture
    file = try FileReader(picture.path)
    jpeg = try JPEGParser.parse(file)
    index = try RestartIndex.scan(file, jpeg)
    layout = EntropyLayout(jpeg)
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
    try readBands(stored, .none)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard jpeg.size.ofWholeJPEGBlocks(reduction) != nil else { return nil }
    return try readBands(stored, reduction)
  }

  func forget() {}

  private func readBands(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer {
    let bands = RestartWindow.bands(of: stored, jpeg, index)
    guard bands.count > 1 else { return try readBand(stored, reduction) }
    let answers = Mutex([Result<RegionAnswer, PipelineError>?](repeating: nil, count: bands.count))
    DispatchQueue.concurrentPerform(iterations: bands.count) { number in
      let answer = Result { () throws(PipelineError) in try readBand(bands[number], reduction) }
      answers.withLock { $0[number] = answer }
    }
    var bytes: [UInt8] = []
    var work = Work.none
    for case .some(let result) in answers.withLock({ $0 }) {
      let answer = try result.get()
      bytes += answer.pixels.bytes
      work = work + answer.work
    }
    // Bands are cut at MCU rows, so at borders of blocks.
    return Self.answer(
      Pixels(
        size: stored.reduced(by: reduction.rawValue).size, bands: picture.bands,
        format: picture.format, interpretation: picture.interpretation, bytes: bytes),
      work, reduction)
  }

  private func readBand(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer {
    if let answer = try readCutout(stored, reduction) { return answer }
    let window = RestartWindow(jpeg, index, region: stored)
    return try decode(
      stored, reduction, from: try window.encoded(jpeg, index, from: file),
      at: (0, window.top), size: (picture.storedSize.width, window.height),
      work: Work(
        bytesRead: index.bytes(of: window.segments).count, unitsDecoded: window.mcuCount,
        unit: .mcu, pixelsDecoded: 0, pixelsDelivered: 0))
  }

  /// Reads through a JPEG of just the MCUs needed; nil where none can be made or it saves nothing.
  private func readCutout(
    _ stored: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard let layout,
      let cutout = RestartCutout(jpeg, index, region: stored, reduction: reduction)
    else { return nil }
    let range = cutout.bytes(index)
    let coded = try file.bytes(at: range.lowerBound, count: range.count)
    guard coded.count == range.count,
      let encoded = cutout.encoded(jpeg, index, layout, coded: coded)
    else { return nil }
    let decoded = cutout.columns.count * cutout.mcuRows.count
    return try decode(
      stored, reduction, from: encoded, at: cutout.origin(jpeg), size: cutout.size(jpeg),
      work: Work(
        bytesRead: range.count, unitsDecoded: decoded, unit: .mcu,
        unitsWalked: cutout.mcusWalked(jpeg, index) - decoded, pixelsDecoded: 0,
        pixelsDelivered: 0))
  }

  /// Decodes a region from a JPEG of a part of the picture, which begins at `origin`.
  private func decode(
    _ stored: PixelRegion, _ reduction: Reduction, from encoded: [UInt8],
    at origin: (x: Int, y: Int), size: (width: Int, height: Int), work: Work
  ) throws(PipelineError) -> RegionAnswer {
    var encoded = encoded
    let reduced = (width: reduction.reduced(size.width), height: reduction.reduced(size.height))
    jpeg.write(
      width: reduced.width * reduction.rawValue, height: reduced.height * reduction.rawValue,
      into: &encoded)
    let image = try Image.open(jpeg: encoded, for: picture.path, reduction: reduction)
    // The origin is an MCU's, so a block's.
    let part = stored.relative(to: origin).reduced(by: reduction.rawValue)
    var work = work
    work.pixelsDecoded = reduced.width * reduced.height
    work.pixelsDelivered = part.area
    return Self.answer(try image.read(part, of: picture.path), work, reduction)
  }

  private static func answer(
    _ pixels: Pixels, _ work: Work, _ reduction: Reduction
  ) -> RegionAnswer {
    RegionAnswer(
      pixels: pixels, work: work, resampling: reduction == .none ? .none : .decoder)
  }
}
