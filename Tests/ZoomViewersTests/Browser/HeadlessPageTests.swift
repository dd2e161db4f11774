import Foundation
import PropertyTesting
import ReferenceViewer
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLaws
@testable import ZoomViewers

/// The browser of the tests; nil where none is installed, and unless ci/viewers asks for these tests.
let browser =
  ProcessInfo.processInfo.environment["ZOOMBENCH_BROWSER_TESTS"] == nil
  ? nil : try? BrowserCommand.find(nil)

/// Tests in a real browser, which take six minutes.
@Suite(.serialized, .enabled(if: browser != nil))
struct HeadlessPageTests {
  /// Returns the reference viewer, with a script that logs the page's events and frames.
  static func viewer(
    _ name: String, adding script: String = "", replacing changes: [String: String] = [:]
  ) throws -> WebViewer {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("\(name).html")
    let adding = ["'use strict'": "'use strict'\n\(script)"]
    let page = changes.merging(adding) { $1 }.reduce(ReferenceViewer.page) {
      $0.replacing($1.key, with: $1.value)
    }
    try Data(page.utf8).write(to: file)
    return WebViewer(
      try ViewerEntry(name, page: file.path), schemes: [TileScheme(.dzi, 128, overlap: 1), .plain],
      browser: try #require(browser))
  }

  /// A pinch, a drag with a flick and a turn of the wheel: 75 frames.
  static func gesture(ratio: Double) throws -> GestureCase {
    let (one, two) = (ViewPoint(x: 150, y: 200), ViewPoint(x: 220, y: 300))
    let pinch = GestureAction.PinchPath(
      from: one, to: two, arm: ViewPoint(x: 40, y: 10), endArm: ViewPoint(x: 70, y: -30), steps: 20)
    let actions = [
      GestureAction(after: 0.1, .pinch(pinch)),
      GestureAction(after: 0.2, .pan(finger: 0, from: two, to: one, steps: 15)),
      GestureAction(after: GestureWriter.sampling, .lift([0])),
      GestureAction(after: 0.1, .wheel(at: one, steps: [-100, 40])),
    ]
    let screen = try Screen(size: ViewSize(width: 364, height: 484), scale: ratio)
    return GestureCase(
      script: try GestureScript(screen: screen, events: GestureWriter.events(of: actions)),
      picture: try PixelSize(width: 1501, height: 1003))
  }

  private static let log = """
    const told = []
    for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'wheel'])
      addEventListener(kind, event => told.push([
        event.timeStamp, kind, event.pageX, event.pageY, event.getCoalescedEvents?.().length,
      ].join(' ')), true)
    window.told = told
    """

  /// An event that reached the page, with its time in milliseconds.
  private struct Told {
    let time: Double
    let what: Substring

    init?(_ line: Substring) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let time = Double(parts[0]) else { return nil }
      (self.time, what) = (time, parts[1])
    }
  }

  @Test(arguments: [1, 1.25, 3.0])
  func `the same script gives the same looks, requests and last frame ten times`(
    ratio: Double
  ) throws {
    let viewer = try Self.viewer("same")
    defer { viewer.close() }
    let each = ViewerCase(
      gesture: try Self.gesture(ratio: ratio), tiles: TileScheme(.dzi, 128, overlap: 1))
    let first = try viewer.play(each, fresh: true)
    #expect(first.ending == .alive && first.errors.isEmpty)
    #expect(first.restAfter != nil)
    for run in 2...10 {
      let play = try viewer.play(each, fresh: run.isMultiple(of: 2))
      #expect(play.looks.last?.digest == first.looks.last?.digest, "run \(run)")
      #expect(play.looks == first.looks, "run \(run)")
      #expect(play.requests == first.requests, "run \(run)")
    }
  }

