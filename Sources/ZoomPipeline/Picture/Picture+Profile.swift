internal import CVips
internal import ZoomGeometry
internal import SystemPackage

extension Picture {
  /// The embedded ICC profile; nil without one.
  /// - Throws: `PipelineError` when the file cannot be opened any more.
  public func iccProfile() throws(PipelineError) -> [UInt8]? {
    guard profileLength > 0 else { return nil }
    let image = try Image.open(self, access: .sequential)
    return unsafe image.withPointer { pointer in
      var data: UnsafeRawPointer?
      var length = 0
      guard
        unsafe vips_image_get_blob(pointer, VIPS_META_ICC_NAME, &data, &length) == 0,
        let data = unsafe data
      else { return nil }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: length))
    }
  }
}

extension Image {
  /// The same pixels with an ICC profile attached, for a file that is to be seen.
  /// - Parameter profile: the profile's bytes.
  /// - Returns: an image that saves with it.
  /// - Throws: `PipelineError` when libvips fails.
  public func carrying(profile: [UInt8]) throws(PipelineError) -> Image {
    // A copy first: setting metadata changes an image in place, and `self` is shared.
    let copy = try unsafe producing("attach a profile") { pointer in
      unsafe cvips_copy_interpretation(pointer, vips_image_get_interpretation(pointer))
    }
    unsafe copy.withPointer { pointer in
      unsafe profile.withUnsafeBytes { bytes in
        unsafe vips_image_set_blob_copy(
          pointer, VIPS_META_ICC_NAME, bytes.baseAddress, bytes.count)
      }
    }
    return copy
  }
}
