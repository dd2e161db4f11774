import Testing
import ZoomGeometry

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
  static let thumbnail = Stage(
    view: ViewRect(x: 40, y: 90, width: 130, height: 100), cornerRadius: 12)

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
    let script = try GestureScript(
      screen: Screen(size: screen, scale: 2), stage: stage ?? one.stage, events: events)
    var player = try GesturePlayer(script, system: one.system, picture: picture, form: one.form)
    var states: [ZoomState] = []
    while let state = try player.next() { states.append(state) }
    return states
  }

  /// Gestures for a system: of the transition, after its thumbnail is tapped.
  static func gestures(_ one: Case, seed: UInt64, start: Double) -> RandomGestures {
    var gestures = RandomGestures(seed: seed, screen: phone, start: start)
    if one.system == .transition {
      gestures.tap(at: ViewPoint(x: 100, y: 130))
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
    let picture = try PixelSize(width: 900, height: 700)
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
    let picture = try PixelSize(width: 900, height: 700)
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
    let after = try Self.states(
      one, first.events + later.events, picture: picture, screen: phone)
    let (fresh, used) = (
      alone.filter { $0.time >= start }, after.filter { $0.time >= start }
    )
    #expect(!fresh.isEmpty && fresh.count == used.count)
    // A recogniser says how its last gesture ended until the next one begins.
    let wrong = zip(fresh, used).first {
      $0.layers != $1.layers || $0.events != $1.events || $0.force != $1.force
    }
    #expect(wrong == nil)
  }
}
