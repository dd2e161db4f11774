import ZoomGeometry
import ZoomPipeline

extension Raster {
  /// Scaled by libvips.
  func scaledByVips(to target: Extent) -> Raster {
    guard target != size, let pixels else { return self }
    // libvips refuses some sizes of a few pixels; the other renderer is no less correct.
    guard let size = try? PixelSize(width: target.width, height: target.height),
      let scaled = try? pixels.resampled(to: size),
      let raster = try? Raster(scaled), raster.size == target
    else { return self.scaled(to: target) }
    return raster
  }

  /// A JPEG of full chroma; nil where libvips writes none.
  func jpeg(quality: Int) -> [UInt8]? {
    guard let pixels = flattened(over: 255).pixels else { return nil }
    return try? Image(pixels).jpegBytes(quality: quality)
  }

  /// What a JPEG leaves of the pixels, without alpha; nil where none can be made.
  func throughJPEG(quality: Int) -> Raster? {
    guard let pixels = flattened(over: 255).pixels,
      let lossy = try? Image(pixels).jpegAndBack(quality: quality)
    else { return nil }
    return try? Raster(lossy)
  }
}
