internal import ZoomGeometry

/// A source that reads its picture as the file stores it.
///
/// The extension below turns the pixels upright, reduces and turns them, for all such sources.
protocol StoredSource: RegionSource {
  var picture: Picture { get }

  func readStored(_ stored: PixelRegion) throws(PipelineError) -> RegionAnswer

  /// Reads a stored region of whole blocks, reduced by the decoder; nil if it cannot reduce.
  func readStored(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer?

  /// Reads a stored region of whole blocks from the reduced copy in the file; nil if it has none.
  ///
  /// The last pixel of a copy that was rounded down also represents the partial block after it.
  func readLevel(
    _ stored: PixelRegion, reducedBy reduction: Reduction
  ) throws(PipelineError) -> RegionAnswer?

  /// Throws if the data read may be from another version of the file than the one opened.
  func assertUnchanged(since failedReads: Int) throws(PipelineError)

  /// Returns the cost of reading a stored region; nil if libvips does not report it.
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

  /// Compares the version of the file at the picture's path.
  func assertUnchanged(since failedReads: Int) throws(PipelineError) {
    try picture.assertUnchanged(since: failedReads)
  }

  /// Returns what `body` reads, if the file is then still the one that was opened.
  ///
  /// The check follows the reading, so that it covers all of it and explains an error in it. Once
  /// the file has changed, cached data is dropped: it must not be mixed with data of the new file.
  func unchanged<Answer>(
    _ body: () throws(PipelineError) -> Answer
  ) throws(PipelineError) -> Answer {
    let failedReads = picture.file.failedReads
    let answer = Result(catching: body)
    do throws(PipelineError) {
      try assertUnchanged(since: failedReads)
    } catch {
      forget()
      throw error
    }
    return try answer.get()
  }

  /// Reads a request, by the decoder's own reduction if it has one.
  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try request.check(pictureSize: size, file: picture.path)
    let before = picture.file.fetched
    picture.file.begin()
    let made = try unchanged { () throws(PipelineError) in try answer(request) }
    return made.fetching(picture.file.fetched(since: before))
  }

  private func answer(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    if request.usesStoredLevels {
      for level in try storedReductions() {
        if let reduced = try reducedAnswer(request, first: level, readLevel(_:reducedBy:)) {
          return reduced
        }
      }
    }
    let first = Reduction.ofDecoders.last { request.reduction.remainder(after: $0) != nil }
    if let first, first != .none,
      let reduced = try reducedAnswer(request, first: first, readStored(_:reducedBy:))
    {
      return reduced
    }
    return try request.answer(pictureSize: size, file: picture.path) {
      region throws(PipelineError) in
      try picture.assertFits(region, "read")
      let answer = try readStored(try picture.storedRegion(for: region))
      return RegionAnswer(
        pixels: answer.pixels.upright(from: picture.orientation), work: answer.work)
    }
  }

  /// Answers a request by `read`, which reads a stored region reduced by `first`.
  ///
  /// The mean of blocks of these pixels does the rest.
  /// - Returns: nil if `first` does not divide the request's reduction, or if nothing reduces by it.
  private func reducedAnswer(
    _ request: RegionRequest, first: Reduction,
    _ read: (PixelRegion, Reduction) throws(PipelineError) -> RegionAnswer?
  ) throws(PipelineError) -> RegionAnswer? {
    guard let rest = request.reduction.remainder(after: first),
      picture.hasUprightBlocks(of: first)
    else { return nil }
    let stored = try picture.storedRegion(for: request.region)
    try picture.assertFits(stored.reduced(by: first.rawValue), "read")
    guard let answer = try read(stored, first) else { return nil }
    let pixels = answer.pixels.upright(from: picture.orientation).reduced(by: rest)
      .turned(by: request.turn)
    var work = answer.work
    work.pixelsDelivered = pixels.size.area
    return RegionAnswer(pixels: pixels, work: work, resampling: answer.resampling)
  }
}

extension Picture {
  /// Whether blocks counted from the corner of the stored and of the upright picture are the same.
  ///
  /// Where the orientation reverses a side, that side has to consist of whole blocks.
  func hasUprightBlocks(of reduction: Reduction) -> Bool {
    guard
      let corner = try? orientation.storedPoint(
        forUpright: PixelPoint(x: 0, y: 0), storedSize: storedSize)
    else { return false }
    return (corner.x == 0 || storedSize.width.isMultiple(of: reduction.rawValue))
      && (corner.y == 0 || storedSize.height.isMultiple(of: reduction.rawValue))
  }
}
