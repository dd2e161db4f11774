internal import ZoomGeometry

/// A source that reads its picture as the file stores it; turning upright, reducing and turning are
/// done here, once for all of them.
protocol StoredSource: RegionSource {
  var picture: Picture { get }

  /// Reads a region of the stored picture one to one.
  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer

  /// Reads a stored region, of whole blocks, reduced by the decoder; nil where it cannot reduce.
  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer?

  /// Reads a stored region, of whole blocks, of the reduced copy that the file holds; nil where it holds none.
  func readLevel(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer?

  /// Throws when what was read may be of another file than the one that was opened.
  func assertUnchanged() throws(PipelineError)

  /// What reading a stored region will cost; nil where libvips does not tell.
  func cost(of stored: PixelRegion) -> PeekCost?
}

extension StoredSource {
  var size: PixelSize { picture.size }

  var openingWork: Work { picture.openingWork }

  func cost(of stored: PixelRegion) -> PeekCost? { nil }

  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? { nil }

  func readLevel(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer? { nil }

  /// Asks for the file's version.
  func assertUnchanged() throws(PipelineError) { try picture.assertUnchanged() }

  /// What `body` reads of the picture, if the file is then still the one that was opened.
  ///
  /// Asked once, behind the reading: so it vouches for all of it, and explains an error of it.
  func unchanged<Answer>(
    _ body: () throws(PipelineError) -> Answer
  ) throws(PipelineError) -> Answer {
    let answer = Result(catching: body)
    try assertUnchanged()
    return try answer.get()
  }

  /// Reads what is asked for, through the decoder's own reduction where it has one.
  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try request.check(pictureSize: size, file: picture.path)
    return try unchanged { () throws(PipelineError) in try answer(request) }
  }

  private func answer(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    if request.reduction != .none, picture.hasUprightBlocks(of: request.reduction) {
      let stored = try picture.storedRegion(for: request.region)
      try picture.assertFits(stored.reduced(by: request.reduction.rawValue), "read")
      var reduced: RegionAnswer?
      if request.usesStoredLevels { reduced = try readLevel(stored, reducedBy: request.reduction) }
      if reduced == nil { reduced = try readStored(stored, reducedBy: request.reduction) }
      if let answer = reduced {
        return RegionAnswer(
          pixels: try answer.pixels.upright(from: picture.orientation).turned(by: request.turn),
          work: answer.work, resampling: answer.resampling)
      }
    }
    return try request.answer(pictureSize: size, file: picture.path) {
      region throws(PipelineError) in
      try picture.assertFits(region, "read")
      let answer = try readStored(try picture.storedRegion(for: region))
      return RegionAnswer(
        pixels: try answer.pixels.upright(from: picture.orientation), work: answer.work)
    }
  }
}

extension Picture {
  /// Whether blocks counted from the stored picture's corner are those counted from the upright one's.
  ///
  /// Along a side that its orientation reverses they are only if the side holds whole blocks.
  func hasUprightBlocks(of reduction: Reduction) -> Bool {
    guard
      let corner = try? orientation.storedPoint(
        forUpright: PixelPoint(x: 0, y: 0), storedSize: storedSize)
    else { return false }
    return (corner.x == 0 || storedSize.width.isMultiple(of: reduction.rawValue))
      && (corner.y == 0 || storedSize.height.isMultiple(of: reduction.rawValue))
  }
}
