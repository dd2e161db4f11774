internal import CVips
internal import SystemPackage
public import ZoomGeometry

extension Image {
  /// Reads the pixels of a region and computes no more than they need.
  ///
  /// Uses a region handle instead of one of libvips' sinks: a sink starts a thread pool, which
  /// costs more than a small region (0.15 ms instead of 0.015 ms from memory).
  /// Throws if the region is not inside the image.
  public func read(_ region: PixelRegion) throws(PipelineError) -> Pixels {
    try read(region, of: nil)
  }

  /// Reads a region and names `path` in errors.
  ///
  /// A sequential image is read once, from the top; `decodedRows` counts the rows already read.
  func read(
    _ region: PixelRegion, of path: FilePath?, decodedRows: Int = 0
  ) throws(PipelineError) -> Pixels {
    let count = try rowByteCount(of: region, path) * region.height
    let format = try self.format
    let bytes = try unsafe [UInt8](writing: count) { buffer throws(PipelineError) in
      try unsafe read(region, into: buffer, of: path, decodedRows: decodedRows)
      return count
    }
    return Pixels(
      size: region.size, bands: bands, format: format, interpretation: interpretation, bytes: bytes)
  }

  /// Reads a region as above into memory of exactly its size, row by row.
  func read(
    _ region: PixelRegion, into target: UnsafeMutableBufferPointer<UInt8>, of path: FilePath?,
    decodedRows: Int = 0
  ) throws(PipelineError) {
    let rowBytes = try rowByteCount(of: region, path)
    precondition(target.count == rowBytes * region.height)
    guard let first = target.baseAddress else { return }
    try unsafe withPointer { pointer throws(PipelineError) in
      guard let handle = unsafe vips_region_new(pointer) else {
        throw PipelineError.vips(.fault, operation: "read", file: path)
      }
      defer { unsafe cvips_unref(handle) }
      guard unsafe descend(from: decodedRows, to: region, handle) else {
        throw PipelineError.damagedPixels(path)
      }
      var target = unsafe first
      for rows in strips(of: region) {
        // Regions are bounded by Int32 (see PixelRegion), so these conversions cannot trap.
        var rectangle = VipsRect(
          left: Int32(region.x), top: Int32(rows.lowerBound), width: Int32(region.width),
          height: Int32(rows.count))
        guard unsafe vips_region_prepare(handle, &rectangle) == 0,
          let start = unsafe cvips_region_address(handle, rectangle.left, rectangle.top)
        else { throw PipelineError.damagedPixels(path) }
        let stride = unsafe cvips_region_stride(handle)
        for row in 0..<rows.count {
          unsafe target.update(from: start + row * stride, count: rowBytes)
          unsafe target += rowBytes
        }
      }
    }
  }

  /// Returns the bytes of a region's row; throws if the region is outside.
  private func rowByteCount(
    of region: PixelRegion, _ path: FilePath?
  ) throws(PipelineError) -> Int {
    let size = try self.size
    guard region.isInside(size) else {
      throw PipelineError.outside(region, of: size, file: path)
    }
    return region.width * bands * (try format).byteCount
  }

  /// Decodes the whole image, has libvips turn it upright by its header, and returns a region.
  ///
  /// Reads through a region handle, not through libvips' own copy to memory: its threads (8.14)
  /// sometimes lose the error of a truncated file and return rows that were never decoded.
  func readUpright(_ region: PixelRegion, of path: FilePath) throws(PipelineError) -> Pixels {
    let stored = try read(PixelRegion(whole: size), of: path)
    let orientation = unsafe withPointer { pointer in unsafe vips_image_get_orientation(pointer) }
    return try Image.withoutCopying(stored) { image throws(PipelineError) in
      let turned = try unsafe image.copied("set the orientation") { copy in
        unsafe vips_image_set_int(copy, VIPS_META_ORIENTATION, orientation)
      }
      return try turned.uprightByHeader().read(region, of: path)
    }
  }

  /// Returns the rows to request from libvips in one call each.
  ///
  /// A sequential decoder returns strips of 8 rows as wide as the picture and keeps all strips of a
  /// request, so requests by strip reuse a few buffers.
  private func strips(of region: PixelRegion) -> [Range<Int>] {
    guard isSequential else { return [region.y..<region.maxY] }
    return (region.y / 8...(region.maxY - 1) / 8).map { strip in
      max(region.y, strip * 8)..<min(region.maxY, strip * 8 + 8)
    }
  }

  /// Advances a sequential decoder to a region's first row, by strips; false if decoding fails.
  ///
  /// libvips before 8.16 keeps all rows above a request in memory: half of a gigapixel picture for
  /// a peek at its middle.
  private func descend(
    from row: Int, to region: PixelRegion, _ handle: UnsafeMutablePointer<VipsRegion>
  ) -> Bool {
    guard isSequential else { return true }
    // The strip that holds the first row is read with the region itself.
    for strip in row / 8..<max(row, region.y) / 8 {
      var rectangle = VipsRect(
        left: Int32(region.x), top: Int32(strip * 8), width: 1, height: 8)
      guard unsafe vips_region_prepare(handle, &rectangle) == 0 else { return false }
    }
    return true
  }

  /// Whether the pixels come from a decoder that reads once from the top down.
  private var isSequential: Bool {
    unsafe withPointer { pointer in
      unsafe vips_image_get_typeof(pointer, VIPS_META_SEQUENTIAL) != 0
    }
  }

  /// The rows of a strip when an image is read from the top.
  ///
  /// A strip has whole MCU rows for JPEG sampling factors of at most 2, and the calls are few.
  static let stripRows = 64

  /// Digests the whole image strip by strip, in memory that does not grow with its height.
  func digest(of path: FilePath) throws(PipelineError) -> PixelDigest {
    let whole = PixelRegion(whole: try size)
    var hash = PixelDigest.begun(whole.size, bands, try format, interpretation)
    for top in stride(from: 0, to: whole.height, by: Self.stripRows) {
      let strip = whole.rows(top..<min(top + Self.stripRows, whole.height))
      hash.append(try read(strip, of: path, decodedRows: top).bytes)
    }
    return PixelDigest(hash)
  }
}

extension PipelineError {
  static func damagedPixels(_ path: FilePath?) -> PipelineError {
    PipelineError.vips(
      .damaged, operation: "decode", file: path, advice: "get a whole copy of the file")
  }

  static func outside(_ region: PixelRegion, of size: PixelSize, file: FilePath?) -> PipelineError {
    PipelineError(
      .outside, operation: "read", file: file,
      reason: "region \(region) is not inside the picture of \(size)",
      advice: "clamp the region to the picture first")
  }
}
