package import ZoomGeometry

/// Decodes the whole picture for every request, then crops: the reference for all others.
///
/// It shares only libvips with them: libvips' autorotation turns the picture, not our region
/// arithmetic. Reductions are the mean of exact pixels.
package struct NaivePipeline: PicturePipeline {
  package let name = "naive"
  package let summary = "decode the whole picture, then crop"

  package let limits: PictureLimits

  package init(limits: PictureLimits = .standard) { self.limits = limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try picture.assertPassFits(name, keepsRaster: true)
    return NaiveSource(picture: picture)
  }

  package func cost(
    of region: PixelRegion, in picture: Picture
  ) throws(PipelineError) -> PeekCost? {
    PeekCost(each: picture.storedSize.area)
  }
}

private final class NaiveSource: RegionSource {
  let picture: Picture
  let state = SourceState.nothing

  init(picture: Picture) { self.picture = picture }

  var explanation: String { "works for every picture; decodes all of it for each peek" }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let before = picture.file.fetched
    return try request.answer(pictureSize: size, file: picture.path) {
      region throws(PipelineError) in
      try picture.assertUnchanged()
      try picture.assertFits(region, "naive")
      let failedReads = picture.file.failedReads
      let image = Result { () throws(PipelineError) in try Image.open(picture) }
      let pixels = Result { () throws(PipelineError) in
        try image.get().readUpright(region, of: picture.path)
      }
      // Before an error of reading, which a change or a failed request explains.
      try picture.assertUnchanged(since: failedReads)
      return RegionAnswer(
        pixels: try pixels.get(),
        work: Work(
          bytesRead: try image.get().bytesRead, pixelsDecoded: picture.storedSize.area,
          pixelsDelivered: region.area))
    }.fetching(picture.file.fetched(since: before))
  }

  var size: PixelSize { picture.size }
  var openingWork: Work { picture.openingWork }

  func forget() {}
}
