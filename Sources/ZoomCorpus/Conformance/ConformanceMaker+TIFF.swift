internal import ZoomGeometry
internal import ZoomPipeline

extension ConformanceMaker {
  private static let rgb = 2
  private static let black = 1

  /// Returns the traps of how a TIFF's samples are laid out and coded.
  func tiffTraps() throws(PipelineError) -> [ConformanceTrap] {
    let raster = Raster(Self.width, 117)
    let deep = Raster(Self.width, 117, bits: 16)
    let floats = Raster(Self.width, 117, bits: 32)
    return [
      ConformanceTrap(
        name: "tiff-strips",
        why: "The last strip is lower than the others, and strips may be in the file in any order.",
        isThorough: true,
        pictures: [
          try tiff("strips", raster), try tiff("strips-reversed", raster) { $0.isReversed = true },
          try tiff("strips-big", raster) { $0.isBig = true },
        ]),
      ConformanceTrap(
        name: "tiff-lzw",
        why: "Codes grow one entry early and the table is cleared before it is full, and "
          + "predictor 2 begins again in every row.",
        pictures: [
          try tiff("lzw", raster) { ($0.coding, $0.predictor) = (.lzw, 2) }
        ]),
      ConformanceTrap(
        name: "tiff-predictor-16",
        why: "Predictor 2 subtracts samples of 16 bits, not bytes, in the file's byte order.",
        differences: [.eightBits],
        pictures: [
          try tiff("predictor-16-big-endian", deep) {
            ($0.coding, $0.predictor, $0.isLittleEndian) = (.deflate, 2, false)
          },
          try tiff("predictor-16", deep) { ($0.coding, $0.predictor) = (.deflate, 2) },
        ]),
      ConformanceTrap(
        name: "tiff-predictor-3",
        why: "Floats are split into planes of bytes, the highest first in any byte order, before "
          + "bytes are subtracted across the row.",
        differences: [
          ConformanceDifference(
            family: "floats reduced to 8 bits", view: "eight-bits", largest: 1, mean: 1)
        ],
        pictures: [
          try tiff("predictor-3", floats) { ($0.coding, $0.predictor) = (.deflate, 3) },
          try tiff("predictor-3-big-endian", floats) {
            ($0.coding, $0.predictor, $0.isLittleEndian) = (.deflate, 3, false)
          },
        ]),
      ConformanceTrap(
        name: "tiff-planar",
        why: "Each band is stored in separate strips or tiles, a third of the file apart.",
        pictures: [
          try tiff("planar-strips", raster) { ($0.isPlanar, $0.coding) = (true, .deflate) },
          try tiff("planar-tiles", raster) { ($0.isPlanar, $0.tileWidth) = (true, 48) },
        ]),
      ConformanceTrap(
        name: "tiff-tile-padding",
        why: "Tiles at the right and bottom are padded with samples that must not show.",
        isThorough: true,
        pictures: [
          try tiff("tiles", raster) {
            ($0.tileWidth, $0.blockHeight, $0.coding, $0.predictor) = (48, 32, .deflate, 2)
          }
        ]),
      ConformanceTrap(
        name: "tiff-jpeg-tiles",
        why: "Every tile is a JPEG whose chroma ends at its border; tiles joined before their "
          + "chroma is enlarged give other pixels.",
        differences: [.otherDCT, .otherUpsampling], unit: 48, pictures: [try jpegTiles()]),
      ConformanceTrap(
        name: "tiff-levels",
        why: "A pyramid's smaller copies round odd sides up or down, and regions are then in the "
          + "copy's own pixels.",
        differences: [
          ConformanceDifference(
            family: "reduced from the whole picture in another way", largest: 255, mean: 12)
        ],
        pictures: [try levels("levels-down", false), try levels("levels-up", true)]),
    ]
  }

  /// Returns the traps of what a TIFF's samples mean.
  func tiffMeaningTraps() throws(PipelineError) -> [ConformanceTrap] {
    let grey = Raster(Self.width, 117, bands: 1)
    let bits = Raster(Self.width, 117, bands: 1, bits: 1)
    let four = Raster(Self.width, 117, bands: 4)
    var turned: [ConformancePicture] = []
    for orientation in [3, 5, 6] {
      turned.append(
        try tiff("tiff-orientation-\(orientation)", Raster(83, 51)) {
          $0.more = [(274, [orientation])]
        })
    }
    return [
      ConformanceTrap(
        name: "tiff-orientation",
        why: "The tag applies as in EXIF, also where strips make it costly.",
        differences: [.unturned], pictures: turned),
      ConformanceTrap(
        name: "tiff-white-is-zero",
        why: "Grey may be stored as its negative, in any depth.",
        differences: [
          ConformanceDifference(
            family: "samples as stored", view: "negative", largest: 0, mean: 0)
        ],
        pictures: [
          try tiff(
            "white-is-zero", grey, 0,
            decoding: grey.mapped(bands: 1, bits: 8) { $0.map { 255 - $0 } }),
          try tiff(
            "bits-white-is-zero", bits, 0,
            decoding: bits.mapped(bands: 1, bits: 8) { $0.map { 255 - 255 * $0 } }
          ) { $0.coding = .lzw },
        ]),
      ConformanceTrap(
        name: "tiff-alpha",
        why: "A fourth sample is alpha only if a tag says so; here colours are not multiplied by "
          + "it.",
        differences: ConformanceDifference.withoutAlpha,
        pictures: [try tiff("tiff-alpha", four) { $0.more = [(338, [2])] }]),
      ConformanceTrap(
        name: "tiff-inks",
        why: "Four inks look like RGB with alpha to a reader that counts bands.",
        differences: ConformanceDifference.otherInks, pictures: [try tiff("inks", four, 5)]),
    ]
  }

  private func tiff(
    _ name: String, _ raster: Raster, _ meaning: Int? = nil, decoding decoded: Raster? = nil,
    _ adjust: (inout TIFFFile) -> Void = { _ in }
  ) throws(PipelineError) -> ConformancePicture {
    let photometric = meaning ?? (raster.bands == 1 ? Self.black : Self.rgb)
    var file = TIFFFile(raster: raster, photometric: photometric, blockHeight: 16)
    adjust(&file)
    let tag = file.more.first { $0.tag == 274 }?.values.first
    let orientation = tag.flatMap(Orientation.init) ?? .up
    return ConformancePicture(
      file: "\(name).tif", bytes: try file.bytes(),
      expected: Raster((decoded ?? raster).pixels.upright(from: orientation)),
      orientation: orientation, levels: file.levels, isInks: photometric == 5)
  }

  private func levels(
    _ name: String, _ roundingUp: Bool
  ) throws(PipelineError) -> ConformancePicture {
    let raster = Raster(Self.width, Self.height)
    let half = raster.halved(roundingUp: roundingUp)
    return try tiff(name, raster) {
      ($0.tileWidth, $0.blockHeight, $0.coding) = (32, 32, .deflate)
      $0.levels = [half, half.halved(roundingUp: roundingUp)]
    }
  }

  private func jpegTiles() throws(PipelineError) -> ConformancePicture {
    var file = TIFFFile(
      raster: Raster(Self.width, 117), photometric: 6, tileWidth: 48, blockHeight: 48)
    file.coding = .jpeg
    file.more = [(530, [2, 2])]
    return try known("jpeg-tiles.tif", try file.bytes())
  }
}
