internal import PropertyTesting
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension RegionLaws {
  static let consistency = [order, load, forgetting, reopening]

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
    source: "verifier: same answer under threads; libvips threads x tiles",
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
    "PX-9", "A source that was told to forget gives the same bytes, and has not come to keep more.",
    source: "house rule: sources say which state they hold and can be told to forget it",
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
    "PX-10", "A picture opened anew gives the same bytes, and the first source still does.",
    source: "verifier: same answer under repeat and cache",
    forEach: { .requests(in: $0.reference.size) }, inWords: { $0.inWords }
  ) { subject, request, _ in
    let first = try subject.pixels(request)
    let other = try subject.pipeline.open(subject.reference.path)
    try subject.requireSame(
      other.read(request).pixels, first, "\(request.inWords) gets other bytes when opened anew")
    try subject.requireSame(
      subject.pixels(request), first, "\(request.inWords) gets other bytes of the first source")
  }
}
