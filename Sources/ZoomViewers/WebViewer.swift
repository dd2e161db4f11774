internal import Foundation
internal import Measurement
package import ZoomGeometry
package import ZoomLaws
internal import ZoomPipeline

package typealias FilmFrame = (look: ViewerLook, png: [UInt8])

/// A page with an image viewer, played in headless browsers: one for each play in progress.
// `lock` guards all mutable state; a browser, which is not `Sendable`, is out of it while a thread plays with it.
package final class WebViewer: @unchecked Sendable {
  let entry: ViewerEntry
  let schemes: [TileScheme]
  private let command: BrowserCommand
  private let lock = NSLock()
  /// The browsers that wait for a play, the last one used last.
  private var browsers: [VirtualPage] = []
  private var readers: [String: SightReader] = [:]
  private var plays: [ViewerCase: ViewerPlay] = [:]

  /// The most browsers that wait, of up to 300 MB each, and the most plays that are kept.
  private static let (mostBrowsers, mostPlays) = (3, 256)

  /// Creates a viewer; the first scheme is used for measuring traits.
  package init(_ entry: ViewerEntry, schemes: [TileScheme], browser: BrowserCommand) {
    precondition(!schemes.isEmpty, "a viewer needs a scheme")
    (self.entry, self.schemes, command) = (entry, schemes, browser)
  }

  /// Plays a case, or returns the numbers of an equal case that was played before.
  ///
  /// With `recording`, which takes each look, or with `fresh`, in a new browser, a known case is played again.
  /// With `isBrief`, only views at rest are looked at, the play is not kept, and a page that shows no picture throws
  /// `pageFailed`. A page that crashes or hangs during the script is the play's ending, not an error.
  package func play(
    _ each: ViewerCase, recording: ((FilmFrame) -> Void)? = nil, fresh: Bool = false,
    isBrief: Bool = false
  ) throws(ViewerFailure) -> ViewerPlay {
    if !fresh, recording == nil, let known = lock.withLock({ plays[each] }) { return known }
    let page = try page(for: each.gesture.script.screen, fresh: fresh)
    let reader = reader(of: each)
    let former = each.isSecondPicture ? [self.reader(of: each, isTurned: true).picture] : []
    let server = TileServer(each, of: entry, [reader.picture] + former)
    var run = CaseRun(
      each: each, page: page, server: server, reader: reader, recording: recording, isBrief: isBrief
    )
    let played = try run.perform()
    // A browser is not used again after a failure.
    if played.ending == .alive { keep(page) }
    guard !isBrief else { return played }
    lock.withLock {
      if plays.count == Self.mostPlays { plays = [:] }
      plays[each] = played
    }
    return played
  }

  /// Returns the peak resident memory of the page's process in bytes; nil if it is unknown.
  package func rendererMemory() -> UInt64? {
    guard let page = lock.withLock({ browsers.popLast() }) else { return nil }
    defer { keep(page) }
    return try? page.rendererMemory()
  }

  package func traits(fresh: Bool = false) throws(ViewerFailure) -> ViewerTraits {
    try TraitMeasurement(scheme: schemes[0]) { (each) throws(ViewerFailure) in
      try self.play(each, fresh: fresh, isBrief: true)
    }.traits()
  }

  package func subject(
    ratios: [Double], sizes: [PixelSize]
  ) throws(ViewerFailure) -> ViewerSubject {
    @Sendable func played(_ each: ViewerCase, fresh: Bool) throws -> ViewerPlay {
      do { return try play(each, fresh: fresh) } catch ViewerFailure.cancelled {
        throw CancellationError()
      }
    }
    return ViewerSubject(
      entry.name, traits: try traits(), kinds: schemes, ratios: ratios, sizes: sizes,
      play: { try played($0, fresh: false) }, playFresh: { try played($0, fresh: true) })
  }

  package func close() {
    var ended: [VirtualPage] = []
    // They end outside the lock, because each takes up to a second.
    lock.withLock { swap(&ended, &browsers) }
  }

  private func page(for screen: Screen, fresh: Bool) throws(ViewerFailure) -> VirtualPage {
    guard !fresh,
      let waiting = lock.withLock({
        browsers.firstIndex { $0.ratio == screen.scale }.map { browsers.remove(at: $0) }
      })
    else { return try VirtualPage(command, entry, on: screen) }
    try waiting.resize(to: screen.size)
    return waiting
  }

  private func keep(_ page: VirtualPage) {
    let longest = lock.withLock { () -> VirtualPage? in
      browsers.append(page)
      return browsers.count > Self.mostBrowsers ? browsers.removeFirst() : nil
    }
    // It ends outside the lock, as in `close`.
    withExtendedLifetime(longest) {}
  }

  private func reader(of each: ViewerCase, isTurned: Bool = false) -> SightReader {
    let (size, alpha): (PixelSize, UInt8) = (each.gesture.picture, each.isTransparent ? 128 : 255)
    let key = "\(size) \(alpha) \(isTurned)"
    return lock.withLock {
      let reader =
        readers[key] ?? SightReader(ViewerPicture(card: size, alpha: alpha, isTurned: isTurned))
      readers[key] = reader
      return reader
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
  /// The schemes to try, by kind; sides differ from 256 where a scheme states them, so that a viewer has to read them.
  package static let tried = [
    plain, TileScheme(.dzi, 128, overlap: 1), TileScheme(.dzi, 250), TileScheme(.iiif2, 256),
    TileScheme(.iiif1, 128), TileScheme(.iiif0, 128), TileScheme(.zoomify, 256),
    TileScheme(.xyz, 256),
  ]
}

struct CaseRun {
  /// The seconds of the page's clock for opening and for coming to rest after the last event.
  private static let (openLimit, restLimit) = (10.0, 5.0)
  /// The pause before an event, in seconds, in which a viewer may come to rest.
  private static let pause = 0.3

  let each: ViewerCase
  let page: VirtualPage
  let server: TileServer
  let reader: SightReader
  let recording: ((FilmFrame) -> Void)?
  let isBrief: Bool
  var play = ViewerPlay(looks: [])
  /// The time of the page's clock at which the script begins.
  var start = 0.0
  var eventsSoFar = 0

  private var events: [GestureEvent] { each.gesture.script.events }

  /// Plays the case to its end; once the page was at rest, its death is the play's ending, and an exception of
  /// its adapter an error of the play.
  mutating func perform() throws(ViewerFailure) -> ViewerPlay {
    (page.server, page.frames) = (server, [])
    try openPicture()
    do throws(ViewerFailure) {
      try callAdapter()
      try playScript()
    } catch {
      guard case .ended(let ending, _) = error else { throw error }
      play.ending = ending
    }
    (play.requests, play.errors, play.frames) = (server.requests, page.errors, page.frames)
    for index in play.requests.indices {
      play.requests[index].wanted -= start
      play.requests[index].answered -= start
    }
    for index in play.frames.indices { play.frames[index].time -= start }
    return play
  }

  private mutating func openPicture() throws(ViewerFailure) {
    try page.open(server.address)
    try settle()
    let found = try page.evaluate(
      "[Object.keys(window.zoombench ?? {}), window.zoombench?.promises ?? []]")
    let names = (found as? [Any] ?? []).map { list in
      (list as? [Any] ?? []).compactMap { $0 as? String }
    }
    play.adapter = Set((names.first ?? []).compactMap { ViewerTraits.AdapterPart(rawValue: $0) })
    play.promises = Set((names.last ?? []).compactMap { ViewerPromise(rawValue: $0) })
  }

  private func callAdapter() throws(ViewerFailure) {
    // An object cannot always be returned.
    if let call = server.openCall, play.adapter.contains(.open) {
      // No law with `open` judges errors.
      _ = try page.evaluate("(\(call), 0)")
      try settle()
    }
    if let place = each.show, play.adapter.contains(.show) {
      let numbers = "\(place.centre.x), \(place.centre.y), \(place.scale)"
      _ = try page.ask("(window.zoombench.show(\(numbers)), 0)")
      try settle()
    }
  }

  /// Waits for rest; a viewer may never rest without a tile, but must without faults of delivery.
  private func settle() throws(ViewerFailure) {
    let rest = try page.settle(limit: Self.openLimit)
    if let missing = server.missing { throw .pageFailed("\(missing) is not found (add the file)") }
    guard rest == nil, each.delivery.isEmpty else { return }
    let advice = "(let window.zoombench.settled return true when it does)"
    throw .pageFailed(page.errors.first ?? "it does not rest after it was opened \(advice)")
  }

  private mutating func playScript() throws(ViewerFailure) {
    let first = try page.step(shot: true)
    start = page.time
    try look(first, isSettled: true)
    if isBrief, each.show == nil, play.looks[0].sight == .lost(Registration.invisible) {
      throw .pageFailed(page.errors.first ?? server.whyUnseen)
    }
    try playEvents()
    let rest = try page.settle(limit: Self.restLimit)
    play.restAfter = events.isEmpty ? 0 : rest
    if !events.isEmpty { try look(page.step(shot: true), isSettled: rest != nil) }
  }

  private mutating func playEvents() throws(ViewerFailure) {
    // More than 90 events per second need shorter steps, because each takes a step.
    let gaps = zip(events, events.dropFirst()).map { $1.time - $0.time }.filter { $0 > 0 }
    let duration = (gaps.min() ?? 1) < 0.011 ? VirtualPage.frame / 2 : VirtualPage.frame
    for (index, event) in events.enumerated() {
      if let png = try run(until: event.time, duration, look: isLooked(before: index)) {
        let isPause = event.time - events[index - 1].time > Self.pause
        try look(png, isSettled: isPause ? page.isAtRest() : false)
      }
      try page.input(event)
      eventsSoFar += 1
    }
    if !events.isEmpty { try page.step(duration) }
  }

  /// Steps until an event is due, at least once after an input, and returns a screenshot of the last step.
  private func run(
    until due: Double, _ duration: Double, look: Bool
  ) throws(ViewerFailure) -> [UInt8]? {
    var png: [UInt8]?
    var isLast = eventsSoFar == 0 && page.time - start >= due
    while !isLast {
      // A hundredth of a millisecond is far below a step and above rounding.
      let left = Int(((due - (page.time - start)) / duration - 1e-5).rounded(.up))
      isLast = left <= 1
      // A page that draws again and again is at rest if it is as it was 0.1 s before.
      let isEarlier = left == VirtualPage.compared + 1 && page.quiet < VirtualPage.quietSteps
      // A page at rest waits in one go.
      let waits = left > 2 && page.quiet >= VirtualPage.longQuietSteps
      let span = waits ? Double(min(left - 1, 30)) * duration : duration
      png = try page.step(span, shot: look && (isLast || isEarlier))
    }
    return png
  }

  /// Returns whether to look before an event: after a pause, beside a change of fingers, a turn of a wheel and a resize,
  /// and at a quarter of the movements, for each look takes 20 to 100 ms.
  private func isLooked(before index: Int) -> Bool {
    guard index > 0 else { return false }
    let (last, event) = (events[index - 1], events[index])
    if event.time - last.time > Self.pause { return true }
    return !isBrief && (!event.isMovement || !last.isMovement || index % 4 == 0)
  }

  private mutating func look(_ png: [UInt8]?, isSettled: Bool) throws(ViewerFailure) {
    let png = png ?? []
    var answer = AnswerDigest()
    answer.add(png)
    let digest = UInt64(answer.hexadecimal, radix: 16) ?? 0
    let (sight, checks) = try reader.read(
      png, digest: digest, isSettled: isSettled, ratio: page.ratio)
    var look = ViewerLook(
      time: page.time - start, isSettled: isSettled, digest: digest, sight: sight,
      checks: checks, eventsSoFar: eventsSoFar)
    if play.adapter.contains(.state),
      let state = try page.ask("window.zoombench.state()") as? JSONObject,
      let x = state["x"] as? Double, let y = state["y"] as? Double,
      let scale = state["scale"] as? Double
    {
      look.reported = ShownPlace(centre: ViewPoint(x: x, y: y), scale: scale)
    }
    play.looks.append(look)
    recording?((look, png))
  }
}
