import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomLaws

@testable import ZoomViewers

extension HeadlessPageTests {
  @Test func `two cases that are played at once give the looks of one after the other`()
    async throws
  {
    let viewer = try Self.viewer("both")
    defer { viewer.close() }
    let cases = try [TileScheme.plain, TileScheme(.dzi, 128, overlap: 1)].map {
      ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: $0)
    }
    let alone = try cases.map { try viewer.play($0, fresh: true) }
    async let first = viewer.play(cases[0], fresh: true)
    async let second = viewer.play(cases[1], fresh: true)
    for (play, expected) in zip(try await [first, second], alone) {
      #expect(play.ending == .alive)
      #expect(play.looks == expected.looks && play.requests == expected.requests)
    }
  }

  @Test(
    arguments: [
      // Some intervals are whole numbers of steps, also of those between two screenshots.
      ("setInterval(draw, 80)", 0...1), ("setInterval(draw, 112)", 0...1),
      ("setInterval(draw, 224)", 0...1), ("setInterval(draw, 319)", 0...1),
      (
        """
        const turn = now => { draw(); if (now < 250) requestAnimationFrame(turn) }
        requestAnimationFrame(turn)
        setTimeout(() => paint.clearRect(0, 0, 50, 50), 400)
        """, 0.35...0.6
      ),
    ] as [(String, ClosedRange<Double>)])
  func `a page that draws the same again and again is at rest once nothing else changes`(
    script: String, rest: ClosedRange<Double>
  ) throws {
    let page = """
      <!doctype html><canvas></canvas><script>
      const paint = document.querySelector('canvas').getContext('2d')
      const draw = () => paint.fillRect(0, 0, 50, 50)
      \(script)
      </script>
      """
    let folder = try TestFolder()
    try folder.write(Array(page.utf8), as: "index.html")
    let entry = try ViewerEntry("draws", page: folder.path.string)
    let gesture = try Self.gesture(ratio: 1)
    let opened = try VirtualPage(try #require(browser), entry, on: gesture.script.screen)
    let server = TileServer(
      ViewerCase(gesture: gesture, tiles: .plain), of: entry,
      [ViewerPicture(card: gesture.picture)])
    opened.server = server
    try opened.open(server.address)
    let found = try #require(try opened.settle(limit: 5))
    #expect(rest.contains(found), "\(found)")
  }

  @Test(arguments: [
    ("", "never asked for …/card.dzi"), ("nothing()", "nothing is not defined (index.html:3)"),
    ("new Image().src = new URLSearchParams(location.search).get('picture')", "as an image"),
  ])
  func `a page that shows nothing is not tried, and the reason is named`(
    script: String, says: String
  ) throws {
    let folder = try TestFolder()
    let page = "<!doctype html>\n<script>\n\(script)\n</script>"
    try folder.write(Array(page.utf8), as: "index.html")
    let viewer = WebViewer(
      try ViewerEntry("blank", page: folder.path.string), schemes: [TileScheme(.dzi, 128)],
      browser: try #require(browser))
    defer { viewer.close() }
    let failure = #expect(throws: ViewerFailure.self) { try viewer.traits() }
    #expect(failure?.description.contains(says) == true, "\(failure?.description ?? "")")
  }

  @Test(arguments: [
    ("for (;;) {}", ViewerPlay.Ending.hung), ("location.href = 'chrome://crash'", .alive),
  ])
  func `a page that hangs in a gesture is a play's ending`(
    script: String, ending: ViewerPlay.Ending
  ) throws {
    let viewer = try Self.viewer(
      "ends", adding: "addEventListener('pointerdown', () => { \(script) })")
    defer { viewer.close() }
    let each = ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: .plain)
    #expect(try viewer.play(each).ending == ending)
  }
}
