import Testing

@testable import ZoomGeometry

struct FullscreenEngineTests {
  /// 100 x 50 shows a 4:3 picture 66.7 x 50 large, in the middle.
  static let inline = ViewRect(20 + 50 - 100.0 / 3, 30, 200.0 / 3, 50)

  @Test(arguments: ZoomForm.allCases)
  func `at first there are the page, the view with its picture, and the caption`(form: ZoomForm)
    throws
  {
    let states = try Play.fullscreen().states(form)
    #expect(states.count == 1)
    let state = try #require(states.first)
    #expect(state.layers.count == 4)
    #expect(state.fills(0.9) == [portraitWindow])
    #expect(state.fills(0) == [ViewRect(20, 30, 100, 50)])
    #expect(difference(try state.pictureFrame(), Self.inline) < 1e-9)
    #expect(state.isCaptionInFront)
    #expect(state.recogniser == .possible && state.force == 0)
  }

  @Test(arguments: ZoomForm.allCases)
  func `the view stands where its ancestors put it, and taps find it there`(form: ZoomForm) throws {
    let list = Stage.Ancestor(frame: ViewRect(10, 100, 300, 400), scroll: ViewPoint(0, 200))
    var play = Play.fullscreen(stage: Stage(view: ViewRect(20, 230, 100, 50), ancestors: [list]))
    play.tap(31, 131, at: 0)
    let states = try play.states(form)
    let place = ViewRect(30, 130, 100, 50)
    #expect(states.first?.fills(0) == [place])
    #expect(states.happened == [.singleTap, .present])
  }

  @Test func `a tap takes the view to full screen in a fifth of a second, and another one back`()
    throws
  {
    var play = Play.fullscreen().opened
    play.tap(300, 600, at: 1)
    let states = try play.states(.corrected)
    #expect(states.happened == [.singleTap, .present, .singleTap, .dismiss])
    #expect(states.count == 26)

    let full = try states.shown(at: 0.2)
    #expect(full.time == 0.2)
    #expect(full.fills(0) == [portraitWindow])
    #expect(difference(try full.pictureFrame(), ViewRect(0, 192.875, 375, 281.25)) < 1e-12)
    #expect(!full.isCaptionInFront)

    // Half-way in time, half-way in place: the curve is symmetric.
    let half = try states.shown(at: 0.1)
    let card = ViewRect(10, 15, 237.5, 358.5)
    #expect(half.fills(0).count == 1)
    #expect(difference(try #require(half.fills(0).first), card) < 1e-9)
  }

  static let turns: [(DeviceOrientation, Double, Double)] = [
    (.portrait, 0, -1), (.landscapeLeft, 1, 0), (.landscapeRight, -1, 0),
    (.portraitUpsideDown, 0, 1),
  ]

  @Test(arguments: turns)
  func `ZV-P8: there and back, with a turn between, everything is as it was`(
    device: DeviceOrientation, x: Double, y: Double
  ) throws {
    var play = Play.fullscreen().opened
    play.event(.device(device), at: 1)
    play.tap(200, 300, at: 2)
    let states = try play.states(.corrected)
    #expect(try states.shown(at: 1.5).up() == ViewPoint(x, y))
    #expect(try states.shown(at: 1.5).fills(0) == [portraitWindow])
    let last = try #require(states.last)
    #expect(last.layers == (try Play.fullscreen().states(.corrected).last?.layers))
    // Held so from the beginning, it goes there at once, and comes back from there.
    play.device = device
    play.events.removeAll { $0.time == 1 }
    let other = try play.states(.corrected)
    #expect(try other.shown(at: 1.5).layers == states.shown(at: 1.5).layers)
    #expect(other.last?.layers == last.layers)
  }

  @Test func `ZV-P10: while it turns, black covers the page, for a quarter of a second`() throws {
    for (width, height) in [(375.0, 667.0), (667, 375), (1024, 768)] {
      var play = Play.fullscreen(size: ViewSize(width, height)).opened
      play.event(.device(.landscapeLeft), at: 1)
      let states = try play.states(.corrected)
      #expect(states.happened == [.singleTap, .present, .rotate])
      let side = max(width, height)
      let moving = states.filter { $0.time >= 1 && $0.time < 1.25 }
      #expect(moving.count == 15)
      for state in moving {
        #expect(state.fills(0) == [ViewRect((width - side) / 2, (height - side) / 2, side, side)])
        #expect(state.layers.last == state.picture.map { .picture($0) })
      }
      #expect(try states.shown(at: 1.25).fills(0) == [ViewRect(0, 0, width, height)])
    }
  }

