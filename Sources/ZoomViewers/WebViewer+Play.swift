internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// One play of a case on a page.
final class CaseRun {
  /// The most looks before events; each takes 20 to 100 ms.
  private static let mostLooks = 16
  /// The seconds of the page's clock for opening and for coming to rest after the last event.
  private static let (openLimit, restLimit) = (10.0, 5.0)
  /// The pause before an event, in seconds, in which a viewer may come to rest.
  private static let pause = 0.3

  private let each: ViewerCase
  private let known: WebViewer.KnownPicture
  private let places: [Sight]?
  private let recording: ((FilmFrame) -> Void)?
  /// Whether only views at rest are looked at.
  private let isBrief: Bool
  private let limits: PictureLimits
  private let server: TileServer
  private let inspector: Inspector
  /// Whether the page was at rest once, so that a later death is the viewer's.
  private(set) var isReady = false
  private var play = ViewerPlay(looks: [])
  /// The functions that the page offers.
  private(set) var adapter: Set<ViewerTraits.AdapterPart> = []
  /// The time of the page's clock at which the script begins.
  private var start = 0.0
  /// The number of events of the script so far.
  private var eventsSoFar = 0
  private var steps: [VirtualPage.StepResult] = []

  init(
    _ each: ViewerCase, of viewer: WebViewer, showing known: WebViewer.KnownPicture,
    after former: ViewerPicture?, at places: [Sight]?, recording: ((FilmFrame) -> Void)?,
    isBrief: Bool
  ) {
    (self.each, self.known, self.places, self.recording) = (each, known, places, recording)
    self.isBrief = isBrief
    limits = viewer.limits
    server = TileServer(each, of: viewer.entry, known.picture, after: former)
    inspector = Inspector(
      known.picture.levels, isCard: each.content == .card, former: former?.levels)
  }

  private var screen: Screen { each.gesture.script.screen }
  private var events: [GestureEvent] { each.gesture.script.events }

  /// Plays the case to its end.
  func perform(on page: VirtualPage) throws(ViewerFailure) -> ViewerPlay {
    page.answer = { [server] in server.answer($0) }
    page.order = { [server] in server.order($0) }
    page.watch = { [weak self] in self?.see($0) }
    page.takesShots = false
    try page.open(server.address)
    try settle(page)
    try readAdapter(page)
    if let call = server.openCall, adapter.contains(.open) {
      _ = try page.evaluate(call)
      try settle(page)
    }
    if let show = each.show, adapter.contains(.show) {
      _ = try page.evaluate(
        "window.zoombench.show(\(show.centre.x), \(show.centre.y), \(show.scale))")
      try settle(page)
    }
    isReady = true
    let first = try shot(page)
    start = page.time
    page.takesShots = recording != nil
    try look(first, page, isSettled: true, after: 0)
    try playEvents(page)
    let rest = try page.settle(limit: Self.restLimit)
    play.restAfter = events.isEmpty ? 0 : rest
    if !events.isEmpty {
      try look(shot(page), page, isSettled: rest != nil, after: events.count)
    }
    (play.errors, play.clicks) = (page.errors, page.clicks)
    return finished()
  }

  /// Returns what was seen until the page died.
  func ended(by failure: ViewerFailure) -> ViewerPlay {
    switch failure {
    case .crashed: play.ending = .crashed
    case .hung: play.ending = .hung
    default: play.ending = .gone
    }
    return finished()
  }

  /// The frames of the play without screenshots; their times are the script's.
  var frames: [VirtualPage.StepResult] {
    steps.map { step in
      var step = step
      step.time -= start
      return step
    }
  }

  private func see(_ step: VirtualPage.StepResult) {
    if start > 0, let png = step.png {
      recording?(
        FilmFrame(time: step.time - start, png: png, look: nil, eventsSoFar: eventsSoFar))
    }
    steps.append(step)
    steps[steps.count - 1].png = nil
  }

  private func finished() -> ViewerPlay {
    play.requests = server.listed(since: start)
    return play
  }

  /// Waits for rest; a viewer may never rest without a tile, but must without faults of delivery.
  private func settle(_ page: VirtualPage) throws(ViewerFailure) {
    let rest = try page.settle(limit: Self.openLimit)
    if let failure = server.failure { throw failure }
    if let missing = server.missing { throw .pageFailed("\(missing) is not found") }
    guard rest == nil, each.delivery.isEmpty, !isReady else { return }
    throw page.errors.first.map { ViewerFailure.pageFailed($0) } ?? .neverReady
  }

  private func readAdapter(_ page: VirtualPage) throws(ViewerFailure) {
    let found = try page.evaluate(
      "[Object.keys(window.zoombench ?? {}), window.zoombench?.promises ?? []]"
    ).elements
    let names = found.map { $0.elements.compactMap(\.text) }
    guard names.count == 2 else { return }
    adapter = Set(names[0].compactMap { ViewerTraits.AdapterPart(rawValue: $0) })
    play.promises = Set(names[1].compactMap { ViewerPromise(rawValue: $0) })
  }

