internal import CVips
internal import SystemPackage
internal import ZoomPipeline

/// libvips called by a file's name, without any of our code.
enum PlainVips {
  /// Returns the upright pixels of a TIFF, read row by row; nil if libvips refuses it.
  static func pixels(of path: FilePath) -> [UInt8]? {
    // Starts libvips, with the settings of the tests.
    _ = VipsLibrary.version
    var flags = VIPS_FOREIGN_NONE
    let loaded = path.string.withCString { name in
      cvips_load_name("tiffload", name, VIPS_ACCESS_RANDOM, VIPS_FAIL_ON_NONE, &flags)
    }
    defer { vips_error_clear() }
    guard let loaded else { return nil }
    defer { cvips_unref(loaded) }
    guard let upright = cvips_autorot(loaded) else { return nil }
    defer { cvips_unref(upright) }
    var count = 0
    guard let memory = vips_image_write_to_memory(upright, &count) else { return nil }
    defer { g_free(memory) }
    return [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
  }
}
