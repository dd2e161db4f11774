internal import CWebP
internal import ZoomGeometry

/// Reads a region of a WebP by libwebp's cropping, which reconstructs only the region.
///
/// The coded data lacks entry points, so everything above the region is parsed, but only the region
/// is filtered, upsampled and converted. libvips needs three times as long, as for animations.
struct WebPReader: RegionReader {
  private let picture: Picture
  let method = "parser"
  let explanation = "libwebp parses down to the region's foot and reconstructs the region alone"
  /// Whether cropping must begin at the first row.
  ///
  /// If the alpha of a lossy picture is filtered, libwebp 1.2.4 loses the row above the crop and
  /// returns wrong alpha from the crop's first row on.
  private let isEnteredAtTop: Bool
  /// The bytes that libwebp allocates per pixel of the whole picture, whatever the region.
  ///
  /// It has room for all pixels of a lossless picture, but only for some rows of blocks of a lossy
  /// one. Alpha is decoded as a lossless picture and kept, too.
  private let heldPixelBytes: Int

  /// The pixels around a region that are decoded with it.
  ///
  /// Smooth upsampling uses the neighbouring chroma sample, which covers two pixels, and treats the
  /// edge of the crop as the picture's. A lossless picture does not need the margin.
  private static let margin = 2

  /// Reads the header; throws `unsupported` if it is an animation or libvips reads it differently.
  init(_ picture: Picture) throws(PipelineError) {
    self.picture = picture
    var head: [UInt8] = []
    var features = WebPBitstreamFeatures()
    // The format is 0 if the head ends before the pixels, inside a long colour profile.
    for count in [12, 16, 22] where features.format == 0 {
      head = try picture.file.bytes(at: 0, count: 1 << count)
      let status = unsafe WebPGetFeatures(head, head.count, &features)
      guard status == VP8_STATUS_OK else { throw picture.file.refusal("its header cannot be read") }
      guard features.has_animation == 0 else {
        throw picture.file.refusal("it is an animation, whose frames build on each other")
      }
    }
    // A decoder that stops above a truncated file's end does not notice it. RIFF omits 8 bytes.
    guard head.integer(at: 4, byteCount: 4) + 8 <= picture.file.length else {
      throw picture.file.refusal("it is cut off")
    }
    guard features.format != 0 else { throw picture.file.refusal("its pixels begin after 4 MB") }
    guard Int(features.width) == picture.storedSize.width,
      Int(features.height) == picture.storedSize.height, picture.format == .uint8,
      picture.bands == (features.has_alpha != 0 ? 4 : 3)
    else {
      throw picture.file.refusal(
        "libvips reads it as another kind of picture than its header says")
    }
    let isLossless = features.format == 2
    isEnteredAtTop = features.has_alpha != 0 && !isLossless
    heldPixelBytes = isLossless ? 4 : isEnteredAtTop ? 5 : 0
    try picture.limits.memory.assertHolds(
      picture.file.length, for: "its file", operation: "carve", picture.path)
  }

  private func crop(for stored: PixelRegion) -> (columns: Range<Int>, rows: Range<Int>) {
    let size = picture.storedSize
    // libwebp moves odd edges to even ones, where chroma samples begin: the region would shift.
    let left = max(0, stored.x - Self.margin) & ~1
    let top = isEnteredAtTop ? 0 : max(0, stored.y - Self.margin) & ~1
    return (
      left..<min(size.width, stored.maxX + Self.margin + 1),
      top..<min(size.height, stored.maxY + Self.margin + 1)
    )
  }

  func cost(of stored: PixelRegion) -> PeekCost {
    PeekCost(each: picture.storedSize.width * stored.maxY)
  }

  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan {
    let crop = crop(for: stored)
    // libwebp holds the file, its pixels and its output; the region is copied.
    try picture.limits.memory.assertHolds(
      picture.file.length + picture.storedSize.area * heldPixelBytes
        + (crop.columns.count * crop.rows.count + stored.area) * picture.bands,
      for: "decoding it", operation: "carve", picture.path)
    return RegionPlan([stored])
  }

  /// Returns the whole file, which libwebp parses down to the region's foot.
  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let bytes = try picture.file.bytes(at: 0, count: picture.file.length)
    // libwebp does not report how many pixels above the region it reconstructs.
    return CarvedFile(
      bytes: bytes, region: band.region,
      work: Work(bytesRead: bytes.count, pixelsDecoded: nil, pixelsDelivered: 0))
  }

  func decode(
    _ file: CarvedFile, _ band: RegionBand, of picture: Picture,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    let stored = band.region
    let crop = crop(for: stored)
    let (left, top) = (crop.columns.lowerBound, crop.rows.lowerBound)
    var config = unsafe WebPDecoderConfig()
    guard unsafe WebPInitDecoderConfig(&config) != 0 else { return false }
    unsafe config.options.use_cropping = 1
    unsafe config.options.crop_left = Int32(left)
    unsafe config.options.crop_top = Int32(top)
    unsafe config.options.crop_width = Int32(crop.columns.count)
    unsafe config.options.crop_height = Int32(crop.rows.count)
    let bands = picture.bands
    unsafe config.output.colorspace = bands == 4 ? MODE_RGBA : MODE_RGB
    defer { unsafe WebPFreeDecBuffer(&config.output) }
    guard unsafe WebPDecode(file.bytes, file.bytes.count, &config) == VP8_STATUS_OK,
      let start = unsafe config.output.u.RGBA.rgba
    else { return false }
    let stride = unsafe Int(config.output.u.RGBA.stride)
    let rowBytes = stored.width * bands
    for row in 0..<stored.height {
      let source = unsafe start + (stored.y - top + row) * stride + (stored.x - left) * bands
      _ = unsafe UnsafeMutableBufferPointer(rebasing: target[row * rowBytes..<(row + 1) * rowBytes])
        .update(fromContentsOf: UnsafeBufferPointer(start: source, count: rowBytes))
    }
    return true
  }
}
