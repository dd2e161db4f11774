internal import ForeignPipelines
internal import ZoomGeometry
internal import ZoomPipeline

/// Rules that do not concern a single picture: info.json, its offers, HTTP, repeated and concurrent requests.
extension IIIFRun {
  // MARK: Information

  mutating func askForInformation() {
    let answer = send(ServerRequest("/info.json"))
    guard !transport.isOutOfTime else { return }
    count([.informationFields])
    guard case .success(let some) = answer, some.status == 200 else {
      let words: String
      switch answer {
      case .success(let some): words = "status \(some.status)"
      case .failure(let failure): words = failure.reason
      }
      note(.informationFields, "info.json: \(words)", ["/info.json"])
      return
    }
    let checks = InformationChecks(
      answer: some, size: size, isColoured: verifier.picture.bands == 3,
      address: verifier.address)
    // An unreadable document decides no other rule.
    if checks.content != nil {
      count([.informationSize, .informationLimits, .informationType, .cors])
    }
    for wrong in checks.violations() {
      note(wrong.rule, wrong.complaint, ["/info.json"], cause: wrong.cause)
    }
    guard var read = try? IIIFInformation(json: some.body) else { return }
    // Regions are chosen within the known picture, even if info.json states another size.
    read.size = size
    information = read
    if read.format == "jpg" { isLossyOnly() }
  }

  /// Checks the content types of info.json by the Accept header.
  private mutating func checkNegotiation(_ information: IIIFInformation) {
    guard information.supports("jsonldMediaType") else { return }
    for wanted in ["application/ld+json", "application/json"] {
      let request = ServerRequest("/info.json", headers: ["Accept: \(wanted)"])
      guard case .success(let answer) = send(request) else { continue }
      count([.informationType])
      let type = answer.headers["content-type"] ?? ""
      guard answer.status != 200 || !type.lowercased().hasPrefix(wanted) else { continue }
      note(
        .informationType, "\(wanted) was asked for and \"\(type)\" came, status \(answer.status)",
        ["/info.json"], cause: wanted == "application/json" ? "JSON-LD unasked" : "no JSON-LD")
    }
  }

  /// Requests the sizes, tiles, qualities and formats that info.json lists.
  mutating func checkOffers(_ information: IIIFInformation) {
    for offer in offers(information) where mayAsk {
      tryRequest(offer.request, offeredBy: offer.rule, exact: offer.exact)
    }
  }

  struct Offer {
    let request: IIIFRequest
    /// The rule that requires an answer; nil for qualities and formats.
    var rule: IIIFRule?
    var exact: PixelSize?
  }

  func offers(_ information: IIIFInformation) -> [Offer] {
    let isExact = information.version == .three || information.supports("sizeByDistortedWh")
    let small = information.sizes.filter { max($0.width, $0.height) <= 2 * RequestDeck.mostSide }
    var offers = small.prefix(6).map { size in
      Offer(
        request: IIIFRequest(
          size: isExact ? "\(size.width),\(size.height)" : "\(size.width),",
          format: information.format), rule: .informationSizes, exact: isExact ? size : nil)
    }
    for tiles in information.tiles.prefix(4) where tiles.width <= 1024 && tiles.height <= 1024 {
      for factor in tiles.scaleFactors.prefix(16) where factor <= max(size.width, size.height) {
        offers += tileRequests(tiles, factor, information).map {
          Offer(request: $0, rule: .informationTiles)
        }
      }
    }
    let side = plainSize(information)
    offers += information.qualities.prefix(8).filter { $0 != "default" }.map {
      Offer(request: IIIFRequest(size: side, quality: $0, format: information.format))
    }
    offers += information.formats.prefix(8).map {
      Offer(request: IIIFRequest(size: side, format: $0))
    }
    return offers
  }

  /// The size keyword for the whole picture, reduced if it is large.
  private func plainSize(_ information: IIIFInformation) -> String {
    size.width <= RequestDeck.mostSide ? information.fullSize : "\(RequestDeck.mostSide),"
  }

