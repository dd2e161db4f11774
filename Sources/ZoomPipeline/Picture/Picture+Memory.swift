internal import ZoomGeometry

extension Picture {
  /// Refuses a PNG, a PNM or a sequential JPEG that claims more pixels than its bytes can hold.
  ///
  /// A pixel has at least a bit. Deflate packs at most 1032 bytes into one. libvips (8.14) reads a plain
  /// PNM on after its end, at a second for a million samples. A block of a JPEG has two Huffman codes
  /// at least; libjpeg fills in blocks that are missing, which takes as long as decoding them.
  func assertPlausible() throws(PipelineError) {
    let leastBytes =
      switch loader {
      case "pngload": storedSize.area / 8 / 1032
      case "ppmload": storedSize.area / 8
      default:
        if let jpeg = try? jpeg?.get().structure, jpeg.scanRefusal == nil {
          jpeg.mcuCount * jpeg.blocksPerMCU * 2 / 8
        } else {
          0
        }
      }
    guard leastBytes > file.length else { return }
    throw PipelineError(
      .damaged, operation: "open", file: path,
      reason: "its \(file.length) bytes cannot hold the \(storedSize) pixels that it claims",
      advice: "get a whole copy of the file")
  }

  /// Whether a decoder that goes from the top keeps no more than some rows.
  var isDecodedByRows: Bool {
    !isInterlaced && ["jpegload", "pngload", "tiffload", "ppmload"].contains(loader)
  }

  /// The bytes that a decoder holds while it goes through the picture once.
  ///
  /// libjpeg keeps two bytes for each coefficient of a progressive JPEG, of which there are at most as
  /// many as samples; decoders but those that go by rows or parts keep the raster.
  var decoderByteCount: Int {
    if isDecodedByRows || reach == .regions { return heldPixels * bands * format.byteCount }
    return switch loader {
    case Loader.jpeg.name: 2 * rasterByteCount
    // Two frames of four bytes per pixel, because frames of animations build on each other, and the file.
    case "webpload", "gifload": 8 * storedSize.area + file.length
    // libheif holds the colours apart, which may have as many samples as the raster, and together.
    case "heifload": 2 * rasterByteCount + rasterByteCount / 2 + file.length
    // libjxl (0.7) decodes to floats.
    case "jxlload": rasterByteCount + 4 * storedSize.area * bands + file.length
    default: rasterByteCount
    }
  }

  /// Refuses a pass from the top whose decoder, with the raster if it is kept, holds more than the
  /// budget.
  func assertPassFits(_ operation: String, keepsRaster: Bool = false) throws(PipelineError) {
    try limits.memory.assertHolds(
      decoderByteCount + (keepsRaster ? rasterByteCount : 0), for: "decoding it",
      operation: operation, path)
  }

  /// Refuses a region whose pixels exceed the budget.
  func assertFits(_ region: PixelRegion, _ operation: String) throws(PipelineError) {
    // No region inside the picture has more bytes than its raster.
    try limits.memory.assertHolds(
      region.area * bands * format.byteCount, for: "its region", operation: operation, path)
  }

  /// Whether libvips' random access keeps the raster in a temporary file: past libvips' own 100 MB.
  var keepsRasterOnDisk: Bool { reach == .fromTheTop && rasterByteCount > 100 << 20 }

  /// Takes what libvips keeps of a picture that is read in any order, which of what is coded from the top
  /// down is the raster; nil if the raster is not in memory.
  func reserveRandomAccess(
    _ operation: String
  ) throws(PipelineError) -> MemoryBudget.Reservation? {
    try assertPassFits(operation)
    guard reach == .fromTheTop else { return nil }
    guard keepsRasterOnDisk else {
      return try limits.memory.reserve(rasterByteCount, operation: operation, path)
    }
    try TemporaryDisk.assertHolds(
      rasterByteCount, in: TemporaryDisk.folder, operation: operation, path)
    return nil
  }
}
