internal import ForeignPipelines
internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

/// The arrivals of a step of a load.
package enum LoadPace: Sendable, Hashable {
  /// Views are wanted at stated times, whether or not earlier ones are full: `rate` views per second.
  case open(rate: Double)
  /// Each viewer wants the next view as soon as the last is full.
  case closed
}

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
  }

  private struct View {
    let viewer: Int
    let wanted: UInt64
    let isRecorded: Bool
    var partsLeft: Int
    var isComplete = true
  }

  private struct Viewer {
    var stream: ViewerStream
    var random: SeededRandom
    var nextWanted: UInt64?
    /// The parts to ask for, from `head` on.
    var queue: [(view: Int, part: LoadPart)] = []
    var head = 0
    var open = 0
    var isBlocked = false
    var hasWaiting: Bool { head < queue.count }
  }

  package private(set) var tally = LoadTally()
  package var ledger: AnswerLedger
  /// The time of the last view that was taken up.
  private var lastWanted: UInt64 = 0
  /// The requests on their way.
  package private(set) var open = 0
  private var viewers: [Viewer]
  private var views: [Int: View] = [:]
  private let pace: LoadPace
  private let duration: UInt64
  private let warmUp: UInt64
  private let connections: Int
  private let mostPerSecond: Int?
  /// The times of the last requests that were sent, if their number per second is limited.
  private var recent: [UInt64] = []
  private var isHeld = false
  /// The requests that have not been sent.
  private var waiting = 0
  private var viewCount = 0
  private var lastFinish: UInt64 = 0
  private var isStopped = false

  /// The connections that a browser opens to one server by HTTP/1.1.
  package static let connectionsPerViewer = 6
  /// The most requests that wait in open arrivals, of about 8 MB: more would only take memory.
  package static let mostWaiting = 100_000

  /// Creates the load of a step.
  ///
  /// Views that are wanted during `warmUp` are asked for, but not recorded. In any second, at most
  /// `mostPerSecond` requests are sent.
  package init(
    _ streams: [ViewerStream], pace: LoadPace, connections: Int, mostPerSecond: Int? = nil,
    duration: UInt64, warmUp: UInt64, seed: UInt64, ledger: AnswerLedger
  ) {
    (self.pace, self.connections, self.mostPerSecond) = (pace, connections, mostPerSecond)
    (self.duration, self.warmUp, self.ledger) = (duration, warmUp, ledger)
    viewers = streams.enumerated().map { number, stream in
      Viewer(
        stream: stream,
        random: SeededRandom(seed: seed, label: "arrivals of viewer \(number)"))
    }
    for number in viewers.indices {
      viewers[number].nextWanted = firstPause(of: number)
    }
  }

  private var nextWanted: UInt64? {
    isStopped
      ? nil : viewers.lazy.compactMap(\.nextWanted).min().flatMap { $0 < duration ? $0 : nil }
  }

  /// The end of the second in which no further request may be sent; nil if one may.
  private var heldUntil: UInt64? {
    mostPerSecond.flatMap { recent.count < $0 ? nil : recent[0].addingSaturating(1_000_000_000) }
  }

  /// The time of the next wanted view or allowed request; nil if none is due before an answer comes, or at all.
  package var nextWake: UInt64? {
    [nextWanted, isHeld ? heldUntil : nil].compactMap { $0 }.min()
  }

  /// Whether nothing is wanted or on its way any more.
  package var isOver: Bool { nextWanted == nil && views.isEmpty }

  /// Whether views that are not full should be given up: `patience` nanoseconds beyond the last wanted view.
  ///
  /// Not before the end of the step, because viewers who wait for answers want no views meanwhile.
  package func shouldGiveUp(at now: UInt64, patience: UInt64) -> Bool {
    nextWanted == nil && now > lastWanted.addingSaturating(patience)
      && (isStopped || now >= duration)
  }

  /// The mean time between two views of a viewer in nanoseconds; zero for viewers who wait.
  private var meanPause: Double {
    if case .open(let rate) = pace { Double(viewers.count) / rate * 1e9 } else { 0 }
  }

  /// Draws the time until a viewer's next view: half is fixed, half exponential, as people rest.
  private mutating func pause(of number: Int) -> UInt64 {
    let draw = max(viewers[number].random.unit(), 0x1p-53)
    return UInt64(meanPause * (0.5 - 0.5 * log(draw)))
  }

  /// Draws the time until a viewer's first view, as if the viewer had begun long before the step.
  ///
  /// The rate is even from the start only by this distribution, of what is left of a pause at any time: half
  /// of it is uniform in the first half of the mean, the other half is like a whole pause.
  private mutating func firstPause(of number: Int) -> UInt64 {
    let draw = viewers[number].random.unit()
    return draw < 0.5 ? UInt64(meanPause * draw) : pause(of: number)
  }

  /// Takes up the views that are wanted by now, and returns the requests to send.
  package mutating func start(at now: UInt64) -> [Ticket] {
    for number in viewers.indices {
      while !isStopped, let wanted = viewers[number].nextWanted, wanted <= now, wanted < duration {
        want(at: wanted, by: number)
        if pace != .closed, waiting > Self.mostWaiting {
          tally.isOverloaded = true
          abandon()
        }
      }
    }
    var tickets: [Ticket] = []
    isHeld = false
    while open < connections, !isHeld, let number = nextToSend() {
      isHeld = heldUntil.map { $0 > now } ?? false
      if !isHeld { tickets.append(send(from: number, at: now)) }
    }
    // Requests that only the limit holds back are late: their times would not describe the subject.
    for number in viewers.indices {
      viewers[number].isBlocked = viewers[number].hasWaiting && !isHeld
    }
    return tickets
  }

  private mutating func want(at time: UInt64, by number: Int) {
    let parts = viewers[number].stream.nextParts()
    viewCount += 1
    lastWanted = max(lastWanted, time)
    let isRecorded = time >= warmUp
    views[viewCount] = View(
      viewer: number, wanted: time, isRecorded: isRecorded, partsLeft: parts.count)
    if isRecorded { tally.counts.wanted += 1 }
    viewers[number].queue += parts.map { (viewCount, $0) }
    waiting += parts.count
    viewers[number].nextWanted = pace == .closed ? nil : time + pause(of: number)
  }

  /// Returns the viewer whose next request belongs to the view that was wanted first.
  private func nextToSend() -> Int? {
    viewers.indices.lazy.filter { [viewers] number in
      viewers[number].hasWaiting && viewers[number].open < Self.connectionsPerViewer
    }.min { [viewers] in
      // Views are numbered in the order in which they were taken up.
      viewers[$0].queue[viewers[$0].head].view < viewers[$1].queue[viewers[$1].head].view
    }
  }

  private mutating func send(from number: Int, at now: UInt64) -> Ticket {
    if let mostPerSecond {
      if recent.count == mostPerSecond { recent.removeFirst() }
      recent.append(now)
    }
    waiting -= 1
    let (view, part) = viewers[number].queue[viewers[number].head]
    viewers[number].head += 1
    if viewers[number].head == viewers[number].queue.count {
      viewers[number].queue.removeAll(keepingCapacity: true)
      viewers[number].head = 0
    }
    viewers[number].open += 1
    open += 1
    let wanted = views[view]?.wanted ?? 0
    return Ticket(
      part: part, viewer: number, view: view,
      ready: viewers[number].isBlocked ? max(wanted, lastFinish) : wanted)
  }

  /// Notes an answer that was asked for and had come at some times.
  package mutating func finish(
    _ ticket: Ticket, sent: UInt64, at time: UInt64, _ answer: LoadAnswer
  ) {
    open -= 1
    viewers[ticket.viewer].open -= 1
    lastFinish = max(lastFinish, time)
    guard var view = views[ticket.view] else { return }
    view.partsLeft -= 1
    view.isComplete = view.isComplete && answer.kind == .answered
    if view.isRecorded {
      let request = ticket.part.tile.request
      tally.note(
        answer, reduction: request.reduction.rawValue, pixels: request.outputSize.area,
        took: time.saturatingSubtract(sent), lag: sent.saturatingSubtract(ticket.ready))
    }
    if let digest = answer.digest { ledger.note(digest, body: answer.body, of: ticket.part) }
    if view.partsLeft > 0 {
      views[ticket.view] = view
      return
    }
    views[ticket.view] = nil
    if view.isRecorded {
      tally.end(view.isComplete ? time.saturatingSubtract(view.wanted) : nil, viewer: view.viewer)
    }
    if pace == .closed { viewers[view.viewer].nextWanted = time }
  }

  /// Wants no further views, and drops those with requests that have not been sent.
  package mutating func stop() {
    isStopped = true
    waiting = 0
    for number in viewers.indices where viewers[number].hasWaiting {
      for (view, _) in viewers[number].queue[viewers[number].head...] { views[view] = nil }
      viewers[number].queue = []
      viewers[number].head = 0
    }
  }

  /// Gives up the views that are not full; answers that come later are ignored.
  package mutating func abandon() {
    for view in views.values where view.isRecorded {
      tally.counts.unfinished += 1
      tally.end(nil, viewer: view.viewer)
    }
    views = [:]
    stop()
  }
}
