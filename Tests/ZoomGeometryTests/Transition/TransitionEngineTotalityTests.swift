import Testing

@testable import ZoomGeometry

/// TI-P15: nothing in a valid script makes the corrected form fail, trap or run for ever.
struct TransitionEngineTotalityTests {
  private func script(_ random: inout SplitMix64, events count: Int) throws -> GestureScript {
    let sides = [1.0, 2, 375, 667, 4000]
    let places = [0, 1, 70, 187.5, 300, 667, -50, 2e9, -2e9]
    let screen = try Screen(
      size: ViewSize(width: random.pick(sides), height: random.pick(sides)))
    // On the usual thumbnail, in the proportions of the screen.
    let part = min(1, screen.size.width / 120, screen.size.height / 150)
    let thumbnail = Touch(id: 9, point: ViewPoint(x: 70 * part, y: 100 * part))
    var down: [Int] = []
    var time = 0.0
    var events: [GestureEvent] = [
      GestureEvent(time: 0, kind: .touches(.began, [thumbnail])),
      GestureEvent(time: 0, kind: .touches(.ended, [thumbnail])),
    ]
    for _ in 0..<count {
      time += random.pick([0, 0, 0.001, 1.0 / 60, 0.1, 0.3, 1])
      let point = ViewPoint(x: random.pick(places), y: random.pick(places))
      let choice = random.pick(Array(0..<16))
      let kind: GestureEvent.Kind
      switch choice {
      case 0:
        kind = .device(random.pick(DeviceOrientation.allCases))
      case 1 where random.unit() < 0.3:
        kind = .screen(
          try Screen(size: ViewSize(width: random.pick(sides), height: random.pick(sides))))
      case 2 where random.unit() < 0.3:
        kind = .cancelAll
        down = []
      case 3 where random.unit() < 0.3:
        kind = .close
      case 4...7 where down.count < 4:
        let id = (0..<5).first { !down.contains($0) } ?? 0
        down.append(id)
        kind = .touches(.began, [Touch(id: id, point: point)])
      case 8, 9:
        guard let id = down.popLast() else { continue }
        let phase: TouchPhase = random.unit() < 0.8 ? .ended : .cancelled
        kind = .touches(phase, [Touch(id: id, point: point)])
      default:
        guard !down.isEmpty else { continue }
        kind = .touches(.moved, [Touch(id: random.pick(down), point: point)])
      }
      events.append(GestureEvent(time: time, kind: kind))
    }
    return try GestureScript(
      screen: screen,
      stage: random.unit() < 0.5
        ? Stage() : Stage(view: ViewRect(x: 0, y: 0, width: 375, height: 667), cornerRadius: 9),
      events: events)
  }

  @Test(arguments: [
    (1, 1), (1, 100_000), (100_000, 1), (1600, 1200),
    (PixelSize.maximumSide, PixelSize.maximumSide), (PixelSize.maximumSide, 1),
  ])
  func `TI-P15: scripts of anything at all play to a finite end`(width: Int, height: Int) throws {
    let picture = try PixelSize(width: width, height: height)
    var random = SplitMix64(seed: UInt64(width &* 31 &+ height))
    var seen: Set<ZoomEvent> = []
    for _ in 0..<30 {
      let script = try script(&random, events: 120)
      var player = try GesturePlayer(script, system: .transition, picture: picture)
      var count = 0
      while let state = try player.next() {
        #expect(state.isFinite)
        seen.formUnion(state.events)
        count += 1
        // 60 frames for each event's longest consequence, and more.
        guard count < 60 * 2 * (script.events.count + 2) else {
          Issue.record("it does not come to rest")
          return
        }
      }
    }
    #expect(seen.isSuperset(of: [.present, .dismiss, .panBegan, .pinchBegan, .cancelled, .rotate]))
  }

  @Test func `TI-P8: whatever was done, in the end the picture is in bounds or the thumbnail`()
    throws
  {
    let picture = try SamplePicture.petronas.size()
    var random = SplitMix64(seed: 7)
    var zoomed = 0
    for _ in 0..<60 {
      let base = try script(&random, events: 60)
      let end = (base.events.last?.time ?? 0) + 1
      var events = base.events
      events.append(GestureEvent(time: end, kind: .cancelAll))
      let script = try GestureScript(screen: base.screen, stage: base.stage, events: events)
      var player = try GesturePlayer(script, system: .transition, picture: picture)
      var last: ZoomState?
      while let state = try player.next() { last = state }
      let state = try #require(last)
      let layer = try #require(state.picture)
      guard layer.mask == nil, let box = state.box else { continue }
      let turn: QuarterTurn = layer.transform.a == 0 ? .clockwise : .none
      let fit = try TransitionFit(picture: picture, screen: state.screen, turn: turn)
      let scale = max(abs(layer.transform.a), abs(layer.transform.b))
      #expect(scale >= fit.scale * (1 - 1e-9))
      #expect(scale <= fit.scale * fit.band.maximum * (1 + 1e-9))
      zoomed += scale > fit.scale * 1.01 ? 1 : 0
      let size = state.screen.size
      #expect(box.width <= size.width + 1e-6 || (box.x <= 1e-6 && box.maxX >= size.width - 1e-6))
      #expect(
        box.height <= size.height + 1e-6 || (box.y <= 1e-6 && box.maxY >= size.height - 1e-6))
    }
    #expect(zoomed > 2)
  }

  @Test(arguments: [ZoomForm.corrected, .original])
  func `a pan of a hundred thousand events is played`(form: ZoomForm) throws {
    var play = TransitionPlay.presented
    play.press((100, 300))
    for step in 1...100_000 {
      play.now += 1e-6
      let point = ViewPoint(x: 100 + Double(step % 200), y: 300)
      play.add(.touches(.moved, [Touch(id: 0, point: point)]))
    }
    play.lift()
    let states = try play.states(form)
    #expect(states.happened.contains(.panEnded))
    let areFinite = states.allSatisfy { $0.isFinite }
    #expect(areFinite)
  }
}
