import Testing

@testable import ZoomGeometry

@Suite struct GesturePlayerTests {
  /// Fingers, turns, resizes and cancellations, drawn from a small congruential generator.
  private func wildEvents(_ count: Int, seed: UInt64) throws -> [GestureEvent] {
    var random = seed
    func next(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var down: [Int] = []
    var events: [GestureEvent] = []
    for number in 0..<count {
      let point = ViewPoint(Double(next(800)) - 200, Double(next(1000)) - 200)
      let force = Double(next(401)) / 60
      let kind: GestureEvent.Kind
      switch next(12) {
      case 0...2 where down.count < 3:
        let id = (0...3).first { !down.contains($0) } ?? 0
        down.append(id)
        kind = .touches(.began, [Touch(id: id, point: point, force: force)])
      case 3...6 where !down.isEmpty:
        kind = .touches(.moved, [Touch(id: down[next(down.count)], point: point, force: force)])
      case 7...8 where !down.isEmpty:
        kind = .touches(
          next(8) == 0 ? .cancelled : .ended,
          [Touch(id: down.remove(at: next(down.count)), point: point, force: 0)])
      case 9:
        kind = .device(DeviceOrientation.allCases[next(7)])
      case 10:
        kind = next(2) == 0 ? .close : .interface(InterfaceOrientation.allCases[next(5)])
      case 11:
        if next(4) == 0 {
          down = []
          kind = .cancelAll
        } else {
          kind = .screen(
            try Screen(
              size: ViewSize(Double(next(900) + 1), Double(next(900) + 1)),
              scale: Double(next(3) + 1)))
        }
      default:
        kind = .device(.portrait)
      }
      events.append(GestureEvent(time: Double(number) * 0.037, kind: kind))
    }
    return events
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `an empty script shows one state`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    let states = try play(system, [], form: form)
    #expect(states.count == 1)
    #expect(states[0].time == 0)
    #expect(!states[0].layers.isEmpty)
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases)
  func `every system plays wild scripts, finitely, in order of time, and twice the same`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let events = try wildEvents(150, seed: seed)
      let first = try play(system, events, form: form)
      #expect(first.count > 50)
      #expect(first.allSatisfy { $0.isFinite })
      #expect(zip(first, first.dropFirst()).allSatisfy { $0.time < $1.time })
      let isRepeated = try play(system, events, form: form) == first
      #expect(isRepeated)
    }
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `a hundred thousand events play`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    // Close together, so that the states are few; what is tested is that no event costs more as
    // there are more of them.
    let events = try wildEvents(100_000, seed: 7).map { event in
      GestureEvent(time: event.time / 100, kind: event.kind)
    }
    #expect(try (100...10_000).contains(play(system, events, form: form).count))
  }

  @Test func `a long rest costs no states`() throws {
    let events = [finger(0, .began, 187, 333), finger(86_400, .ended, 187, 333)]
    for system in ZoomSystem.allCases { #expect(try play(system, events).count < 100) }
  }

  @Test func `events of one tick make one state, and an event on a tick is in that tick's state`()
    throws
  {
    let moves = [0.05, 0.051, 0.06, 0.1].map { finger($0, .moved, 187, 333) }
    let states = try play(.peek, [finger(0, .began, 187, 333)] + moves)
    let times = states.map { ($0.time * 60).rounded() }
    #expect(times == [0, 3, 4, 6])
  }

  @Test func `the screen of a state is the one that the script has set by then`() throws {
    let wide = try Screen(size: ViewSize(667, 375), scale: 2)
    let states = try play(.peek, [GestureEvent(time: 0.5, kind: .screen(wide))])
    #expect(try states.map(\.screen) == [Screen(size: phone), wide])
  }

  @Test func `a state is never earlier than the event that it shows`() throws {
    // A millionth of a tick late counts as the tick itself.
    let time = 0.05 + 1e-9
    #expect(try play(.peek, [finger(time, .began, 187, 333)]).last?.time == time)
  }
}

/// Laws of whole plays, whatever the system is.
struct PlayerLawsTests {
  /// A system, its form, and what it shows.
  struct Case: Sendable, CustomTestStringConvertible {
    let system: ZoomSystem
    let form: ZoomForm
    var stage = Stage()
    var name = ""
    var testDescription: String { "\(system) \(form) \(name)" }
  }

