import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Requires that a system with refused events continues like one that never got them.
  static func goesOnAfterRefusals(
    _ subject: ReplaySubject, _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws {
    let events = gesture.script.events
    // The kind is drawn first, because most events are movements.
    let kinds = Dictionary(grouping: events.indices) { events[$0].kindNumber }
    try testCase.assume(!kinds.isEmpty)
    let kind = try testCase.draw(Gen<Int>.element(of: kinds.keys.sorted()))
    var number = try testCase.draw(Gen<Int>.element(of: kinds[kind] ?? [0]))
    testCase.classify(kind == 0, as: "a beginning", atLeast: 0.05)
    testCase.classify(kind == 1, as: "a lift", atLeast: 0.05)
    testCase.classify(kind == 2, as: "a cancellation of everything")
    var refusals = [number: try testCase.draw(refusal)]
    for step in try testCase.draw(Gen<[Int]>.array(of: .integer(in: 1...4), count: 0...4)) {
      number += step
      if number < events.count { refusals[number] = try testCase.draw(refusal) }
    }
    testCase.classify(refusals.count > 1, as: "several events", atLeast: 0.2)
    var pair = RefusedPair(try given(subject.live)(gesture.script.scene, gesture.picture))
    for (number, event) in events.enumerated() {
      try pair.handle(event, refused: refusals[number])
    }
    try pair.finish()
  }

  private static var refusal: Gen<Refusal> {
    Gens.zip(
      Gen<[Refusal.Fault]>.array(of: .element(of: Refusal.Fault.allCases), count: 1...2),
      .element(of: Refusal.Repetition.allCases)
    ).map { Refusal(faults: $0, repetition: $1) }
  }
}

/// One or two refusals of an event.
private struct Refusal {
  /// The time at which the event is reported again, correctly.
  enum Repetition: CaseIterable {
    case never, atOnce
    /// Just before the next accepted event, or the next beginning of a touch even if that is refused.
    ///
    /// Only lifts and cancellations are reported this late.
    case beforeNext
    /// Just after the next event that is not refused.
    case afterNext
  }

  /// The fault for which an event is refused: its time, or a touch, a number or a point in it.
  enum Fault: CaseIterable {
    case goesBack, tooLate, x, y, force, tooFar
    /// A touch that begins or ends twice in one event, or moves without a beginning.
    case contradiction
  }

  var faults: [Fault]
  var repetition: Repetition
}

/// A system with refused events, and one that gets the equivalent valid events.
private struct RefusedPair {
  private var zoom, reference: LiveZoom
  private var down: Set<Int> = []
  /// The touches that were not reported to the reference, the system that gets no refused events.
  private var unseen: Set<Int> = []
  /// The touches whose end was refused, in the order of their ends.
  private var refusedEnds: [Int] = []
  /// The events to report just before the next accepted event or beginning.
  private var beforeNext: [GestureEvent] = []
  /// The events to report just after the next event that is not refused.
  private var afterNext: [GestureEvent] = []

  init(_ zoom: LiveZoom) { (self.zoom, reference) = (zoom, zoom) }

  /// Reports an event, first in the forms that are refused.
  mutating func handle(_ event: GestureEvent, refused refusal: Refusal?) throws {
    while zoom.isMoving, zoom.time + 1.0 / 60 < event.time { try advance(to: zoom.time + 1.0 / 60) }
    if refusal == nil || event.kindNumber == 0 { try takeDelayed() }
    // A delayed end is dropped if all touches are cancelled, or if its touch ends or begins again:
    // it would end the new touch.
    afterNext.removeAll { delayed in
      event.kind == .cancelAll
        || !event.isMovement
          && delayed.touches.contains { touch in event.touches.contains { $0.id == touch.id } }
    }
    guard let refusal else {
      try take(event)
      (beforeNext, afterNext) = (afterNext, [])
      return try takeDelayed()
    }
    for fault in refusal.faults {
      let spoilt = event.spoilt(fault, after: zoom.time, unseen)
      do {
        try zoom.handle(spoilt)
        try Property.require(false, "\"\(spoilt.sentence)\" is accepted")
      } catch is GeometryError {}
      try requireSame("the refused \"\(spoilt.sentence)\"")
    }
    refuse(event)
    switch refusal.repetition {
    case .atOnce:
      try takeDelayed()
      return try take(event)
    case .beforeNext where (1...3).contains(event.kindNumber): beforeNext.append(event)
    case .afterNext where event.kindNumber == 1 || event.kindNumber == 3: afterNext.append(event)
    case .beforeNext, .afterNext, .never: break
    }
  }

