/// A finger of a ``FingerTable``.
public struct Finger: Sendable, Hashable {
  /// The number of the finger's touch.
  public let id: Int
  /// The point from which its movement is measured: the first one reported, or the first one
  /// reported since the screen's size changed.
  public fileprivate(set) var start: ViewPoint
  /// The last reported point.
  public fileprivate(set) var point: ViewPoint
  /// The point before the last event; for the first report on a new screen size, that report's
  /// first point, so that the resize is no movement.
  public fileprivate(set) var previous: ViewPoint
  /// The phase that the last event reported; nil if it did not report the finger.
  public fileprivate(set) var phase: TouchPhase?
  /// Whether the screen's size has changed since the last report, so that the points belong to an
  /// earlier screen.
  public fileprivate(set) var isStale = false
  /// Whether the last event was the first report since the screen's size changed.
  public fileprivate(set) var isRelocated = false
  /// A number below ``FingerTable/mostFingers`` that no other finger of the table has.
  fileprivate let slot: Int

  fileprivate init(_ touch: Touch, slot: Int) {
    id = touch.id
    start = touch.point
    point = touch.point
    previous = touch.point
    phase = .began
    self.slot = slot
  }

  /// Whether the last event lifted or cancelled the finger.
  public var isLifted: Bool { phase == .ended || phase == .cancelled }

  fileprivate mutating func report(_ touch: Touch, _ phase: TouchPhase) {
    self.phase = phase
    // The point of a cancelled touch is meaningless.
    guard phase != .cancelled else { return }
    if isStale {
      (start, previous) = (touch.point, touch.point)
      (isStale, isRelocated) = (false, true)
    }
    point = touch.point
  }
}

/// The fingers that are down, in the order in which they came down.
///
/// It checks events: times do not go back, and touches begin before they move. ``LiveZoom`` keeps one
/// table, updates it with each event, and hands it with the event to all recognisers, which keep only
/// their interpretation. Fingers that an event lifts stay in the table until the next event, as in
/// `UIEvent.allTouches`.
public struct FingerTable: Sendable {
  /// The largest number of fingers that are down.
  public static let mostFingers = 64
  /// The time of the last event, in seconds.
  public private(set) var time = 0.0
  /// The fingers that are down or that the last event lifted.
  public private(set) var fingers: [Finger] = []
  private let latest: Double
  private var screenSize: ViewSize?

  /// Creates a table without fingers, for events up to a time.
  ///
  /// By default the first screen event sets the size.
  public init(on size: ViewSize? = nil, latest: Double = LiveZoom.latestTime) {
    screenSize = size
    self.latest = latest
  }

  /// The finger with a number; nil if it is not in the table.
  public subscript(id: Int) -> Finger? { fingers.first { $0.id == id } }

  /// Whether a finger is down.
  public var isTouched: Bool { fingers.contains { !$0.isLifted } }

  /// Whether a finger was down before the last event.
  public var wasTouched: Bool { fingers.contains { $0.phase != .began } }

  func isDown(_ id: Int) -> Bool { self[id].map { !$0.isLifted } ?? false }

  /// Advances to a time.
  ///
  /// - Throws: `GeometryError`, with nothing changed, if the time is before the last one, not
  ///   finite or too late.
  public mutating func advance(to time: Double) throws(GeometryError) {
    self.time = try checked(time)
  }

  /// Updates the fingers with an event.
  ///
  /// - Throws: `GeometryError`, with nothing changed, if the time is before the last one, negative,
  ///   not finite or too late; if an event of touches has none; if a coordinate or a force is not
  ///   finite or too large; if a touch begins while it is down, or moves, ends or is cancelled
  ///   while it is not; if a touch is twice in an event that is not a movement; or if more than
  ///   ``mostFingers`` would be down.
  public mutating func take(_ event: GestureEvent) throws(GeometryError) {
    let time = try checked(event.time)
    if case .touches(let phase, let touches) = event.kind { try check(phase, touches) }
    if case .wheel(let at, let by) = event.kind {
      _ = try GeometryError.point(at, "wheel.at")
      _ = try GeometryError.point(by, "wheel.by")
    }
    self.time = time
    fingers.removeAll(where: \.isLifted)
    for index in fingers.indices {
      fingers[index].previous = fingers[index].point
      fingers[index].phase = nil
      fingers[index].isRelocated = false
    }
    switch event.kind {
    case .touches(.began, let touches):
      for touch in touches { fingers.append(Finger(touch, slot: freeSlot)) }
    case .touches(let phase, let touches):
      for touch in touches {
        guard let index = fingers.firstIndex(where: { $0.id == touch.id }) else { continue }
        fingers[index].report(touch, phase)
      }
    case .cancelAll:
      for index in fingers.indices { fingers[index].phase = .cancelled }
    case .screen(let screen):
      // The first screen sets the size of a table that was created without one.
      let isChanged = screenSize.map { $0 != screen.size } ?? false
      screenSize = screen.size
      if isChanged { for index in fingers.indices { fingers[index].isStale = true } }
    case .device, .interface, .close, .wheel:
      break
    }
  }

  private var freeSlot: Int {
    let taken: UInt64 = fingers.reduce(0) { $0 | 1 << $1.slot }
    return (~taken).trailingZeroBitCount
  }

  private func checked(_ time: Double) throws(GeometryError) -> Double {
    guard try GeometryError.notNegative(time, "time") >= self.time else {
      throw GeometryError(
        argument: "time", value: time,
        reason: .contradiction("is earlier than the time before it, \(self.time)"))
    }
    guard time <= latest else {
      // An `Int` may have 32 bits, and the limit may be any number.
      let limit = Int64(exactly: latest.rounded()).map { Int(clamping: $0) } ?? .max
      throw GeometryError(argument: "time", value: time, reason: .tooLarge(limit: limit))
    }
    return time
  }

