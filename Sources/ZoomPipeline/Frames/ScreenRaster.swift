internal import CVips
internal import ZoomGeometry

/// Pixels as a screen shows them, at a fixed address: 8-bit sRGB, three bytes each, no padding.
///
/// They are written before they are shared, and only read afterwards.
final class ScreenRaster: Sendable {
  static let bands = 3

  let size: PixelSize
  let bytes: FixedBytes

  /// Allocates memory; the caller must write all its bytes.
  init(uninitialized size: PixelSize) {
    self.size = size
    bytes = FixedBytes(uninitializedCount: size.area * Self.bands)
  }

  convenience init(_ pixels: Pixels) throws(PipelineError) {
    let shown = try pixels.forScreen()
    self.init(uninitialized: shown.size)
    unsafe shown.bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: bytes.start, count: bytes.count)
        .copyMemory(from: source)
    }
  }

  var byteCount: Int { bytes.count }

  func row(_ row: Int, from column: Int) -> UnsafePointer<UInt8> {
    unsafe UnsafePointer(
      bytes.start.assumingMemoryBound(to: UInt8.self) + (row * size.width + column) * Self.bands)
  }

  /// Returns an image that shares the bytes and keeps them alive.
  func image() throws(PipelineError) -> Image {
    VipsLibrary.start
    let made = unsafe vips_image_new_from_memory(
      bytes.start, bytes.count, Int32(size.width), Int32(size.height), Int32(Self.bands),
      VIPS_FORMAT_UCHAR)
    guard let made = unsafe made else {
      throw PipelineError.vips(.fault, operation: "make an image", file: nil)
    }
    return try unsafe Image(owning: made, origin: bytes).producing("name the colours") { pointer in
      unsafe cvips_copy_interpretation(pointer, VIPS_INTERPRETATION_sRGB)
    }
  }

  /// Writes all rows of an image of this size, in bands on two cores.
  func fill(from image: Image) throws(PipelineError) {
    try RowBands(of: size).forEach { rows throws(PipelineError) in
      let part = try image.read(PixelRegion(whole: size).rows(rows))
      unsafe part.bytes.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(
          start: bytes.start + rows.lowerBound * size.width * Self.bands, count: source.count
        ).copyMemory(from: source)
      }
    }
  }
}

extension ScreenRaster {
  /// The most pixels of a picture with repeated edges: 2^28, a square of 16384 pixels a side.
  ///
  /// A layer that is stretched unevenly and turned may use a box far larger than the screen. The
  /// largest screens (8K), turned by 45 degrees, need half of the limit.
  private static let mostSamples = 1 << 28

  /// Stretches decoded pixels of a resampled plan's region over the plan's target.
  static func stretched(
    _ held: HeldPart, _ plan: PicturePlan
  ) throws(PipelineError) -> ScreenRaster {
    let samples = plan.samples
    guard samples.columns.count <= 1 << 24, samples.rows.count <= 1 << 24,
      samples.columns.count * samples.rows.count <= mostSamples
    else {
      throw PipelineError(
        .overBudget, operation: "stretch", file: nil,
        reason: "the layer looks at \(samples.columns.count)x\(samples.rows.count) pixels",
        advice: "a layer's two sides are to be stretched about alike")
    }
    let image = try held.image().shrunk(by: plan.shrink).smeared(to: samples, of: plan)
      .stretched(by: plan.stretch, to: plan.target.size)
    let raster = ScreenRaster(uninitialized: plan.target.size)
    try raster.fill(from: image)
    return raster
  }
}

extension PicturePlan {
  /// The map from indices of the sample box to indices of the target.
  ///
  /// Index i has its centre at i + 1/2: in blocks of picture pixels, or in screen pixels.
  fileprivate var stretch: Affine {
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
  fileprivate func shrunk(by factor: Int) throws(PipelineError) -> Image {
    guard factor > 1 else { return self }
    return try unsafe producing("shrink") { pointer in
      unsafe cvips_shrink(pointer, Int32(clamping: factor))
    }
  }

  /// Crops a plan's region to its sample box, or extends it by repeating edge pixels.
  fileprivate func smeared(
    to samples: SampleBox, of plan: PicturePlan
  ) throws(PipelineError) -> Image {
    let block = plan.reduction * plan.shrink
    let size = try self.size
    // The offset of the region in the box: negative if the box begins right of or below it.
    let x = plan.region.x / block - samples.columns.lowerBound
    let y = plan.region.y / block - samples.rows.lowerBound
    let canvas: PixelSize
    do {
      canvas = try PixelSize(width: samples.columns.count, height: samples.rows.count)
    } catch {
      throw PipelineError(.fault, operation: "smear", file: nil, reason: "\(error)")
    }
    if x == 0, y == 0, canvas == size { return self }
    return try repeatingEdges(onto: canvas, x: x, y: y)
  }

  /// Places the image anywhere on a canvas and repeats its edges.
  ///
  /// libvips refuses an image outside the canvas, so the image is moved to keep one column and row
  /// inside, which yields the same pixels.
  func repeatingEdges(onto canvas: PixelSize, x: Int, y: Int) throws(PipelineError) -> Image {
    let size = try self.size
    return try smeared(
      onto: canvas, x: min(max(x, 1 - size.width), canvas.width - 1),
      y: min(max(y, 1 - size.height), canvas.height - 1))
  }

  fileprivate func stretched(by map: Affine, to target: PixelSize) throws(PipelineError) -> Image {
    try unsafe producing("stretch") { pointer in
      unsafe cvips_affine_bilinear(
        pointer, map.a, map.c, map.b, map.d, map.tx, map.ty, Int32(target.width),
        Int32(target.height))
    }
  }
}
