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
///
/// The page's process reports that it makes a request, and the browser that it has stopped it, in either order.
struct RequestTable {
  struct Entry {
    /// The number by which the browser's events name it.
    let network: String
    let url: String
    let isDocument: Bool
    /// Whether the page's process has reported it.
    var isSent: Bool
    /// The number by which it is answered; nil until the browser has stopped it.
    var paused: String?
    /// The number and the time that it got when the page's clock stopped; nil if made since then.
    var seen: (ordinal: Int, time: Double)?
    /// The number of stops that it has lived through.
    var age = 0
  }

  /// The stops after which a request counts as made although no process has reported it.
  private static let longAge = 3

  /// The requests without an answer.
  private(set) var entries: [Entry] = []
  /// The answered requests that have not arrived, and whether their headers have.
  private(set) var arriving: [String: Bool] = [:]
  /// The address requested last.
  private(set) var last: String?
  private var count = 0

  var isDocumentPaused: Bool {
    entries.contains { $0.isDocument && $0.isSent && $0.paused != nil }
  }
  var isEmpty: Bool { entries.isEmpty && arriving.isEmpty }

  /// Numbers the requests that the page has made, when its clock stops.
  mutating func see(at time: Double) {
    for index in entries.indices where entries[index].seen == nil {
      entries[index].age += 1
      guard entries[index].isSent || entries[index].age > Self.longAge else { continue }
      entries[index].seen = (count, time)
      count += 1
    }
  }

  /// Removes an answered request, which then arrives.
  mutating func answered(_ entry: Entry) {
    entries.removeAll { $0.network == entry.network }
    // The browser numbers documents and scripts of workers itself, without a point, and they arrive only
    // when the clock advances.
    if entry.network.contains(".") { arriving[entry.network] = false }
  }

  /// Forgets what does not arrive, such as an answer that the page does not read.
  mutating func forgetArriving() { arriving = [:] }

  /// Forgets requests that the browser answers itself.
  mutating func forgetUnpaused() { entries.removeAll { $0.seen != nil && $0.paused == nil } }

  mutating func take(_ event: DevToolsEvent) {
    guard let id = event.body["requestId"]?.text else { return }
    switch event.method {
    case "Network.requestWillBeSent":
      guard let index = entries.firstIndex(where: { $0.network == id }) else {
        return add(id, event, isDocument: event.body["type"]?.text == "Document", isSent: true)
      }
      // The page's order counts, not the browser's.
      guard !entries[index].isSent else { return }
      var entry = entries.remove(at: index)
      entry.isSent = true
      entries.append(entry)
    case "Fetch.requestPaused":
      let network = event.body["networkId"]?.text ?? id
      if !entries.contains(where: { $0.network == network }) {
        let isDocument = event.body["resourceType"]?.text == "Document"
        add(network, event, isDocument: isDocument, isSent: false)
      }
      let index = entries.firstIndex { $0.network == network }
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
    _ network: String, _ event: DevToolsEvent, isDocument: Bool, isSent: Bool
  ) {
    // Addresses such as data: and blob: are not requests.
    guard let url = event.body["request"]?["url"]?.text, url.hasPrefix("http") else { return }
    entries.append(Entry(network: network, url: url, isDocument: isDocument, isSent: isSent))
    last = url
  }
}

extension VirtualPage {
  /// The seconds of real time for the browser to stop a request and to hand an answer to the page; both
  /// take milliseconds, and a second for large ones on a busy machine.
  private static let transport = 2.0

  /// The number of unanswered requests of the page.
  package var openRequests: Int { requests.entries.count }

  /// Answers the requests that the page had made when its clock last stopped, and awaits their arrival.
  ///
  /// So the page receives them at the same time of its clock in each run.
  func deliver() throws(ViewerFailure) {
    let areStopped = try tools.wait(Self.transport) {
      requests.entries.allSatisfy { $0.seen == nil || $0.paused != nil }
    }
    if !areStopped { requests.forgetUnpaused() }
    var due: [Int: RequestTable.Entry] = [:]
    var asked: [PageRequest] = []
    for entry in requests.entries {
      guard let seen = entry.seen else { continue }
      due[seen.ordinal] = entry
      asked.append(
        PageRequest(ordinal: seen.ordinal, url: entry.url, wanted: seen.time, now: time))
    }
    var isReal = false
    for request in order(asked) {
      guard let entry = due[request.ordinal], let id = entry.paused.map(JSONValue.string) else {
        continue
      }
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
