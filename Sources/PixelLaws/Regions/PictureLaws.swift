internal import PropertyTesting
internal import ZoomGeometry
public import ZoomLaws
internal import ZoomPipeline

/// The laws of generated pictures; every case draws a new picture, which shrinks.
public enum PictureLaws {
  /// All laws of generated pictures.
  public static let all: [Law<PixelSubject>] = [
    exact, tag, symmetry, shift, level, flat, pair, container, place, profile,
  ]

  /// Returns the laws that apply to a subject; some need kinds of file that it may not open.
  public static func applicable(to subject: PixelSubject) -> [Law<PixelSubject>] {
    let needy: Set<String> = ["PX-23", "PX-24", "PX-25", "PX-28"]
    let isLossless = subject.containers.contains { $0.isLossless }
    let hasBoth = subject.containers.isSuperset(of: [.png, .tiff])
    let hasTags = subject.containers.contains { $0 != .png }
    // The curve of a profile changes levels; converting a mean is not the mean of what is converted.
    let stored: Set<String> = ["PX-25", "PX-26", "PX-29"]
    return all.filter { law in
      if subject.converts, stored.contains(law.name) { return false }
      switch law.name {
      case "PX-31": return subject.converts
      case "PX-22": return hasTags
      case "PX-28": return hasBoth
      default: return isLossless || !needy.contains(law.name)
      }
    }
  }

  struct Asked: Sendable {
    let picture: TestPicture
    let request: RegionRequest

    var inWords: String { "\(request.inWords) of \(picture)" }

    /// The picture without its tag and an unreduced request for the same or the transposed region.
    var untagged: Asked {
      var plain = picture
      plain.orientation = .up
      let region = request.region
      let inside: PixelRegion =
        region.isInside(plain.size)
        ? region : .checked(region.y, region.x, region.height, region.width)
      return Asked(picture: plain, request: RegionRequest(inside, turn: request.turn))
    }

    static func whole(_ picture: TestPicture) -> Asked {
      Asked(picture: picture, request: RegionRequest(PixelRegion(whole: picture.uprightSize)))
    }
  }

  /// Returns a generator of pictures that the subject opens, each with a request.
  static func asked(
    _ subject: PixelSubject, lossless: Bool = false, tagged: Bool = false, smooth: Bool = false,
    sides: ClosedRange<Int>, reductions: [Reduction] = Reduction.ofDecoders
  ) -> Gen<Asked> {
    var kinds = subject.containers
    if lossless { kinds = kinds.filter(\.isLossless) }
    // Only TIFFs and JPEGs have orientation tags here.
    if tagged { kinds.remove(.png) }
    let pictures = Gen<TestPicture>.testPictures(
      sides: sides, kinds: kinds, isSmooth: smooth, hasProfiles: subject.converts)
    return pictures.flatMap { picture in
      Gen<RegionRequest>.requests(in: picture.uprightSize, reductions: reductions)
        .map { Asked(picture: picture, request: $0) }
    }
  }

  /// Returns small pictures of every form that the subject opens, each requested whole.
  static func forms(for subject: PixelSubject) -> [Asked] {
    let kinds = PictureContainer.Kind.allCases.filter(subject.containers.contains)
    guard let kind = kinds.first else { return [] }
    let sizes = [(7, 5), (2, 9), (9, 2), (1, 1)].map {
      PixelRegion.checked(0, 0, $0.0, $0.1).size
    }
    let forms: [(bands: Int, depth: TestPicture.SampleDepth)] = [
      (1, .eight), (3, .sixteen), (4, .eight), (1, .sixteen), (4, .sixteen),
    ]
    let hasProfile = subject.converts
    var pictures = sizes.map {
      TestPicture(size: $0, container: kind.sample, hasProfile: hasProfile)
    }
    for (bands, depth) in forms where kind.isLossless || depth == .eight {
      pictures.append(
        TestPicture(
          size: sizes[0], bands: bands, depth: depth, container: kind.sample,
          hasProfile: hasProfile))
    }
    pictures += kinds.dropFirst().map { TestPicture(size: sizes[0], container: $0.sample) }
    return pictures.map { .whole($0) }
  }

  /// Returns a picture for each tag but the first, each requested whole.
  static func tags(for subject: PixelSubject) -> [Asked] {
    let kinds = PictureContainer.Kind.allCases.filter(subject.containers.contains)
    guard let kind = kinds.first(where: { $0 != .png }) else { return [] }
    let size = PixelRegion.checked(0, 0, 11, 7).size
    return Orientation.allCases.dropFirst().map {
      .whole(
        TestPicture(
          size: size, orientation: $0, container: kind.sample, hasProfile: subject.converts))
    }
  }

  /// Six MCUs of 16 px and a part of a seventh.
  static let sides = 1...97

  private static let exact = Law<PixelSubject>(
    "PX-21",
    "Of any picture, a peek is the crop of the samples that were stored, or of their conversion.",
    source: "libvips#131, libvips#4320, libvips#4864; verifier: full decode as oracle",
    forEach: { asked($0, sides: sides) }, examples: { forms(for: $0) }, inWords: { $0.inWords }
  ) { subject, asked, testCase in
    let (picture, request) = (asked.picture, asked.request)
    testCase.classify(picture.orientation != .up, as: "with an orientation tag")
    testCase.classify(!picture.container.isLossless, as: "JPEG")
    testCase.classify(picture.depth == .sixteen, as: "16 bit")
    testCase.classify(
      min(picture.size.width, picture.size.height) <= 2, as: "at most two pixels a side")
    let file = try subject.files.file(of: picture)
    defer { extendLifetime(file) }
    let source = try subject.open(file)
    try Property.require(
      source.size == picture.uprightSize,
      "the picture is said to be \(source.size), and it is \(picture.uprightSize)")
    let answer = try source.read(request)
    let reference = try ReferencePicture(file.path, colour: subject.pipeline.colour)
    let whole = try subject.converts ? reference.whole() : file.whole()
    let crop = whole.cut(request.region)
    if request.reduction == .none {
      try subject.requireTrue(
        answer.pixels, crop.quarterTurned(request.turn), "the peek is not the picture's crop")
    } else {
      try subject.requireReduced(answer, from: crop, request, of: reference)
    }
  }

