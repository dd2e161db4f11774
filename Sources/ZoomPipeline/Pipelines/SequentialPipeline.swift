internal import ZoomGeometry

/// Reads by libvips' sequential access: decodes from the top and stops below the region.
///
/// Memory is bounded; the cost grows with the region's distance from the top. Each request needs
/// its own pass, as libvips cannot go back up.
package struct SequentialPipeline: PicturePipeline {
  package let name = "sequential"
  package let summary = "libvips sequential access, from the top to the region's foot"
  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try picture.assertPassFits(name)
    return SequentialSource(picture: picture)
  }
}

final class SequentialSource: StoredSource {
  let picture: Picture
  let state = SourceState.nothing

  init(picture: Picture) { self.picture = picture }

  var explanation: String {
    if picture.reach == .regions {
      "works, but the format could be read in parts"
    } else if picture.isInterlaced {
      "its passes cover the whole picture, so each peek decodes all of it"
    } else if picture.isDecodedByRows {
      "decodes from the top to the region's foot, in little memory"
    } else {
      "its decoder holds the whole picture, so each peek decodes all of it"
    }
  }

  func cost(of stored: PixelRegion) -> PeekCost? {
    guard picture.reach == .fromTheTop else { return nil }
    let rows = picture.isDecodedByRows ? stored.maxY : picture.storedSize.height
    return PeekCost(each: picture.storedSize.width * rows)
  }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer {
    // Checked here too, because other sources fall back to this one without opening it.
    try picture.assertPassFits("sequential")
    return try read(stored, of: try Image.open(picture), .none)
  }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? {
    guard let jpeg = picture.jpegStructure else { return nil }
    try picture.assertPassFits("sequential")
    guard let image = try Image.open(picture.file, jpeg, reduction: reduction) else { return nil }
    return try read(stored.reduced(by: reduction.rawValue), of: image, .decoder)
  }

  func forget() {}

  private func read(
    _ stored: PixelRegion, of image: Image, _ resampling: Resampling
  ) throws(PipelineError) -> RegionAnswer {
    // libvips does not report how far its decoder has gone.
    let pixels = try image.read(stored, of: picture.path)
    return RegionAnswer(
      pixels: pixels,
      work: Work(bytesRead: image.bytesRead, pixelsDecoded: nil, pixelsDelivered: stored.area),
      resampling: resampling)
  }
}