  /// Returns requests for the last tile of a level, its first, and the last of the first row.
  private func tileRequests(
    _ tiles: IIIFInformation.Tiles, _ factor: Int, _ information: IIIFInformation
  ) -> [IIIFRequest] {
    let (width, height) = (tiles.width * factor, tiles.height * factor)
    let columns = (size.width + width - 1) / width
    let rows = (size.height + height - 1) / height
    var found: [IIIFRequest] = []
    for (column, row) in [(columns - 1, rows - 1), (0, 0), (columns - 1, 0)] {
      let (x, y) = (column * width, row * height)
      let (w, h) = (min(width, size.width - x), min(height, size.height - y))
      let (across, down) = ((w + factor - 1) / factor, (h + factor - 1) / factor)
      let isWhole = w == size.width && h == size.height
      let request = IIIFRequest(
        region: isWhole ? "full" : "\(x),\(y),\(w),\(h)",
        size: information.version == .three ? "\(across),\(down)" : "\(across),",
        format: information.format)
      if !found.contains(request) { found.append(request) }
    }
    return found
  }

  /// Checks whether a higher level works than is claimed, and whether unlisted qualities work.
  mutating func checkLevel(_ information: IIIFInformation) {
    count([.informationLevel])
    let coloured: Set = verifier.picture.bands == 3 ? ["color"] : []
    let qualities = unclaimed.intersection(coloured.union(["gray", "bitonal"])).sorted()
    if !qualities.isEmpty, information.version == .three {
      note(
        .informationLevel, "it does not list \(qualities.joined(separator: ", ")), which work",
        ["/info.json"], cause: "unlisted quality")
    }
    guard let level = information.nextLevel(with: unclaimed) else { return }
    note(
      .informationLevel, "it claims level \(information.level), and all of level \(level) works",
      ["/info.json"], cause: "level too low")
  }

  // MARK: HTTP

  mutating func checkHTTP() {
    guard let information else { return }
    checkBase(information)
    checkNegotiation(information)
    checkHead()
    checkOptions()
    checkEncoding()
    checkCanonical()
  }

  private mutating func checkBase(_ information: IIIFInformation) {
    guard case .success(let answer) = send(ServerRequest("", followsRedirects: false)) else {
      return
    }
    count([.baseAddress])
    let isRedirect = (300...399).contains(answer.status)
    // A redirect may have several steps, such as one to https.
    let last = isRedirect ? send(ServerRequest("")) : .success(answer)
    guard case .success(let end) = last else {
      note(.baseAddress, "the service's own address leads nowhere", [""], cause: "no end")
      return
    }
    if end.status != 200 || (try? IIIFInformation(json: end.body)) == nil {
      note(
        .baseAddress, "the service's own address has status \(answer.status)", [""],
        cause: "wrong status")
    } else if !isRedirect && information.supports("baseUriRedirect") {
      note(
        .baseAddress, "the service's own address does not redirect, though that is claimed", [""],
        cause: "no redirect")
    }
  }

  private mutating func checkHead() {
    let path = right.first?.request.path ?? "/info.json"
    let result = send(ServerRequest(path, method: .head))
    count([.head])
    guard case .success(let answer) = result else {
      note(.head, "HEAD \(path): no answer", [path])
      return
    }
    if answer.status != 200 {
      note(.head, "HEAD \(path): status \(answer.status)", [path], cause: "wrong status")
    } else if !answer.body.isEmpty {
      note(.head, "HEAD \(path): a body came", [path], cause: "body")
    } else if let length = answer.headers["content-length"].flatMap({ Int($0) }),
      case .success(let get) = send(ServerRequest(path)), get.body.count != length
    {
      note(
        .head, "HEAD \(path) says \(length) bytes, and \(get.body.count) come", [path],
        cause: "another length")
    }
  }

  private mutating func checkOptions() {
    let preflight = ServerRequest(
      "/info.json", method: .options, headers: ["Access-Control-Request-Method: GET"])
    let result = send(preflight)
    count([.options])
    guard case .success(let answer) = result else {
      note(.options, "OPTIONS /info.json: no answer", ["/info.json"])
      return
    }
    if !(200...299).contains(answer.status) {
      note(
        .options, "OPTIONS /info.json: status \(answer.status)", ["/info.json"],
        cause: "wrong status")
    } else if answer.headers["access-control-allow-origin"] == nil {
      note(
        .options, "OPTIONS /info.json: no Access-Control-Allow-Origin", ["/info.json"],
        cause: "no origin")
    }
  }