  private static let tag = Law<PixelSubject>(
    "PX-22", "A picture with an orientation tag is the picture without it, turned.",
    source: "EXIF (CIPA DC-008, 4.6.4); ForceZoom FZ-B13",
    forEach: { asked($0, tagged: true, sides: sides, reductions: [.none]) },
    examples: { tags(for: $0) }, inWords: { $0.inWords }
  ) { subject, asked, testCase in
    let (picture, region) = (asked.picture, asked.request.region)
    testCase.classify(picture.orientation.swapsAxes, as: "width and height change places")
    let file = try subject.files.file(of: picture)
    defer { extendLifetime(file) }
    let tagged = try subject.open(file)
    try Property.require(
      tagged.size == picture.uprightSize,
      "the picture is said to be \(tagged.size), and it is \(picture.uprightSize)")
    let back = region.seen(through: picture.orientation.inverse, of: picture.uprightSize)
    let plain = try subject.pixels(RegionRequest(back), of: asked.untagged.picture)
    try subject.requireTrue(
      tagged.read(RegionRequest(region)).pixels, plain.seen(through: picture.orientation),
      "under tag \(picture.orientation.rawValue) the peek is not the untagged peek turned")
  }

  private static let flat = Law<PixelSubject>(
    "PX-26", "A picture of one level stays of that level, however it is cut, reduced and turned.",
    source: "libvips tests: a constant image stays constant",
    forEach: { subject in
      Gens.zip(asked(subject, sides: sides), .integer(in: 0...255)).map { asked, level in
        var picture = asked.picture
        picture.content = .flat(level)
        return Asked(picture: picture, request: asked.request)
      }
    }, inWords: { $0.inWords }
  ) { subject, asked, _ in
    let pixels = try subject.pixels(asked.request, of: asked.picture)
    let pixelBytes = pixels.bands * pixels.format.byteCount
    // Rounding may change the level of a JPEG, but equally everywhere.
    let first = Array(pixels.bytes.prefix(pixelBytes))
    let same = pixels.with(
      pixels.size, Array(repeatElement(first, count: pixels.size.area).joined()))
    try subject.requireTrue(pixels, same, "a flat picture's peek is not flat")
    if asked.picture.container.isLossless, case .flat(let level) = asked.picture.content {
      try Property.require(
        first.allSatisfy { Int($0) == level }, "the level is \(first) instead of \(level)")
    }
  }

  private static let pair = Law<PixelSubject>(
    "PX-27", "Two pictures open at the same time never show each other.",
    source: "house rule: a stale cache is never trusted",
    forEach: { subject in
      asked(subject, sides: 1...40).flatMap { asked in
        Gen<UInt64>.integer(in: 0...7).map { (asked, $0) }
      }
    }, inWords: { "\($0.inWords), beside noise \($1)" }
  ) { subject, input, _ in
    let (asked, seed) = input
    var neighbour = asked.picture
    neighbour.content = .noise(seed + 2000)
    let one = try subject.files.file(of: asked.picture)
    let other = try subject.files.file(of: neighbour)
    defer { extendLifetime((one, other)) }
    let alone = try subject.open(one).read(asked.request).pixels
    let (first, second) = (try subject.open(one), try subject.open(other))
    let beside = try second.read(asked.request).pixels
    try subject.requireSame(
      first.read(asked.request).pixels, alone,
      "the peek changes if another picture is open at the same time")
    try subject.requireSame(
      second.read(asked.request).pixels, beside, "the other picture's peek has changed afterwards")
    if !subject.converts, let upright = one.upright, let neighbours = other.upright,
      asked.request.reduction == .none
    {
      let region = asked.request.region
      try subject.requireTrue(
        alone, upright.cut(region).quarterTurned(asked.request.turn),
        "the peek is not the picture's")
      try subject.requireTrue(
        beside, neighbours.cut(region).quarterTurned(asked.request.turn),
        "the other picture's peek is not its own")
    }
  }

  /// At a quarter of the size the waves are too fine to measure a shift, so this law only halves.
  private static let place = Law<PixelSubject>(
    "PX-29", "A halved peek of a smooth picture stands within 0.15 px of where it should.",
    source: "libvips#504, libvips#703, libvips#4841, sharp#452: half-pixel shifts",
    forEach: { asked($0, smooth: true, sides: 64...200, reductions: [.half]) },
    inWords: { $0.inWords }
  ) { subject, asked, testCase in
    let request = asked.request
    let file = try subject.files.file(of: asked.picture)
    defer { extendLifetime(file) }
    let answer = try subject.open(file).read(request)
    let whole = try file.whole()
    guard let means = whole.cut(request.region).meanOfBlocks(request.reduction.rawValue) else {
      return
    }
    let expected = means.quarterTurned(request.turn)
    try subject.trustComparator()
    let shift = subject.comparator.shift(answer.pixels, expected, 2)
    testCase.classify(shift != nil, as: "with a measurable shift", atLeast: 0.2)
    // A decoder's different reduction of colours makes a difference that a shift does not explain.
    if let shift, shift.explained > 0.5, shift.length > 0.15 {
      throw subject.mismatch(
        "the reduced peek is beside its place", answer.pixels, expected, within: 2)
    }
  }
}
