internal import CJPEG
package import ZoomGeometry
package import ZoomPipeline

/// Encodes rows from top to bottom with libjpeg-turbo, as they arrive.
///
/// A sequential picture with the standard tables needs memory for a few rows. All other codings
/// hold the coefficients, two bytes per sample, until the last row has arrived.
package final class JPEGEncoder {
  // Owned: released once in `deinit`, and not shared between threads (the class is not `Sendable`).
  private let encoder: OpaquePointer
  private let rowBytes: Int
  private let trailer: [UInt8]

  /// Begins a picture; throws `unsupported` for settings that libjpeg-turbo cannot encode.
  ///
  /// libjpeg, and so nearly every decoder, limits sides to 65500 pixels; T.81 allows 65535.
  package init(size: PixelSize, _ encoding: JPEGEncoding) throws(PipelineError) {
    if let refusal = Self.refusal(encoding) { throw Self.unsupported(refusal) }
    rowBytes = size.width * encoding.colour.componentCount
    trailer = encoding.trailer
    var begun: OpaquePointer?
    var settings = Self.settings(size, encoding)
    // The most encoded bytes that may wait to be taken; no picture of the corpus has as many.
    let mostBytes = 1 << 30
    try Self.check { cjpeg_begin(&settings, mostBytes, &begun, $0) }
    guard let begun else { throw Self.unsupported("the encoder is missing") }
    encoder = begun
    // From here on `deinit` runs, even if a segment is refused.
    for segment in encoding.metadata.segments {
      try Self.check {
        cjpeg_write_marker(encoder, Int32(segment.code), segment.body, segment.body.count, $0)
      }
    }
  }

  deinit { cjpeg_discard(encoder) }

  /// Encodes whole rows in the colour's source form, without padding; returns finished bytes.
  package func append(_ rows: [UInt8]) throws(PipelineError) -> [UInt8] {
    guard rows.count.isMultiple(of: rowBytes) else { throw Self.unsupported("no whole rows") }
    try Self.check { cjpeg_write_rows(encoder, rows, UInt32(rows.count / rowBytes), $0) }
    return take()
  }

  /// Ends the picture and returns the last bytes of the file; throws if rows are missing.
  package func finish() throws(PipelineError) -> [UInt8] {
    try Self.check { cjpeg_finish(encoder, $0) }
    return take() + trailer
  }

  /// Encodes a whole picture in the colour's source form, without padding.
  package static func encode(
    _ pixels: [UInt8], size: PixelSize, _ encoding: JPEGEncoding
  ) throws(PipelineError) -> [UInt8] {
    let encoder = try JPEGEncoder(size: size, encoding)
    return try encoder.append(pixels) + encoder.finish()
  }

  private func take() -> [UInt8] {
    var bytes: UnsafePointer<UInt8>?
    let count = cjpeg_take(encoder, &bytes)
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private static func settings(_ size: PixelSize, _ encoding: JPEGEncoding) -> cjpeg_encoding {
    var settings = cjpeg_encoding()
    settings.width = UInt32(clamping: size.width)
    settings.height = UInt32(clamping: size.height)
    settings.colour =
      switch encoding.colour {
      case .gray: CJPEG_GREY
      case .yCbCr: CJPEG_YCBCR
      case .rgbIdentifiers: CJPEG_RGB_IDENTIFIERS
      case .rgbAdobe: CJPEG_RGB_ADOBE
      case .cmyk: CJPEG_CMYK
      case .ycck: CJPEG_YCCK
      }
    withUnsafeMutableBytes(of: &settings.horizontal) {
      $0.copyBytes(from: encoding.sampling.map { UInt8($0.horizontal) })
    }
    withUnsafeMutableBytes(of: &settings.vertical) {
      $0.copyBytes(from: encoding.sampling.map { UInt8($0.vertical) })
    }
    settings.quality = Int32(clamping: encoding.quality)
    switch encoding.restart {
    case .none: break
    case .mcus(let count): settings.restart_mcus = UInt32(count)
    case .rows(let count): settings.restart_rows = UInt32(count)
    }
    settings.optimised = encoding.coding == .optimised
    settings.progressive = encoding.coding == .progressive
    settings.arithmetic = encoding.coding == .arithmetic
    settings.separate_scans = encoding.isOneScanPerComponent
    return settings
  }

  /// Returns the reason to refuse settings that the C interface cannot express or explain.
  private static func refusal(_ encoding: JPEGEncoding) -> String? {
    guard encoding.sampling.count == encoding.colour.componentCount else {
      return "there are not as many sampling factors as components"
    }
    for factors in encoding.sampling
    where !(1...4).contains(factors.horizontal) || !(1...4).contains(factors.vertical) {
      return "a sampling factor is not from 1 to 4"
    }
    switch encoding.restart {
    case .mcus(let count), .rows(let count):
      guard (1...65_535).contains(count) else {
        return "the restart interval is not from 1 to 65535"
      }
    case .none: break
    }
    guard !encoding.isOneScanPerComponent || encoding.coding != .progressive else {
      return "a progressive picture cannot have one scan per component"
    }
    guard encoding.trailingBytes >= 0 else { return "the number of trailing bytes is negative" }
    return encoding.metadata.refusal
  }

  private static func unsupported(_ reason: String) -> PipelineError {
    PipelineError(.unsupported, operation: "encode a JPEG", file: nil, reason: reason)
  }

  private static func check(
    _ call: (UnsafeMutablePointer<CChar>) -> cjpeg_status
  ) throws(PipelineError) {
    let outcome = LibJPEGOutcome(call)
    guard outcome.status == CJPEG_OK else { throw unsupported(outcome.message) }
  }
}
