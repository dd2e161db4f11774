internal import Measurement
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// The answers to the requests of one play: the page's files, the picture's tiles, and their faults.
final class TileServer {
  private let each: ViewerCase
  private let entry: ViewerEntry
  /// The picture, and the one that is open before it, if any, at other addresses.
  private let services: [TileService]
  /// The requests for tiles; their times are the page's.
  private(set) var requests: [TileRequest] = []
  /// The indices in this list by the browser's numbers.
  private var indices: [String: Int] = [:]
  private(set) var missing: String?

  init(
    _ each: ViewerCase, of entry: ViewerEntry, _ pictures: [ViewerPicture]
  ) {
    (self.each, self.entry) = (each, entry)
    let size = each.gesture.picture
    let scheme = "\(each.tiles)".replacing(" ", with: "-")
    let folder = "\(size.width)x\(size.height)/\(scheme)/"
    services = zip(pictures, ["p", "f"]).map {
      TileService($0, each.tiles, base: "https://v.test/\($1)/\(folder)")
    }
  }

  /// The address of the page with the picture that it shows first.
  var address: String { entry.address(of: services[services.count - 1]) }

  /// The adapter's call that opens the picture after another; nil if it is the first.
  var openCall: String? {
    services.count == 1 ? nil : "window.zoombench.open('\(services[0].descriptor)')"
  }

  func order(_ requests: [PageRequest]) -> [PageRequest] {
    var requests = requests
    for case .shuffle(let seed) in each.delivery.map(\.kind) {
      var random = SeededRandom(seed: seed)
      requests.shuffle(using: &random)
    }
    return requests
  }

  /// Answers a request, or holds it until it is asked again; throws `picture` if a tile cannot be made.
  func answer(_ request: PageRequest, at now: Double) throws(ViewerFailure) -> PageAnswer {
    if let former = services.dropFirst().first, let question = former.read(url: request.url) {
      return try response(to: question, of: former)
    }
    let service = services[0]
    guard let question = service.read(url: request.url) else {
      let answer = entry.answer(to: request.url)
      // Browsers request an icon even if the page names none.
      let isIcon = request.url.hasSuffix("/favicon.ico")
      if case .now(let response) = answer, response.status == 404, !isIcon {
        missing = missing ?? request.url
      }
      return answer
    }
    if question == .descriptor { return try response(to: question, of: service) }
    let index = listed(request, question, at: now)
    let asked = requests[index]
    let age = now - asked.wanted
    var answer = asked.region == nil ? Self.refusal(404) : nil
    for fault in each.delivery {
      let isOwn = fault.ordinal == index
      switch fault.kind {
      case .delay(let seconds) where isOwn && age < seconds: return .hold
      case .fail(let status, let isAlways)
      where isOwn
        || isAlways && fault.ordinal < index
          && requests[fault.ordinal].region == asked.region
          && requests[fault.ordinal].level == asked.level:
        answer = Self.refusal(status)
      case .abort where isOwn: answer = .fail
      case .wrong where isOwn: answer = try response(to: .outside, of: service)
      default: break
      }
    }
    requests[index].isRight = answer == nil
    let given = if let answer { answer } else { try response(to: question, of: service) }
    requests[index].answered = now
    if case .now(let response) = given {
      (requests[index].status, requests[index].bytes) = (response.status, response.body.count)
    }
    return given
  }

  private static func refusal(_ status: Int) -> PageAnswer {
    .now(PageResponse(status: status, type: "text/plain", body: []))
  }

  private func response(
    to question: TileQuestion, of service: TileService
  ) throws(ViewerFailure) -> PageAnswer {
    do throws(PipelineError) {
      return .now(try service.answer(question))
    } catch {
      throw .picture(error)
    }
  }

  private func listed(
    _ request: PageRequest, _ question: TileQuestion, at now: Double
  ) -> Int {
    if let index = indices[request.network] { return index }
    var tile: (level: Int, region: PixelRegion?) = (0, nil)
    if case .tile(let level, let region, _) = question { tile = (level, region) }
    indices[request.network] = requests.count
    requests.append(
      TileRequest(
        address: String(request.url.dropFirst(services[0].base.count)), level: tile.level,
        region: tile.region, wanted: request.wanted ?? now,
        answered: .infinity, status: 0))
    return requests.count - 1
  }
}
