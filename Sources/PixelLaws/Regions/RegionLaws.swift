internal import PropertyTesting
internal import ZoomGeometry
public import ZoomLaws
internal import ZoomPipeline

/// The laws of regions of one opened picture; see `PictureLaws` for those of generated pictures.
///
/// A law's `source` says where it comes from: "verifier" is our list of what verifiers of pipelines
/// check, and "project#number" is the report of a real bug.
public enum RegionLaws {
  /// All laws of regions.
  public static let all: [Law<PixelSubject>] =
    [comparator] + exactness + [order, load, forgetting, reopening] + shaping
    + [outside, long, whole, work, partWork]

  /// The comparator's self-test, without which no other law means anything.
  static let comparator = Law<PixelSubject>(
    "PX-1", "The comparator sees one pixel, one level, a shift of 0.1 px and an empty picture.",
    source: "swift-snapshot-testing#710", for: Gens.zip(.allCases, .allCases),
    inWords: { "probe \($0) at \($1) bits" }
  ) { subject, input, _ in try ComparatorSelfTest(subject.comparator).run(input.0, input.1) }

  private static let several: @Sendable (PixelSubject) -> Gen<[RegionRequest]> = { subject in
    .array(of: .requests(in: subject.reference.size), count: 1...5)
  }

  private static func inWords(_ requests: [RegionRequest]) -> String {
    requests.map(\.inWords).joined(separator: "; ")
  }

  private static let order = Law<PixelSubject>(
    "PX-7", "The same requests again, in another order, get the same bytes.",
    source: "verifier: same answer under repeat, order and cache",
    forEach: { subject in
      several(subject).flatMap { requests in
        Gen<[RegionRequest]>.permutation(of: requests).map { (requests, $0) }
      }
    }, inWords: { "first \(inWords($0)); then \(inWords($1))" }
  ) { subject, input, _ in
    var answers: [RegionRequest: Pixels] = [:]
    for request in input.0 {
      let pixels = try subject.pixels(request)
      if let earlier = answers[request] {
        try subject.requireSame(pixels, earlier, "\(request.inWords) gets other bytes again")
      }
      answers[request] = pixels
    }
    for request in input.1 {
      guard let earlier = answers[request] else { continue }
      try subject.requireSame(
        subject.pixels(request), earlier, "\(request.inWords) gets other bytes in another order")
    }
  }

  private static let load = Law<PixelSubject>(
    "PX-8", "Requests made at the same time get the bytes that they get one after the other.",
    source: "verifier: the same answer from several threads; libvips, with several sizes of tiles",
    forEach: { .array(of: .requests(in: $0.reference.size), count: 2...6) }, inWords: inWords
  ) { subject, requests, _ in
    let alone = try requests.map { try subject.pixels($0) }
    let together = await subject.answersTogether(requests)
    for (number, request) in requests.enumerated() {
      try subject.requireSame(
        together[number].get(), alone[number],
        "\(request.inWords) gets other bytes when others ask too")
    }
  }

  private static let forgetting = Law<PixelSubject>(
    "PX-9",
    "A source that has forgotten its data gives the same bytes, and keeps no more than before.",
    source: "house rule: sources report which state they hold, and can forget it",
    forEach: { .requests(in: $0.reference.size) }, inWords: { $0.inWords }
  ) { subject, request, _ in
    let warm = try subject.pixels(request)
    let before = subject.source.state
    subject.source.forget()
    let after = subject.source.state
    try Property.require(
      after <= before, "it keeps \(after.rawValue) after forgetting, \(before.rawValue) before")
    try subject.requireSame(
      subject.pixels(request), warm, "\(request.inWords) gets other bytes after forgetting")
  }

  private static let reopening = Law<PixelSubject>(
    "PX-10", "A picture opened again gives the same bytes, and the first source still does.",
    source: "verifier: same answer under repeat and cache",
    forEach: { .requests(in: $0.reference.size) }, inWords: { $0.inWords }
  ) { subject, request, _ in
    let first = try subject.pixels(request)
    let other = try subject.pipeline.open(subject.reference.path)
    try subject.requireSame(
      other.read(request).pixels, first, "\(request.inWords) gets other bytes when opened again")
    try subject.requireSame(
      subject.pixels(request), first, "\(request.inWords) gets other bytes of the first source")
  }

  private static let work = Law<PixelSubject>(
    "PX-16",
    "Work counts what is delivered, is the same each time, and is limited by the picture's size.",
    source: "house rule: deterministic work counters",
    forEach: { .requests(in: $0.reference.size) },
    examples: { PixelRegion.telling(in: $0.reference.size).map { RegionRequest($0) } },
    inWords: { $0.inWords }
  ) { subject, request, _ in
    let header = subject.reference.header
    let first = try subject.coldWork(request)
    let again = try subject.coldWork(request)
    try Property.require(first == again, "the same cold read cost \(first), then \(again)")
    try Property.require(
      first.pixelsDelivered == request.outputSize.area,
      "\(first.pixelsDelivered) pixels are said to be delivered, not \(request.outputSize.area)")
    // A JPEG's largest MCU is 32 px a side, and the last MCUs overhang the picture. A read in bands
    // also decodes one MCU row above and below each band: at most the picture once more. Small
    // pictures are read without bands.
    func inBlocks(_ side: Int) -> Int { (side + 31) / 32 * 32 }
    let stored = header.storedSize
    let whole = inBlocks(stored.width) * inBlocks(stored.height)
    // A decoder that does not report its work counts as 0.
    let decoded = first.pixelsDecoded ?? 0
    try Property.require(
      decoded <= (stored.area > 1 << 20 ? 2 : 1) * whole,
      "\(decoded) pixels were decoded of a picture of \(header.storedSize)")
    try Property.require(
      decoded >= 0 && first.unitsWalked >= 0 && (first.bytesRead ?? 0) >= 0,
      "a count is below 0: \(first)")
  }

  private static let partWork = Law<PixelSubject>(
    "PX-17", "Reading a part of a region never costs more than reading the whole region.",
    source: "house rule: a peek costs what the peek shows, not what the picture holds",
    forEach: { subject in
      Gen<PixelRegion>.regions(in: subject.reference.size).flatMap { outer in
        Gen<PixelRegion>.regions(in: outer.size).map { (outer, $0.moved(outer.x, outer.y)) }
      }
    }, inWords: { "part \($1) of region \($0)" }
  ) { subject, input, _ in
    let whole = try subject.coldWork(RegionRequest(input.0))
    let part = try subject.coldWork(RegionRequest(input.1))
    if let few = part.pixelsDecoded, let many = whole.pixelsDecoded {
      try Property.require(
        few <= many, "\(few) pixels are decoded for the part, \(many) for the whole")
    }
    try Property.require(
      part.unitsDecoded ?? 0 <= whole.unitsDecoded ?? 0,
      "\(part.unitsDecoded ?? 0) units are decoded for the part, \(whole.unitsDecoded ?? 0) for the whole"
    )
  }
}

extension PixelSubject {
  /// Returns the work of a request to a source that has forgotten its state.
  fileprivate func coldWork(_ request: RegionRequest) throws(PipelineError) -> Work {
    source.forget()
    let answer = try source.read(request)
    return answer.work
  }
}
