internal import Foundation

/// A request of a page for a file.
package struct PageRequest: Sendable, Hashable {
  /// Its number since the page was opened, from 0.
  package let ordinal: Int
  /// The whole address, without its fragment.
  package let url: String
  /// The time of the request, and now, in seconds of the page's clock.
  package let wanted, now: Double
}

/// A complete answer to a request.
package struct PageResponse: Sendable, Hashable {
  package var status: Int
  /// The media type.
  package var type: String
  package var body: [UInt8]

  package init(status: Int, type: String, body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }
}

/// The answer to a request.
package enum PageAnswer: Sendable, Hashable {
  case now(PageResponse)
  /// The connection is closed without an answer.
  case fail
  /// No answer yet.
  case hold
  /// The answer of the real server.
  case network
}

/// The open requests of a page, in the order in which the page made them.
struct RequestTable {
  struct Entry {
    /// The number by which the browser's events name it.
    let network: String
    let ordinal: Int
    let url: String
    let wanted: Double
    let isDocument: Bool
    /// The number by which it is answered; nil until the browser has stopped it.
    var paused: String?
    /// Whether the page had made it when its clock last stopped.
    var isSeen = false
  }

  /// The requests without an answer.
  private(set) var entries: [Entry] = []
  /// The answered requests that the page has not received, and whether it has their beginnings.
  private(set) var arriving: [String: Bool] = [:]
  /// The address requested last.
  private(set) var last: String?
  private var count = 0

  var isDocumentPaused: Bool { entries.contains { $0.isDocument && $0.paused != nil } }
  var isEmpty: Bool { entries.isEmpty && arriving.isEmpty }

  /// Marks the requests that may be answered from now on.
  mutating func see() {
    for index in entries.indices { entries[index].isSeen = true }
  }

  /// Removes an answered request, which then arrives.
  mutating func answered(_ entry: Entry) {
    entries.removeAll { $0.ordinal == entry.ordinal }
    // The browser numbers documents and scripts of workers itself, without a point, and they arrive only
    // when the clock advances.
    if entry.network.contains(".") { arriving[entry.network] = false }
  }

  /// Forgets what does not arrive, such as an answer that the page does not read.
  mutating func forgetArriving() { arriving = [:] }

  /// Forgets requests that the browser answers itself.
  mutating func forgetUnpaused() { entries.removeAll { $0.isSeen && $0.paused == nil } }

  mutating func take(_ event: DevToolsEvent, at time: Double) {
    guard let id = event.body["requestId"]?.text else { return }
    switch event.method {
    case "Network.requestWillBeSent":
      add(network: id, event, at: time, isDocument: event.body["type"]?.text == "Document")
    case "Fetch.requestPaused":
      let network = event.body["networkId"]?.text ?? id
      if !entries.contains(where: { $0.network == network && $0.paused == nil }) {
        // A request of a worker, or a check before a request to another origin.
        add(
          network: network, event, at: time,
          isDocument: event.body["resourceType"]?.text == "Document")
      }
      let index = entries.firstIndex { $0.network == network && $0.paused == nil }
      if let index { entries[index].paused = id }
    case "Network.responseReceived":
      if arriving[id] != nil { arriving[id] = true }
    case "Network.loadingFinished", "Network.loadingFailed":
      arriving[id] = nil
      entries.removeAll { $0.network == id }
    default: break
    }
  }

  private mutating func add(
    network: String, _ event: DevToolsEvent, at time: Double, isDocument: Bool
  ) {
    // Addresses such as data: and blob: are not requests.
    guard let url = event.body["request"]?["url"]?.text, url.hasPrefix("http"),
      !entries.contains(where: { $0.network == network && $0.paused == nil })
    else { return }
    entries.append(
      Entry(network: network, ordinal: count, url: url, wanted: time, isDocument: isDocument))
    (count, last) = (count + 1, url)
  }
}

extension VirtualPage {
  /// The seconds of real time for the browser to stop a request and to hand an answer to the page; both
  /// take milliseconds, and a second for large ones on a busy machine.
  private static let transport = 2.0

  /// The number of requests since the page was opened that have no answer yet.
  package var openRequests: Int { requests.entries.count }

  /// Answers the requests that the page had made when its clock last stopped, and awaits their arrival.
  ///
  /// So the page receives them at the same time of its clock in each run.
  func deliver() throws(ViewerFailure) {
    let areStopped = try tools.wait(Self.transport) {
      requests.entries.allSatisfy { !$0.isSeen || $0.paused != nil }
    }
    if !areStopped { requests.forgetUnpaused() }
    let due = requests.entries.filter(\.isSeen)
    guard !due.isEmpty else { return }
    let asked = due.map {
      PageRequest(ordinal: $0.ordinal, url: $0.url, wanted: $0.wanted, now: time)
    }
    var isReal = false
    for request in order(asked) {
      guard let entry = due.first(where: { $0.ordinal == request.ordinal }),
        let id = entry.paused.map(JSONValue.string)
      else { continue }
      switch answer(request) {
      case .hold: continue
      case .fail:
        try tools.send(
          "Fetch.failRequest", ["requestId": id, "errorReason": "ConnectionReset"],
          session: session)
      case .network:
        isReal = true
        try tools.send("Fetch.continueRequest", ["requestId": id], session: session)
      case .now(let response):
        let headers = Self.headers.merging(["Content-Type": response.type]) { $1 }
          .map { JSONValue.object(["name": .string($0.key), "value": .string($0.value)]) }
        try tools.send(
          "Fetch.fulfillRequest",
          [
            "requestId": id, "responseCode": .number(Double(response.status)),
            "responseHeaders": .array(headers),
            "body": .string(Data(response.body).base64EncodedString()),
          ], session: session)
      }
      requests.answered(entry)
      // One after the other, so that they arrive in this order.
      let limit = isReal ? DevTools.patience : Self.transport
      _ = try tools.wait(limit) { requests.arriving.values.allSatisfy(\.self) }
      // A script may leave the rest of an answer unread; what is read comes in a few milliseconds.
      _ = try tools.wait(0.03) { requests.arriving.isEmpty }
      requests.forgetArriving()
    }
  }
}
