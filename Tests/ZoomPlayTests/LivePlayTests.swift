import Foundation
import PropertyTesting
import PropertyTestingBridge
import Synchronization
import Testing
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import ZoomPlay

@Suite struct LivePlayTests {
  private func live(_ system: ZoomSystem, _ gesture: GestureCase) throws -> LivePlay {
    let script = gesture.script
    return try LivePlay(
      PlayScene(
        picture: 0, system: system, screen: script.screen, device: script.device,
        interface: script.interface, press: script.press, maximumForce: script.maximumForce,
        stage: script.stage), picture: gesture.picture, memory: MemoryBudget())
  }

  @Test(arguments: ZoomSystem.allCases)
  func `a recording plays again to every state that was shown`(_ system: ZoomSystem) async {
    // The states shown, and those in which a finger has changed something.
    let counts = Mutex((shown: 0, changed: 0))
    await expectForAll(
      .gestures(of: system, actions: 0...8),
      // The intervals of frames, which also delay events.
      Gen<[Double]>.array(of: .double(in: 0.001...0.05), count: 1...200)
    ) { gesture, pauses, _ in
      var live = try live(system, gesture)
      var shown: [(tick: Int, ZoomState)] = []
      var now = 0.0
      var next = 0
      // The intervals are repeated, because most lists end before the first finger goes down.
      let end = (gesture.script.events.last?.time ?? 0) + 0.5
      for frame in 0..<400 where now < end {
        now += pauses[frame % pauses.count]
        while next < gesture.script.events.count, gesture.script.events[next].time <= now {
          let event = gesture.script.events[next]
          try live.take(event, at: event.time)
          next += 1
        }
        if live.step(to: now), let state = live[.corrected].state {
          shown.append((live.tick, state))
        }
      }
      try Property.require(!shown.isEmpty, "no state was shown")
      counts.withLock { counts in
        counts.shown += shown.count
        counts.changed += shown.count { $0.1.layers != shown[0].1.layers || $0.1.force > 0 }
      }
      var player = try GesturePlayer(
        try live.script(), system: system, picture: gesture.picture)
      let states = try player.states()
      for (tick, state) in shown {
        let moment = Double(tick) / LivePlay.ticksPerSecond + 1e-9
        let replayed = states.last { $0.time <= moment }
        try Property.require(
          replayed?.layers == state.layers && replayed?.recogniser == state.recogniser
            && replayed?.force == state.force && replayed?.time == state.time,
          "at tick \(tick) live shows \(state.layers) and the script \(replayed?.layers ?? [])")
      }
    }
    #expect(counts.withLock { $0.shown > 1000 && $0.changed > 10 }, "\(counts.withLock { $0 })")
  }

  private func live() throws -> LivePlay {
    let screen = try Screen(size: ViewSize(width: 375, height: 667))
    return try live(
      .peek,
      GestureCase(
        script: try GestureScript(screen: screen, events: []),
        picture: try PixelSize(width: 1600, height: 1200)))
  }

  private func event(_ phase: TouchPhase, touches: Int = 1) -> GestureEvent {
    let touch = Touch(id: 1, point: ViewPoint(x: 100, y: 300), force: 3)
    return GestureEvent(
      time: 0, kind: .touches(phase, [Touch](repeating: touch, count: touches)))
  }

  @Test func `an event older than the moment already shown is moved to the next`() throws {
    var live = try live()
    _ = live.step(to: 1)
    try live.take(event(.began), at: 0.2)
    #expect(live.recorded.map(\.time) == [1.001])
    let isChanged = live.step(to: 1)
    #expect(isChanged)
    #expect(live.tick == 121)
    #expect(throws: GeometryError.self) { try live.take(event(.began), at: 2) }
    #expect(live.recorded.count == 1)
    #expect(live.isTouched)
    try live.take(GestureEvent(time: 0, kind: .cancelAll), at: .nan)
    #expect(!live.isTouched)
  }

  @Test func `a movement with more touches than fingers may be down is refused`() throws {
    var live = try live()
    try live.take(event(.began), at: 0)
    try live.take(event(.moved, touches: LivePlay.mostTouches), at: 0.1)
    #expect(throws: PlayError.self) {
      try live.take(event(.moved, touches: LivePlay.mostTouches + 1), at: 0.2)
    }
    #expect(live.recorded.count == 2)
  }
}

@Suite struct StateLawTests {
  private func breaches(
    _ system: ZoomSystem, _ form: ZoomForm, _ gesture: GestureCase
  ) throws -> Set<String> {
    var player = try GesturePlayer(
      gesture.script, system: system, picture: gesture.picture, form: form)
    let states = try player.states()
    let down = gesture.script.events.fingers()
    var broken: Set<String> = []
    for (index, state) in states.enumerated() {
      let isAtRest = index == states.count - 1 && down.isEmpty
      for breach in StateLaw.breaches(
        of: StateLaw.Moment(state, of: gesture.picture, system: system, isAtRest: isAtRest))
      {
        broken.insert("\(breach.law): \(breach.complaint)")
      }
    }
    return broken
  }

  @Test(arguments: ZoomSystem.allCases)
  func `corrected systems keep every law of single states`(_ system: ZoomSystem) async {
    await expectForAll(.gestures(of: system)) { gesture, _ in
      let broken = try breaches(system, .corrected, gesture)
      try Property.require(broken.isEmpty, broken.sorted().joined(separator: "; "))
    }
  }

  @Test func `each law of single states is broken by a published system`() async throws {
    for law in ["FZ-P1", "FZ-P6", "FT-P5", "FT-P6", "GE-12"] {
      var isBroken = false
      for system in ZoomSystem.allCases where !isBroken {
        let report = await Property.check(
          "\(law) \(system)", .gestures(of: system), settings: PropertySettings(cases: 300, seed: 5)
        ) { gesture, _ in
          let found = (try? breaches(system, .original, gesture)) ?? []
          try Property.require(!found.contains { $0.hasPrefix(law) }, "it is broken")
        }
        isBroken = !report.failures.isEmpty
      }
      #expect(isBroken, "\(law) finds nothing")
    }
  }
}
