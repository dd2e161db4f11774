internal import CVips
internal import ZoomGeometry

// Screenshots of browsers arrive as PNGs in memory, and tiles leave as such.

extension Image {
  /// Opens an encoded PNG in memory, for one pass from the top.
  ///
  /// - Throws: `PipelineError`: `damaged` for bytes that are not a PNG, `overBudget` for one whose
  ///   pixels take more than the budget.
  package convenience init(
    png bytes: [UInt8], limits: PictureLimits = .standard
  ) throws(PipelineError) {
    VipsLibrary.start
    let holder = FixedBytes(bytes)
    let opened = unsafe cvips_pngload_buffer(
      holder.start, holder.count, VIPS_FAIL_ON_TRUNCATED)
    guard let opened = unsafe opened else {
      throw PipelineError.vips(.damaged, operation: "decode a PNG", file: nil)
    }
    unsafe self.init(owning: opened, origin: holder)
    let (size, format) = (try self.size, try self.format)
    let (count, overflow) = size.area.multipliedReportingOverflow(by: bands * format.byteCount)
    guard !overflow, count <= limits.memory.limit else {
      throw PipelineError(
        .overBudget, operation: "decode a PNG", file: nil,
        reason: "\(size) pixels take more than the budget of \(limits.memory.limit.megabytes)",
        advice: "raise the budget (--memory)")
    }
  }

  /// Encodes the image as a PNG, fast rather than small.
  package func pngBytes() throws(PipelineError) -> [UInt8] {
    var length = 0
    let start = unsafe withPointer { pointer in
      // zlib's fastest level that compresses.
      unsafe cvips_pngsave_buffer(pointer, &length, 1)
    }
    guard let start = unsafe start else {
      throw PipelineError.vips(.fault, operation: "encode a PNG", file: nil)
    }
    defer { unsafe g_free(start) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }
}
