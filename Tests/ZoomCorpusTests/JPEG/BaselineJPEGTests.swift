import Testing

@testable import ZoomCorpus

/// Round trips through a decoder that shares nothing with the encoder.
@Suite struct BaselineJPEGTests {
  typealias Sampling = BaselineJPEG.Sampling

  static let samplings: [[Sampling]] = [
    Sampling.yCbCr444, Sampling.yCbCr422, Sampling.yCbCr440, Sampling.yCbCr420,
    Sampling.yCbCr411, Sampling.yCbCr410,
    [Sampling(2, 2), Sampling(1, 2), Sampling(2, 1)],
    [Sampling(1, 1), Sampling(2, 2), Sampling(1, 1)],
    [Sampling(3, 1), Sampling(1, 1), Sampling(3, 1)],
    [Sampling(3, 2), Sampling(2, 1), Sampling(1, 1)],
    [Sampling(1, 3), Sampling(1, 3), Sampling(1, 3)],
  ]

  /// Mean of absolute luma differences in hundredths.
  private func lumaError(_ decoder: ReferenceDecoder, _ rgb: [UInt8]) -> Int {
    var sum = 0
    for index in 0..<decoder.width * decoder.height {
      let (r, g, b) = (Int(rgb[index * 3]), Int(rgb[index * 3 + 1]), Int(rgb[index * 3 + 2]))
      let luma = (r * 299 + g * 587 + b * 114 + 500) / 1000
      sum += abs(luma - decoder.sample(0, index % decoder.width, index / decoder.width))
    }
    return sum * 100 / (decoder.width * decoder.height)
  }

  @Test(arguments: samplings, [(50, 37), (1, 1), (16, 17), (33, 8)])
  func `luma decodes near the source for every sampling`(
    sampling: [Sampling], sides: (Int, Int)
  ) throws {
    let scene = try picture(sides.0, sides.1, .rgb8)
    let options = BaselineJPEG.Options(sampling: sampling, quality: 95)
    let decoder = try ReferenceDecoder(BaselineJPEG.Plan(scene, options: options).encoded())
    #expect((decoder.width, decoder.height) == sides)
    #expect(decoder.components.map(\.horizontal) == sampling.map(\.horizontal))
    #expect(decoder.components.map(\.vertical) == sampling.map(\.vertical))
    // Reduced luma is blurred on purpose; only its structure can be held against the source.
    guard sampling.allSatisfy({ $0.horizontal <= sampling[0].horizontal }),
      sampling.allSatisfy({ $0.vertical <= sampling[0].vertical })
    else { return }
    // Steps at quality 95 are 1...12; the mean error of a full luma stays below 2.
    #expect(lumaError(decoder, scene.pixels()) < 200)
  }

  @Test(arguments: samplings)
  func `a flat colour decodes to its transform in every component`(sampling: [Sampling]) throws {
    let colour: [UInt8] = [200, 100, 50]
    let size = SceneSize(width: 45, height: 29)
    let bytes = (0..<size.pixelCount).flatMap { _ in colour }
    let scene = try #require(RasterScene(size: size, form: .rgb8, bytes: bytes))
    let options = BaselineJPEG.Options(sampling: sampling, quality: 100)
    let decoder = try ReferenceDecoder(BaselineJPEG.Plan(scene, options: options).encoded())
    // Y, Cb and Cr of (200, 100, 50) in JFIF: 124.2, 86.1, 182.1.
    for (component, expected) in [124, 86, 182].enumerated() {
      for (x, y) in [(0, 0), (44, 28), (20, 9)] {
        #expect(abs(decoder.sample(component, x, y) - expected) <= 1)
      }
    }
  }

  @Test(arguments: [BaselineJPEG.Colour.rgbIdentifiers, .rgbAdobe])
  func `RGB components carry red, green and blue themselves`(colour: BaselineJPEG.Colour) throws {
    let scene = try picture(40, 24, .rgb8)
    let options = BaselineJPEG.Options(colour: colour, quality: 96)
    let decoder = try ReferenceDecoder(BaselineJPEG.Plan(scene, options: options).encoded())
    let pixels = scene.pixels()
    for component in 0..<3 {
      let error = (0..<960).reduce(0) {
        $0 + abs(decoder.sample(component, $1 % 40, $1 / 40) - Int(pixels[$1 * 3 + component]))
      }
      #expect(error < 960 * 3)
    }
    #expect(
      decoder.components.map(\.identifier)
        == (colour == .rgbIdentifiers ? [0x52, 0x47, 0x42] : [1, 2, 3]))
  }

  @Test func `CMYK is stored inverted, YCCK as the transform of the inks with inverted black`()
    throws
  {
    let scene = try picture(40, 24, .cmyk8)
    let inks = scene.pixels()
    for colour in [BaselineJPEG.Colour.cmyk, .ycck] {
      let options = BaselineJPEG.Options(colour: colour, quality: 96)
      let decoder = try ReferenceDecoder(BaselineJPEG.Plan(scene, options: options).encoded())
      var error = [0, 0]
      for index in 0..<960 {
        let ink = inks[index * 4..<index * 4 + 4].map { Int($0) }
        let stored = [0, 3].map { decoder.sample($0, index % 40, index / 40) }
        let luma = (ink[0] * 299 + ink[1] * 587 + ink[2] * 114 + 500) / 1000
        error[0] += abs(stored[0] - (colour == .cmyk ? 255 - ink[0] : luma))
        error[1] += abs(stored[1] - (255 - ink[3]))
      }
      #expect(error.allSatisfy { $0 < 960 * 3 }, "\(colour) \(error)")
    }
  }

  @Test func `higher quality is nearer to the source and larger`() throws {
    let scene = try picture(64, 64, .rgb8)
    let results = try [10, 50, 75, 95].map { quality in
      let options = BaselineJPEG.Options(sampling: Sampling.yCbCr444, quality: quality)
      let file = try BaselineJPEG.Plan(scene, options: options).encoded()
      return (file.count, lumaError(try ReferenceDecoder(file), scene.pixels()))
    }
    for (worse, better) in zip(results, results.dropFirst()) {
      #expect(worse.0 < better.0)
      #expect(worse.1 > better.1)
    }
  }

  @Test(arguments: BaselineJPEG.HuffmanChoice.allCases, [1, 50, 100])
  func `black and white noise survives every quality`(
    huffman: BaselineJPEG.HuffmanChoice, quality: Int
  ) throws {
    let scene = try #require(noise(40, 40, .rgb8))
    var options = BaselineJPEG.Options(sampling: Sampling.yCbCr444, quality: quality)
    options.huffman = huffman
    let file = try BaselineJPEG.Plan(scene, options: options).encoded()
    let decoder = try ReferenceDecoder(file)
    if quality == 100 { #expect(lumaError(decoder, scene.pixels()) < 150) }
    // Noise at quality 100 holds runs of ones: stuffing has to occur.
    if quality == 100 { #expect(try MarkerWalk(file).all(0xDA)[0].stuffed > 0) }
  }
}
