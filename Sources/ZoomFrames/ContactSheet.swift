package import ZoomGeometry
package import ZoomPipeline

/// Frames side by side in rows, scaled down, for an overview.
package struct ContactSheet: Sendable {
  private let columns: Int
  /// The width of a frame on the sheet in pixels; the height follows from it.
  private let cellWidth: Int
  /// The pixels between and around frames.
  private let gap: Int
  private let shade: UInt8

  /// Describes a sheet, which is narrower if there are fewer frames than columns.
  package init(columns: Int, cellWidth: Int, gap: Int = 8, shade: UInt8 = 64) {
    precondition(columns >= 1 && cellWidth >= 1 && gap >= 0, "a sheet has columns and cells")
    self.columns = columns
    self.cellWidth = cellWidth
    self.gap = gap
    self.shade = shade
  }

  /// The most bytes of a sheet: 1 GiB is a picture of 18900 pixels a side.
  private static let mostBytes = 1 << 30

  package func pixels(_ frames: [Pixels]) throws(PipelineError) -> Pixels {
    guard let size = frames.first?.size, frames.allSatisfy({ $0.size == size }) else {
      throw PipelineError(
        .unsupported, operation: "lay out", file: nil,
        reason: frames.isEmpty ? "there are no frames" : "the frames are of different sizes",
        advice: "record one screen")
    }
    let cell = try cell(of: size)
    let sheet = try self.size(count: frames.count, of: size)
    let across = min(columns, frames.count)
    var rows = [UInt8](repeating: shade, count: sheet.area * Pixels.screenBands)
    for (number, frame) in frames.enumerated() {
      let scaled = try frame.forScreen().resampled(to: cell)
      scaled.copy(
        into: &rows, width: sheet.width, x: gap + number % across * (cellWidth + gap),
        y: gap + number / across * (cell.height + gap))
    }
    return Pixels(
      size: sheet, bands: Pixels.screenBands, format: .uint8, interpretation: .srgb, bytes: rows)
  }

  /// Returns the size of a sheet before any frame is drawn.
  package func size(count: Int, of frame: PixelSize) throws(PipelineError) -> PixelSize {
    let cell = try cell(of: frame)
    let across = min(columns, count)
    let down = (count + across - 1) / across
    return try Self.size(
      width: Self.length(across, cell.width, gap), height: Self.length(down, cell.height, gap))
  }

  private func cell(of frame: PixelSize) throws(PipelineError) -> PixelSize {
    let scale = Double(cellWidth) / Double(frame.width)
    // At most the largest side times the widest cell, which fits into an Int.
    let height = max(1, Int((Double(frame.height) * scale).rounded()))
    return try Self.size(width: cellWidth, height: height)
  }

  /// Returns the length of cells with gaps between and around; `Int.max` on overflow.
  private static func length(_ cells: Int, _ side: Int, _ gap: Int) -> Int {
    let (step, isStepTooLarge) = side.addingReportingOverflow(gap)
    let (product, isTooLarge) = cells.multipliedReportingOverflow(by: step)
    let (sum, isSumTooLarge) = product.addingReportingOverflow(gap)
    return isStepTooLarge || isTooLarge || isSumTooLarge ? .max : sum
  }

  private static func size(width: Int, height: Int) throws(PipelineError) -> PixelSize {
    do {
      let size = try PixelSize(width: width, height: height)
      if size.area <= mostBytes / Pixels.screenBands { return size }
    } catch {}
    throw PipelineError(
      .unwritable, operation: "lay out", file: nil,
      reason: "a sheet of \(width)x\(height) pixels is too large",
      advice: "lay out fewer frames, or smaller ones")
  }
}

extension Pixels {
  /// Returns the pixels for the screen in the middle of a larger size, with one grey around.
  package func padded(to size: PixelSize, shade: UInt8) throws(PipelineError) -> Pixels {
    precondition(
      size.width >= self.size.width && size.height >= self.size.height,
      "\(self.size) cannot be padded to \(size)")
    let shown = try forScreen()
    if size == self.size { return shown }
    var rows = [UInt8](repeating: shade, count: size.area * Self.screenBands)
    shown.copy(
      into: &rows, width: size.width, x: (size.width - self.size.width) / 2,
      y: (size.height - self.size.height) / 2)
    return Pixels(
      size: size, bands: Self.screenBands, format: .uint8, interpretation: .srgb, bytes: rows)
  }

  fileprivate func copy(into rows: inout [UInt8], width: Int, x: Int, y: Int) {
    for row in 0..<size.height {
      let start = ((y + row) * width + x) * bands
      rows.replaceSubrange(
        start..<start + rowByteCount, with: bytes[row * rowByteCount..<(row + 1) * rowByteCount])
    }
  }
}
