internal import CVips
package import ZoomGeometry

extension Pixels {
  /// The bands of pixels that a screen shows.
  package static let screenBands = 3

  /// Creates pixels that a screen shows: 8-bit sRGB in three bands.
  package init(rgb size: PixelSize, _ bytes: [UInt8]) {
    self.init(
      size: size, bands: Self.screenBands, format: .uint8, interpretation: .srgb, bytes: bytes)
  }

  /// Returns the pixels as a screen shows them: 8-bit sRGB in three bands.
  ///
  /// Grey becomes three bands, 16 bits lose their lower half, inks are converted by libvips' own
  /// table (profiles are ignored), and transparent pixels are blended over black. Throws
  /// `unsupported` if libvips cannot convert them.
  package func forScreen() throws(PipelineError) -> Pixels {
    if bands == Self.screenBands, format == .uint8, interpretation == .srgb { return self }
    var image = try Image(self)
    do {
      image = try unsafe image.producing("convert to sRGB") { pointer in
        unsafe cvips_colourspace(pointer, VIPS_INTERPRETATION_sRGB)
      }
      if unsafe image.withPointer({ pointer in unsafe vips_image_hasalpha(pointer) }) != 0 {
        image = try unsafe image.producing("flatten", cvips_flatten)
      }
      if image.bands > Self.screenBands {
        image = try unsafe image.producing("drop bands") { pointer in
          unsafe cvips_first_bands(pointer, Int32(Self.screenBands))
        }
      }
      image = try unsafe image.producing("cast", cvips_cast_uchar)
    } catch {
      throw PipelineError(
        .unsupported, operation: "convert to sRGB", file: nil,
        reason: "no way from \(bands) bands of \(interpretation.rawValue): \(error.reason)")
    }
    let made = try image.read(PixelRegion(whole: size))
    guard made.bands == Self.screenBands else {
      throw PipelineError(
        .unsupported, operation: "convert to sRGB", file: nil,
        reason: "\(bands) bands of \(interpretation.rawValue) become \(made.bands), not 3")
    }
    return Pixels(
      size: size, bands: made.bands, format: made.format, interpretation: .srgb, bytes: made.bytes)
  }
}
