import PropertyTesting
import SystemPackage
import Testing

@testable import ZoomPipeline

/// The model that merges requests, and the cache of what they brought.
@Suite struct RequestPlanTests {
  private func plan(
    _ wanted: [Range<Int>], latency: Double = 0.05, lanes: Int = 32,
    canFetch: (Range<Int>) -> Bool = { _ in true }
  ) -> [Range<Int>] {
    RequestPlan.requests(
      for: wanted, over: RequestPlan.Link(latency: latency, bandwidth: 2.5e6, lanes: lanes),
      canFetch: canFetch)
  }

  @Test func `with enough lanes, near ranges share a request and far ones do not`() {
    let wanted = [0..<500, 700..<900, 100_000..<100_500]
    #expect(plan(wanted) == [0..<900, 100_000..<100_500])
    #expect(plan([]) == [])
    #expect(plan([5..<6]) == [5..<6])
  }

  @Test func `with one lane, a gap costs less than a round trip`() {
    let wanted = [0..<500, 100_000..<100_500, 900_000..<900_500]
    #expect(plan(wanted, lanes: 1) == [0..<100_500, 900_000..<900_500])
  }

  @Test func `gaps with bytes that are held are never fetched`() {
    let wanted = (0..<20).map { $0 * 10..<$0 * 10 + 5 }
    #expect(plan(wanted, lanes: 1) { !$0.contains(57) }.count == 2)
  }

  @Test func `requests cover what is wanted, in order and apart`() {
    var numbers = SplitMix64(seed: 4)
    for _ in 0..<300 {
      var place = 0
      let wanted = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
        place += Int.random(in: 1...50_000, using: &numbers)
        defer { place += 300 }
        return place..<place + 300
      }
      let lanes = Int.random(in: 1...40, using: &numbers)
      let requests = plan(wanted, lanes: lanes)
      #expect(wanted.allSatisfy { range in requests.contains { $0.contains(range) } })
      #expect(zip(requests, requests.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      #expect(requests.count <= wanted.count)
    }
  }

  @Test func `a cache returns what was put in, and lacks the rest`() {
    let file = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var numbers = SplitMix64(seed: 11)
    var cache = PieceCache(limit: 4_000)
    for _ in 0..<2_000 {
      let start = Int.random(in: 0..<file.count, using: &numbers)
      let range = start..<min(file.count, start + Int.random(in: 1...900, using: &numbers))
      let missing = cache.missing(in: range)
      #expect(cache.lacksAll(of: range) == (missing == [range]))
      #expect(missing.allSatisfy { !$0.isEmpty && range.contains($0) })
      if Bool.random(using: &numbers) {
        cache.insert(missing.map { ($0.lowerBound, Array(file[$0])) }, keeping: [range])
        #expect(cache.missing(in: range).isEmpty)
      }
      // One read may touch its own bytes and two longer pieces.
      #expect(cache.byteCount <= 4_000 + 3 * 900)
      var bytes = [UInt8](repeating: 0, count: range.count)
      let isHeld = bytes.withUnsafeMutableBytes { cache.copy(range, into: $0) }
      #expect(isHeld == cache.missing(in: range).isEmpty)
      if isHeld { #expect(bytes == Array(file[range])) }
    }
  }

  @Test func `dates of HTTP are seconds since 1970`() {
    #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    #expect(HTTPDate.seconds("Thu, 29 Feb 2024 23:59:59 GMT") == 1_709_251_199)
    for text in [
      "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 1994 08:zz:49:37 GMT", "Sun, 06 Nov 1994 08::49:37 GMT",
    ] {
      #expect(HTTPDate.seconds(text) == nil, "\(text)")
    }
  }

  @Test func `an address's name has no secrets`() throws {
    let address = try #require(RemoteAddress("HTTPS://me:word@Host.example:8443/a/b.jpg?sig=1#x"))
    #expect(address.text == "https://me:word@Host.example:8443/a/b.jpg?sig=1")
    #expect(address.name == "https://host.example:8443/a/b.jpg")
    #expect(RemoteAddress.isName(address.path))
    #expect(RemoteAddress.text(of: address.path) == address.name)
    #expect(
      address.appending(".zidx")?.text == "https://me:word@Host.example:8443/a/b.jpg.zidx?sig=1")
    #expect(RemoteAddress("https://host/ä.jpg")?.text == "https://host/%C3%A4.jpg")
    #expect(
      RemoteAddress("https://host/my photo.jpg?a=b c")?.text
        == "https://host/my%20photo.jpg?a=b%20c")
    #expect(RemoteAddress("http://[::1]:80/a")?.name == "http://[::1]:80/a")
    for text in [
      "", "https://", "http:///a", "ftp://host/a", "https://host/a\tb", "https://ho st/a", "a.jpg",
    ] {
      #expect(RemoteAddress(text) == nil, "\(text)")
    }
    // The password has a slash or another delimiter, which had to be percent-encoded.
    for text in ["pa/ss", "/ss", "pa?ss", "pa#ss", "70000/ss", "+8/ss"] {
      #expect(RemoteAddress("https://me:\(text)@host/a.jpg") == nil, "\(text)")
    }
    for path in ["/https:/a", "https:", "photo.jpg", "a/https:/b"] as [FilePath] {
      #expect(!RemoteAddress.isName(path), "\(path)")
    }
  }

  @Test func `a server has a scheme, a host and a port`() {
    let book = RemoteAddressBook()
    for text in ["http://h/a", "http://me:word@H:80/b?x=1", "http://[::1]/a", "https://h/a"] {
      #expect(book.add(text) != nil, "\(text)")
    }
    #expect(book.servers == ["http://h:80", "http://[::1]:80", "https://h:443"])
    #expect(RemoteAddress("http://[::1]:8080/a")?.server == "http://[::1]:8080")
  }

  @Test func `addresses that differ in their query have different names`() throws {
    let book = RemoteAddressBook()
    let names = ["https://h/a?x=1", "https://h/a?x=2", "https://h/a?x=1"].map { book.add($0) }
    #expect(names == ["https://h/a", "https://h/a#2", "https://h/a"])
    #expect(book.address(of: "https://h/a#2")?.text == "https://h/a?x=2")
    #expect(book.address(of: "https://h/b")?.text == "https://h/b")
    #expect(
      RemoteAddressBook(entries: book.entries).address(of: "https://h/a#2")?.text
        == "https://h/a?x=2")
    #expect(book.add("photo.jpg") == nil)
  }

  @Test func `a Content-Range is read strictly`() throws {
    func parsed(_ text: String) -> (range: Range<Int>?, length: Int?)? {
      RangeCheck.contentRange(["content-range": text])
    }
    let whole = try #require(parsed("bytes 0-99/1234"))
    #expect(whole.range == 0..<100 && whole.length == 1234)
    let open = try #require(parsed("bytes 5-5/*"))
    #expect(open.range == 5..<6 && open.length == nil)
    let none = try #require(parsed("bytes */77"))
    #expect(none.range == nil && none.length == 77)
    for text in [
      "bytes 9-8/100", "bytes 0-99", "bytes -9/100", "bytes */*", "rows 0-1/2", "bytes 0-1/2/3",
      "bytes +1-2/3", "bytes 0-9999999999999999/1", "",
    ] {
      #expect(parsed(text) == nil, "\(text)")
    }
  }
}
