internal import ZoomGeometry

/// A JPEG of a part of a picture, made of whole MCUs of it.
struct PartialJPEG {
  /// The JPEG; its headers are the picture's `decoderHeader` but for the size.
  let bytes: [UInt8]
  /// Its first pixel in the picture.
  let origin: (x: Int, y: Int)
  let size: (width: Int, height: Int)

  /// Decodes a region of the picture that it holds.
  ///
  /// By libjpeg alone, since libvips' machinery takes longer than a small part; by libvips where
  /// libjpeg might give other colours, or something is wrong that libvips should tell.
  /// - Parameters:
  ///   - stored: the region.
  ///   - reduction: by how much the inverse DCT reduces.
  ///   - jpeg: the picture's headers.
  ///   - picture: the picture.
  ///   - target: takes the region's pixels and is as large as they are.
  /// - Returns: what decoding took.
  /// - Throws: `PipelineError` when the JPEG cannot be decoded.
  func decode(
    _ stored: PixelRegion, _ reduction: Reduction, _ jpeg: JPEGStructure, _ picture: Picture,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Work {
    var bytes = bytes
    // libvips leaves out what is not a whole block of a reduction (see `ofWholeJPEGBlocks`).
    let reduced = (width: reduction.reduced(size.width), height: reduction.reduced(size.height))
    if reduction != .none {
      jpeg.write(
        width: reduced.width * reduction.rawValue, height: reduced.height * reduction.rawValue,
        into: &bytes)
    }
    // The origin is an MCU's, so a block's.
    let part = stored.relative(to: origin).reduced(by: reduction.rawValue)
    var isDone = false
    if picture.format == .uint8 {
      isDone = try unsafe JPEGDecoder.decode(
        bytes, region: part, reduction: reduction, bands: picture.bands,
        interpretation: picture.interpretation, file: picture.path, into: target)
    }
    if !isDone {
      let pixels = try Image.open(jpeg: bytes, for: picture.path, reduction: reduction)
        .read(part, of: picture.path)
      guard pixels.bytes.count == target.count else {
        throw PipelineError(
          .fault, operation: "decode", file: picture.path,
          reason: "a part of the picture has other bands than the whole")
      }
      _ = unsafe target.update(fromContentsOf: pixels.bytes)
    }
    return Work(
      bytesRead: 0, pixelsDecoded: reduced.width * reduced.height, pixelsDelivered: part.area)
  }
}
