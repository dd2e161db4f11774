internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import SystemPackage
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
  private var isDescribed = false

  init(_ each: ViewerCase, of entry: ViewerEntry, _ pictures: [ViewerPicture]) {
    (self.each, self.entry) = (each, entry)
    let scheme = "\(each.tiles)".replacing(" ", with: "-")
    let folder = "\(each.gesture.picture)/\(scheme)/"
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

  var whyUnseen: String {
    let name = requests.first?.address ?? services[0].name
    if !requests.isEmpty { return "it asked for \(name) and shows nothing (open it in a browser)" }
    return isDescribed
      ? "it asked for \(name), perhaps as an image, and shows nothing (try --tiles plain)"
      : "it never asked for …/\(name) (open the address in its query parameter `picture`)"
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
      return .now(try former.answer(question))
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
    if question == .descriptor {
      isDescribed = true
      return .now(try service.answer(question))
    }
    let index = indices[request.network] ?? requests.count
    if index == requests.count {
      var tile = TileRequest(
        address: String(request.url.dropFirst(service.base.count)), level: 0, region: nil,
        wanted: request.wanted ?? now)
      if case .tile(let level, let region, _) = question {
        (tile.level, tile.region) = (level, region)
      }
      (tile.answered, tile.status) = (.infinity, 0)
      indices[request.network] = index
      requests.append(tile)
    }
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
      case .wrong where isOwn: answer = .now(try service.answer(.outside))
      default: break
      }
    }
    requests[index].isRight = answer == nil
    let given = if let answer { answer } else { PageAnswer.now(try service.answer(question)) }
    requests[index].answered = now
    if case .now(let response) = given {
      (requests[index].status, requests[index].bytes) = (response.status, response.body.count)
    }
    return given
  }

  fileprivate static func refusal(_ status: Int) -> PageAnswer {
    .now(PageResponse(status: status, type: "text/plain", body: []))
  }
}

/// The page of a viewer: files of a folder, or an address of a real server.
package struct ViewerEntry: Sendable {
  /// The origin of pages and pictures that zoombench serves, and the address of pages.
  private static let (memory, pages) = ("https://v.test", "https://v.test/page/")

  package let name: String
  /// The page's origin as browsers write it, such as "http://localhost:3000".
  package let origin: String
  /// The hosts that the browser may reach.
  package let hosts: [String]
  /// The address of the page, with placeholders in braces.
  private let template: String
  /// The folder of the page's files, without links; nil if a server has the page.
  private let root: FilePath?

  /// Opens a page: a file, perhaps with a query and a fragment, a folder with an `index.html`, or an address.
  ///
  /// `{picture}` in it is replaced by the address of the picture's description; without it, the query gets the address.
  package init(_ name: String, page: String) throws(ViewerFailure) {
    self.name = name
    if let found = page.prefixMatch(of: /https?:\/\/[^\/?#]*@([^\/?#@]*)/) {
      // Only the host is printed.
      throw .pageFailed(
        "results would show the user name or password for \(found.1) (leave it out)")
    }
    // A scheme with a host, which is in brackets if it is an IPv6 address, and a port.
    let address = /((https?):\/\/(\[[^\]]+\]|[^\/?#:@]+))(:[0-9]*)?(?![^\/?#])/
    if let found = page.prefixMatch(of: address) {
      // Browsers write hosts in lower case, and leave out the scheme's usual port.
      let usual = found.2 == "http" ? 80 : 443
      let port = found.4.flatMap { Int($0.dropFirst()) } ?? usual
      origin = found.1.lowercased() + (port == usual ? "" : ":\(port)")
      (hosts, template, root) = ([found.3.lowercased()], page, nil)
    } else {
      let isWhole = FileManager.default.fileExists(atPath: page)
      let text = isWhole ? page[...] : page.prefix { $0 != "?" && $0 != "#" }
      var file = FilePath(String(text))
      if (try? file.appending("index.html").resolved.get()) != nil { file.append("index.html") }
      let folder = file.removingLastComponent()
      guard let start = file.lastComponent?.string,
        let root = try? (folder.isEmpty ? "." : folder).resolved.get(),
        let found = Self.file(start, in: root), !found.body.isEmpty
      else {
        let isFolder = (try? file.appending(".").resolved.get()) != nil
        let why = isFolder ? "has no index.html" : "cannot be read"
        throw .pageFailed("\(page) \(why) (name an HTML file or an address)")
      }
      let rest = page.dropFirst(text.count)
      (origin, hosts, self.root) = (Self.memory, [], root)
      template = Self.pages + start.percentEncoded() + rest
    }
  }

  package func address(of service: TileService) -> String {
    let size = service.picture.size
    let values = [
      ("picture", service.descriptor.percentEncoded(except: ":/")),
      // The scheme's word without the level of IIIF: dzi, iiif, zoomify, xyz or plain.
      ("kind", String("\(service.scheme)".prefix { $0.isLetter })),
      ("width", "\(size.width)"), ("height", "\(size.height)"),
      ("tile", "\(service.scheme.side ?? max(size.width, size.height))"),
    ]
    if template.contains("{picture}") {
      return values.reduce(template) { $0.replacingOccurrences(of: "{\($1.0)}", with: $1.1) }
    }
    let page = template.prefix { $0 != "#" }
    let query = values.map { "\($0)=\($1)" }.joined(separator: "&")
    let mark = page.contains("?") ? "&" : "?"
    return "\(page)\(mark)\(query)\(template.dropFirst(page.count))"
  }

  package func answer(to url: String) -> PageAnswer {
    if root == nil, url.hasPrefix(origin + "/") { return .network }
    let path = url.dropFirst(Self.pages.count).prefix { $0 != "?" && $0 != "#" }
    let name = String(path).removingPercentEncoding ?? String(path)
    if let root, url.hasPrefix(Self.pages), let file = Self.file(name, in: root) {
      return .now(file)
    }
    return TileServer.refusal(404)
  }

  /// Returns a file of a folder; nil if it cannot be read or is outside the folder.
  private static func file(_ name: String, in root: FilePath) -> PageResponse? {
    // A file's name ends at a zero byte.
    guard !name.utf8.contains(0), let path = try? root.appending(name).resolved.get(),
      path.starts(with: root), let reader = try? FileReader(path),
      let bytes = try? reader.bytes(at: 0, count: reader.length)
    else { return nil }
    let suffix = name.split(separator: ".").last?.lowercased() ?? ""
    return PageResponse(type: types[suffix] ?? "application/octet-stream", body: bytes)
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css",
    "js": "text/javascript", "mjs": "text/javascript", "json": "application/json",
    "wasm": "application/wasm", "xml": "application/xml", "txt": "text/plain",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "woff2": "font/woff2",
  ]
}
