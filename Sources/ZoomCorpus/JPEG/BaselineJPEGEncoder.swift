/// Encodes rows as they come, top to bottom, into a sink.
///
/// For a picture that cannot be made twice. What needs the whole picture first (optimised tables,
/// several scans) is refused; a ``Scene`` and a plan can do those.
package final class BaselineJPEGEncoder {
  private let format: BaselineJPEG.Format
  private let coder: BaselineJPEG.BandCoder
  private let writer: BaselineJPEG.BandWriter
  private let sink: ([UInt8]) throws -> Void
  private let rowBytes: Int
  /// Rows of the band that is not complete yet.
  private var pending: [UInt8] = []
  private var band = 0

  /// Writes everything up to the first coded byte.
  ///
  /// - Parameters:
  ///   - size: Size of the whole picture.
  ///   - options: How to encode; rows must come in the colour's source form.
  ///   - sink: Receives the bytes of the file in order.
  /// - Throws: `BaselineJPEG.Failure`, or what the sink throws.
  package init(
    size: SceneSize, options: BaselineJPEG.Options, sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    format = try BaselineJPEG.Format(size: size, options: options)
    guard options.huffman == .annexK, format.scans.count == 1 else {
      throw BaselineJPEG.Failure.needsWholePicture
    }
    coder = BaselineJPEG.BandCoder(format: format)
    writer = BaselineJPEG.BandWriter(format: format, scan: format.scans[0])
    rowBytes = size.width * options.colour.sourceForm.bytesPerPixel
    self.sink = sink
    try sink(format.prologue + format.header(ofScan: 0))
  }

  /// Takes the next rows: whole rows, any number of them, without padding.
  ///
  /// - Throws: `BaselineJPEG.Failure.wrongRowBytes`, or what the sink throws.
  package func append(_ rows: [UInt8]) throws {
    let size = format.layout.size
    let height = format.layout.bandHeight
    let taken = min(size.height, band * height) * rowBytes + pending.count
    guard rows.count % rowBytes == 0, taken + rows.count <= size.height * rowBytes else {
      throw BaselineJPEG.Failure.wrongRowBytes(rows.count)
    }
    var rest = rows[...]
    while band < format.layout.bandCount, !rest.isEmpty {
      let needed = format.layout.rows(ofBand: band).count * rowBytes
      let part = rest.prefix(needed - pending.count)
      pending += part
      rest = rest.dropFirst(part.count)
      if pending.count == needed { try flushBand() }
    }
  }

  /// Ends the file.
  ///
  /// - Throws: `BaselineJPEG.Failure.wrongRowBytes` if rows are missing, or what the sink throws.
  package func finish() throws {
    guard band == format.layout.bandCount else {
      throw BaselineJPEG.Failure.wrongRowBytes(pending.count)
    }
    try sink(format.footer(ofScan: 0) + format.epilogue)
  }

  private func flushBand() throws {
    let rowCount = pending.count / rowBytes
    pending.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      coder.sampler.load(base, rowCount: rowCount)
    }
    pending.removeAll(keepingCapacity: true)
    let isLast = band == format.layout.bandCount - 1
    let scan = format.scans[0]
    try sink(writer.write(scan, band: band, coder: coder, isLast: isLast))
    band += 1
  }
}