  private mutating func checkEncoding() {
    guard let known = right.first(where: { $0.request.region.contains(",") }) else { return }
    let path = known.request.path.replacing(",", with: "%2C")
    let answer = send(ServerRequest(path))
    count([.encoding])
    if let complaint = complaint(answer, known.request, known.raster) {
      blame(.encoding, complaint, [path], unlike: [known]) {
        $0.complaint($0.ask(ServerRequest(path)), known.request, known.raster) != nil
      }
    }
  }

  /// Notes a defect of requests that differ from correctly answered ones only in the subject of a rule; if
  /// the correct ones fail now and then too, notes that instead.
  private mutating func blame(
    _ rule: IIIFRule, _ complaint: String, _ requests: [String], cause: String? = nil,
    unlike known: [(request: IIIFRequest, raster: Pixels)], shows: (IIIFRun) -> Bool
  ) {
    guard isNew(rule, cause) else { return }
    let (failures, repetitions) = repeated { shows(self) }
    for (request, raster) in [known, known, known].joined() where !isOver {
      let answer = ask(ServerRequest(request.path))
      if let unsteady = self.complaint(answer, request, raster) {
        note(.repeated, unsteady, ["\(request)", "\(request)"])
        return
      }
    }
    note(
      rule, complaint, requests, cause: cause, failureRate: Self.rate(failures, of: repetitions))
  }

  private mutating func checkCanonical() {
    guard let first = right.first, let judge,
      case .success(let answer) = send(ServerRequest(first.request.path)),
      let link = CanonicalLink(answer)
    else { return }
    count([.canonical])
    let isOther = { (self: IIIFRun, answer: Answer) in
      self.complaint(answer, link.request, first.raster) != nil
        || !judge.judge(link.request, answer).isEmpty
    }
    if isOther(self, send(ServerRequest(link.request.path))) {
      blame(
        .canonical, "the canonical link \(link.request) shows something else",
        ["\(first.request)", "\(link.request)"], cause: "another picture", unlike: [first]
      ) { isOther($0, $0.ask(ServerRequest(link.request.path))) }
    }
  }

  // MARK: Repetition

  /// Repeats correctly answered requests, one after the other from the last, then eight at a time.
  mutating func repeatSome() {
    let some = Array(right.suffix(8))
    guard !some.isEmpty, mayAsk else { return }
    for (request, raster) in some.reversed() where mayAsk {
      let answer = send(ServerRequest(request.path))
      count([.repeated])
      guard let complaint = complaint(answer, request, raster) else { continue }
      note(.repeated, complaint, some.map { "\($0.request)" } + ["\(request)"])
    }
    for request in refused.suffix(4) {
      let answer = send(ServerRequest(request.path))
      count([.repeated])
      if let wrong = judge?.judge(request, answer).first(where: { !$0.rule.isPassive }) {
        note(
          .repeated, "it was refused before, and now: \(wrong.complaint)",
          ["\(request)", "\(request)"], cause: "no longer refused")
      }
    }
    let answers = ConcurrentRequests(transport).send(
      some.map { ServerRequest($0.request.path) })
    sent += answers.count
    count([.concurrent])
    for (each, answer) in zip(some, answers) {
      guard let complaint = complaint(answer, each.request, each.raster) else { continue }
      // Always true: concurrent requests that fail only sometimes break the rule too.
      blame(.concurrent, complaint, some.map { "\($0.request)" }, unlike: some) { _ in true }
    }
  }

  /// Returns the defect of an answer that was right before; a different but right answer has none.
  private func complaint(
    _ answer: Answer, _ request: IIIFRequest, _ raster: Pixels
  ) -> String? {
    switch answer {
    case .failure(let failure): return failure.reason
    case .success(let some):
      guard some.status == 200 else { return "status \(some.status) instead of 200" }
      guard let decoded = try? decoder.decode(some.body) else { return "no picture" }
      guard decoded.raster != raster else { return nil }
      let isRight = judge?.judge(request, answer).contains { !$0.rule.isPassive } == false
      return isRight ? nil : "another picture than before"
    }
  }
}