  @Test func `the page is told the same events at the same times`() throws {
    let viewer = try Self.viewer("told", adding: Self.log)
    let size = ViewSize(width: 364, height: 484)
    func newPage() throws -> VirtualPage {
      try VirtualPage(try #require(browser), viewer.entry, on: try Screen(size: size))
    }
    var page = try newPage()
    let gesture = try Self.gesture(ratio: 1)
    let picture = ViewerPicture(card: gesture.picture)
    let each = ViewerCase(gesture: gesture, tiles: .plain)
    var first: [Told] = []
    for run in 1...10 {
      if run.isMultiple(of: 2) { page = try newPage() }
      let server = TileServer(each, of: viewer.entry, [picture])
      page.server = server
      try page.open(server.address)
      _ = try page.settle(limit: 5)
      let start = page.time
      for event in gesture.script.events {
        while page.time - start < event.time - 1e-5 { try page.step() }
        try page.input(event)
        try page.step()
      }
      #expect(try page.settle(limit: 5) != nil)
      let lines = try page.evaluate("told.join('\\n')") as? String ?? ""
      let told = lines.split(separator: "\n").compactMap { Told($0) }
      if first.isEmpty { first = told }
      #expect(told.map(\.what) == first.map(\.what), "run \(run)")
      for (one, other) in zip(told, first) {
        // The page may be ready a frame later, and an event may wait for the next frame.
        let late = (one.time - told[0].time) - (other.time - first[0].time)
        #expect(abs(late) <= 2 * 16.001, "run \(run): \(one)")
      }
    }
    #expect(first.count > 50)
  }

  @Test func `the registered place is the one that the page reports`() async throws {
    let viewer = try Self.viewer("places")
    defer { viewer.close() }
    let size = try PixelSize(width: 1501, height: 1003)
    let subject = try viewer.subject(ratios: [1, 1.25, 3], sizes: [size])
    var settings = PropertySettings(cases: 40, seed: 1)
    settings.caseTimeLimit = nil
    settings.suppressing = [.tooSlow]
    nonisolated(unsafe) var errors: [(px: Double, place: ShownPlace)] = []
    let report = await Property.check(
      "places", subject.views(), settings: settings
    ) { each, _ in
      let play = try viewer.play(each)
      // Between events, a page may report what it draws in the next frame.
      for look in play.looks where look.isSettled {
        guard let state = look.reported, state.scale <= 4, let place = look.sight.place else {
          continue
        }
        let (ratio, screen) = (each.gesture.script.screen.scale, each.gesture.script.screen.size)
        let middle = ViewPoint(x: screen.width / 2, y: screen.height / 2)
        let corner = middle - state.centre.scaled(by: state.scale)
        // At 1:1, the reference viewer draws on whole device pixels.
        let isWhole = abs(state.scale * ratio - 1) < 1e-6
        func drawn(_ offset: Double) -> Double {
          isWhole ? (offset * ratio + 0.5).rounded(.down) / ratio : offset
        }
        let truth = Affine.scale(state.scale).then(
          .translation(x: drawn(corner.x), y: drawn(corner.y)))
        // The corners of the visible part.
        let shown = truth.boundingBox(
          of: ViewRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
        for x in [max(0, shown.x), min(screen.width, shown.maxX)] {
          for y in [max(0, shown.y), min(screen.height, shown.maxY)] {
            let point = ViewPoint(x: x, y: y)
            guard let content = truth.inverted()?.apply(to: point) else { continue }
            let off = place.toScreen.apply(to: content).distance(to: point) * ratio
            errors.append((off, state))
          }
        }
      }
    }
    #expect(report.failures.isEmpty)
    let sorted = errors.map(\.px).sorted()
    try #require(sorted.count > 100)
    let worst = try #require(errors.max { $0.px < $1.px })
    #expect(worst.px <= 0.05, "\(worst), median \(sorted[sorted.count / 2])")
  }

  @Test func `a page that draws for ever is at rest only after it has loaded what it waits for`()
    throws
  {
    let viewer = try Self.viewer(
      "draws",
      adding: """
        const turn = () => { redraw(); requestAnimationFrame(turn) }
        addEventListener('load', turn)
        addEventListener('wheel', () => setTimeout(() => fetch('late.js'), 250))
        """, replacing: ["source !== null && !frame &&": "source !== null &&"])
    defer { viewer.close() }
    let each = ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: .plain)
    #expect(try viewer.play(each).restAfter ?? 0 > 0.2)
  }

  @Test func `a worker that ends while it decodes does not keep the page from rest`() throws {
    let viewer = try Self.viewer(
      "worker",
      adding: """
        const code = 'zoombenchTell("+"); postMessage(1)'
        const worker = new Worker(URL.createObjectURL(new Blob([code])))
        worker.onmessage = () => worker.terminate()
        """)
    defer { viewer.close() }
    let each = ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: .plain)
    #expect(try viewer.play(each).restAfter != nil)
  }

