internal import ZoomGeometry
internal import ZoomPipeline

// Exact pixels are those of libjpeg-turbo's accurate inverse DCT and smooth upsampling, its defaults.
extension ConformanceMaker {
  private typealias Sampling = JPEGEncoding.Sampling

  /// Returns the pictures for a JPEG's samples: chroma, colours and scans.
  func jpegPictures() throws(PipelineError) -> [String: [ConformancePicture]] {
    let samplings = [
      ("420", Sampling.yCbCr420), ("422", Sampling.yCbCr422), ("440", Sampling.yCbCr440),
      ("411", Sampling.yCbCr411), ("410", Sampling.yCbCr410),
    ]
    var pictures: [String: [ConformancePicture]] = [:]
    pictures["jpeg-chroma-context"] = try samplings.map { each throws(PipelineError) in
      try jpeg("chroma-\(each.0)") { $0.sampling = each.1 }
    }
    pictures["jpeg-plain"] = [try jpeg("plain-444") { $0.sampling = Sampling.yCbCr444 }]
    pictures["jpeg-narrow"] = [
      try jpeg("narrow-1x1", 1, 1), try jpeg("narrow-3x40", 3, 40), try jpeg("narrow-40x3", 40, 3),
    ]
    pictures["jpeg-grey-factors"] = [
      try jpeg("grey-2x2", colour: .gray) { $0.sampling = [Sampling(2, 2)] }
    ]
    pictures["jpeg-rgb"] = [
      try jpeg("rgb-identifiers", colour: .rgbIdentifiers),
      try jpeg("rgb-adobe", colour: .rgbAdobe),
    ]
    pictures["jpeg-inks"] = [try jpeg("cmyk", colour: .cmyk), try jpeg("ycck", colour: .ycck)]
    pictures["jpeg-scans"] = [try jpeg("scans") { $0.isOneScanPerComponent = true }]
    pictures["jpeg-progressive"] = [try jpeg("progressive") { $0.coding = .progressive }]
    pictures["jpeg-arithmetic"] = [try jpeg("arithmetic") { $0.coding = .arithmetic }]
    return pictures
  }

  /// Returns the pictures for a JPEG's markers.
  func jpegLayoutPictures() throws(PipelineError) -> [String: [ConformancePicture]] {
    var pictures: [String: [ConformancePicture]] = [:]
    pictures["jpeg-orientation"] = try (1...8).map { (orientation: Int) throws(PipelineError) in
      try jpeg("orientation-\(orientation)", 83, 51) { $0.metadata.orientation = orientation }
    }
    pictures["jpeg-restart-rows"] = [try jpeg("restart-rows") { $0.restart = .rows(1) }]
    pictures["jpeg-restart-numbering"] = [
      try jpeg("restart-1-mcu") { $0.restart = .mcus(1) },
      try jpeg("restart-3-mcus") { $0.restart = .mcus(3) },
    ]
    pictures["jpeg-fill-bytes"] = [
      try jpeg("fill-bytes") {
        $0.restart = .mcus(5)
      } change: {
        Self.filled($0)
      }
    ]
    pictures["jpeg-dnl"] = [try jpeg("dnl", change: Self.withLateHeight)]
    pictures["jpeg-tables"] = [try jpeg("optimised") { $0.coding = .optimised }]
    pictures["jpeg-false-markers"] = [
      try jpeg("false-markers") {
        $0.restart = .rows(1)
        $0.metadata.comment = [0xFF, 0xD9, 0xFF, 0xDA, 0, 8, 0xFF, 0xC0, 0, 17, 0xFF, 0xD3]
      } change: {
        $0 + [0xFF, 0xD8, 0xFF, 0xD0, 0xFF, 0xDA, 0, 8]
      }
    ]
    return pictures
  }

  /// Returns a JPEG of the pattern; `change` alters the file without altering its pixels.
  private func jpeg(
    _ name: String, _ width: Int = Self.width, _ height: Int = Self.height,
    colour: JPEGEncoding.Colour = .yCbCr, _ adjust: (inout JPEGEncoding) -> Void = { _ in },
    change: ([UInt8]) -> [UInt8] = { $0 }
  ) throws(PipelineError) -> ConformancePicture {
    var encoding = JPEGEncoding(colour: colour)
    adjust(&encoding)
    let pattern = Pixels(pattern: width, height, bands: colour.componentCount)
    let plain = try JPEGEncoder.encode(pattern.bytes, size: pattern.size, encoding)
    let (expected, orientation) = try decoded(plain, as: "\(name).jpg")
    return ConformancePicture(
      file: "\(name).jpg", bytes: change(plain), expected: expected, orientation: orientation)
  }

  /// Returns a JPEG of one scan with two fill bytes before every marker but the first.
  private static func filled(_ jpeg: [UInt8]) -> [UInt8] {
    markers(in: jpeg).reversed().reduce(into: jpeg) { filled, place in
      filled.insert(contentsOf: [0xFF, 0xFF], at: place)
    }
  }

  /// Returns a JPEG of one scan whose height is in a DNL segment.
  private static func withLateHeight(_ jpeg: [UInt8]) -> [UInt8] {
    var late = jpeg
    let places = markers(in: jpeg)
    guard let frame = places.first(where: { jpeg[$0 + 1] == 0xC0 }), let end = places.last else {
      return jpeg
    }
    // The height follows the marker, the length and the precision.
    let height = frame + 5..<frame + 7
    late.replaceSubrange(height, with: [0, 0])
    late.insert(contentsOf: [0xFF, 0xDC, 0, 4] + jpeg[height], at: end)
    return late
  }

  /// Returns the offsets of all markers but the first of a JPEG that our encoder wrote.
  private static func markers(in jpeg: [UInt8]) -> [Int] {
    var places: [Int] = []
    var place = 2
    while place + 1 < jpeg.count {
      let code = jpeg[place + 1]
      guard jpeg[place] == 0xFF, code != 0 else {
        place += 1
        continue
      }
      places.append(place)
      place += 2
      // Restart markers and the end have no length.
      if !(0xD0...0xD9).contains(code) { place += Int(jpeg[place]) << 8 | Int(jpeg[place + 1]) }
    }
    return places
  }
}
