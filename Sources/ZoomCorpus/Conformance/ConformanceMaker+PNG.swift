internal import ZoomPipeline

extension ConformanceMaker {
  /// Returns the traps of PNG, whose samples are exact.
  func pngTraps() -> [ConformanceTrap] {
    [
      ConformanceTrap(
        name: "png-filters",
        why: "A row is stored as differences from the one above, so a region needs every row above "
          + "it and every pixel on its left.",
        isThorough: true,
        pictures: [
          png("filters-all", pattern()), png("filters-up", pattern()) { $0.filters = [2] },
          png("filters-average", pattern()) { $0.filters = [3] },
          png("filters-paeth", pattern()) { $0.filters = [4] },
        ]),
      ConformanceTrap(
        name: "png-interlaced",
        why: "Adam7 stores seven pictures one after the other, and some of them are empty if the "
          + "picture is small.",
        unit: 8,
        pictures: [
          png("interlaced", pattern()) { $0.isInterlaced = true },
          png("interlaced-3x2", Raster(3, 2)) { $0.isInterlaced = true },
        ]),
      ConformanceTrap(
        name: "png-16-bits",
        why: "Samples of 16 bits are big-endian, and filters work on their bytes.",
        differences: [.eightBits],
        pictures: [
          png("rgb-16", pattern(bits: 16)), png("grey-16", pattern(bands: 1, bits: 16)),
        ]),
      ConformanceTrap(
        name: "png-alpha",
        why: "Colours are not multiplied by alpha, and those of transparent pixels are kept.",
        differences: ConformanceDifference.withoutAlpha,
        pictures: [png("alpha", pattern(bands: 4)), png("grey-alpha", pattern(bands: 2))]),
      ConformanceTrap(
        name: "png-palette",
        why: "A sample is a place in the palette, of fewer bits than a byte, and the palette's "
          + "transparency is shorter than the palette.",
        differences: ConformanceDifference.withoutAlpha, pictures: [palette()]),
      ConformanceTrap(
        name: "png-sub-byte",
        why: "Several pixels share a byte, so a region begins inside one; grey is spread to the "
          + "full range.",
        pictures: [1, 2, 4].map { bits in
          let raster = pattern(bands: 1, bits: bits)
          let scale = UInt32(255 / (1 << bits - 1))
          return png(
            "grey-\(bits)", raster,
            decoding: raster.mapped(bands: 1, bits: 8) { $0.map { $0 * scale } })
        }),
      ConformanceTrap(
        name: "png-transparent-colour",
        why: "One colour can be declared transparent, which adds a band to grey and to RGB.",
        differences: ConformanceDifference.withoutAlpha,
        pictures: [transparent("grey-transparent", 1), transparent("rgb-transparent", 3)]),
      ConformanceTrap(
        name: "png-pieces",
        why: "The compressed data may be split at any byte, into chunks of any length, also none, "
          + "and into blocks of several kinds.",
        pictures: [png("pieces", pattern()) { $0.pieces = [1, 0, 2, 3, 997, 0, 64] }]),
    ]
  }

  private func pattern(bands: Int = 3, bits: Int = 8) -> Raster {
    Raster(Self.width, 117, bands: bands, bits: bits)
  }

  /// Returns a PNG of samples; `decoded` replaces them as what its pixels should be.
  func png(
    _ name: String, _ raster: Raster, decoding decoded: Raster? = nil,
    _ adjust: (inout PNGFile) -> Void = { _ in }
  ) -> ConformancePicture {
    var file = PNGFile(raster: raster)
    adjust(&file)
    return ConformancePicture(
      file: "\(name).png", bytes: file.bytes, expected: decoded ?? raster)
  }

  private func palette() -> ConformancePicture {
    let raster = pattern(bands: 1, bits: 4)
    // Sixteen unlike colours; the first five are transparent in steps.
    let colours = (0..<16).map { number in (0..<3).map { UInt32((number * 83 + $0 * 101) % 256) } }
    let alphas: [UInt32] = [0, 60, 120, 180, 240]
    let decoded = raster.mapped(bands: 4, bits: 8) { pixel in
      let number = Int(pixel[pixel.startIndex])
      return colours[number] + [number < alphas.count ? alphas[number] : 255]
    }
    return png("palette", raster, decoding: decoded) {
      $0.chunks = [
        ("PLTE", colours.joined().map { UInt8($0) }), ("tRNS", alphas.map { UInt8($0) }),
      ]
    }
  }

  /// Returns a picture of few colours, in which the first pixel's colour is transparent.
  private func transparent(_ name: String, _ bands: Int) -> ConformancePicture {
    let raster = pattern(bands: bands, bits: 2).mapped(bands: bands, bits: 8) { $0.map { $0 * 80 } }
    let key = Array(raster.values.prefix(bands))
    let decoded = raster.mapped(bands: bands + 1, bits: 8) {
      $0 + [$0.elementsEqual(key) ? 0 : 255]
    }
    return png(name, raster, decoding: decoded) {
      $0.chunks = [("tRNS", key.flatMap { [0, UInt8($0)] })]
    }
  }
}
