internal import CVips
package import ZoomGeometry

extension Pixels {
  /// Returns the pixels as a screen shows them: 8-bit sRGB in three bands.
  ///
  /// All colours of frames are converted here. Grey becomes three bands, 16 bits lose their lower
  /// half, inks are converted by libvips' own table (profiles are ignored), and transparent pixels
  /// are blended over black. Throws `unsupported` if libvips cannot convert them.
  package func forScreen() throws(PipelineError) -> Pixels {
    if bands == ScreenRaster.bands, format == .uint8, interpretation == .srgb { return self }
    var image = try Image(self)
    do {
      image = try unsafe image.producing("convert to sRGB") { pointer in
        unsafe cvips_colourspace(pointer, VIPS_INTERPRETATION_sRGB)
      }
      if unsafe image.withPointer({ pointer in unsafe vips_image_hasalpha(pointer) }) != 0 {
        image = try unsafe image.producing("flatten") { pointer in unsafe cvips_flatten(pointer) }
      }
      if image.bands > ScreenRaster.bands {
        image = try unsafe image.producing("drop bands") { pointer in
          unsafe cvips_first_bands(pointer, Int32(ScreenRaster.bands))
        }
      }
      image = try unsafe image.producing("cast") { pointer in unsafe cvips_cast_uchar(pointer) }
    } catch {
      throw PipelineError(
        .unsupported, operation: "convert to sRGB", file: nil,
        reason: "no way from \(bands) bands of \(interpretation.rawValue): \(error.reason)")
    }
    let made = try image.read(PixelRegion(whole: size))
    guard made.bands == ScreenRaster.bands else {
      throw PipelineError(
        .unsupported, operation: "convert to sRGB", file: nil,
        reason: "\(bands) bands of \(interpretation.rawValue) become \(made.bands), not 3")
    }
    return Pixels(
      size: size, bands: made.bands, format: made.format, interpretation: .srgb, bytes: made.bytes)
  }

  /// Returns the pixels scaled to a size for the screen, by libvips' default kernel.
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

  /// Returns the pixels for the screen in the middle of a larger size, with one grey around.
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

  func copy(into rows: inout [UInt8], width: Int, x: Int, y: Int) {
    for row in 0..<size.height {
      let start = ((y + row) * width + x) * bands
      rows.replaceSubrange(
        start..<start + rowByteCount, with: bytes[row * rowByteCount..<(row + 1) * rowByteCount])
    }
  }
}
