internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// Laws of two lossless pictures that are derived from each other: they need no oracle.
extension PictureLaws {
  static let symmetry = Law<PixelSubject>(
    "PX-23",
    "The peek of a mirrored, rotated or transposed picture is the peek mirrored, rotated or"
      + " transposed.",
    source: "image-validator#25: swapped sides unseen on a square; Mayer and Guderlei 2006",
    forEach: { subject in
      Gens.zip(
        asked(subject, lossless: true, sides: sides, reductions: [.none]),
        .element(of: Array(Orientation.allCases.dropFirst())))
    }, inWords: { "\($0.inWords), pixels turned as orientation \($1.rawValue) says" }
  ) { subject, input, testCase in
    let (plain, turn) = (input.0.untagged.picture, input.1)
    testCase.classify(turn.swapsAxes, as: "width and height change places")
    let region = input.0.untagged.request.region
    let peek = try peek(subject, plain, region)
    let other = try Self.peek(
      subject, plain.changed(.symmetry(turn)), region.seen(through: turn, of: plain.size))
    try subject.requireTrue(
      other, peek.seen(through: turn),
      "the peek of the picture turned as orientation \(turn.rawValue) says is not the plain peek"
        + " turned the same way")
  }

  static let shift = Law<PixelSubject>(
    "PX-24",
    "If the picture and the region are shifted by the same distance, the peek stays the same.",
    source: "verifier: shift picture by k, shift region by k",
    forEach: { subject in
      Gens.zip(
        asked(subject, lossless: true, sides: 1...64, reductions: [.none]), .integer(in: 0...20),
        .integer(in: 0...20))
    }, inWords: { "\($0.inWords), \($1) columns and \($2) rows put before it" }
  ) { subject, input, _ in
    let (asked, left, top) = input
    let (plain, region) = (asked.untagged.picture, asked.untagged.request.region)
    let peek = try peek(subject, plain, region)
    let other = try Self.peek(
      subject, plain.changed(.padded(left: left, top: top)), region.moved(left, top))
    try subject.requireTrue(other, peek, "the peek of the shifted picture differs")
  }

  static let level = Law<PixelSubject>(
    "PX-25", "The peek of a picture that is k levels brighter is k levels brighter.",
    source: "verifier: add k to all pixels, answer + k (linear filters)",
    forEach: { subject in
      Gens.zip(
        asked(subject, lossless: true, sides: sides), .integer(in: 1...23),
        Gen<TestPicture.Motif>.element(of: [.flat(0), .flat(100), .gradient, .waves]))
    }, inWords: { "\($0.inWords) showing \($2), raised by \($1)" }
  ) { subject, input, _ in
    var (picture, request) = (input.0.picture, input.0.request)
    // No sample of these contents is above level 232, so that nothing wraps around.
    picture.content = input.2
    if picture.depth == .sixteen {
      // In 16 bits this law is tried without reduction only.
      request = RegionRequest(request.region, turn: request.turn)
    }
    let plain = try subject.pixels(request, of: picture)
    let raised = try subject.pixels(request, of: picture.changed(.raised(input.1)))
    try subject.requireTrue(
      raised, plain.raised(by: input.1),
      "the peek of the brighter picture is not \(input.1) level\(input.1 == 1 ? "" : "s") brighter")
  }

  static let container = Law<PixelSubject>(
    "PX-28", "The same samples in another kind of lossless file give the same peek.",
    source: "verifier: checks must work on any picture of the user, not on one reference only",
    forEach: { asked($0, lossless: true, sides: sides) }, inWords: { $0.inWords }
  ) { subject, asked, _ in
    let request = asked.untagged.request
    var plain = asked.untagged.picture
    plain.container = .png
    let one = try subject.pixels(request, of: plain)
    plain.container = .tiledTIFF(32)
    let other = try subject.pixels(request, of: plain)
    try subject.requireTrue(other, one, "the peeks of the TIFF and of the PNG differ")
  }

  private static func peek(
    _ subject: PixelSubject, _ picture: TestPicture, _ region: PixelRegion
  ) throws -> Pixels {
    let pixels = try subject.pixels(RegionRequest(region), of: picture)
    try subject.requireForm(pixels, of: region)
    return pixels
  }
}
