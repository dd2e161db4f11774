internal import CJPEG
package import ZoomGeometry

package enum ScreenJPEG {
  /// Encodes a part of a frame: quality 90, chroma at half size in both directions.
  ///
  /// At 90, losses on photographs are not visible for the 1/60 s of a frame; above, bytes grow
  /// quickly.
  package static func encode(
    _ frame: Pixels, part: PixelRegion
  ) throws(PipelineError) -> [UInt8] {
    precondition(frame.bands == 3 && frame.format == .uint8, "a frame is 8-bit sRGB")
    var encoding = cjpeg_encoding()
    encoding.width = UInt32(part.width)
    encoding.height = UInt32(part.height)
    encoding.colour = CJPEG_YCBCR
    encoding.horizontal = (2, 1, 1, 1)
    encoding.vertical = (2, 1, 1, 1)
    encoding.quality = 90
    var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
    func check(_ status: cjpeg_status) throws(PipelineError) {
      guard status != CJPEG_OK else { return }
      throw PipelineError(
        .fault, operation: "encode a frame", file: nil,
        reason: String(
          decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    var encoder: OpaquePointer?
    // The raster bounds the size of the JPEG.
    try check(unsafe cjpeg_begin(&encoding, frame.bytes.count + 1 << 20, &encoder, &message))
    defer { unsafe cjpeg_discard(encoder) }
    var status = CJPEG_OK
    for row in part.y..<part.maxY where status == CJPEG_OK {
      status = unsafe frame.bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return CJPEG_OK }
        return unsafe cjpeg_write_rows(
          encoder, start + row * frame.rowByteCount + part.x * 3, 1, &message)
      }
    }
    try check(status)
    try check(unsafe cjpeg_finish(encoder, &message))
    var bytes: UnsafePointer<UInt8>?
    let count = unsafe cjpeg_take(encoder, &bytes)
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }
}
