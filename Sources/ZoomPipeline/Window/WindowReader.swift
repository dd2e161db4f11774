internal import Dispatch
internal import Synchronization
internal import ZoomGeometry

/// A JPEG of a part of a picture, made of whole MCUs of it.
struct PartialJPEG {
  /// The JPEG; its headers are the picture's `decoderHeader` but for the size.
  let bytes: [UInt8]
  /// The MCUs that it holds.
  let window: MCUWindow
  /// What making it took.
  let work: Work
}

/// Decodes a region of a JPEG from smaller JPEGs, one for each of its bands, on several cores where
/// there are several.
struct WindowReader {
  let picture: Picture
  let jpeg: JPEGStructure

  /// Cuts a region into the bands that are worth decoding side by side.
  ///
  /// Two at most, whatever the machine: each cut costs up to two margin rows, and a read's work
  /// must be the same everywhere. Below 4,096 MCUs (a region of 1,000 pixels a side at 4:2:0) the
  /// margin and the second thread cost nearly a tenth more processor time, which a server that
  /// answers many has no use for. What is walked is walked once and has no margin, so a first peek is
  /// cut sooner.
  /// - Parameters:
  ///   - region: what to cut, in stored pixels.
  ///   - reduction: by how much the inverse DCT reduces.
  ///   - walked: MCUs that are walked over for it.
  /// - Returns: one band or two that cover the region, from the top.
  func bands(of region: PixelRegion, _ reduction: Reduction, walking walked: Int) -> [PixelRegion] {
    let window = MCUWindow(jpeg, region: region, reduction: reduction)
    let row = (window.rows.lowerBound + window.rows.upperBound) / 2 * jpeg.mcuSize.height
    guard window.count >= 4096 || walked >= 1024, region.y < row, row < region.maxY else {
      return [region]
    }
    return [region.rows(region.y..<row), region.rows(row..<region.maxY)]
  }

  /// Decodes each band to its place among the region's pixels.
  /// - Parameters:
  ///   - bands: one or more, from the top down, cut at borders of the reduction's blocks.
  ///   - stored: what they are bands of.
  ///   - reduction: by how much the inverse DCT reduces.
  ///   - part: makes the JPEG of a band; called on several threads at once for several bands.
  /// - Returns: the region's pixels, and what all bands took.
  /// - Throws: `PipelineError` of the first band that has one.
  func read(
    _ bands: [PixelRegion], of stored: PixelRegion, _ reduction: Reduction,
    _ part: @Sendable (_ number: Int) throws(PipelineError) -> PartialJPEG
  ) throws(PipelineError) -> RegionAnswer {
    let size = stored.reduced(by: reduction.rawValue).size
    let rowBytes = size.width * picture.bands * picture.format.byteCount
    let works = Mutex([Result<Work, PipelineError>?](repeating: nil, count: bands.count))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rowBytes * size.height) {
      buffer, initialized in
      // Each band writes rows of its own, and nobody reads before all are done.
      nonisolated(unsafe) let buffer = unsafe buffer
      let top = stored.y / reduction.rawValue
      forEach(bands.count) { number in
        let rows = bands[number].reduced(by: reduction.rawValue)
        let start = (rows.y - top) * rowBytes
        let work = Result { () throws(PipelineError) in
          let part = try part(number)
          let target = unsafe UnsafeMutableBufferPointer(
            rebasing: buffer[start..<start + rows.height * rowBytes])
          return part.work + (try unsafe decode(part, bands[number], reduction, into: target))
        }
        works.withLock { $0[number] = work }
      }
      let isWhole = works.withLock { $0.allSatisfy { (try? $0?.get()) != nil } }
      initialized = isWhole ? rowBytes * size.height : 0
    }
    var work = Work.none
    for case .some(let one) in works.withLock({ $0 }) { work = work + (try one.get()) }
    return RegionAnswer(
      pixels: Pixels(
        size: size, bands: picture.bands, format: picture.format,
        interpretation: picture.interpretation, bytes: bytes),
      work: work, resampling: reduction == .none ? .none : .decoder)
  }

  /// A thread of its own for each but one; none for one.
  private func forEach(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count == 1 {
      body(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
  }

  /// Decodes a region of the picture that a part holds.
  ///
  /// By libjpeg alone, since libvips' machinery takes longer than a small part; by libvips where
  /// libjpeg might give other colours, or something is wrong that libvips should tell.
  private func decode(
    _ part: PartialJPEG, _ stored: PixelRegion, _ reduction: Reduction,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Work {
    var bytes = part.bytes
    let size = part.window.size(jpeg)
    // libvips leaves out what is not a whole block of a reduction (see `ofWholeJPEGBlocks`).
    let reduced = (width: reduction.reduced(size.width), height: reduction.reduced(size.height))
    if reduction != .none {
      jpeg.write(
        width: reduced.width * reduction.rawValue, height: reduced.height * reduction.rawValue,
        into: &bytes)
    }
    // The origin is an MCU's, so a block's.
    let region = stored.relative(to: part.window.origin(jpeg)).reduced(by: reduction.rawValue)
    var isDone = false
    if picture.format == .uint8 {
      isDone = try unsafe JPEGDecoder.decode(
        bytes, region: region, reduction: reduction, bands: picture.bands,
        interpretation: picture.interpretation, file: picture.path, into: target)
    }
    if !isDone {
      let pixels = try Image.open(jpeg: bytes, for: picture.path, reduction: reduction)
        .read(region, of: picture.path)
      guard pixels.bytes.count == target.count else {
        throw PipelineError(
          .fault, operation: "decode", file: picture.path,
          reason: "a part of the picture has other bands than the whole")
      }
      _ = unsafe target.update(fromContentsOf: pixels.bytes)
    }
    return Work(
      bytesRead: 0, pixelsDecoded: reduced.width * reduced.height, pixelsDelivered: region.area)
  }
}