  private func check(_ phase: TouchPhase, _ touches: [Touch]) throws(GeometryError) {
    guard !touches.isEmpty else {
      throw GeometryError(
        argument: "touches", value: "[]", reason: .contradiction("is empty"))
    }
    for (number, touch) in touches.enumerated() {
      // Names are made only for errors, because a string allocates.
      if !touch.isInRange {
        let place = "touches[\(number)]"
        _ = try GeometryError.point(touch.point, place)
        _ = try GeometryError.point(touch.force, "\(place).force")
      }
      // A movement may contain several samples of one finger (UIKit's coalesced touches).
      let isTwice = phase != .moved && touches[..<number].contains { $0.id == touch.id }
      let sentence: String? =
        if isTwice {
          "is twice in one event"
        } else if phase == .began {
          isDown(touch.id) ? "has begun already" : nil
        } else {
          isDown(touch.id) ? nil : "has not begun"
        }
      if let sentence {
        throw GeometryError(
          argument: "touches[\(number)].id", value: touch.id, reason: .contradiction(sentence))
      }
    }
    guard phase == .began else { return }
    let count = fingers.count { !$0.isLifted } + touches.count
    guard count <= Self.mostFingers else {
      throw GeometryError(
        argument: "touches", value: count,
        reason: .contradiction("fingers are more than \(Self.mostFingers)"))
    }
  }
}

extension Touch {
  /// Whether its numbers are finite and at most `PixelSize.maximumSide` in magnitude.
  fileprivate var isInRange: Bool {
    let limit = Double(PixelSize.maximumSide)
    return abs(point.x) <= limit && abs(point.y) <= limit && abs(force) <= limit
  }
}

/// The fingers of a table that a recogniser follows, kept without a buffer.
struct FingerSet: Sendable, Hashable {
  /// A bit for each slot of the table.
  private var slots: UInt64 = 0

  var isEmpty: Bool { slots == 0 }
  var count: Int { slots.nonzeroBitCount }

  func contains(_ finger: Finger) -> Bool { slots & 1 << finger.slot != 0 }
  mutating func insert(_ finger: Finger) { slots |= 1 << finger.slot }

  mutating func insertNew(of table: FingerTable) {
    for finger in table.fingers where finger.phase == .began { insert(finger) }
  }

  mutating func removeIfLifted(_ finger: Finger) {
    if finger.isLifted { slots &= ~(1 << finger.slot) }
  }

  mutating func removeLifted(of table: FingerTable) {
    for finger in table.fingers { removeIfLifted(finger) }
  }
}

/// Touches whose beginning or end a ``LiveZoom`` refused.
///
/// Without this record, one event with a bad number would make later events of the same touch fail.
struct LostTouches: Sendable {
  /// The touches whose beginning was refused and that have not ended, the oldest first.
  private var unseen: [Int] = []
  /// The touches whose end was refused; they count as down until the next event of touches.
  private var overdue: [Int] = []

  var isEmpty: Bool { unseen.isEmpty && overdue.isEmpty }

  /// Remembers the touches that begin or end in a refused event.
  mutating func refuse(_ event: GestureEvent, _ fingers: FingerTable) {
    if event.kind == .cancelAll {
      for finger in fingers.fingers where !finger.isLifted { Self.add(finger.id, to: &overdue) }
    }
    guard case .touches(let phase, let touches) = event.kind else { return }
    for touch in touches {
      switch (phase, fingers.isDown(touch.id)) {
      case (.began, let isDown) where !isDown || overdue.contains(touch.id):
        Self.add(touch.id, to: &unseen)
      case (.ended, true), (.cancelled, true): Self.add(touch.id, to: &overdue)
      default: break
      }
    }
  }

  /// Returns an event without the touches whose beginning was refused; nil if no touch is left.
  mutating func withoutUnseen(_ event: GestureEvent) -> GestureEvent? {
    guard case .touches(let phase, let touches) = event.kind, !unseen.isEmpty else { return event }
    let seen = phase == .began ? touches : touches.filter { !unseen.contains($0.id) }
    if phase != .moved { unseen.removeAll { id in touches.contains { $0.id == id } } }
    // The table of fingers refuses an event without touches.
    guard seen.count < touches.count else { return event }
    return seen.isEmpty ? nil : GestureEvent(time: event.time, kind: .touches(phase, seen))
  }

  /// Returns an event that cancels the touches that are gone; nil if there are none.
  ///
  /// A touch is gone if its end was refused and one of these holds:
  /// - The next event of touches is a beginning.
  /// - The next event of touches does not contain it.
  /// - A beginning with its number was refused meanwhile.
  mutating func takeGone(before event: GestureEvent, at time: Double) -> GestureEvent? {
    if event.kind == .cancelAll { self = LostTouches() }
    guard case .touches(let phase, let touches) = event.kind else { return nil }
    let gone = overdue.filter { id in
      phase == .began || unseen.contains(id) || !touches.contains { $0.id == id }
    }
    overdue.removeAll()
    // Their ends may be reported again and are then ignored.
    for id in gone { Self.add(id, to: &unseen) }
    guard !gone.isEmpty else { return nil }
    let cancelled = gone.map { Touch(id: $0, point: ViewPoint(x: 0, y: 0)) }
    return GestureEvent(time: time, kind: .touches(.cancelled, cancelled))
  }

  private static func add(_ id: Int, to ids: inout [Int]) {
    ids.removeAll { $0 == id }
    // The number of refused events is unlimited, so the oldest touch is forgotten.
    if ids.count == FingerTable.mostFingers { ids.removeFirst() }
    ids.append(id)
  }
}
