internal import PropertyTesting
internal import ZoomCorpus
internal import ZoomGeometry

extension Gen where Value == TestPicture {
  /// Returns a generator of test pictures; the simplest is a black pixel in a PNG.
  ///
  /// They shrink towards fewer pixels, flatter contents, fewer bands, 8 bits, no tag, and a PNG.
  /// The default longest side of 97 pixels holds six MCUs of 16 pixels and part of a seventh; a
  /// TIFF with its smallest tiles then has seven tiles a side. If `isSmooth`, all pictures show
  /// waves, which allow a shift to be measured; if `hasProfiles`, three in four have a profile.
  static func testPictures(
    sides: ClosedRange<Int> = 1...97,
    kinds: Set<PictureContainer.Kind> = Set(PictureContainer.Kind.allCases), isSmooth: Bool = false,
    hasProfiles: Bool = false
  ) -> Gen {
    let kinds = PictureContainer.Kind.allCases.filter(kinds.contains)
    let containers = Gen<PictureContainer>.weighted(kinds.map { (1, .containers($0)) })
    return Gen { testCase throws(Discarded) in
      // The container and all its settings are one span, which shrinks to a PNG in one step.
      let container = try testCase.draw(containers)
      let orientations = container != .png ? Orientation.allCases : [.up]
      let orientation = try testCase.draw(.element(of: orientations))
      let depths = container.isLossless ? TestPicture.SampleDepth.allCases : [.eight]
      let depth = try testCase.draw(.element(of: depths))
      // Bands of waves differ in phase, which coarse chroma does not preserve.
      let bands = try testCase.draw(.element(of: isSmooth ? [1] : [1, 3, 4]))
      let content = isSmooth ? TestPicture.Motif.waves : try testCase.draw(.contents)
      let width = try testCase.draw(.sides(sides))
      let height = try testCase.draw(.sides(sides))
      guard let size = try? PixelSize(width: width, height: height) else { throw Discarded() }
      let hasProfile =
        try hasProfiles ? testCase.draw(.element(of: [true, true, true, false])) : false
      return TestPicture(
        size: size, bands: bands, depth: depth, content: content, orientation: orientation,
        container: container, hasProfile: hasProfile)
    }
  }
}

extension Gen where Value == Int {
  /// Returns a generator of sides; a third are next to a multiple of 8.
  fileprivate static func sides(_ range: ClosedRange<Int>) -> Gen {
    let blocks = range.lowerBound / 8...range.upperBound / 8
    let beside = Gen { testCase throws(Discarded) in
      let block = testCase.integer(in: blocks) * 8 + testCase.integer(in: -1...1)
      return min(max(block, range.lowerBound), range.upperBound)
    }
    return .weighted([(2, .integer(in: range)), (1, beside)])
  }
}

extension Gen where Value == TestPicture.Motif {
  fileprivate static var contents: Gen {
    .weighted([
      (1, Gen<Int>.integer(in: 0...255).map { .flat($0) }),
      (2, Gen<Int>.integer(in: 1...9).map { .checker($0) }),
      (1, .element(of: [.gradient, .waves, .zonePlate])),
      (6, Gen<UInt64>.integer(in: 0...1023).map { .noise($0) }),
    ])
  }
}

extension Gen where Value == PictureContainer {
  fileprivate static func containers(_ kind: PictureContainer.Kind) -> Gen {
    switch kind {
    case .png: .constant(.png)
    case .tiff: Gen<Int>.element(of: [16, 32, 64]).map { .tiledTIFF($0) }
    case .jpegWithRestarts: jpegs(Gen<Int>.integer(in: 1...3).map { .rows($0) })
    case .jpeg:
      jpegs(.weighted([(1, .constant(.none)), (1, Gen<Int>.integer(in: 1...9).map { .mcus($0) })]))
    }
  }

  private static func jpegs(_ restarts: Gen<JPEGEncoding.Restart>) -> Gen {
    typealias Sampling = JPEGEncoding.Sampling
    let samplings = [
      Sampling.yCbCr444, Sampling.yCbCr422, Sampling.yCbCr440, Sampling.yCbCr420,
      Sampling.yCbCr411,
    ]
    return Gen { testCase throws(Discarded) in
      let sampling: [Sampling] = try testCase.draw(.element(of: samplings))
      var encoding = JPEGEncoding(sampling: sampling)
      encoding.restart = try testCase.draw(restarts)
      encoding.quality = try testCase.draw(.element(of: [90, 75, 50, 25, 100]))
      let isOptimised: Bool = try testCase.draw(.bool)
      encoding.coding = isOptimised ? .optimised : .huffman
      encoding.isOneScanPerComponent = try testCase.draw(
        .weighted([(7, .constant(false)), (1, .bool)]))
      encoding.trailingBytes = try testCase.draw(
        .weighted([(3, .constant(0)), (1, .integer(in: 1...40))]))
      return .jpeg(encoding)
    }
  }
}