  mutating func finish() throws {
    try advance(to: zoom.time + 2)
    try requireSame("two seconds")
  }

  private mutating func advance(to time: Double) throws {
    try zoom.advance(to: time)
    try reference.advance(to: time)
  }

  /// Records the touches to hide from the reference or to cancel in it.
  private mutating func refuse(_ event: GestureEvent) {
    var ends: [Int] = []
    switch event.kind {
    case .touches(.began, let touches): unseen.formUnion(touches.map(\.id))
    case .touches(.ended, let touches), .touches(.cancelled, let touches): ends = touches.map(\.id)
    case .cancelAll: ends = down.sorted()
    default: break
    }
    for id in ends where down.contains(id) {
      refusedEnds.removeAll { $0 == id }
      refusedEnds.append(id)
    }
  }

  private mutating func takeDelayed() throws {
    for event in beforeNext { try take(event) }
    beforeNext = []
  }

  private mutating func take(_ event: GestureEvent) throws {
    let event = GestureEvent(time: max(event.time, zoom.time), kind: event.kind)
    do {
      try zoom.handle(event)
    } catch {
      try Property.require(false, "\"\(event.sentence)\" is refused: \(error)")
    }
    if event.kind == .cancelAll { (unseen, refusedEnds, down) = ([], [], []) }
    guard case .touches(let phase, let touches) = event.kind else {
      try reference.handle(event)
      return try requireSame("\"\(event.sentence)\"")
    }
    let ids = touches.map(\.id)
    let gone = refusedEnds.filter { phase == .began || unseen.contains($0) || !ids.contains($0) }
    refusedEnds = []
    if !gone.isEmpty {
      let cancelled = gone.map { Touch(id: $0, point: ViewPoint(x: 0, y: 0)) }
      try reference.handle(.init(time: reference.time, kind: .touches(.cancelled, cancelled)))
      down.subtract(gone)
      unseen.formUnion(gone)
    }
    if phase == .began { unseen.subtract(ids) }
    let seen = touches.filter { !unseen.contains($0.id) }
    if seen.isEmpty {
      try reference.advance(to: event.time)
    } else {
      try reference.handle(GestureEvent(time: event.time, kind: .touches(phase, seen)))
    }
    switch phase {
    case .began: down.formUnion(ids)
    case .moved: break
    case .ended, .cancelled:
      down.subtract(ids)
      unseen.subtract(ids)
    }
    try requireSame("\"\(event.sentence)\"")
  }

  private mutating func requireSame(_ what: String) throws {
    let isSame = try zoom.takeState() == reference.takeState()
    try Property.require(isSame, "after \(what) the state differs from that without refusals")
  }
}

extension GestureEvent {
  fileprivate var kindNumber: Int {
    switch kind {
    case .touches(.began, _): 0
    case .touches(.ended, _): 1
    case .cancelAll: 2
    case .touches(.cancelled, _): 3
    case .touches(.moved, _): 4
    case .device, .interface, .screen, .close, .wheel: 5
    }
  }

  /// Returns the event with the given fault, or with a bad time if the system would not check the event's touches,
  /// because the event has none or the system ignores some of them.
  fileprivate func spoilt(
    _ fault: Refusal.Fault, after now: Double, _ unseen: Set<Int>
  ) -> GestureEvent {
    let times = [Refusal.Fault.goesBack: now.nextDown, .tooLate: LiveZoom.latestTime.nextUp]
    guard times[fault] == nil, case .touches(let phase, var touches) = kind,
      phase == .began || !touches.contains(where: { unseen.contains($0.id) })
    else { return GestureEvent(time: times[fault] ?? .nan, kind: kind) }
    let last = touches.count - 1
    switch fault {
    case .x: touches[last].point.x = .infinity
    case .y: touches[last].point.y = .nan
    case .force: touches[last].force = .nan
    case .tooFar: touches[last].point.x = Double(PixelSize.maximumSide).nextUp
    case .goesBack, .tooLate, .contradiction:
      // No finger of a script has this number.
      touches.append(phase == .moved ? Touch(id: -1, point: touches[last].point) : touches[last])
    }
    return GestureEvent(time: time, kind: .touches(phase, touches))
  }
}
