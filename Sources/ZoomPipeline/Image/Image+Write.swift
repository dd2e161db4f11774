internal import CVips
public import SystemPackage

extension Image {
  /// Writes the image as a file, whole or not at all, in the format of the name's suffix.
  /// - Parameters:
  ///   - path: the file.
  ///   - settings: the encoder's settings that differ from libvips' own, in its syntax:
  ///     "[lossless,effort=2]".
  /// - Throws: `PipelineError` with code `unwritable` when no encoder has that suffix, or writing
  ///   fails.
  package func write(to path: FilePath, settings: String = "") throws(PipelineError) {
    try Self.checkSuffix(of: path)
    try AtomicFile.write(to: path) { temporary throws(PipelineError) in
      let status = unsafe withPointer { pointer in
        unsafe temporary.withPlatformString { name in
          unsafe cvips_write_to_file(pointer, name, settings)
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
      try write(to: path)
      return
    }
    let converted = try unsafe producing("convert to sRGB") { pointer in
      if unsafe vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0,
        let image = unsafe cvips_icc_transform(pointer, "srgb", nil, 8)
      {
        return unsafe image
      }
      vips_error_clear()
      return unsafe cvips_colourspace(pointer, VIPS_INTERPRETATION_sRGB)
    }
    try converted.write(to: path)
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
