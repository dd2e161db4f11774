internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceMaker {
  /// Returns the pictures for the layout and coding of a TIFF's samples.
  func tiffPictures() throws(PipelineError) -> [String: [ConformancePicture]] {
    let (plain, deep, floats) = (pattern(), pattern(bits: 16), pattern(bits: 32))
    var pictures: [String: [ConformancePicture]] = [:]
    pictures["tiff-strips"] = [
      try tiff("strips", plain), try tiff("strips-reversed", plain) { $0.isReversed = true },
      try tiff("strips-big", plain) { $0.isBig = true },
    ]
    pictures["tiff-lzw"] = [try known("lzw.tif", PackageResources.lzw_tif)]
    pictures["tiff-predictor-16"] = [
      try tiff("predictor-16-big-endian", deep) {
        ($0.coding, $0.predictor, $0.isLittleEndian) = (.deflate, 2, false)
      },
      try tiff("predictor-16", deep) { ($0.coding, $0.predictor) = (.deflate, 2) },
    ]
    pictures["tiff-predictor-3"] = [
      try tiff("predictor-3", floats) { ($0.coding, $0.predictor) = (.deflate, 3) },
      try tiff("predictor-3-big-endian", floats) {
        ($0.coding, $0.predictor, $0.isLittleEndian) = (.deflate, 3, false)
      },
    ]
    pictures["tiff-planar"] = [
      try tiff("planar-strips", plain) { ($0.isPlanar, $0.coding) = (true, .deflate) },
      try tiff("planar-tiles", plain) { ($0.isPlanar, $0.tileWidth) = (true, 48) },
    ]
    pictures["tiff-tile-padding"] = [
      try tiff("tiles", plain) {
        ($0.tileWidth, $0.blockHeight, $0.coding, $0.predictor) = (48, 32, .deflate, 2)
      }
    ]
    var tiles = TIFFFile(pixels: plain, photometric: 6, tileWidth: 48, blockHeight: 48)
    tiles.coding = .jpeg
    tiles.more = [(530, [2, 2])]
    pictures["tiff-jpeg-tiles"] = [try known("jpeg-tiles.tif", try tiles.bytes())]
    pictures["tiff-levels"] = [
      try levels("levels-down", roundingUp: false), try levels("levels-up", roundingUp: true),
    ]
    // 128 rows of 256 pixels are 32 KB.
    pictures["last-row-at-a-buffer's-end"] = [
      try tiff("strip-of-32-kb", Pixels(pattern: 256, 128, bands: 1)) {
        ($0.coding, $0.blockHeight) = (.deflate, 128)
      }
    ]
    return pictures
  }

  /// Returns the pictures for the meaning of a TIFF's samples.
  func tiffMeaningPictures() throws(PipelineError) -> [String: [ConformancePicture]] {
    let (grey, bits) = (pattern(bands: 1), pattern(bands: 1, bits: 1))
    var pictures: [String: [ConformancePicture]] = [:]
    pictures["tiff-orientation"] = try [3, 5, 6].map { orientation throws(PipelineError) in
      try tiff("tiff-orientation-\(orientation)", Pixels(pattern: 83, 51)) {
        $0.more = [(274, [orientation])]
      }
    }
    pictures["tiff-white-is-zero"] = [
      try tiff(
        "white-is-zero", grey, 0, decoding: grey.mapped(bands: 1) { $0.map { 255 - $0 } }),
      try tiff(
        "bits-white-is-zero", bits, 0,
        decoding: bits.mapped(bands: 1) { $0.map { 255 - 255 * $0 } }
      ) { ($0.bits, $0.coding) = (1, .deflate) },
    ]
    pictures["tiff-alpha"] = [
      try tiff("tiff-alpha", pattern(bands: 4)) { $0.more = [(338, [2])] }
    ]
    pictures["tiff-inks"] = [
      try tiff("inks", Pixels(pattern: Self.width, 117, bands: 4, .cmyk), 5)
    ]
    return pictures
  }

  /// Returns a TIFF; without another meaning, one band is grey from black, and others are RGB.
  private func tiff(
    _ name: String, _ pixels: Pixels, _ meaning: Int? = nil, decoding decoded: Pixels? = nil,
    _ adjust: (inout TIFFFile) -> Void = { _ in }
  ) throws(PipelineError) -> ConformancePicture {
    var file = TIFFFile(
      pixels: pixels, photometric: meaning ?? (pixels.bands == 1 ? 1 : 2), blockHeight: 16)
    adjust(&file)
    let tag = file.more.first { $0.tag == 274 }?.values.first
    let orientation = tag.flatMap(Orientation.init) ?? .up
    return ConformancePicture(
      file: "\(name).tif", bytes: try file.bytes(),
      expected: (decoded ?? pixels).upright(from: orientation), orientation: orientation,
      levels: file.levels)
  }

  /// Returns a pyramid; unless sides are rounded up, a copy lacks the last column or row of an odd
  /// side.
  private func levels(
    _ name: String, roundingUp: Bool
  ) throws(PipelineError) -> ConformancePicture {
    func halved(_ pixels: Pixels) -> Pixels {
      let (width, height) = (pixels.size.width, pixels.size.height)
      let even = PixelRegion(uncheckedX: 0, y: 0, width: width & ~1, height: height & ~1)
      return (roundingUp ? pixels : pixels.cut(even)).reduced(by: .half)
    }
    let whole = Pixels(pattern: Self.width, Self.height)
    return try tiff(name, whole) {
      ($0.tileWidth, $0.blockHeight, $0.coding) = (32, 32, .deflate)
      $0.levels = [halved(whole), halved(halved(whole))]
    }
  }
}
