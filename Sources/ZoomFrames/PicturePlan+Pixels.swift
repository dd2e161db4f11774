internal import ZoomGeometry
internal import ZoomPipeline

extension PicturePlan {
  /// The most pixels of a picture with repeated edges: 2^28, a square of 16384 pixels a side.
  ///
  /// A layer that is stretched unevenly and turned may use a box far larger than the screen. The
  /// largest screens (8K), turned by 45 degrees, need half of the limit.
  private static let mostSamples = 1 << 28

  /// Stretches the decoded pixels of the region over the target.
  func stretched(_ held: HeldPart) throws(PipelineError) -> Pixels {
    guard samples.columns.count <= 1 << 24, samples.rows.count <= 1 << 24,
      samples.columns.count * samples.rows.count <= Self.mostSamples
    else {
      throw PipelineError(
        .overBudget, operation: "stretch", file: nil,
        reason: "the layer looks at \(samples.columns.count)x\(samples.rows.count) pixels",
        advice: "stretch both sides of the layer by about the same factor")
    }
    return try held.withImage { image throws(PipelineError) in
      try sampled(image.shrunk(by: shrink)).mapped(by: stretch, to: target.size).pixelsInBands()
    }
  }

  /// Returns the paint of pixels of the target.
  func paint(_ pixels: Pixels) -> Paint { .pixels(pixels, x: -target.x, y: -target.y) }

  /// Returns the paint of an exact plan's own pixels; nil if edges must be repeated in the target.
  func copying(_ part: HeldPart) -> Paint? {
    let origin = copiesTo
    guard target.x >= origin.x, target.y >= origin.y, target.maxX <= origin.x + part.size.width,
      target.maxY <= origin.y + part.size.height
    else { return nil }
    return .pixels(part.answer.pixels, x: part.x - origin.x, y: part.y - origin.y)
  }

  /// Copies an exact plan's pixels over its target, and repeats their edges elsewhere.
  func smeared(_ held: HeldPart) throws(PipelineError) -> Pixels {
    try held.withImage { image throws(PipelineError) in
      try image.smeared(
        onto: target.size, x: copiesTo.x - target.x, y: copiesTo.y - target.y
      ).pixelsInBands()
    }
  }

  /// Crops a shrunk image of the region to the sample box, or extends it by repeating edge pixels.
  private func sampled(_ image: Image) throws(PipelineError) -> Image {
    let block = reduction * shrink
    // The offset of the region in the box: negative if the box begins right of or below it.
    let x = region.x / block - samples.columns.lowerBound
    let y = region.y / block - samples.rows.lowerBound
    let canvas = PixelRegion(
      uncheckedX: 0, y: 0, width: samples.columns.count, height: samples.rows.count
    ).size
    if x == 0, y == 0, canvas == (try image.size) { return image }
    return try image.smeared(onto: canvas, x: x, y: y)
  }

  /// The map from indices of the sample box to indices of the target.
  ///
  /// Index i has its centre at i + 1/2: in blocks of picture pixels, or in screen pixels.
  private var stretch: Affine {
    let block = Double(reduction * shrink)
    let first = map.apply(
      to: ViewPoint(
        x: block * (Double(samples.columns.lowerBound) + 0.5),
        y: block * (Double(samples.rows.lowerBound) + 0.5)))
    return Affine(
      a: map.a * block, b: map.b * block, c: map.c * block, d: map.d * block,
      tx: first.x - 0.5 - Double(target.x), ty: first.y - 0.5 - Double(target.y))
  }
}

extension Image {
  /// Computes all pixels, in bands on two cores.
  fileprivate func pixelsInBands() throws(PipelineError) -> Pixels {
    let whole = PixelRegion(whole: try size)
    return try unsafe Canvas.pixels(whole.size) { rows, target throws(PipelineError) in
      let part = try read(whole.rows(rows))
      _ = unsafe target.update(fromContentsOf: part.bytes)
    }
  }
}
