internal import CVips
package import ZoomGeometry

extension Pixels {
  /// The pixels scaled for the screen to a size, by libvips' standard kernel for pictures.
  package func scaled(to size: PixelSize) throws(PipelineError) -> Pixels {
    let shown = try forScreen()
    if size == self.size { return shown }
    let image = try unsafe Image(shown).producing("scale") { pointer in
      unsafe cvips_resize(
        pointer, Double(size.width) / Double(self.size.width),
        Double(size.height) / Double(self.size.height))
    }
    return try image.read(PixelRegion(whole: size))
  }

  /// The pixels, for the screen, in the middle of a larger size, with one shade around.
  /// - Parameters:
  ///   - size: no side is shorter than the pixels'.
  ///   - shade: 0 ... 255.
  /// - Returns: 8-bit sRGB pixels of that size.
  /// - Throws: `PipelineError` when the colours cannot be shown.
  package func padded(to size: PixelSize, shade: UInt8) throws(PipelineError) -> Pixels {
    precondition(
      size.width >= self.size.width && size.height >= self.size.height,
      "\(self.size) cannot be padded to \(size)")
    let shown = try forScreen()
    if size == self.size { return shown }
    var rows = [UInt8](repeating: shade, count: size.area * ScreenRaster.bands)
    shown.copy(
      into: &rows, width: size.width, x: (size.width - self.size.width) / 2,
      y: (size.height - self.size.height) / 2)
    return Pixels(
      size: size, bands: ScreenRaster.bands, format: .uint8, interpretation: .srgb, bytes: rows)
  }

  /// Copies the pixels, 8-bit sRGB, into the rows of others.
  func copy(into rows: inout [UInt8], width: Int, x: Int, y: Int) {
    for row in 0..<size.height {
      let start = ((y + row) * width + x) * bands
      rows.replaceSubrange(
        start..<start + rowByteCount, with: bytes[row * rowByteCount..<(row + 1) * rowByteCount])
    }
  }
}