  private func playEvents(_ page: VirtualPage) throws(ViewerFailure) {
    let events = self.events
    let wanted = looks(before: events)
    // More than 90 events per second need shorter steps, because each takes a step.
    let gaps = zip(events, events.dropFirst()).map { $1.time - $0.time }.filter { $0 > 0 }
    let duration = (gaps.min() ?? 1) < 0.011 ? VirtualPage.frame / 2 : VirtualPage.frame
    for index in events.indices {
      if index == 0 {
        _ = try run(page, until: events[0].time, duration, after: 0, look: false)
      }
      try page.input(events[index])
      guard index + 1 < events.count else { continue }
      let next = events[index + 1].time
      let isLook = wanted.contains(index + 1)
      let images = try run(page, until: next, duration, after: index + 1, look: isLook)
      if let png = images.last {
        let earlier = images.count > 1 ? images[0] : nil
        var isSettled = false
        if next - events[index].time > Self.pause { isSettled = try page.isAtRest(png, earlier) }
        try look(png, page, isSettled: isSettled, after: index + 1)
      }
    }
    if !events.isEmpty { try step(page, duration, after: events.count, shot: false) }
  }

  /// Steps until an event is due, at least once after an input, and returns the screenshots of the last step
  /// and, of a page that draws for ever, of 0.1 s before.
  private func run(
    _ page: VirtualPage, until due: Double, _ duration: Double, after count: Int, look: Bool
  ) throws(ViewerFailure) -> [[UInt8]] {
    var images: [[UInt8]] = []
    var isLast = count == 0 && page.time - start >= due
    while !isLast {
      // A hundredth of a millisecond is far below a step and above rounding.
      let left = Int(((due - (page.time - start)) / duration - 1e-5).rounded(.up))
      isLast = left <= 1
      let isEarlier = left == VirtualPage.compared + 1 && page.quiet == 0
      // A page at rest waits for the next event in one go.
      let isAtRest = left > 2 && page.quiet >= 20 && recording == nil
      let span = isAtRest ? Double(min(left - 1, 30)) * duration : duration
      let png = try step(page, span, after: count, shot: look && (isLast || isEarlier))
      if look, isLast || isEarlier, let png { images.append(png) }
    }
    return images
  }

  @discardableResult private func step(
    _ page: VirtualPage, _ duration: Double, after count: Int, shot: Bool
  ) throws(ViewerFailure) -> [UInt8]? {
    eventsSoFar = count
    let result = try page.step(duration, shot: shot)
    if let failure = server.failure { throw failure }
    return result.png
  }

  private func shot(_ page: VirtualPage) throws(ViewerFailure) -> [UInt8] {
    try page.step(shot: true).png ?? []
  }

  /// Returns the events before which to look: after pauses, then beside changes of fingers, turns of a wheel
  /// and resizes, then a quarter of the others; late ones first, because laws ask for the ends of scripts.
  private func looks(before events: [GestureEvent]) -> Set<Int> {
    let ranked = events.indices.dropFirst().compactMap { index -> (rank: Int, index: Int)? in
      let (before, event) = (events[index - 1], events[index])
      if event.time - before.time > Self.pause { return (0, index) }
      if isBrief { return nil }
      if !event.isMovement || !before.isMovement { return (1, index) }
      return index % 4 == 0 ? (2, index) : nil
    }
    let sorted = ranked.sorted { ($0.rank, -$0.index) < ($1.rank, -$1.index) }
    return Set(sorted.prefix(Self.mostLooks).map(\.index))
  }

  private func look(
    _ png: [UInt8], _ page: VirtualPage, isSettled: Bool, after count: Int
  ) throws(ViewerFailure) {
    let pixels: Pixels
    do throws(PipelineError) {
      let image = try Image(png: png, limits: limits)
      pixels = try image.read(PixelRegion(whole: image.size))
    } catch {
      throw .picture(error)
    }
    let index = play.looks.count
    var digest = AnswerDigest()
    digest.add(png)
    var look = ViewerLook(
      time: page.time - start, isSettled: isSettled,
      digest: UInt64(digest.hexadecimal, radix: 16) ?? 0,
      sight: sight(pixels, index), eventsSoFar: count)
    if isSettled, let place = look.sight.place {
      look.checks = inspector.checks(
        pixels, place, ratio: screen.scale, best: bestLevel(place))
    }
    play.looks.append(look)
    recording?(FilmFrame(time: look.time, png: png, look: look, eventsSoFar: count))
    guard adapter.contains(.state) else { return }
    let state = try page.evaluate("window.zoombench.state()")
    if let x = state["x"]?.number, let y = state["y"]?.number, let scale = state["scale"]?.number {
      let place = ShownPlace(centre: ViewPoint(x: x, y: y), scale: scale)
      play.reported.append(AdapterState(look: index, place: place))
    }
  }

  private func sight(_ pixels: Pixels, _ index: Int) -> Sight {
    guard let places else { return known.registration.fit(pixels, ratio: screen.scale) }
    return places.indices.contains(index) ? places[index] : .lost("the card was not shown")
  }

  /// Returns the coarsest level that is not coarser than the screen, in halvings.
  private func bestLevel(_ place: ViewerPlace) -> Int {
    let density = place.scale * screen.scale
    return density.isNormal && density < 1 ? Int((-log2(density)).rounded(.down)) : 0
  }
}
