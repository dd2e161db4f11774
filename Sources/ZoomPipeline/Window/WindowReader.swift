internal import ZoomGeometry

/// A reader that decodes a region of a JPEG from smaller JPEGs, one per band of rows, in parallel.
struct WindowReader {
  let picture: Picture
  let jpeg: JPEGStructure

  /// Splits a region, in stored pixels, into the bands to decode in parallel, from the top.
  ///
  /// There are at most two bands on every machine: each split costs up to two margin rows, and a
  /// read must do the same work everywhere. Below 4,096 MCUs (1,000 x 1,000 pixels at 4:2:0) the
  /// margin and the second thread cost nearly a tenth more processor time, which a busy server
  /// cannot spare. MCUs that are only parsed need no margin, so first peeks are split sooner.
  func bands(of region: PixelRegion, _ reduction: Reduction, walking walked: Int) -> [PixelRegion] {
    let window = MCUWindow(jpeg, region: region, reduction: reduction)
    let row = (window.rows.lowerBound + window.rows.upperBound) / 2 * jpeg.mcuSize.height
    guard window.count >= 4096 || walked >= 1024, region.y < row, row < region.maxY else {
      return [region]
    }
    return [region.rows(region.y..<row), region.rows(row..<region.maxY)]
  }

  /// Decodes bands, split at borders of the reduction's blocks, into their rows of the region.
  ///
  /// `part` makes the JPEG of a band; it may be called on several threads at once.
  func read(
    _ bands: [PixelRegion], of stored: PixelRegion, _ reduction: Reduction,
    _ part: @Sendable (_ number: Int) throws(PipelineError) -> WindowEncoder.Result
  ) throws(PipelineError) -> RegionAnswer {
    let size = stored.reduced(by: reduction.rawValue).size
    let rowBytes = size.width * picture.bands * picture.format.byteCount
    var works = Result<[Work], PipelineError>.success([])
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: rowBytes * size.height) {
      buffer, initialized in
      // Each band writes only its own rows, and no thread reads before all bands are done.
      nonisolated(unsafe) let buffer = unsafe buffer
      let top = stored.y / reduction.rawValue
      works = Result { () throws(PipelineError) in
        try concurrently(bands.count) { number throws(PipelineError) in
          let rows = bands[number].reduced(by: reduction.rawValue)
          let start = (rows.y - top) * rowBytes
          let part = try part(number)
          let target = unsafe UnsafeMutableBufferPointer(
            rebasing: buffer[start..<start + rows.height * rowBytes])
          return part.work + (try unsafe decode(part, bands[number], reduction, into: target))
        }
      }
      initialized = (try? works.get()) != nil ? rowBytes * size.height : 0
    }
    let work = try works.get().reduce(.none, +)
    return RegionAnswer(
      pixels: Pixels(
        size: size, bands: picture.bands, format: picture.format,
        interpretation: picture.interpretation, bytes: bytes),
      work: work, resampling: reduction == .none ? .none : .decoder)
  }

  /// Decodes a region of the picture from the part that holds it.
  ///
  /// It calls libjpeg directly, because libvips' overhead takes longer than a small part. libvips
  /// decodes where libjpeg's colours might differ, and reports errors.
  private func decode(
    _ part: WindowEncoder.Result, _ stored: PixelRegion, _ reduction: Reduction,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Work {
    var bytes = part.bytes
    let size = part.window.size(jpeg)
    // libvips drops partial blocks of a reduction (see `ofWholeJPEGBlocks`).
    let reduced = (width: reduction.reduced(size.width), height: reduction.reduced(size.height))
    if reduction != .none {
      jpeg.write(
        width: reduced.width * reduction.rawValue, height: reduced.height * reduction.rawValue,
        into: &bytes)
    }
    // The window's origin is at an MCU, so it is at a block.
    let region = stored.relative(to: part.window.origin(jpeg)).reduced(by: reduction.rawValue)
    let isDone = try unsafe JPEGDecoder(picture)?.decode(bytes, region, reduction, into: target)
    if isDone != true {
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
