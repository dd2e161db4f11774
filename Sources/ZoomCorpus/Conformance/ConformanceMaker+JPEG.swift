internal import ZoomGeometry
internal import ZoomPipeline

// Exact pixels are those of libjpeg-turbo's accurate inverse DCT and smooth upsampling, its defaults.
extension ConformanceMaker {
  private typealias Sampling = JPEGEncoding.Sampling

  /// Returns the traps of a JPEG's samples: chroma, colours and scans.
  func jpegTraps() throws(PipelineError) -> [ConformanceTrap] {
    let chroma = [ConformanceDifference.otherDCT, .otherUpsampling]
    let samplings = [
      ("420", Sampling.yCbCr420), ("422", Sampling.yCbCr422), ("440", Sampling.yCbCr440),
      ("411", Sampling.yCbCr411), ("410", [Sampling(4, 2), Sampling(1, 1), Sampling(1, 1)]),
    ]
    var subsampled: [ConformancePicture] = []
    for (name, sampling) in samplings {
      subsampled.append(try jpeg("chroma-\(name)") { $0.sampling = sampling })
    }
    return [
      ConformanceTrap(
        name: "jpeg-plain",
        why: "Without subsampling a region needs nothing from its neighbours, so only the inverse "
          + "DCT may differ.",
        differences: [.otherDCT], unit: 8, isThorough: true,
        pictures: [try jpeg("plain-444") { $0.sampling = Sampling.yCbCr444 }]),
      ConformanceTrap(
        name: "jpeg-chroma-context",
        why: "Smooth upsampling reads the chroma of neighbouring blocks, which a decoder that "
          + "starts at the region's edge does not have.",
        differences: chroma, isThorough: true, pictures: subsampled),
      ConformanceTrap(
        name: "jpeg-narrow",
        why: "Where chroma is less than three samples wide, libjpeg replicates it; a region's own "
          + "width must not decide that.",
        differences: chroma,
        pictures: [
          try jpeg("narrow-1x1", 1, 1), try jpeg("narrow-3x40", 3, 40),
          try jpeg("narrow-40x3", 40, 3),
        ]),
      ConformanceTrap(
        name: "jpeg-grey-factors",
        why: "The sampling factors of a single component mean nothing: its MCU is one block "
          + "(T.81, A.2.2).",
        differences: [.otherDCT], unit: 8,
        pictures: [
          try jpeg("grey-2x2") {
            $0.colour = .gray
            $0.sampling = [Sampling(2, 2)]
          }
        ]),
      ConformanceTrap(
        name: "jpeg-rgb",
        why: "Red, green and blue can be stored unconverted, which only the components' names or "
          + "Adobe's marker say.",
        differences: [.otherDCT], unit: 8,
        pictures: [
          try jpeg("rgb-identifiers", colour: .rgbIdentifiers),
          try jpeg("rgb-adobe", colour: .rgbAdobe),
        ]),
      ConformanceTrap(
        name: "jpeg-inks",
        why: "Adobe stores inks inverted, and YCCK also converted; a header that loses its marker "
          + "loses both.",
        differences: chroma + [
          ConformanceDifference(
            family: "inks as stored, inverted", view: "inverted-inks", largest: 0, mean: 0)
        ] + ConformanceDifference.otherInks,
        pictures: [try jpeg("cmyk", colour: .cmyk), try jpeg("ycck", colour: .ycck)]),
      ConformanceTrap(
        name: "jpeg-scans",
        why:
          "Each component is coded in a separate scan; a reader that stops after the first shows "
          + "grey or wrong colours.",
        differences: chroma,
        pictures: [try jpeg("scans") { $0.isOneScanPerComponent = true }]),
      ConformanceTrap(
        name: "jpeg-progressive",
        why: "Every scan refines the whole picture, so a region cannot be cut out of one of them.",
        differences: chroma, pictures: [try jpeg("progressive") { $0.coding = .progressive }]),
      ConformanceTrap(
        name: "jpeg-arithmetic",
        why: "A decoder without arithmetic coding has to refuse the file; to decode it as Huffman "
          + "codes gives noise.",
        differences: chroma, pictures: [try jpeg("arithmetic") { $0.coding = .arithmetic }]),
    ]
  }

  /// Returns a JPEG of the pattern; `change` alters the file without altering its pixels.
  func jpeg(
    _ name: String, _ width: Int = Self.width, _ height: Int = Self.height,
    colour: JPEGEncoding.Colour = .yCbCr, _ adjust: (inout JPEGEncoding) -> Void = { _ in },
    change: ([UInt8]) -> [UInt8] = { $0 }
  ) throws(PipelineError) -> ConformancePicture {
    var encoding = JPEGEncoding(colour: colour, quality: 80)
    adjust(&encoding)
    let raster = Raster(width, height, bands: encoding.colour.componentCount)
    let plain = try JPEGEncoder.encode(raster.bytes, size: raster.size, encoding)
    let (expected, orientation, isInks) = try decoded(plain, as: "\(name).jpg")
    return ConformancePicture(
      file: "\(name).jpg", bytes: change(plain), expected: expected, orientation: orientation,
      isInks: isInks)
  }
}
