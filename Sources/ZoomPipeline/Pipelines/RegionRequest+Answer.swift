public import SystemPackage
public import ZoomGeometry

extension RegionRequest {
  /// Throws if no source can answer the request about an upright picture; the error names the file.
  /// - Throws: `PipelineError` with code `outside` when the region is not inside the picture or not
  ///   made of whole blocks of the reduction.
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

  /// Answers the request with a function that reads upright regions at full size.
  ///
  /// Checks the request, reads the region, reduces it to the mean of each block and turns it:
  ///
  ///     func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
  ///       try request.answer(pictureSize: size, file: path) { region throws(PipelineError) in
  ///         RegionAnswer(pixels: …, work: …)
  ///       }
  ///     }
  /// - Returns: the answer, with the work of `read` except for the pixels delivered.
  /// - Throws: `PipelineError`: as `check` and `read` do, or with code `fault` when `read` returns
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
      resampling: reduction == .none ? exact.resampling : .blockMean, colour: exact.colour)
  }
}

extension PixelSize {
  /// Returns the size of the reduced picture; partial blocks at its edges count.
  func reduced(by reduction: Reduction) -> PixelSize {
    PixelRegion(whole: self).reduced(by: reduction.rawValue).size
  }
}
