internal import Foundation
package import ZoomGeometry
package import ZoomLaws

/// A look of a play with its screenshot, for a film.
package typealias FilmFrame = (look: ViewerLook, png: [UInt8])

/// A page with an image viewer, played in a headless browser.
// `turn` guards all mutable state; the browsers and their pages are used by the thread that holds it.
package final class WebViewer: @unchecked Sendable {
  let entry: ViewerEntry
  let schemes: [TileScheme]
  private let command: BrowserCommand
  private let turn = NSLock()
  /// The browsers that wait for a play, the last one used last.
  private var browsers: [VirtualPage] = []
  private var readers: [String: SightReader] = [:]
  private var plays: [ViewerCase: ViewerPlay] = [:]

  /// The most browsers, of up to 300 MB each, and the most readers and plays that are kept.
  private static let (mostBrowsers, mostReaders, mostPlays) = (3, 8, 256)

  /// Creates a viewer; the first scheme is used for measuring traits.
  package init(_ entry: ViewerEntry, schemes: [TileScheme], browser: BrowserCommand) {
    precondition(!schemes.isEmpty, "a viewer needs a scheme")
    (self.entry, self.schemes, command) = (entry, schemes, browser)
  }

  /// Plays a case, or returns the numbers of an equal case that was played before.
  ///
  /// With `recording`, which takes each look, or with `fresh`, in a new browser, a known case is played again.
  /// With `isBrief`, only views at rest are looked at, and the play is not kept. A page that crashes or hangs during
  /// the script is the play's ending, not an error.
  package func play(
    _ each: ViewerCase, recording: ((FilmFrame) -> Void)? = nil, fresh: Bool = false,
    isBrief: Bool = false
  ) throws(ViewerFailure) -> ViewerPlay {
    turn.lock()
    defer { turn.unlock() }
    if !fresh, recording == nil, let known = plays[each] { return known }
    let page = try waitingPage(for: each.gesture.script.screen, fresh: fresh)
    let reader = reader(of: each)
    var run = CaseRun(
      each: each, page: page,
      server: TileServer(
        each, of: entry, [reader.picture] + (each.isSecondPicture ? [reader.former] : [])),
      reader: reader, recording: recording, isBrief: isBrief)
    let played = try run.perform()
    // A browser is not used again after a failure.
    if played.ending == .alive { browsers.append(page) }
    if plays.count == Self.mostPlays { plays = [:] }
    if !isBrief { plays[each] = played }
    return played
  }

  /// Returns the peak resident memory of the page's process in bytes; nil if it is unknown.
  package func rendererMemory() -> UInt64? {
    turn.lock()
    defer { turn.unlock() }
    return try? browsers.last?.rendererMemory()
  }

  package func traits(fresh: Bool = false) throws(ViewerFailure) -> ViewerTraits {
    let measurement = TraitMeasurement(
      scheme: schemes[0],
      play: { (each) throws(ViewerFailure) in
        try self.play(each, fresh: fresh, isBrief: true)
      })
    return try measurement.traits()
  }

  package func subject(
    ratios: [Double], sizes: [PixelSize]
  ) throws(ViewerFailure) -> ViewerSubject {
    @Sendable func played(_ each: ViewerCase, fresh: Bool) throws -> ViewerPlay {
      do { return try play(each, fresh: fresh) } catch {
        if error == .cancelled { throw CancellationError() }
        throw error
      }
    }
    return ViewerSubject(
      entry.name, traits: try traits(), kinds: schemes, ratios: ratios, sizes: sizes,
      play: { try played($0, fresh: false) }, playFresh: { try played($0, fresh: true) })
  }

  package func close() {
    turn.lock()
    defer { turn.unlock() }
    browsers = []
  }

  /// Returns a page for a screen, of a waiting browser if there is one, and otherwise of a new browser.
  private func waitingPage(for screen: Screen, fresh: Bool) throws(ViewerFailure) -> VirtualPage {
    let index = browsers.firstIndex { $0.ratio == screen.scale }
    let page = index.map { browsers.remove(at: $0) }
    if !fresh, let page {
      try page.resize(to: screen.size)
      return page
    }
    if browsers.count == Self.mostBrowsers { browsers.removeFirst() }
    return try VirtualPage(command, entry, on: screen)
  }

  private func reader(of each: ViewerCase) -> SightReader {
    let (size, isTransparent) = (each.gesture.picture, each.isTransparent)
    let key = "\(size) \(isTransparent)"
    if let known = readers[key] { return known }
    if readers.count == Self.mostReaders { readers = [:] }
    let reader = SightReader(ViewerPicture(card: size, alpha: isTransparent ? 128 : 255))
    readers[key] = reader
    return reader
  }

  /// The sizes of pictures in laws: odd sides, both formats, and powers of two.
  package static let sizes = [
    TileService.size(1501, 1003), TileService.size(701, 1097), TileService.size(512, 1024),
  ]

  /// The device pixel ratios in laws; the first is the simplest.
  package static let ratios = [1, 1.25, 1.5, 2, 3]
}

extension TileScheme {
  /// The schemes that laws try of each kind.
  ///
  /// Sides differ from 256 where a scheme states them, so that a viewer has to read them.
  package static let tried = [
    plain, TileScheme(.dzi, 128, overlap: 1), TileScheme(.dzi, 250), TileScheme(.iiif2, 256),
    TileScheme(.iiif1, 128), TileScheme(.iiif0, 128), TileScheme(.zoomify, 256),
    TileScheme(.xyz, 256),
  ]
}
