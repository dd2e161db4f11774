package import ForeignPipelines
internal import Foundation
internal import Measurement

/// The state of a load: the views that viewers want, and the requests that are on their way.
///
/// It knows no clock and no thread: a driver calls it with times in nanoseconds since the start. So tests
/// drive it by a virtual clock, and the same calls give the same result.
package struct LoadEngine: Sendable {
  /// A request to send now.
  package struct Ticket: Sendable {
    package let part: LoadPart
    package let viewer: Int
    fileprivate let view: Int
    /// The time since which the request could have been sent.
    package let ready: UInt64
    /// Whether it waited until then for one of the connections that all viewers share.
    let isQueued: Bool
  }

  private struct View {
    let viewer: Int
    let wanted: UInt64
    var partsLeft: Int
    var isComplete = true
  }

  private struct Viewer {
    var stream: ViewerStream
    var random: SeededRandom
    var nextWanted: UInt64?
    var queue: ArraySlice<(view: Int, part: LoadPart)> = []
    /// The times at which connections that the viewer does not use became free; a browser opens six to one server.
    var free = [UInt64](repeating: 0, count: 6)
  }

  package private(set) var tally = LoadTally()
  package var ledger: AnswerLedger
  /// The times at which connections that no viewer uses became free.
  private var free: [UInt64]
  private var waiting = 0
  private var viewers: [Viewer]
  private var views: [Int: View] = [:]
  private var viewCount = 0
  private let rate: Double?
  private let settings: LoadSettings
  private let duration: UInt64
  private let warmUp: UInt64
  private var lastWanted: UInt64 = 0
  /// The time at which the load was stopped, by its driver or because too many requests waited.
  private(set) var stopped: UInt64?

  /// The most requests that wait in open arrivals, of about 8 MB: more would only take memory.
  package static let mostWaiting = 100_000

  /// Creates the load of a step; without a rate, each viewer wants the next view when the last is full.
  ///
  /// Views that are wanted during a first part are asked for, but not recorded.
  package init(
    _ streams: [ViewerStream], rate: Double?, seconds: Double, seed: UInt64,
    _ settings: LoadSettings, _ ledger: AnswerLedger
  ) {
    (self.rate, self.settings, self.ledger) = (rate, settings, ledger)
    free = Array(repeating: 0, count: settings.connections)
    duration = UInt64(seconds * 1e9)
    warmUp = UInt64(seconds * LoadSettings.warmUp * 1e9)
    viewers = streams.enumerated().map { number, stream in
      Viewer(
        stream: stream, random: SeededRandom(seed: seed, label: "arrivals of viewer \(number)"))
    }
    for number in viewers.indices { viewers[number].nextWanted = pause(of: number, isFirst: true) }
  }

  private var nextWanted: UInt64? {
    viewers.lazy.compactMap(\.nextWanted).min().flatMap { $0 < duration ? $0 : nil }
  }

  /// The time at which views that are not full are given up, if none is wanted after them.
  ///
  /// Not before the end of the step, because viewers who wait for answers want no views meanwhile.
  private var givenUp: UInt64? {
    guard nextWanted == nil, !views.isEmpty else { return nil }
    let patience = UInt64(settings.patience * 1e9)
    return max(lastWanted.addingSaturating(patience), stopped == nil ? duration : 0)
  }

  /// The next time for a call of `start`, if no answer comes before; nil if none is needed.
  package var nextWake: UInt64? { [nextWanted, givenUp].compactMap { $0 }.min() }

  /// The number of requests on their way.
  package var open: Int { settings.connections - free.count }

  /// Whether nothing is wanted or on its way any more.
  package var isOver: Bool { nextWanted == nil && views.isEmpty }

  /// Draws the time until a viewer's next view: half is fixed, half exponential, as people rest.
  ///
  /// The first view comes as if the viewer had begun long before the step, so that the rate is even: with a chance
  /// of one half, what is left of a pause is uniform in the first half of the mean.
  private mutating func pause(of number: Int, isFirst: Bool = false) -> UInt64 {
    guard let rate else { return 0 }
    let mean = Double(viewers.count) / rate * 1e9
    if isFirst {
      let draw = viewers[number].random.unit()
      if draw < 0.5 { return UInt64(mean * draw) }
    }
    return UInt64(mean * (0.5 - 0.5 * log(max(viewers[number].random.unit(), 0x1p-53))))
  }

  /// Takes up the views that are wanted by now, or gives up the last ones, and returns the requests to send.
  package mutating func start(at now: UInt64) -> [Ticket] {
    if let givenUp, now >= givenUp { abandon(at: now) }
    for number in viewers.indices {
      while let wanted = viewers[number].nextWanted, wanted <= now, wanted < duration {
        want(at: wanted, by: number)
        if rate != nil, waiting > Self.mostWaiting {
          tally.isOverloaded = true
          abandon(at: now)
        }
      }
    }
    var tickets: [Ticket] = []
    while !free.isEmpty, let number = nextToSend() {
      guard let (view, part) = viewers[number].queue.popFirst() else { break }
      waiting -= 1
      let wanted = max(views[view]?.wanted ?? 0, Self.removeFirst(&viewers[number].free))
      let connected = Self.removeFirst(&free)
      tickets.append(
        Ticket(
          part: part, viewer: number, view: view, ready: max(wanted, connected),
          isQueued: connected > wanted))
    }
    return tickets
  }

  private mutating func want(at time: UInt64, by number: Int) {
    let parts = viewers[number].stream.nextParts()
    viewCount += 1
    lastWanted = max(lastWanted, time)
    views[viewCount] = View(viewer: number, wanted: time, partsLeft: parts.count)
    if time >= warmUp { tally.counts.wanted += 1 }
    viewers[number].queue += parts.map { (view: viewCount, part: $0) }
    waiting += parts.count
    viewers[number].nextWanted = rate == nil ? nil : time + pause(of: number)
  }

  /// Returns the viewer whose next request belongs to the view that was wanted first.
  private func nextToSend() -> Int? {
    // Views are numbered in the order in which they were taken up.
    viewers.indices.lazy.filter { [viewers] number in
      !viewers[number].queue.isEmpty && !viewers[number].free.isEmpty
    }.min { [viewers] one, other in
      (viewers[one].queue.first?.view ?? 0) < (viewers[other].queue.first?.view ?? 0)
    }
  }

  /// Takes the connection that has been free for the longest time, and returns the time at which it became free.
  private static func removeFirst(_ free: inout [UInt64]) -> UInt64 {
    let first = free.indices.min { free[$0] < free[$1] }
    return first.map { free.remove(at: $0) } ?? 0
  }

  /// Notes an answer that was asked for and had come at some times, and when its connection was free, if later.
  package mutating func finish(
    _ ticket: Ticket, sent: UInt64, at time: UInt64, freed: UInt64? = nil, _ answer: LoadAnswer
  ) {
    free.append(freed ?? time)
    viewers[ticket.viewer].free.append(freed ?? time)
    guard var view = views[ticket.view] else { return }
    let isRecorded = view.wanted >= warmUp
    view.partsLeft -= 1
    view.isComplete = view.isComplete && answer.kind == .answered
    if isRecorded { tally.note(answer, to: ticket, sent: sent, at: time) }
    ledger.note(answer, of: ticket.part)
    views[ticket.view] = view.partsLeft > 0 ? view : nil
    if view.partsLeft > 0 { return }
    if isRecorded {
      tally.end(view.isComplete ? time.saturatingSubtract(view.wanted) : nil, viewer: view.viewer)
    }
    if rate == nil, stopped == nil { viewers[view.viewer].nextWanted = time }
  }

  /// Wants no further views, and drops those with requests that have not been sent.
  package mutating func stop(at time: UInt64) {
    stopped = stopped ?? time
    waiting = 0
    for number in viewers.indices {
      viewers[number].nextWanted = nil
      for (view, _) in viewers[number].queue { views[view] = nil }
      viewers[number].queue = []
    }
  }

  /// Gives up the views that are not full; answers that come later are ignored.
  private mutating func abandon(at time: UInt64) {
    for view in views.values where view.wanted >= warmUp {
      tally.counts.unfinished += 1
      tally.end(nil, viewer: view.viewer)
    }
    views = [:]
    stop(at: time)
  }
}
