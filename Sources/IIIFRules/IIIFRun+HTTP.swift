internal import ForeignPipelines
internal import Foundation
internal import Synchronization
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
      let words =
        switch answer {
        case .success(let some): "status \(some.status)"
        case .failure(let failure): failure.reason
        }
      return note(.informationFields, "info.json: \(words)", ["/info.json"])
    }
    let parsed = try? IIIFInformation(json: some.body)
    let checks = parsed.flatMap {
      InformationChecks(some, $0, of: verifier.picture, at: verifier.address)
    }
    if let checks {
      count([.informationSize, .informationLimits, .informationType, .cors])
      for wrong in checks.violations() {
        note(wrong.rule, wrong.complaint, ["/info.json"], cause: wrong.cause)
      }
    } else {
      // An unreadable document decides no other rule.
      note(.informationFields, "it is not JSON with width and height", ["/info.json"])
    }
    guard var read = parsed else { return }
    // Regions are chosen within the known picture, even if info.json states another size.
    read.size = size
    information = read
    if read.format == "jpg" { isExact = false }
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
    // A large picture is reduced.
    let side =
      size.width <= RequestDeck.mostSide ? information.fullSize : "\(RequestDeck.mostSide),"
    offers += information.qualities.prefix(8).filter { $0 != "default" }.map {
      Offer(request: IIIFRequest(size: side, quality: $0, format: information.format))
    }
    offers += information.formats.prefix(8).map {
      Offer(request: IIIFRequest(size: side, format: $0))
    }
    return offers
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
    if information.supports("jsonldMediaType") {
      checkType("application/ld+json", cause: "no JSON-LD")
      checkType("application/json", cause: "JSON-LD unasked")
    }
    checkHead()
    checkOptions()
    checkEncoding()
    checkCanonical()
  }

  private mutating func checkBase(_ information: IIIFInformation) {
    func wrong(_ complaint: String, _ cause: String) {
      note(.baseAddress, "the service's own address \(complaint)", [""], cause: cause)
    }
    guard case .success(let answer) = send(ServerRequest("", followsRedirects: false)) else {
      return
    }
    count([.baseAddress])
    let isRedirect = (300...399).contains(answer.status)
    // A redirect may have several steps, such as one to https.
    let last = isRedirect ? send(ServerRequest("")) : .success(answer)
    guard case .success(let end) = last else { return wrong("cannot be followed", "no end") }
    if end.status != 200 || (try? IIIFInformation(json: end.body)) == nil {
      wrong("has status \(answer.status)", "wrong status")
    } else if !isRedirect && information.supports("baseUriRedirect") {
      wrong("does not redirect, though that is claimed", "no redirect")
    }
  }

  /// Checks the content type of info.json for an Accept header.
  private mutating func checkType(_ wanted: String, cause: String) {
    let request = ServerRequest("/info.json", headers: ["Accept: \(wanted)"])
    guard case .success(let answer) = send(request) else { return }
    count([.informationType])
    let type = answer.headers["content-type"] ?? ""
    if answer.status != 200 || !type.lowercased().hasPrefix(wanted) {
      note(
        .informationType, "\(wanted) was asked for and \"\(type)\" came, status \(answer.status)",
        ["/info.json"], cause: cause)
    }
  }

  private mutating func checkHead() {
    let path = right.first?.request.path ?? "/info.json"
    func wrong(_ complaint: String, _ cause: String? = nil) {
      note(.head, "HEAD \(path)\(complaint)", [path], cause: cause)
    }
    let result = send(ServerRequest(path, method: .head))
    count([.head])
    guard case .success(let answer) = result else { return wrong(": no answer") }
    if answer.status != 200 {
      wrong(": status \(answer.status)", "wrong status")
    } else if !answer.body.isEmpty {
      wrong(": a body came", "body")
    } else if let length = answer.headers["content-length"].flatMap({ Int($0) }),
      case .success(let get) = send(ServerRequest(path)), get.body.count != length
    {
      wrong(" says \(length) bytes, and \(get.body.count) come", "another length")
    }
  }

  private mutating func checkOptions() {
    func wrong(_ complaint: String, _ cause: String? = nil) {
      note(.options, "OPTIONS /info.json: \(complaint)", ["/info.json"], cause: cause)
    }
    let result = send(
      ServerRequest(
        "/info.json", method: .options, headers: ["Access-Control-Request-Method: GET"]))
    count([.options])
    guard case .success(let answer) = result else { return wrong("no answer") }
    if !(200...299).contains(answer.status) {
      wrong("status \(answer.status)", "wrong status")
    } else if answer.headers["access-control-allow-origin"] == nil {
      wrong("no Access-Control-Allow-Origin", "no origin")
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

  /// Notes a defect of requests that were answered correctly without the feature that the rule is
  /// about (such as percent-encoding); if those plain requests fail now and then too, notes that.
  private mutating func blame(
    _ rule: IIIFRule, _ complaint: String, _ requests: [String], cause: String? = nil,
    unlike known: [(request: IIIFRequest, raster: Pixels)], shows: (IIIFRun) -> Bool
  ) {
    guard isNew(rule, cause) else { return }
    let (failures, repetitions) = repeated { shows(self) }
    for (request, raster) in [known, known, known].joined() where !isOver {
      if let unsteady = self.complaint(ask(request), request, raster) {
        note(.repeated, unsteady, ["\(request)", "\(request)"])
        return
      }
    }
    note(
      rule, complaint, requests, cause: cause, failureRate: Self.rate(failures, of: repetitions))
  }

  private mutating func checkCanonical() {
    guard let first = right.first, let judge,
      case .success(let answer) = send(first.request),
      let link = CanonicalLink(answer)
    else { return }
    count([.canonical])
    let isOther = { (self: IIIFRun, answer: Answer) in
      self.complaint(answer, link.request, first.raster) != nil
        || !judge.judge(link.request, answer).isEmpty
    }
    if isOther(self, send(link.request)) {
      blame(
        .canonical, "the canonical link \(link.request) shows something else",
        ["\(first.request)", "\(link.request)"], cause: "another picture", unlike: [first]
      ) { isOther($0, $0.ask(link.request)) }
    }
  }

  // MARK: Repetition

  /// Repeats correctly answered requests, one after the other from the last, then some refused
  /// ones, then the correctly answered ones together.
  mutating func repeatSome() {
    let some = Array(right.suffix(8))
    guard !some.isEmpty, mayAsk else { return }
    for (request, raster) in some.reversed() where mayAsk {
      let answer = send(request)
      count([.repeated])
      guard let complaint = complaint(answer, request, raster) else { continue }
      note(.repeated, complaint, some.map { "\($0.request)" } + ["\(request)"])
    }
    for request in refused.suffix(4) {
      let answer = send(request)
      count([.repeated])
      if let wrong = judge?.judge(request, answer).first(where: { !$0.rule.isPassive }) {
        note(
          .repeated, "it was refused before, and now: \(wrong.complaint)",
          ["\(request)", "\(request)"], cause: "no longer refused")
      }
    }
    let answers = sendTogether(some.map { ServerRequest($0.request.path) })
    sent += answers.count
    count([.concurrent])
    for (each, answer) in zip(some, answers) {
      guard let complaint = complaint(answer, each.request, each.raster) else { continue }
      // Always true: concurrent requests that fail only sometimes break the rule too.
      blame(.concurrent, complaint, some.map { "\($0.request)" }, unlike: some) { _ in true }
    }
  }

  /// Sends requests at the same time, each on a thread.
  private func sendTogether(_ requests: [ServerRequest]) -> [Answer] {
    let answers = Mutex<[Int: Answer]>([:])
    let group = DispatchGroup()
    for (index, request) in requests.enumerated() {
      group.enter()
      // Not a dispatch queue: it runs only as many blocks at once as there are cores.
      Thread.detachNewThread { [transport] in
        let answer = Result { () throws(ServerFailure) in try transport.send(request) }
        answers.withLock { $0[index] = answer }
        group.leave()
      }
    }
    group.wait()
    return answers.withLock { answers in requests.indices.compactMap { answers[$0] } }
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
