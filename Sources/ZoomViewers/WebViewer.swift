internal import Synchronization
package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// A frame of a play, for a film.
package struct FilmFrame: Sendable {
  /// The time in seconds of the script.
  let time: Double
  let png: [UInt8]
  /// The look at it, if there was one.
  let look: ViewerLook?
  /// The number of events of the script before it.
  let eventsSoFar: Int
}

/// The values used last, the latest one at the end.
private struct Recent<Key: Equatable, Value> {
  let limit: Int
  private(set) var entries: [(key: Key, value: Value)] = []

  /// Returns the value of a key, which counts as a use.
  mutating func value(of key: Key) -> Value? {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    entries.append(entries.remove(at: index))
    return entries.last?.value
  }

  mutating func add(_ value: Value, for key: Key) {
    remove(key)
    if entries.count == limit { entries.removeFirst() }
    entries.append((key, value))
  }

  mutating func remove(_ key: Key) { entries.removeAll { $0.key == key } }
}

/// A page with an image viewer, played in a headless browser.
// `turn` guards all mutable state; the browsers and their pages are used by the thread that holds it.
package final class WebViewer: @unchecked Sendable {
  /// A function that makes a picture of a size with a content, or, without one, the card of another seed.
  package typealias Painter =
    @Sendable (PixelSize, ViewerCase.Content?) throws(PipelineError) -> ViewerPicture

  private struct PictureKey: Equatable {
    let size: PixelSize
    let content: ViewerCase.Content?
  }

  private struct ReaderKey: Equatable {
    let picture: PictureKey
    let isSecondPicture: Bool
  }

  let name: String
  let entry: ViewerEntry
  let schemes: [TileScheme]
  private let limits: PictureLimits
  private let command: BrowserCommand
  private let painter: Painter
  private let turn = Mutex<Void>(())
  /// The browsers by their device pixel ratios; each takes up to 300 MB, and ends when it is dropped.
  private var browsers = Recent<Double, VirtualPage>(limit: 3)
  private var pictures = Recent<PictureKey, ViewerPicture>(limit: 8)
  private var readers = Recent<ReaderKey, SightReader>(limit: 8)
  private var plays = Recent<ViewerCase, ViewerPlay>(limit: 256)
  private var measured: ViewerTraits?
  /// The frames of the last play that was not known before, without screenshots.
  private var frames: [VirtualPage.StepResult] = []
  /// The functions of the page's adapter, once it has been opened.
  private(set) var adapter: Set<ViewerTraits.AdapterPart> = []

  /// Creates a viewer; the browser is started by the first play.
  ///
  /// There must be a scheme: the first is used for measuring traits. The limits are those for screenshots.
  package init(
    _ entry: ViewerEntry, schemes: [TileScheme], browser: BrowserCommand,
    limits: PictureLimits = .standard, pictures painter: @escaping Painter
  ) {
    precondition(!schemes.isEmpty, "a viewer needs a scheme")
    (self.entry, name, self.schemes) = (entry, entry.name, schemes)
    (command, self.limits, self.painter) = (browser, limits, painter)
  }

  /// Plays a case, or returns the numbers of an equal case that was played before.
  ///
  /// With `recording`, which takes each frame with its screenshot, a play is ten times slower. With `fresh`,
  /// it is in a new browser context. Both play a known case again. A page that crashes or hangs during the
  /// script is the play's ending, not an error.
  package func play(
    _ each: ViewerCase, recording: ((FilmFrame) -> Void)? = nil, fresh: Bool = false
  ) throws(ViewerFailure) -> ViewerPlay {
    try turn.withLock { _ throws(ViewerFailure) -> ViewerPlay in
      try playInTurn(each, recording: recording, fresh: fresh)
    }
  }

  /// Plays a case, even if its numbers are known, and returns its frames as well; their times are
  /// negative while the page opens.
  package func timed(
    _ each: ViewerCase
  ) throws(ViewerFailure) -> (play: ViewerPlay, frames: [VirtualPage.StepResult]) {
    try turn.withLock {
      _ throws(ViewerFailure) -> (play: ViewerPlay, frames: [VirtualPage.StepResult]) in
      plays.remove(each)
      return (try playInTurn(each), frames)
    }
  }

  /// Returns the peak resident memory of the page's process in bytes; nil if it is unknown.
  package func rendererMemory() -> UInt64? {
    turn.withLock { _ in try? browsers.entries.last?.value.rendererMemory() }
  }

  /// Returns the viewer's traits, which the first call measures; see `WebViewer+Traits.swift`.
  package func traits() throws(ViewerFailure) -> ViewerTraits {
    try turn.withLock { _ throws(ViewerFailure) -> ViewerTraits in
      if let measured { return measured }
      let traits = try measureTraits()
      measured = traits
      return traits
    }
  }

  /// Returns the viewer as a subject of laws.
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
      name, traits: try traits(), kinds: schemes, ratios: ratios, sizes: sizes,
      play: { try played($0, fresh: false) }, playFresh: { try played($0, fresh: true) })
  }

  /// Ends its browsers.
  package func close() {
    turn.withLock { _ in browsers = Recent(limit: browsers.limit) }
  }

  /// Plays a case for a caller that holds the turn; a brief play is not kept.
  func playInTurn(
    _ each: ViewerCase, recording: ((FilmFrame) -> Void)? = nil, fresh: Bool = false,
    isBrief: Bool = false
  ) throws(ViewerFailure) -> ViewerPlay {
    if !fresh, recording == nil, let known = plays.value(of: each) { return known }
    // Only the card's colours are places, so another picture is taken to be where the card was.
    var places: [Sight]?
    if each.content != .card {
      var card = each
      card.content = .card
      places = try playInTurn(card).looks.map(\.sight)
    }
    let screen = each.gesture.script.screen
    do {
      let page = try openedPage(for: screen, fresh: fresh)
      let run = try CaseRun(
        each, of: self, on: page, at: places, recording: recording, isBrief: isBrief)
      let play = try run.perform()
      (adapter, frames) = (run.adapter, run.frames)
      // A browser is not used again after a failure.
      if play.ending != .alive { browsers.remove(screen.scale) }
      if !isBrief { plays.add(play, for: each) }
      return play
    } catch {
      browsers.remove(screen.scale)
      throw error
    }
  }

  /// Returns a page of a size, fresh or the last one of its device pixel ratio.
  private func openedPage(for screen: Screen, fresh: Bool) throws(ViewerFailure) -> VirtualPage {
    if let known = browsers.value(of: screen.scale) {
      if fresh {
        try known.renew(size: screen.size)
      } else {
        try known.resize(to: screen.size)
      }
      return known
    }
    let started = try VirtualPage(
      command, ratio: screen.scale, size: screen.size, origin: entry.origin, allows: entry.hosts)
    browsers.add(started, for: screen.scale)
    return started
  }

  /// Returns a picture's reader, which keeps what it has read.
  func reader(
    of picture: ViewerPicture, _ content: ViewerCase.Content, after former: ViewerPicture?
  ) -> SightReader {
    let key = ReaderKey(
      picture: PictureKey(size: picture.size, content: content), isSecondPicture: former != nil)
    if let known = readers.value(of: key) { return known }
    let reader = SightReader(picture, content: content, former: former, limits: limits)
    readers.add(reader, for: key)
    return reader
  }

  func picture(
    _ size: PixelSize, _ content: ViewerCase.Content?
  ) throws(ViewerFailure) -> ViewerPicture {
    let key = PictureKey(size: size, content: content)
    if let known = pictures.value(of: key) { return known }
    do throws(PipelineError) {
      let picture = try painter(size, content)
      pictures.add(picture, for: key)
      return picture
    } catch {
      throw .picture(error)
    }
  }
}