  @Test func `ZV-B10: from one landscape to the other the picture passes upright`() throws {
    var play = Play.fullscreen(device: .landscapeLeft).opened
    play.event(.device(.landscapeRight), at: 1)
    let ups = try play.states(.corrected).filter { $0.time >= 1 && $0.time <= 1.25 }.map {
      try $0.up()
    }
    #expect(ups.first == ViewPoint(1, 0))
    #expect(ups.last == ViewPoint(-1, 0))
    #expect(ups.dropFirst().dropLast().allSatisfy { $0.y < 0 })
    // Evenly to the one side, and no faster at the end than the curve is.
    #expect(zip(ups, ups.dropFirst()).allSatisfy { $0.x > $1.x })
  }

  @Test func `ZV-P7: the interface is followed while the device lies flat or is not known`() throws
  {
    for device in [DeviceOrientation.unknown, .faceUp, .faceDown] {
      var play = Play.fullscreen(device: device, interface: .landscapeRight).opened
      play.event(.interface(.landscapeLeft), at: 1)
      play.event(.interface(.portrait), at: 2)
      let states = try play.states(.corrected)
      #expect(try states.shown(at: 0.5).up() == ViewPoint(1, 0))
      #expect(try states.shown(at: 1.5).up() == ViewPoint(-1, 0))
      #expect(try states.shown(at: 2.5).up() == ViewPoint(0, -1))
      #expect(states.happened == [.singleTap, .present, .rotate, .rotate])
    }
  }

  @Test(arguments: ZoomForm.allCases)
  func `inline, turning the device moves nothing`(form: ZoomForm) throws {
    var play = Play.fullscreen()
    play.event(.device(.landscapeLeft), at: 1)
    play.event(.interface(.landscapeLeft), at: 2)
    let states = try play.states(form)
    #expect(states.count == 3)
    #expect(Set(states.map(\.layers)).count == 1)
    #expect(states.happened.isEmpty)
  }

  @Test(arguments: ZoomForm.allCases)
  func `a turn that changes nothing is no turn`(form: ZoomForm) throws {
    var play = Play.fullscreen().opened
    play.event(.device(.faceUp), at: 1)
    play.event(.device(.portrait), at: 2)
    let states = try play.states(form)
    #expect(!states.happened.contains(.rotate))
    #expect(states.last?.time == 2)
  }

  @Test func `interrupted, a movement goes on from what is seen`() throws {
    var play = Play.fullscreen().opened
    play.event(.device(.landscapeLeft), at: 0.1)
    play.event(.device(.landscapeRight), at: 0.2)
    play.tap(70, 55, at: 0.3)
    play.tap(70, 55, at: 0.4)
    let states = try play.states(.corrected)
    #expect(
      states.happened.filter { $0 != .singleTap } == [
        .present, .rotate, .rotate, .dismiss, .present,
      ])
    for (state, next) in zip(states, states.dropFirst()) {
      // A twelfth of the way at the most at the curve's steepest is far less than these; a jump
      // to either end of a movement would be more.
      let (one, other) = (try #require(state.picture), try #require(next.picture))
      let centres = [one, other].map {
        $0.transform.apply(to: ViewPoint($0.size.width / 2, $0.size.height / 2))
      }
      #expect(abs(centres[0].y - centres[1].y) < 45)
      #expect(abs(try state.up().x - next.up().x) < 0.5)
    }
    #expect(try states.last?.up() == ViewPoint(-1, 0))
    #expect(states.last?.fills(0) == [portraitWindow])
  }

  @Test func `a new viewport lays everything out anew, at once`() throws {
    var play = Play.fullscreen(stage: Stage())
    play.tap(187.5, 333.5, at: 0)
    play.events.append(try resize(0.1, 768, 1024))
    play.tap(10, 10, at: 1)
    play.events.append(try resize(1.1, 320, 480))
    let states = try play.states(.corrected)
    let full = try states.shown(at: 0.1)
    #expect(full.fills(0) == [ViewRect(0, 0, 768, 1024)])
    #expect(full.fills(0.9) == full.fills(0))
    let last = try #require(states.last)
    #expect(last.time == 1.1)
    #expect(last.fills(0) == [ViewRect(80, 160, 160, 160)])
    #expect(last.isCaptionInFront)
  }

  @Test func `a viewport of the same size with another scale stops nothing`() throws {
    var play = Play.fullscreen().opened
    play.event(.screen(try Screen(size: play.size, scale: 3)), at: 0.1)
    #expect(try play.states(.corrected).last?.time == 0.2)
  }

  @Test(arguments: ZoomForm.allCases)
  func `at rest a picture that is shown 1:1 is on whole pixels in the corrected form`(
    form: ZoomForm
  ) throws {
    let view = ViewRect(20.3, 30.8, 100, 50)
    let states = try play(
      .fullscreen, [], picture: PixelSize(100, 50), form: form,
      stage: Stage(view: view))
    let corner = form == .corrected ? ViewPoint(20, 31) : view.origin
    #expect(near(try #require(states.first).pictureFrame().origin, corner))
  }

