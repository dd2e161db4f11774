internal import CVips
public import SystemPackage
internal import ZoomGeometry

/// A file format to write, with the settings that decide its pixels.
package enum SaveFormat: Sendable, Hashable {
  /// Deflate level 0...9.
  case png(compression: Int, interlaced: Bool)
  case webp(quality: Int, lossless: Bool)
  /// Deflate; square tiles with a side in pixels.
  case tiledTIFF(tile: Int, pyramid: Bool)
  /// The format of the file name's suffix, with libvips' settings.
  case bySuffix
  /// The format of the suffix with other settings, in libvips' syntax: "[lossless,tile]".
  case settings(String)
}

extension Image {
  /// Writes the image as a file, whole or not at all.
  package func write(to path: FilePath, as format: SaveFormat) throws(PipelineError) {
    if case .bySuffix = format { try Self.checkSuffix(of: path) }
    let sampleFormat = try self.format
    // Above 2 GB of raster, 32-bit offsets of a classic TIFF may be too small.
    let raster = try size.area * bands * sampleFormat.byteCount
    try AtomicFile.write(to: path) { temporary throws(PipelineError) in
      let status = unsafe withPointer { pointer in
        unsafe temporary.withPlatformString { name in
          switch format {
          case .png(let compression, let interlaced):
            unsafe cvips_pngsave(pointer, name, Int32(compression), interlaced ? 1 : 0)
          case .webp(let quality, let lossless):
            // Effort 2 of 6: the corpus is made often, and its size matters little.
            unsafe cvips_webpsave(pointer, name, Int32(quality), lossless ? 1 : 0, 2)
          case .tiledTIFF(let tile, let pyramid):
            // Horizontal differencing is defined for 8 and 16 bit samples only.
            unsafe cvips_tiffsave_tiled(
              pointer, name, Int32(tile), pyramid ? 1 : 0,
              sampleFormat.byteCount <= 2
                ? VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL : VIPS_FOREIGN_TIFF_PREDICTOR_NONE,
              raster > 2 << 30 ? 1 : 0)
          case .bySuffix:
            unsafe cvips_write_to_file(pointer, name)
          case .settings(let settings):
            unsafe cvips_write_to_file(pointer, unsafe String(cString: name) + settings)
          }
        }
      }
      guard status == 0 else {
        // Writing decodes the pixels, so the cause may be a damaged source as well as a full disk.
        throw PipelineError.vips(
          .unwritable, operation: "write", file: path,
          advice: "see that the source is whole and the disk has room")
      }
    }
  }

  /// Writes the image in the format of the suffix, in colours that a screen can show.
  ///
  /// Other colours, such as CMYK, are converted by the embedded profile, if there is one.
  public func writeForScreen(to path: FilePath) throws(PipelineError) {
    try Self.checkSuffix(of: path)
    let screen: Set<ColourInterpretation> = [
      .srgb, .grey, .rgb16, ColourInterpretation(rawValue: "grey16"),
    ]
    guard !screen.contains(interpretation) else {
      try write(to: path, as: .bySuffix)
      return
    }
    let converted = try unsafe producing("convert to sRGB") { pointer in
      if unsafe vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0,
        let image = unsafe cvips_icc_to_srgb(pointer, 8)
      {
        return unsafe image
      }
      vips_error_clear()
      return unsafe cvips_colourspace(pointer, VIPS_INTERPRETATION_sRGB)
    }
    try converted.write(to: path, as: .bySuffix)
  }

  /// Throws if no encoder writes files of that suffix, before any work is done.
  public static func checkSuffix(of path: FilePath) throws(PipelineError) {
    VipsLibrary.start
    let known = unsafe path.withPlatformString { name in
      unsafe vips_foreign_find_save(name) != nil
    }
    guard known, path.extension != nil, !path.string.hasSuffix("]") else {
      vips_error_clear()
      throw PipelineError(
        .unwritable, operation: "write", file: path,
        reason: "no encoder writes files of that suffix", advice: "use .png, .jpg, .webp or .tif")
    }
  }
}
