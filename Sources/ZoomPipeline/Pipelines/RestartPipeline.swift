internal import Dispatch
internal import Synchronization
public import SystemPackage
internal import ZoomGeometry

/// Enters a baseline JPEG at its restart markers and decodes only the MCU rows of the region.
///
/// What libvips decodes is a standard JPEG made of those rows, so nothing private of any decoder is
/// touched. The picture's file stays as it is.
public struct RestartPipeline: Pipeline {
  public let name = "restart"
  public let summary = "decode only the MCU rows of the region, by restart markers"

  /// Makes the pipeline.
  public init() {}

  public func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    try RestartSource(picture: try Picture(path))
  }
}

final class RestartSource: RegionSource {
  let picture: Picture
  private let file: FileReader
  private let jpeg: JPEGStructure
  private let index: RestartIndex
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
  }

  var openingWork: Work {
    Work(bytesRead: index.bytesScanned, pixelsDecoded: 0, pixelsDelivered: 0)
  }

  var explanation: String {
    let rows = index.rowsPerSegment == 1 ? "every MCU row" : "every \(index.rowsPerSegment) MCU rows"
    return "a restart marker at \(rows): \(index.starts.count) entry points"
  }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let stored = try picture.storedRegion(for: request.region)
    try picture.assertUnchanged()
    let answer = try readStored(stored)
    return RegionAnswer(
      pixels: try answer.pixels.upright(from: picture.orientation), work: answer.work)
  }

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
    let window = RestartWindow(jpeg, index, region: stored)
    let image = try Image.open(
      jpeg: try window.encoded(jpeg, index, from: file), for: picture.path)
    return RegionAnswer(
      pixels: try image.read(
        stored.relative(toRow: window.top), of: picture.path),
      work: Work(
        bytesRead: index.bytes(of: window.segments).count, unitsDecoded: window.mcuCount,
        unit: .mcu, pixelsDecoded: picture.storedSize.width * window.height,
        pixelsDelivered: stored.area))
  }
}
