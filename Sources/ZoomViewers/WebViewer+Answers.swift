internal import Measurement
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The answers to the requests of one play: the page's files, the picture's tiles, and their faults.
final class TileServer {
  /// The most requests of a play that are listed; a viewer that makes more never stops.
  private static let mostRequests = 5000
  /// The addresses below which pictures and those that were open before are served.
  private static let (pictures, formers) = ("https://v.test/p/", "https://v.test/f/")

  private let each: ViewerCase
  private let entry: ViewerEntry
  private let service: TileService
  private let former: TileService?
  /// The addresses below which both are served.
  private let base, formerBase: String
  private var plan: DeliveryPlan
  private var requests: [TileRequest] = []
  /// The places in the list of the page's requests for tiles.
  private var places: [Int: Int] = [:]
  /// The times at which listed requests were answered or failed, by their places.
  private var ends: [Int: Double] = [:]
  /// The reason for which a tile could not be made.
  private(set) var failure: ViewerFailure?
  /// The first file of the page that does not exist.
  private(set) var missing: String?

  init(
    _ each: ViewerCase, of entry: ViewerEntry, _ picture: ViewerPicture,
    after former: ViewerPicture?
  ) {
    let size = each.gesture.picture
    let scheme = "\(each.tiles)".replacing(" ", with: "-")
    let folder = "\(size.width)x\(size.height)/\(scheme)/"
    (self.each, self.entry) = (each, entry)
    // A page with a fixed picture shows no other one before it.
    let fixed = entry.fixedPicture
    let (base, formerBase) = (fixed?.base ?? Self.pictures + folder, Self.formers + folder)
    (self.base, self.formerBase) = (base, formerBase)
    service = TileService(picture, each.tiles, base: base, name: fixed?.name)
    self.former = fixed == nil ? former.map { TileService($0, each.tiles, base: formerBase) } : nil
    plan = DeliveryPlan(each.delivery)
  }

  /// The address to open: the page with the picture that it shows first.
  var address: String { entry.address(of: former ?? service, each.gesture.picture) }

  /// The adapter's call that opens the picture after another; nil if it is the first.
  var openCall: String? {
    former == nil ? nil : "(window.zoombench.open('\(service.descriptor)'), 0)"
  }

  /// Returns the requests for tiles, with times from a time on.
  func listed(since start: Double) -> [TileRequest] {
    requests.map { request in
      var request = request
      request.wanted -= start
      request.answered -= start
      return request
    }
  }

  /// Puts requests into the order that the case asks for.
  func order(_ requests: [PageRequest]) -> [PageRequest] {
    var requests = requests
    for case .order(let order) in each.delivery.map(\.kind) {
      switch order {
      case .reversed: requests.reverse()
      case .shuffled(let seed):
        var random = SeededRandom(seed: seed)
        requests.shuffle(using: &random)
      }
    }
    return requests
  }

  func answer(_ request: PageRequest) -> PageAnswer {
    if let former, request.url.hasPrefix(formerBase) {
      let path = String(request.url.dropFirst(formerBase.count))
      return response(former, former.read(path)) ?? .fail
    }
    guard request.url.hasPrefix(base) else {
      let answer = entry.answer(to: request.url)
      // Browsers request an icon even if the page names none.
      if case .now(let response) = answer, response.status == 404,
        !request.url.hasSuffix("/favicon.ico")
      {
        missing = missing ?? request.url
      }
      return answer
    }
    let question = service.read(String(request.url.dropFirst(base.count)))
    switch question {
    case .descriptor: return response(service, question) ?? .fail
    case .unknown: return Self.notFound
    case .outside:
      _ = list(request, level: 0, region: nil)
      return answered(request, Self.notFound)
    case .tile(let level, let region, _):
      guard let index = list(request, level: level, region: region) else { return .fail }
      switch plan.fate(of: question, ordinal: index, at: request.now) {
      case .wait: return .hold
      case .abort: return answered(request, .fail, isRight: false)
      case .status(let status):
        let refusal = PageResponse(status: status, type: "text/plain", body: [])
        return answered(request, .now(refusal), isRight: false)
      case .wrong(let body):
        let wrong = response(service, service.wrong(body, for: question))
        return answered(request, wrong ?? .fail, isRight: false)
      case .answer:
        return answered(request, response(service, question) ?? .fail)
      }
    }
  }

  private static let notFound = PageAnswer.now(
    PageResponse(status: 404, type: "text/plain", body: []))

  /// Lists a request when it is first asked for, and returns its place; nil if there are too many.
  private func list(_ request: PageRequest, level: Int, region: PixelRegion?) -> Int? {
    if let index = places[request.ordinal] { return index }
    guard requests.count < Self.mostRequests else { return nil }
    let address = String(request.url.dropFirst(base.count))
    let earlier = requests.indices.filter { requests[$0].address == address }
    requests.append(
      TileRequest(
        address: address, level: level, region: region, wanted: request.wanted,
        answered: .infinity, status: 0, isRepeat: !earlier.isEmpty,
        // What is answered at the time of a request was not answered when the page made it.
        wasPending: earlier.contains { (ends[$0] ?? .infinity) >= request.wanted }))
    places[request.ordinal] = requests.count - 1
    return requests.count - 1
  }

  private func answered(
    _ request: PageRequest, _ answer: PageAnswer, isRight: Bool = true
  ) -> PageAnswer {
    guard let index = places[request.ordinal] else { return answer }
    (requests[index].isRight, ends[index]) = (isRight, request.now)
    if case .now(let response) = answer {
      (requests[index].answered, requests[index].status) = (request.now, response.status)
      requests[index].bytes = response.body.count
    }
    return answer
  }

  private func response(_ service: TileService, _ question: TileQuestion) -> PageAnswer? {
    do throws(PipelineError) {
      let (body, type) = try service.answer(question)
      return .now(PageResponse(status: 200, type: type, body: body))
    } catch {
      failure = .picture(error)
      return nil
    }
  }
}
