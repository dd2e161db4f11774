import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomViewers

struct ViewerEntryTests {
  private static func service() throws -> TileService {
    let picture = ViewerPicture(card: try PixelSize(width: 40, height: 30))
    return TileService(
      picture, TileScheme(.dzi, 16), base: "https://v.test/p/")
  }

  @Test func `a page is told the picture by a placeholder or by its query`() throws {
    let service = try Self.service()
    let placed = try ViewerEntry("a", page: "http://localhost:3000/#{picture}")
    #expect(placed.address(of: service) == "http://localhost:3000/#https://v.test/p/card.dzi")
    #expect(placed.origin == "http://localhost:3000")
    #expect(placed.hosts == ["localhost"])
    #expect(placed.answer(to: "http://localhost:3000/a.js") == .network)
    #expect(placed.answer(to: "http://localhost:30001/a.js") != .network)
    let asked = try ViewerEntry("a", page: "http://localhost/?x=1#top")
    #expect(
      asked.address(of: service)
        == "http://localhost/?x=1&picture=https://v.test/p/card.dzi&kind=dzi&width=40&height=30"
        + "&tile=16#top")
  }

  @Test(arguments: [
    ("http://LocalHost:80/View.html", "http://localhost"),
    ("https://localhost:443/?a=1", "https://localhost"), ("https://[::1]:80", "https://[::1]:80"),
    ("http://localhost:08080/", "http://localhost:8080"), ("http://localhost:", "http://localhost"),
  ])
  func `an address is that of the requests that a browser makes for it`(
    page: String, origin: String
  ) throws {
    let entry = try ViewerEntry("a", page: page)
    #expect(entry.origin == origin)
    #expect(entry.hosts == [origin.contains("[") ? "[::1]" : "localhost"])
    #expect(entry.answer(to: origin + "/View.html") == .network)
    #expect(entry.address(of: try Self.service()).hasPrefix(page))
  }

  @Test func `files of a page come from its folder and from nowhere else`() throws {
    let (folder, other) = (try TestFolder(), try TestFolder())
    try folder.write(Array("<p>".utf8), as: "index.html")
    try folder.write([1, 2], as: "a b.js")
    let secret = try other.write([3], as: "secret")
    try symlink(secret, folder.path.appending("link"))
    let page = try ViewerEntry("a", page: folder.path.string)
    let address = page.address(of: try Self.service())
    #expect(address.hasPrefix("https://v.test/page/index.html?picture="))
    let script = PageResponse(status: 200, type: "text/javascript", body: [1, 2])
    #expect(page.answer(to: "https://v.test/page/a%20b.js?v=2") == .now(script))
    let name = try #require(other.path.lastComponent)
    for bad in ["link", "../\(name)/secret", "none", "%00", ""] {
      guard case .now(let response) = page.answer(to: "https://v.test/page/\(bad)") else {
        Issue.record("\(bad) is not answered")
        continue
      }
      #expect(response.status == 404, "\(bad)")
    }
  }

  @Test func `a page that does not exist is refused`() {
    for page in ["/nonexistent/page.html", "http://", "https:///a"] {
      let reason = "\(page) cannot be read (name an HTML file or an address)"
      let failure = ViewerFailure.pageFailed(reason)
      #expect(throws: failure) { try ViewerEntry("a", page: page) }
      #expect(failure.description == "the page cannot be tested: \(reason)")
    }
  }

  @Test func `a folder without a page says so`() throws {
    let folder = try TestFolder()
    let reason = "\(folder.path) has no index.html (name an HTML file or an address)"
    #expect(throws: ViewerFailure.pageFailed(reason)) {
      try ViewerEntry("a", page: folder.path.string)
    }
  }

  @Test(arguments: ["user", "user:word", "a:b@c", ":"])
  func `an address with a password is refused, and only its host is named`(user: String) {
    let page = "http://\(user)@localhost:80/?a=1"
    let reason = "results would show the user name or password for localhost:80 (leave it out)"
    #expect(throws: ViewerFailure.pageFailed(reason)) { try ViewerEntry("a", page: page) }
    #expect(throws: Never.self) { try ViewerEntry("a", page: "http://localhost/@a?b@c") }
  }

  private func symlink(_ target: FilePath, _ link: FilePath) throws {
    try FileManager.default.createSymbolicLink(
      atPath: link.string, withDestinationPath: target.string)
  }
}