  @Test func `nothing is left of what an earlier case has stored`() throws {
    let viewer = try Self.viewer(
      "stores",
      adding: """
        const old = localStorage.old || sessionStorage.old || document.cookie
        if (old) setTimeout(() => { throw new Error('stored') })
        localStorage.old = sessionStorage.old = 1
        document.cookie = 'old=1'
        addEventListener('pagehide', () => { localStorage.old = 1 })
        """)
    defer { viewer.close() }
    let each = ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: .plain)
    for _ in 1...2 { #expect(try viewer.play(each, isBrief: true).errors == []) }
  }

  @Test(arguments: ["state", "show"])
  func `an exception in the adapter is an error of the page`(part: String) throws {
    let viewer = try Self.viewer(
      "throws",
      adding: """
        addEventListener('load', () => { zoombench.\(part) = () => { throw new Error('planted') } })
        """)
    defer { viewer.close() }
    let show = ShownPlace(centre: ViewPoint(x: 700, y: 500), scale: 1)
    let play = try viewer.play(
      ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: .plain, show: show))
    #expect(play.ending == .alive && play.restAfter != nil)
    #expect(play.errors.first?.contains("planted") == true)
  }

  @Test func `a rejection is an error, but not a stopped request or a refused service worker`()
    throws
  {
    let viewer = try Self.viewer(
      "rejects",
      adding: """
        Promise.reject(new DOMException('stopped', 'AbortError'))
        navigator.serviceWorker.register('sw.js')
        Promise.reject(new Error('planted'))
        """)
    defer { viewer.close() }
    let each = ViewerCase(gesture: try Self.gesture(ratio: 1), tiles: .plain)
    #expect(try viewer.play(each).errors == ["planted"])
  }

  @Test func `a finger that moves after a rest is seen at once`() throws {
    let viewer = try Self.viewer(
      "late",
      adding: """
        for (const kind of ['touchstart', 'touchmove', 'touchend'])
          addEventListener(kind, event => {
            event.preventDefault()
            const late = performance.now() - event.timeStamp
            // A first touch may come with the second frame.
            if (late > 40) throw Error(`${kind} ${late} ms late`)
          }, { passive: false })
        """)
    defer { viewer.close() }
    let places = [150.0, 190, 140, 180].map { ViewPoint(x: $0, y: 200) }
    let actions =
      places.map { GestureAction(after: 1, .touch(finger: 0, at: $0, force: 0)) }
      + [GestureAction(after: 1, .lift([0]))]
    var gesture = try Self.gesture(ratio: 1)
    gesture.script = try GestureScript(
      screen: gesture.script.screen, events: GestureWriter.events(of: actions))
    #expect(try viewer.play(ViewerCase(gesture: gesture, tiles: .plain)).errors == [])
  }

  @Test(arguments: ["wheel", "pointerdown"])
  func `a page that hangs on a gesture counts as following it`(event: String) throws {
    let viewer = try Self.viewer(
      "hangs", adding: "addEventListener('\(event)', () => { for (;;) {} })")
    defer { viewer.close() }
    let traits = try viewer.traits()
    #expect(traits.wheelFactor != nil && traits.pinches)
  }

  @Test func `the limits of scale are the last ones at which the picture is recognised`() throws {
    let viewer = try Self.viewer(
      "endless",
      replacing: [
        "[Math.min(fit(), view.scale), Math.max(2, 4 * fit(), view.scale)]": "[1e-4, 1e4]"
      ])
    defer { viewer.close() }
    let traits = try viewer.traits()
    #expect(traits.scales.lowerBound < traits.fitScale / 1.4)
    #expect(traits.scales.upperBound > traits.fitScale * 1.4)
  }
}