extension WebViewer {
  /// Makes the pictures of laws: cards, and pictures without the card's code.
  package static let generated: Painter = { size, content throws(PipelineError) in
    switch content {
    case .card: try ViewerPicture(card: size)
    case .alpha: try ViewerPicture(alpha: size)
    case .photograph(let seed): try ViewerPicture(photograph: seed, size)
    case nil: try ViewerPicture(card: size, seed: 1)
    }
  }

  /// The sizes of pictures in laws: odd sides, both formats, and powers of two.
  package static let sizes = [
    TileService.size(1501, 1003), TileService.size(701, 1097), TileService.size(512, 1024),
  ]

  /// The device pixel ratios in laws; the first is the simplest.
  package static let ratios = [1, 1.25, 1.5, 2, 3]
}

extension TileScheme {
  /// The words for schemes on the command line, the simplest schemes first.
  ///
  /// Sides differ from 256 where a scheme states them, so that a viewer has to read them.
  package static let words: [(word: String, schemes: [TileScheme])] = [
    ("plain", [.plain]),
    ("dzi", [.deepZoom(side: 128, overlap: 1), .deepZoom(side: 250, overlap: 0)]),
    ("iiif2", [.iiif(level: 2, side: 256)]), ("iiif1", [.iiif(level: 1, side: 128)]),
    ("iiif0", [.iiif(level: 0, side: 128)]), ("zoomify", [.zoomify(side: 256)]),
    ("xyz", [.xyz(side: 256)]),
  ]
}
