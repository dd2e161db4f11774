import Testing

@testable import ZoomGeometry

@Suite struct GesturePlayerTests {
  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `an empty script shows one state`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    let states = try play(system, [], form: form)
    #expect(states.count == 1)
    #expect(states[0].time == 0)
    #expect(!states[0].layers.isEmpty)
  }

  @Test(arguments: ZoomSystem.allCases, ZoomForm.allCases) func `a hundred thousand events play`(
    system: ZoomSystem, form: ZoomForm
  ) throws {
    // Close together, so that the states are few: no event may cost more than the one before.
    var gestures = RandomGestures(seed: 7, screen: phone, start: 0)
    while gestures.events.count < 100_000 { gestures.gestures(100) }
    let events = gestures.events.map { GestureEvent(time: $0.time / 300, kind: $0.kind) }
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
    var testDescription: String { "\(system) \(form)" }
  }

  /// A thumbnail that is not square and touches no axis of symmetry of the screen.
  static let thumbnail = Stage(view: ViewRect(40, 90, 130, 100), cornerRadius: 12)

  /// The cases in which no axis is special.
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
}
