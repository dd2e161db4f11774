public import SystemPackage
public import ZoomGeometry

extension RegionRequest {
  /// Throws where a picture cannot answer the request, whatever reads it.
  ///
  /// - Parameters:
  ///   - pictureSize: the picture's size, upright.
  ///   - file: the file that the error is to name.
  /// - Throws: `PipelineError` of code `outside` when the region is not inside the picture, or does
  ///   not hold whole blocks of the reduction.
  public func check(pictureSize: PixelSize, file: FilePath?) throws(PipelineError) {
    guard region.isInside(pictureSize) else {
      throw PipelineError.outside(region, of: pictureSize, file: file)
    }
    let side = reduction.rawValue
    guard region.x.isMultiple(of: side), region.y.isMultiple(of: side),
      region.maxX.isMultiple(of: side) || region.maxX == pictureSize.width,
      region.maxY.isMultiple(of: side) || region.maxY == pictureSize.height
    else {
      throw PipelineError(
        .outside, operation: "read", file: file,
        reason: "region \(region) does not hold whole blocks of \(side)x\(side) pixels",
        advice: "begin it at multiples of \(side) and end it at multiples of \(side)"
          + " or the picture's edge")
    }
  }

  /// Answers the request with a source that reads only one to one and upright.
  ///
  /// Refuses what cannot be answered, has the region read, takes the mean of each block where the
  /// request is reduced, and turns the result:
  ///
  ///     func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
  ///       try request.answer(pictureSize: size, file: path) { region throws(PipelineError) in
  ///         RegionAnswer(pixels: …, work: …)
  ///       }
  ///     }
  /// - Parameters:
  ///   - pictureSize: the picture's size, upright.
  ///   - file: the file that errors are to name.
  ///   - read: gives the pixels of a region inside the picture, one to one and upright, and the work
  ///     they took. Called once, and not at all for a request that is refused.
  /// - Returns: the answer, its work that of `read` but for the pixels delivered.
  /// - Throws: `PipelineError`: as `check` does, as `read` does, or of code `fault` when `read` gives
  ///   pixels of another size than the region's.
  public func answer(
    pictureSize: PixelSize, file: FilePath?,
    reading read: (PixelRegion) throws(PipelineError) -> RegionAnswer
  ) throws(PipelineError) -> RegionAnswer {
    try check(pictureSize: pictureSize, file: file)
    let exact = try read(region)
    guard exact.pixels.size == region.size else {
      throw PipelineError(
        .fault, operation: "read", file: file,
        reason: "\(exact.pixels.size) pixels were given for region \(region)")
    }
    let pixels = exact.pixels.reduced(by: reduction).turned(by: turn)
    var work = exact.work
    work.pixelsDelivered = pixels.size.area
    return RegionAnswer(
      pixels: pixels, work: work,
      resampling: reduction == .none ? exact.resampling : .blockMean)
  }
}

extension PixelSize {
  /// Returns the size of a whole picture reduced; parts of blocks at its edges count.
  func reduced(by reduction: Reduction) -> PixelSize {
    PixelRegion(whole: self).reduced(by: reduction.rawValue).size
  }
}
