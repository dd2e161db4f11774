internal import ZoomGeometry

extension Picture {
  /// Throws if a PNG, a PNM or a sequential JPEG claims more pixels than its bytes can hold.
  ///
  /// A pixel takes at least one bit. Deflate packs at most 1032 bytes into one. libvips (8.14)
  /// goes on reading samples after a plain PNM's end, one second per million. A block of a JPEG has
  /// at least two Huffman codes; libjpeg fills in missing blocks as slowly as it decodes them.
  func assertPlausible() throws(PipelineError) {
    let leastBytes =
      switch loader {
      case "pngload": storedSize.area / 8 / 1032
      case "ppmload": storedSize.area / 8
      default:
        if let jpeg = jpegStructure, jpeg.scanRefusal == nil {
          jpeg.mcuCount * jpeg.blocksPerMCU * 2 / 8
        } else {
          0
        }
      }
    guard leastBytes > file.length else { return }
    throw file.damage(
      "its \(file.length) bytes cannot hold the \(storedSize) pixels that it claims")
  }

  /// Whether the decoder reads from the top and keeps only some rows.
  var isDecodedByRows: Bool {
    !isInterlaced && ["jpegload", "pngload", "tiffload", "ppmload"].contains(loader)
  }

  /// The bytes that a decoder holds during one pass over the picture.
  ///
  /// libjpeg keeps two bytes per coefficient of a progressive JPEG, which has at most one per
  /// sample. Other decoders keep the raster, except those that read by rows or parts.
  var decoderByteCount: Int {
    if isDecodedByRows || reach == .regions { return heldPixels * bands * format.byteCount }
    return switch loader {
    case Loader.jpeg.name: 2 * rasterByteCount
    // The file, and two frames of four bytes per pixel, as frames of animations build on others.
    case "webpload", "gifload": 8 * storedSize.area + file.length
    // libheif holds the planes, with at most the raster's samples, and the interleaved pixels.
    case "heifload": 2 * rasterByteCount + rasterByteCount / 2 + file.length
    // libjxl (0.7) decodes to floats.
    case "jxlload": rasterByteCount + 4 * storedSize.area * bands + file.length
    default: rasterByteCount
    }
  }

  /// Throws if a pass from the top, including a kept raster, needs more memory than the budget.
  func assertPassFits(_ operation: String, keepsRaster: Bool = false) throws(PipelineError) {
    try limits.memory.assertHolds(
      decoderByteCount + (keepsRaster ? rasterByteCount : 0), for: "decoding it",
      operation: operation, path)
  }

  /// Throws if decoding rows of this many bytes one by one can exceed the budget.
  ///
  /// `RowPass` has the inflater's output and two rows. When it keeps an entry point, five more are
  /// alive: the row above the point as copied and as cleared, its differences, these after the
  /// window, and the packed bytes. `LZWDecoder` has its output and, while that grows, a copy.
  func assertRowsFit(_ rowBytes: Int, _ operation: String) throws(PipelineError) {
    try limits.memory.assertHolds(
      8 * rowBytes, for: "decoding its rows", operation: operation, path)
  }

  /// Throws if a region's pixels exceed the budget.
  func assertFits(_ region: PixelRegion, _ operation: String) throws(PipelineError) {
    // A region inside the picture has at most its raster's bytes, so the product does not overflow.
    try limits.memory.assertHolds(
      region.area * bands * format.byteCount, for: "its region", operation: operation, path)
  }

  /// Whether libvips' random access keeps the raster in a temporary file, as it does above 100 MB.
  var keepsRasterOnDisk: Bool { reach == .fromTheTop && rasterByteCount > 100 << 20 }

  /// Reserves memory for the raster that libvips keeps; nil if it keeps none in memory.
  func reserveRandomAccess(
    _ operation: String
  ) throws(PipelineError) -> MemoryBudget.Reservation? {
    try assertPassFits(operation)
    guard reach == .fromTheTop else { return nil }
    guard keepsRasterOnDisk else {
      return try limits.memory.reserve(rasterByteCount, operation: operation, path)
    }
    try TemporaryDisk.assertHolds(rasterByteCount, operation: operation, path)
    return nil
  }
}
