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

final class RestartSource: RegionSource {
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

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let stored = try picture.storedRegion(for: request.region)
    try picture.assertUnchanged()
    let answer = try readStored(stored)
    return RegionAnswer(
      pixels: try answer.pixels.upright(from: picture.orientation), work: answer.work)
  }

  var size: PixelSize { picture.size }

  func forget() {}

  private func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    let bands = RestartWindow.bands(of: stored, jpeg, index)
    guard bands.count > 1 else { return try readBand(stored) }
    let answers = Mutex([Result<RegionAnswer, PipelineError>?](repeating: nil, count: bands.count))
    DispatchQueue.concurrentPerform(iterations: bands.count) { number in
      let answer = Result { () throws(PipelineError) in try readBand(bands[number]) }
      answers.withLock { $0[number] = answer }
    }
    var bytes: [UInt8] = []
    var work = Work.none
    for case .some(let result) in answers.withLock({ $0 }) {
      let answer = try result.get()
      bytes += answer.pixels.bytes
      work = work + answer.work
    }
    return RegionAnswer(
      pixels: Pixels(
        size: stored.size, bands: picture.bands, format: picture.format,
        interpretation: picture.interpretation, bytes: bytes),
      work: work)
  }

  private func readBand(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    if let answer = try readCutout(stored) { return answer }
    let window = RestartWindow(jpeg, index, region: stored)
    let image = try Image.open(
      jpeg: try window.encoded(jpeg, index, from: file), for: picture.path)
    return RegionAnswer(
      pixels: try image.read(stored.relative(to: (0, window.top)), of: picture.path),
      work: Work(
        bytesRead: index.bytes(of: window.segments).count, unitsDecoded: window.mcuCount,
        unit: .mcu, pixelsDecoded: picture.storedSize.width * window.height,
        pixelsDelivered: stored.area))
  }

  /// Reads through a JPEG of just the MCUs needed; nil where none can be made or it saves nothing.
  private func readCutout(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer? {
    guard let layout, let cutout = RestartCutout(jpeg, index, region: stored) else { return nil }
    let range = cutout.bytes(index)
    let coded = try file.bytes(at: range.lowerBound, count: range.count)
    guard coded.count == range.count,
      let encoded = cutout.encoded(jpeg, index, layout, coded: coded)
    else { return nil }
    let image = try Image.open(jpeg: encoded, for: picture.path)
    let decoded = cutout.columns.count * cutout.mcuRows.count
    let size = cutout.size(jpeg)
    return RegionAnswer(
      pixels: try image.read(stored.relative(to: cutout.origin(jpeg)), of: picture.path),
      work: Work(
        bytesRead: range.count, unitsDecoded: decoded, unit: .mcu,
        unitsWalked: cutout.mcusWalked(jpeg, index) - decoded,
        pixelsDecoded: size.width * size.height, pixelsDelivered: stored.area))
  }
}
