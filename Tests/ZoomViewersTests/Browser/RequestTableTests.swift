import Testing

@testable import ZoomViewers

private typealias BrowserEvent = (method: String, body: JSONObject)

extension RequestTable {
  fileprivate mutating func take(_ event: BrowserEvent) { take(event.method, event.body) }
}

@Suite struct RequestTableTests {
  private static func sent(_ id: String, to url: String = "https://v.test/a") -> BrowserEvent {
    let body: JSONObject = ["requestId": id, "type": "Image", "request": ["url": url]]
    return ("Network.requestWillBeSent", body)
  }

  private static func paused(_ id: String) -> BrowserEvent {
    let body: JSONObject = [
      "requestId": "job \(id)", "networkId": id, "resourceType": "Image",
      "request": ["url": "https://v.test/a"],
    ]
    return ("Fetch.requestPaused", body)
  }

  private static func ended(_ id: String) -> BrowserEvent {
    ("Network.loadingFinished", ["requestId": id])
  }

  @Test func `requests are listed as the page sent them, however the browser stops them`() {
    let ids = ["1.1", "1.2", "1.3"]
    let sent = ids.map { Self.sent($0) }
    let paused = ids.map { Self.paused($0) }
    for events in [
      sent + paused, paused + sent, Array(paused.reversed()) + sent,
      [paused[2], sent[0], paused[0], sent[1], sent[2], paused[1]],
    ] {
      var table = RequestTable()
      for event in events { table.take(event) }
      table.see(at: 2)
      #expect(table.entries.map(\.network) == ids)
      #expect(table.entries.map(\.wanted) == [2, 2, 2])
      #expect(table.entries.map(\.paused) == ids.map { Optional("job \($0)") })
    }
  }

  @Test func `a request made after the clock stopped waits for the next stop`() {
    var table = RequestTable()
    table.take(Self.sent("1.1"))
    // The browser stops it before the clock stops, and the page reports it afterwards.
    table.take(Self.paused("1.2"))
    table.see(at: 1)
    table.take(Self.sent("1.2"))
    #expect(table.entries.map(\.wanted) == [1, nil])
    table.see(at: 2)
    #expect(table.entries.map(\.wanted) == [1, 2])
  }

  @Test func `a request that no process reports is answered in the end`() {
    var table = RequestTable()
    table.take(Self.paused("1.1"))
    for stop in 1...4 { table.see(at: Double(stop)) }
    #expect(table.entries.first?.wanted == 4)
  }

  @Test func `an answered request is open until it has arrived`() throws {
    var table = RequestTable()
    for event in [Self.sent("1.1"), Self.paused("1.1")] { table.take(event) }
    table.see(at: 0)
    table.answered(try #require(table.entries.first))
    #expect(table.entries.isEmpty)
    #expect(!table.isEmpty)
    table.take(Self.ended("1.1"))
    #expect(table.isEmpty)
  }

  @Test func `a request that has ended is not opened by a late report or awaited after an answer`()
    throws
  {
    var table = RequestTable()
    for event in [Self.sent("1.1"), Self.ended("1.1"), Self.paused("1.1")] { table.take(event) }
    #expect(table.isEmpty)
    for event in [Self.sent("1.2"), Self.paused("1.2")] { table.take(event) }
    table.answered(try #require(table.entries.first))
    table.end("1.2")
    #expect(table.isEmpty)
  }

  @Test func `a redirected request is asked again, and its first answer is not awaited`() throws {
    var table = RequestTable()
    for event in [Self.sent("1.1"), Self.paused("1.1")] { table.take(event) }
    table.answered(try #require(table.entries.first))
    var again = Self.sent("1.1", to: "https://v.test/b")
    again.body["redirectResponse"] = ["status": 301]
    table.take(again)
    #expect(table.arriving.isEmpty)
    #expect(table.entries.map(\.url) == ["https://v.test/b"])
  }

  @Test func `a cancelled request is no longer open, and data is not a request`() {
    var table = RequestTable()
    for event in [Self.sent("1.1"), Self.paused("1.1"), Self.ended("1.1")] { table.take(event) }
    table.take(Self.sent("1.2", to: "data:,"))
    #expect(table.isEmpty)
  }
}
