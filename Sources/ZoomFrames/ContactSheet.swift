package import ZoomGeometry
package import ZoomPipeline

/// Frames side by side in rows, scaled down, for an overview.
package struct ContactSheet: Sendable {
  private let columns: Int
  /// The width of a frame on the sheet in pixels; the height follows from it.
  private let cellWidth: Int

  /// The pixels between and around frames.
  package static let gap = 8
  /// The grey between frames and beside narrower ones; frames are painted on black.
  private static let shade: UInt8 = 64
  /// The most bytes of a sheet: 1 GiB is a picture of 18900 pixels a side.
  private static let mostBytes = 1 << 30

  /// Describes a sheet, which is narrower if there are fewer frames than columns.
  package init(columns: Int, cellWidth: Int) {
    precondition(columns >= 1 && cellWidth >= 1, "a sheet has columns and cells")
    self.columns = columns
    self.cellWidth = cellWidth
  }

  package func pixels(_ frames: [Pixels]) throws(PipelineError) -> Pixels {
    guard let size = frames.first?.size, frames.allSatisfy({ $0.size == size }) else {
      throw PipelineError(
        .unsupported, operation: "lay out", file: nil,
        reason: frames.isEmpty ? "no frames were given" : "the frames are of different sizes",
        advice: "record one screen")
    }
    let cell = try cell(of: size)
    let sheet = try self.size(count: frames.count, of: size)
    let across = min(columns, frames.count)
    var rows = [UInt8](repeating: Self.shade, count: sheet.area * Pixels.screenBands)
    for (number, frame) in frames.enumerated() {
      try frame.forScreen().resampled(to: cell).copy(
        into: &rows, width: sheet.width, x: Self.length(number % across, cell.width),
        y: Self.length(number / across, cell.height))
    }
    return Pixels(rgb: sheet, rows)
  }

  /// Returns the size of a sheet before any frame is drawn.
  package func size(count: Int, of frame: PixelSize) throws(PipelineError) -> PixelSize {
    let cell = try cell(of: frame)
    let across = min(columns, count)
    let down = (count + across - 1) / across
    return try Self.size(
      width: Self.length(across, cell.width), height: Self.length(down, cell.height))
  }

  private func cell(of frame: PixelSize) throws(PipelineError) -> PixelSize {
    let scale = Double(cellWidth) / Double(frame.width)
    // At most the largest side times the widest cell, which fits into an Int.
    let height = max(1, Int((Double(frame.height) * scale).rounded()))
    return try Self.size(width: cellWidth, height: height)
  }

  /// Returns the length of cells with a gap before each and a last one after them.
  ///
  /// It does not overflow: the sides of a cell are below 2^31, and so is the number of frames.
  private static func length(_ cells: Int, _ side: Int) -> Int { cells * (side + gap) + gap }

  private static func size(width: Int, height: Int) throws(PipelineError) -> PixelSize {
    guard let size = try? PixelSize(width: width, height: height),
      size.area <= mostBytes / Pixels.screenBands
    else {
      throw PipelineError(
        .unwritable, operation: "lay out", file: nil,
        reason: "a sheet of \(width)x\(height) pixels is too large",
        advice: "lay out fewer frames, or smaller ones")
    }
    return size
  }

  /// Returns a frame as a screen shows it in the middle of a larger size, with the grey around.
  package static func padded(_ frame: Pixels, to size: PixelSize) throws(PipelineError) -> Pixels {
    precondition(
      size.width >= frame.size.width && size.height >= frame.size.height,
      "\(frame.size) cannot be padded to \(size)")
    let shown = try frame.forScreen()
    if size == frame.size { return shown }
    var rows = [UInt8](repeating: shade, count: size.area * Pixels.screenBands)
    shown.copy(
      into: &rows, width: size.width, x: (size.width - frame.size.width) / 2,
      y: (size.height - frame.size.height) / 2)
    return Pixels(rgb: size, rows)
  }
}

extension Pixels {
  fileprivate func copy(into rows: inout [UInt8], width: Int, x: Int, y: Int) {
    for row in 0..<size.height {
      let start = ((y + row) * width + x) * bands
      rows.replaceSubrange(
        start..<start + rowByteCount, with: bytes[row * rowByteCount..<(row + 1) * rowByteCount])
    }
  }
}
