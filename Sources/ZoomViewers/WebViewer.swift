internal import Synchronization
package import ZoomGeometry
package import ZoomLaws
package import ZoomPipeline

/// A frame of a play, for a film.
package struct FilmFrame: Sendable {
  /// The time in seconds of the script.
  package let time: Double
  package let png: [UInt8]
  /// The look at it, if there was one.
  package let look: ViewerLook?
  /// The number of events of the script before it.
  package let eventsSoFar: Int
}

/// A page with an image viewer, played in a headless browser.
// `turn` guards all mutable state; the browsers and their pages are used by the thread that holds it.
package final class WebViewer: @unchecked Sendable {
  /// A function that makes a picture of a size with a content, or, without one, the card of another seed.
  package typealias Painter =
    @Sendable (PixelSize, ViewerCase.Content?) throws(PipelineError) -> ViewerPicture

  /// A picture with what is needed to know it again.
  struct KnownPicture {
    let picture: ViewerPicture
    let registration: Registration
  }

  private struct PictureKey: Hashable {
    let size: PixelSize
    let content: ViewerCase.Content?
  }

  /// The browsers kept alive, each of up to 300 MB, the pictures, and the plays, which are numbers.
  private static let (mostBrowsers, mostPictures, mostPlays) = (3, 8, 256)

  package let name: String
  let entry: ViewerEntry
  let schemes: [TileScheme]
  private let command: BrowserCommand
  private let painter: Painter
  let limits: PictureLimits
  private let turn = Mutex<Void>(())
  // The one used last is at the end.
  private var browsers: [BrowserProcess] = []
  private var pictures: [(key: PictureKey, known: KnownPicture)] = []
  private var plays: [(each: ViewerCase, play: ViewerPlay)] = []
  private var measured: ViewerTraits?
  /// The frames of the last play that was not known before, without screenshots.
  private var frames: [VirtualPage.StepResult] = []
  /// The functions of the page's adapter, once it has been opened.
  private(set) var adapter: Set<ViewerTraits.AdapterPart> = []

  /// Creates a viewer; the browser is started by the first play.
  ///
  /// - Parameters:
  ///   - entry: The page.
  ///   - schemes: The schemes that it reads, at least one; the first is used for measuring its traits.
  ///   - browser: The program.
  ///   - limits: The limits for decoding screenshots.
  ///   - painter: Makes the pictures.
  package init(
    _ entry: ViewerEntry, schemes: [TileScheme], browser: BrowserCommand,
    limits: PictureLimits = .standard, pictures painter: @escaping Painter
  ) {
    precondition(!schemes.isEmpty, "a viewer needs a scheme")
    self.schemes = schemes
    (self.entry, name, command, self.painter) = (entry, entry.name, browser, painter)
    self.limits = limits
  }

  deinit { close() }

  /// Plays a case, or returns the numbers of an equal case that was played before.
  ///
  /// A page that crashes or hangs during the script is the play's ending, not an error.
  ///
  /// - Parameters:
  ///   - each: The case.
  ///   - recording: Takes each frame with its screenshot, which makes the play ten times slower.
  ///   - fresh: Whether to play it in a new browser context, even if its numbers are known.
  /// - Returns: The looks and requests.
  /// - Throws: `ViewerFailure` if the page cannot be tested.
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
      plays.removeAll { $0.each == each }
      return (try playInTurn(each, recording: nil, fresh: false), frames)
    }
  }

  /// Returns the peak resident memory of the page's process in bytes; nil if it is unknown.
  package func rendererMemory() -> UInt64? {
    turn.withLock { _ in (try? browsers.last?.memory())?["renderer"] }
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
    turn.withLock { _ in
      for browser in browsers { browser.close() }
      browsers = []
    }
  }
}

extension WebViewer {
  func playInTurn(
    _ each: ViewerCase, recording: ((FilmFrame) -> Void)?, fresh: Bool, isBrief: Bool = false
  ) throws(ViewerFailure) -> ViewerPlay {
    if !fresh, recording == nil, let index = plays.firstIndex(where: { $0.each == each }) {
      plays.append(plays.remove(at: index))
      return plays[plays.count - 1].play
    }
    // Only the card's colours are places, so another picture is taken to be where the card was.
    var places: [Sight]?
    if each.content != .card {
      var card = each
      card.content = .card
      places = try playInTurn(card, recording: nil, fresh: false).looks.map(\.sight)
    }
    let shown = try known(each.gesture.picture, each.content)
    // A law asks whether this picture, which was open before, is still shown.
    let former = try each.isSecondPicture ? known(each.gesture.picture, nil) : nil
    let run = CaseRun(
      each, of: self, showing: shown, after: former?.picture, at: places, recording: recording,
      isBrief: isBrief)
    let play: ViewerPlay
    do {
      let page = try browser(for: each.gesture.script.screen).page(
        fresh: fresh, size: each.gesture.script.screen.size, origin: entry.origin)
      play = try run.perform(on: page)
    } catch {
      // Another browser is started for the next case. A page that was never ready cannot be tested.
      if error.isDeath { closeBrowser(of: each.gesture.script.screen.scale) }
      guard error.isDeath, run.isReady else { throw error }
      play = run.ended(by: error)
    }
    (adapter, frames) = (run.adapter, run.frames)
    plays.removeAll { $0.each == each }
    if plays.count == Self.mostPlays { plays.removeFirst() }
    if !isBrief { plays.append((each, play)) }
    return play
  }

  /// Returns the browser of a screen's device pixel ratio.
  private func browser(for screen: Screen) throws(ViewerFailure) -> BrowserProcess {
    if let index = browsers.firstIndex(where: { $0.ratio == screen.scale }) {
      browsers.append(browsers.remove(at: index))
    } else {
      if browsers.count == Self.mostBrowsers { browsers.removeFirst().close() }
      browsers.append(
        try BrowserProcess(
          command, ratio: screen.scale, size: screen.size, allows: entry.hosts))
    }
    return browsers[browsers.count - 1]
  }

  private func closeBrowser(of ratio: Double) {
    for browser in browsers where browser.ratio == ratio { browser.close() }
    browsers.removeAll { $0.ratio == ratio }
  }

  private func known(
    _ size: PixelSize, _ content: ViewerCase.Content?
  ) throws(ViewerFailure) -> KnownPicture {
    let key = PictureKey(size: size, content: content)
    if let index = pictures.firstIndex(where: { $0.key == key }) {
      pictures.append(pictures.remove(at: index))
      return pictures[pictures.count - 1].known
    }
    let picture: ViewerPicture
    do throws(PipelineError) { picture = try painter(size, content) } catch {
      throw .picture(error)
    }
    let known = KnownPicture(picture: picture, registration: Registration(picture.levels))
    if pictures.count == Self.mostPictures { pictures.removeFirst() }
    pictures.append((key, known))
    return known
  }
}
