internal import CVips
public import ZoomGeometry

extension Image {
  /// Creates an image with its own copy of the pixels.
  /// - Throws: `PipelineError` when memory runs out or libvips does not know the interpretation.
  public convenience init(_ pixels: Pixels) throws(PipelineError) {
    try unsafe self.init(pixels, makeImage: vips_image_new_from_memory_copy)
  }

  /// Calls the body with an image that shares the pixels' bytes instead of copying them.
  ///
  /// Images made from it must not outlive the call, which fixes the bytes' address.
  package static func withoutCopying<Value>(
    _ pixels: Pixels, _ body: (Image) throws(PipelineError) -> Value
  ) throws(PipelineError) -> Value {
    // `init` gets the same address again, since the array is not changed meanwhile.
    let result = unsafe pixels.bytes.withUnsafeBytes { _ in
      Result { () throws(PipelineError) in
        try body(try unsafe Image(pixels, makeImage: vips_image_new_from_memory))
      }
    }
    return try result.get()
  }

  private convenience init(
    _ pixels: Pixels,
    makeImage: (UnsafeRawPointer?, Int, Int32, Int32, Int32, VipsBandFormat)
      -> UnsafeMutablePointer<VipsImage>?
  ) throws(PipelineError) {
    VipsLibrary.start
    let interpretation = unsafe vips_enum_from_nick(
      "zoombench", vips_interpretation_get_type(), pixels.interpretation.rawValue)
    guard interpretation >= 0 else {
      throw PipelineError.vips(.fault, operation: "make an image", file: nil)
    }
    let plain = unsafe pixels.bytes.withUnsafeBytes { bytes in
      unsafe makeImage(
        bytes.baseAddress, bytes.count, Int32(pixels.size.width), Int32(pixels.size.height),
        Int32(pixels.bands), pixels.format.vips)
    }
    guard let plain = unsafe plain else {
      throw PipelineError.vips(.fault, operation: "make an image", file: nil)
    }
    // The copy holds another reference.
    defer { unsafe cvips_unref(plain) }
    let named = unsafe cvips_copy_interpretation(
      plain, VipsInterpretation(rawValue: interpretation))
    guard let named = unsafe named else {
      throw PipelineError.vips(.fault, operation: "name the colours", file: nil)
    }
    unsafe self.init(owning: named)
  }

  /// Turns the image upright by libvips' own autorotation, which reads the tag in its header.
  func uprightByHeader() throws(PipelineError) -> Image {
    try unsafe producing("autorotate", cvips_autorot)
  }

  /// Returns the same pixels with an ICC profile attached, for a file that is to be shown.
  public func carrying(profile: [UInt8]) throws(PipelineError) -> Image {
    try unsafe copied("attach a profile") { copy in
      unsafe profile.withUnsafeBytes { bytes in
        unsafe vips_image_set_blob_copy(copy, VIPS_META_ICC_NAME, bytes.baseAddress, bytes.count)
      }
    }
  }

  /// Returns a copy with other metadata: setting it changes an image in place, and `self` is shared.
  func copied(
    _ operation: String, setting set: (UnsafeMutablePointer<VipsImage>) -> Void
  ) throws(PipelineError) -> Image {
    try unsafe producing(operation) { pointer in
      let copy = unsafe cvips_copy_interpretation(pointer, vips_image_get_interpretation(pointer))
      if let copy = unsafe copy { unsafe set(copy) }
      return unsafe copy
    }
  }

  /// Returns an animation of the frames that the image holds one below the other; it repeats.
  package func animated(
    frameHeight: Int, milliseconds: [Int]
  ) throws(PipelineError) -> Image {
    let delays = milliseconds.map { Int32(clamping: $0) }
    return try unsafe copied("set times") { copy in
      unsafe vips_image_set_int(copy, VIPS_META_PAGE_HEIGHT, Int32(clamping: frameHeight))
      unsafe vips_image_set_array_int(copy, "delay", delays, Int32(delays.count))
      unsafe vips_image_set_int(copy, "loop", 0)
    }
  }

  /// Returns the mean of each block; edge pixels are repeated to complete partial blocks.
  package func shrunk(by side: Int) throws(PipelineError) -> Image {
    guard side > 1 else { return self }
    return try unsafe producing("shrink") { pointer in
      unsafe cvips_shrink(pointer, Int32(clamping: side))
    }
  }

  /// Maps the image, interpolates linearly and repeats edges; whole numbers are pixel centres.
  package func mapped(by map: Affine, to size: PixelSize) throws(PipelineError) -> Image {
    try unsafe producing("map") { pointer in
      unsafe cvips_affine_bilinear(
        pointer, map.a, map.c, map.b, map.d, map.tx, map.ty, Int32(size.width),
        Int32(size.height))
    }
  }

  /// Places the image on a canvas whose other pixels repeat its edges.
  ///
  /// Core Animation shows the same for a `contentsRect` that leaves the unit square.
  /// - Parameters:
  ///   - canvas: the size of the result.
  ///   - x: the image's left edge on the canvas; it may be negative.
  ///   - y: its top edge.
  /// - Returns: an image of the canvas's size.
  /// - Throws: `PipelineError` when libvips fails.
  public func smeared(onto canvas: PixelSize, x: Int, y: Int) throws(PipelineError) -> Image {
    // libvips refuses an image that is wholly outside the canvas. With one column and one row
    // inside, the pixels are the same.
    let size = try self.size
    let left = min(max(x, 1 - size.width), canvas.width - 1)
    let top = min(max(y, 1 - size.height), canvas.height - 1)
    return try unsafe producing("smear") { pointer in
      unsafe cvips_embed_copying_edges(
        pointer, Int32(left), Int32(top), Int32(canvas.width), Int32(canvas.height))
    }
  }
}
