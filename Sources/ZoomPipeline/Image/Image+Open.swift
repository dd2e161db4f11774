internal import CVips
internal import SystemPackage
internal import ZoomGeometry

/// In which order the pixels of a file will be asked for.
enum Access {
  /// In any order; a format that can only be read from the top is decoded whole at the first read.
  case random
  /// From the top down, once.
  case sequential

  var vips: VipsAccess {
    switch self {
    case .random: VIPS_ACCESS_RANDOM
    case .sequential: VIPS_ACCESS_SEQUENTIAL
    }
  }
}

extension Image {
  /// Opens a picture's header; pixels are decoded when they are read.
  ///
  /// A file that is cut off is an error, not a picture with a grey foot (libvips' default).
  static func open(_ path: FilePath, access: Access) throws(PipelineError) -> Image {
    VipsLibrary.start
    if let source = unsafe path.withPlatformString({ name in
      unsafe vips_source_new_from_file(name)
    }) {
      defer { unsafe cvips_unref(source) }
      if unsafe vips_foreign_find_load_source(source) != nil {
        guard
          let image = unsafe cvips_image_new_from_source(
            source, access.vips, VIPS_FAIL_ON_TRUNCATED)
        else { throw damagedHeader(path) }
        return unsafe Image(owning: image)
      }
    }
    vips_error_clear()
    return try openByName(path, access: access)
  }

  /// Opens from a descriptor, whose file offset then tells how far the decoder has read.
  ///
  /// libvips duplicates the descriptor, and duplicates share one offset (POSIX `dup`).
  static func open(
    _ descriptor: FileDescriptor, named path: FilePath, access: Access
  ) throws(PipelineError) -> Image {
    VipsLibrary.start
    guard let source = unsafe vips_source_new_from_descriptor(descriptor.rawValue) else {
      throw PipelineError.vips(.unreadable, operation: "open", file: path)
    }
    defer { unsafe cvips_unref(source) }
    guard
      let image = unsafe cvips_image_new_from_source(source, access.vips, VIPS_FAIL_ON_TRUNCATED)
    else { throw damagedHeader(path) }
    return unsafe Image(owning: image)
  }

  /// Opens a JPEG from a descriptor, reduced by its inverse DCT, for one pass from the top.
  ///
  /// The decoder is told a size of whole blocks (see `PixelSize.ofWholeJPEGBlocks`).
  /// - Returns: nil when a JPEG cannot have such a size.
  static func open(
    _ descriptor: FileDescriptor, named path: FilePath, jpeg: JPEGStructure, reduction: Reduction
  ) throws(PipelineError) -> Image? {
    VipsLibrary.start
    guard let size = jpeg.size.ofWholeJPEGBlocks(reduction) else { return nil }
    guard
      let source = unsafe cvips_source_of_resized_jpeg(
        descriptor.rawValue, gint64(jpeg.fileHeightOffset), Int32(size.width), Int32(size.height))
    else { throw PipelineError.vips(.fault, operation: "open", file: path) }
    defer { unsafe cvips_unref(source) }
    guard
      let image = unsafe cvips_jpegload_source(
        source, Int32(reduction.rawValue), VIPS_FAIL_ON_TRUNCATED)
    else { throw damagedHeader(path) }
    return unsafe Image(owning: image)
  }

  /// Opens an encoded JPEG that stands in memory, for one pass from the top.
  static func open(
    jpeg bytes: [UInt8], for path: FilePath, reduction: Reduction = .none
  ) throws(PipelineError) -> Image {
    VipsLibrary.start
    let holder = FixedBytes(bytes)
    guard
      let image = unsafe cvips_jpegload_buffer(
        holder.start, holder.count, Int32(reduction.rawValue), VIPS_FAIL_ON_TRUNCATED)
    else { throw damagedHeader(path) }
    return unsafe Image(owning: image, origin: holder)
  }

  /// Opens by one of the loaders that take only a name.
  ///
  /// libvips reads "[…]" at a name's end as options.
  private static func openByName(
    _ path: FilePath, access: Access
  ) throws(PipelineError) -> Image {
    let known = unsafe path.withPlatformString { name in
      unsafe vips_foreign_find_load(name) != nil
    }
    guard known, !path.string.hasSuffix("]") else {
      vips_error_clear()
      throw PipelineError(
        .notAPicture, operation: "open", file: path,
        reason: "it is in no picture format that libvips knows", advice: "name a picture file")
    }
    let image = unsafe path.withPlatformString { name in
      unsafe cvips_image_new_from_file(name, access.vips, VIPS_FAIL_ON_TRUNCATED)
    }
    guard let image = unsafe image else { throw damagedHeader(path) }
    return unsafe Image(owning: image)
  }

  private static func damagedHeader(_ path: FilePath) -> PipelineError {
    PipelineError.vips(
      .damaged, operation: "open", file: path, advice: "get a whole copy of the file")
  }
}