  /// A thumbnail that is not square and touches no axis of symmetry of the screen.
  static let thumbnail = Stage(view: ViewRect(40, 90, 130, 100), cornerRadius: 12)

  /// Those in which no axis is special.
  ///
  /// As published, the peek's offset is made from the width alone (FZ-B1); the fullscreen view has
  /// an upright home and a caption at its bottom, and the button lies across the page.
  static let symmetric = [
    Case(system: .peek, form: .corrected),
    Case(system: .force, form: .corrected),
    Case(system: .force, form: .original),
    Case(system: .doubleTap, form: .corrected),
    Case(system: .doubleTap, form: .original),
    Case(system: .transition, form: .corrected, stage: thumbnail),
    Case(system: .transition, form: .original, stage: thumbnail),
  ]

  static func states(
    _ one: Case, _ events: [GestureEvent], picture: PixelSize, screen: ViewSize,
    stage: Stage? = nil
  ) throws -> [ZoomState] {
    try play(
      one.system, events, picture: picture, form: one.form, screen: screen, scale: 2,
      stage: stage ?? one.stage)
  }

  /// Gestures for a system: of the transition, after its thumbnail is tapped.
  static func gestures(_ one: Case, seed: UInt64, start: Double) -> RandomGestures {
    var gestures = RandomGestures(seed: seed, screen: phone, start: start)
    if one.system == .transition {
      gestures.tap(at: ViewPoint(100, 130))
      gestures.wait(1)
    }
    return gestures
  }

  /// Sums are rounded in another order, and a fling multiplies what is off.
  static let tolerance = 1e-6

  static func near(_ first: [Double], _ second: [Double]) -> Bool {
    first.count == second.count
      && zip(first, second).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($0)) }
  }

  @Test(arguments: symmetric, [UInt64](1...6))
  func `with x and y exchanged everywhere all that is seen is exchanged`(
    one: Case, seed: UInt64
  ) throws {
    var gestures = Self.gestures(one, seed: seed, start: 0)
    gestures.gestures(5)
    let picture = try PixelSize(900, 700)
    let plain = try Self.states(one, gestures.events, picture: picture, screen: phone)
    var stage = one.stage
    stage.view = stage.view?.transposed
    let other = try Self.states(
      one, gestures.events.map { try $0.transposed() }, picture: picture.transposed,
      screen: phone.transposed, stage: stage)
    #expect(plain.count == other.count)
    let wrong = zip(plain, other).first { plain, other in
      plain.events != other.events || plain.recogniser != other.recogniser
        || abs(plain.force - other.force) > Self.tolerance
        || plain.layers.count != other.layers.count
        || !zip(plain.layers, other.layers).allSatisfy {
          Self.near($0.numbers(transposed: false), $1.numbers(transposed: true))
        }
    }
    #expect(wrong == nil)
  }

  /// Those that go back to where they began when they are left alone or closed.
  static let returning = [
    Case(system: .peek, form: .corrected),
    Case(system: .force, form: .corrected),
    Case(system: .force, form: .corrected, stage: Stage(forceExhibit: .button), name: "button"),
    Case(system: .transition, form: .corrected, stage: thumbnail),
  ]

  @Test(arguments: returning, [UInt64](1...8))
  func `what is over leaves no trace`(one: Case, seed: UInt64) throws {
    let picture = try PixelSize(900, 700)
    // A second play long after the first.
    let start = 60.0
    var later = Self.gestures(one, seed: seed &+ 100, start: start)
    later.gestures(3)
    var first = Self.gestures(one, seed: seed, start: 0)
    first.gestures(4)
    // The last gesture is interrupted, each time by something else.
    first.drag(fingers: 1 + Int(seed % 2), cancelled: seed % 3 == 0)
    if seed % 4 < 2 { first.add(.cancelAll) }
    first.wait(0.5)
    first.add(.close)
    let alone = try Self.states(one, later.events, picture: picture, screen: phone)
    let after = try Self.states(one, first.events + later.events, picture: picture, screen: phone)
    let (fresh, used) = (alone.filter { $0.time >= start }, after.filter { $0.time >= start })
    #expect(!fresh.isEmpty && fresh.count == used.count)
    // A recogniser says how its last gesture ended until the next one begins.
    let wrong = zip(fresh, used).first {
      $0.layers != $1.layers || $0.events != $1.events || $0.force != $1.force
    }
    #expect(wrong == nil)
  }
}
