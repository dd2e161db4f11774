package import ZoomGeometry

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
    var rows = [UInt8](repeating: shade, count: sheet.area * ScreenRaster.bands)
    for (number, frame) in frames.enumerated() {
      let scaled = try frame.scaled(to: cell)
      scaled.copy(
        into: &rows, width: sheet.width, x: gap + number % across * (cellWidth + gap),
        y: gap + number / across * (cell.height + gap))
    }
    return Pixels(
      size: sheet, bands: ScreenRaster.bands, format: .uint8, interpretation: .srgb, bytes: rows)
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
      if size.area <= mostBytes / ScreenRaster.bands { return size }
    } catch {}
    throw PipelineError(
      .unwritable, operation: "lay out", file: nil,
      reason: "a sheet of \(width)x\(height) pixels is too large",
      advice: "lay out fewer frames, or smaller ones")
  }
}
