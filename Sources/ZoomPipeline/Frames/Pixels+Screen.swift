internal import CVips
internal import ZoomGeometry

extension Pixels {
  /// The same pixels as a screen shows them: 8-bit sRGB in three bands.
  ///
  /// The one place where a frame's colours change. Greys are tripled, 16 bits lose their lower half,
  /// ink becomes light by libvips' own table (no profile is looked at), and what is transparent stands
  /// over black.
  /// - Throws: `PipelineError` of code `unsupported` when libvips knows no way.
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
}
