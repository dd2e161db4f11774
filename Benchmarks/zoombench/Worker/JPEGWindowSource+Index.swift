internal import ZoomGeometry
internal import ZoomPipeline

extension JPEGWindowSource {
  /// Has the whole seek index laid down, as what earlier peeks lay down would make later ones cheaper.
  ///
  /// The last MCU of the coded data is at one of the four corners, depending on the orientation.
  func layDownIndex() throws(PipelineError) {
    for x in [0, size.width - 1] {
      for y in [0, size.height - 1] {
        guard let corner = try? PixelRegion(x: x, y: y, width: 1, height: 1) else { continue }
        _ = try read(RegionRequest(corner))
      }
    }
  }
}
