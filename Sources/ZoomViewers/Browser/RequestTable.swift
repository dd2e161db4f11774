internal import Foundation

struct PageRequest {
  let url: String
  /// The number by which the browser's events name it.
  let network: String
  let isDocument: Bool
  /// The stops of the clock after which it counts as made; 0 once the page's process has reported it, which
  /// happens to most.
  var stopsLeft = 3
  /// The number by which it is answered; nil until the browser has stopped it.
  var paused: String?
  /// The time at which the page's clock stopped after it; nil until then.
  var wanted: Double?
}

package struct PageResponse: Sendable, Hashable {
  var status = 200
  let type: String
  let body: [UInt8]
}

package enum PageAnswer: Sendable, Hashable {
  case now(PageResponse)
  case fail
  case hold
  case network
}

/// The open requests of a page in its order: its process reports that it makes one, and the browser that it has
/// stopped it, in either order.
struct RequestTable {
  var entries: [PageRequest] = []
  /// The answered requests that have not arrived, and whether their headers have.
  var arriving: [String: Bool] = [:]
  /// The requests that arrived or failed; the browser may report only afterwards that it has stopped one.
  private var ended: Set<String> = []

  var isEmpty: Bool { entries.isEmpty && arriving.isEmpty }

  /// Notes the time of the requests that the page has made, when its clock stops.
  mutating func see(at time: Double) {
    for index in entries.indices where entries[index].wanted == nil {
      if entries[index].stopsLeft == 0 { entries[index].wanted = time }
      entries[index].stopsLeft = max(0, entries[index].stopsLeft - 1)
    }
  }

  mutating func answered(_ request: PageRequest) {
    entries.removeAll { $0.network == request.network }
    // The browser numbers documents and scripts of workers itself, without a point, and they arrive only
    // when the clock advances.
    if request.network.contains(".") { arriving[request.network] = false }
  }

  mutating func take(_ method: String, _ body: JSONObject) {
    guard let id = body["requestId"] as? String else { return }
    switch method {
    case "Network.requestWillBeSent":
      // The request was redirected, and the answer of its target is still to come.
      if body["redirectResponse"] != nil { arriving[id] = nil }
      // The page's order counts, not the browser's.
      guard let found = index(of: id, in: body), entries[found].stopsLeft > 0 else { return }
      var entry = entries.remove(at: found)
      entry.stopsLeft = 0
      entries.append(entry)
    case "Fetch.requestPaused":
      let network = body["networkId"] as? String ?? id
      if let found = index(of: network, in: body) { entries[found].paused = id }
    case "Network.responseReceived":
      if arriving[id] != nil { arriving[id] = true }
    case "Network.loadingFinished", "Network.loadingFailed":
      end(id)
    default: break
    }
  }

  mutating func end(_ network: String) {
    ended.insert(network)
    arriving[network] = nil
    entries.removeAll { $0.network == network }
  }

  private mutating func index(of network: String, in body: JSONObject) -> Int? {
    if let index = entries.firstIndex(where: { $0.network == network }) { return index }
    // Addresses such as data: and blob: are not requests.
    let request = body["request"] as? JSONObject
    guard let url = request?["url"] as? String, url.hasPrefix("http"), !ended.contains(network)
    else { return nil }
    let type = body["type"] as? String ?? body["resourceType"] as? String
    entries.append(PageRequest(url: url, network: network, isDocument: type == "Document"))
    return entries.count - 1
  }
}

extension VirtualPage {
  /// The seconds of real time for the browser to stop a request and to hand an answer to the page.
  ///
  /// Both take milliseconds, and a second for large ones on a busy machine. The body of a real server's answer
  /// has as long, because some never end.
  private static let transport = 2.0
  /// The seconds after an answer that did not arrive in time: in gestures the browser keeps all answers back
  /// until the clock advances.
  private static let lateTransport = 0.1
  static let blank = "/zoombench-blank"
  private static let emptyPage = PageAnswer.now(PageResponse(type: "text/html", body: []))

  /// The headers that let any page read our pictures.
  private static let headers = [
    "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
    // A reload of a tile within one page is the viewer's doing, not an expiry.
    "Cache-Control": "max-age=86400",
  ]
  /// The headers that give our pages precise clocks; between a page with them and one without, the browser
  /// changes the process, which loses the page's clock.
  private static let isolation = [
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
  ]

  /// Answers the requests that the page had made when its clock last stopped, one after the other, and awaits
  /// their arrival, so that they arrive in this order and at the same time of its clock in each run.
  func deliver() throws(ViewerFailure) {
    let areStopped = try tools.wait(Self.transport) {
      requests.entries.allSatisfy { $0.wanted == nil || $0.paused != nil }
    }
    // The browser answers the others itself.
    if !areStopped { requests.entries.removeAll { $0.wanted != nil && $0.paused == nil } }
    let due = requests.entries.filter { $0.wanted != nil }
    for request in server?.order(due) ?? due {
      guard let id = request.paused else { continue }
      let command: (name: String, parameters: DevTools.Parameters)
      let isBlank = request.url.hasSuffix(Self.blank)
      switch try isBlank ? Self.emptyPage : server?.answer(request, at: time) ?? .fail {
      case .hold: continue
      case .fail: command = ("failRequest", ["errorReason": "ConnectionReset"])
      case .network: command = ("continueRequest", [:])
      case .now(let response):
        var headers = Self.headers.merging(entry.hosts.isEmpty ? Self.isolation : [:]) { $1 }
        headers["Content-Type"] = response.type
        let listed: [[String: String]] = headers.map { ["name": $0.key, "value": $0.value] }
        let body = Data(response.body).base64EncodedString()
        command = (
          "fulfillRequest",
          ["responseCode": response.status, "responseHeaders": listed, "body": body]
        )
      }
      requests.answered(request)
      do throws(ViewerFailure) {
        try call("Fetch.\(command.name)", command.parameters.merging(["requestId": id]) { $1 })
      } catch {
        // The browser refuses an answer to what the page has cancelled.
        guard case .protocol = error else { throw error }
        requests.end(request.network)
      }
      let isReal = command.name == "continueRequest"
      let usual = hasLateAnswer ? Self.lateTransport : Self.transport
      let hasArrived = try tools.wait(isReal ? DevTools.patience : usual) {
        requests.arriving.values.allSatisfy(\.self)
      }
      if !isReal { hasLateAnswer = !hasArrived }
      // A script may leave the rest of an answer unread; what is read of ours comes in a few milliseconds.
      _ = try tools.wait(isReal ? Self.transport : 0.03) { requests.arriving.isEmpty }
      requests.arriving = [:]
    }
  }
}
