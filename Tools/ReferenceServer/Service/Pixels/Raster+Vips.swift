import ZoomGeometry
import ZoomPipeline

extension Raster {
  func scaledByVips(to target: Extent) -> Raster {
    guard target != size, let pixels else { return self }
    // libvips refuses some sizes of a few pixels; the other renderer is correct too.
    guard let size = try? PixelSize(width: target.width, height: target.height),
      let scaled = try? pixels.resampled(to: size),
      let raster = try? Raster(scaled), raster.size == target
    else { return self.scaled(to: target) }
    return raster
  }

  /// Returns a JPEG without chroma subsampling; nil if libvips cannot write it.
  func jpeg(quality: Int) -> [UInt8]? {
    guard let pixels = flattened(over: 255).pixels else { return nil }
    return try? Image(pixels).jpegBytes(quality: quality)
  }

  /// Returns the pixels of a JPEG of the raster, without alpha; nil if it cannot be made.
  func throughJPEG(quality: Int) -> Raster? {
    guard let pixels = flattened(over: 255).pixels,
      let lossy = try? Image(pixels).jpegAndBack(quality: quality)
    else { return nil }
    return try? Raster(lossy)
  }
}