  @Test(arguments: ZoomForm.allCases)
  func `the caption is a dark strip over the lowest quarter of the view's place`(form: ZoomForm)
    throws
  {
    let strip = ViewRect(20, 67.5, 100, 12.5)
    #expect(try Play.fullscreen().states(form).first?.fills(0.35) == [strip])
  }

  @Test(arguments: [(667.0, 375.0), (375, 667), (400, 400)])
  func `without a place the view is half as long as the viewport's shorter side`(
    width: Double, height: Double
  ) throws {
    let states = try Play.fullscreen(size: ViewSize(width, height), stage: Stage())
      .states(.corrected)
    let side = min(width, height) / 2
    let square = ViewRect((width - side) / 2, (height - side) / 2, side, side)
    #expect(states.first?.fills(0) == [square])
  }

  @Test(arguments: InterfaceOrientation.allCases, [(667.0, 375.0), (375, 667), (400, 400)])
  func `a viewport has turned if it is wider than high and the interface drawn for landscape`(
    interface: InterfaceOrientation, size: (Double, Double)
  ) throws {
    // Held as the interface is drawn: upright in a window that has turned with it.
    var play = Play.fullscreen(
      size: ViewSize(size.0, size.1),
      device: DeviceOrientation(upright: interface), interface: interface)
    play.tap(70, 55, at: 0)
    let hasTurned = (interface == .landscapeLeft || interface == .landscapeRight) && size.0 > size.1
    let fixed = try setup(play.device, interface: interface).turn
    let up = direction(0, -1, under: .turn(hasTurned ? .none : fixed))
    #expect(try play.states(.corrected).shown(at: 1).up() == up)
  }
}

/// Which touches and actions move the view, and which do not.
struct FullscreenEngineEventsTests {
  static let others: [(String, [(TouchPhase, Double, Double)], RecogniserState)] = [
    ("beside the view", [(.began, 200, 300), (.ended, 200, 300)], .failed),
    ("a pan", [(.began, 70, 55), (.moved, 90, 55), (.ended, 70, 55)], .failed),
    ("a touch taken away", [(.began, 70, 55), (.cancelled, 70, 55)], .cancelled),
    ("a touch that stays", [(.began, 70, 55), (.moved, 71, 55)], .possible),
  ]

  @Test(arguments: others, ZoomForm.allCases)
  func `what is not a tap on the view does not move it`(
    other: (String, [(TouchPhase, Double, Double)], RecogniserState), form: ZoomForm
  ) throws {
    var play = Play.fullscreen()
    for (step, (phase, x, y)) in other.1.enumerated() {
      let touch = Touch(id: 1, point: ViewPoint(x, y))
      play.event(.touches(phase, [touch]), at: Double(step))
    }
    let states = try play.states(form)
    #expect(Set(states.map(\.layers)).count == 1, "\(other.0)")
    #expect(!states.happened.contains(.present))
    #expect(states.last?.recogniser == other.2)
  }

  @Test func `taking all touches away drops a tap that has begun, and only that`() throws {
    var play = Play.fullscreen()
    let touch = Touch(id: 1, point: ViewPoint(70, 55))
    play.event(.touches(.began, [touch]), at: 0)
    play.event(.cancelAll, at: 0.1)
    play.event(.cancelAll, at: 0.2)
    // Another finger: the first one's end was not told, and it is not down for all that.
    play.events += [finger(1, .began, 70, 55, id: 2), finger(1, .ended, 70, 55, id: 2)]
    let states = try play.states(.corrected)
    #expect(states.happened == [.cancelled, .singleTap, .present])
    #expect(try states.shown(at: 0.2).recogniser == .cancelled)
    #expect(states.last?.recogniser == .ended)
  }

  @Test(arguments: ZoomForm.allCases)
  func `closing dismisses, and inline does nothing`(form: ZoomForm) throws {
    var play = Play.fullscreen()
    play.event(.close, at: 0)
    play.tap(70, 55, at: 1)
    play.event(.close, at: 2)
    let states = try play.states(form)
    #expect(states.happened == [.singleTap, .present, .dismiss])
    #expect(states.last?.fills(0) == [ViewRect(20, 30, 100, 50)])
  }

  @Test(arguments: ZoomForm.allCases, [TouchPhase.ended, .cancelled])
  func `each press is possible at first, a second finger's is part of it`(
    form: ZoomForm, phase: TouchPhase
  ) throws {
    var play = Play.fullscreen()
    let touches = [1, 2].map { Touch(id: $0, point: ViewPoint(200, 300)) }
    for time in [0.0, 1] {
      play.event(.touches(.began, [touches[0]]), at: time)
      play.event(.touches(.began, [touches[1]]), at: time + 0.1)
      play.event(.touches(phase, touches), at: time + 0.2)
    }
    play.event(.touches(.began, [touches[0]]), at: 2)
    let end: RecogniserState = phase == .ended ? .failed : .cancelled
    #expect(
      try play.states(form).map(\.recogniser) == [
        .possible, .possible, end, .possible, .possible, end, .possible,
      ])
  }
}
