import Testing

@testable import ZoomGeometry

/// The view in full screen played over gesture scripts; the published behaviours are the timelines
/// ZV-*.
struct FullscreenEngineTests {
  let window = phone.atOrigin

  @Test(arguments: ZoomForm.allCases)
  func `at first there are the page, the view with its picture, and the caption`(form: ZoomForm)
    throws
  {
    let states = try Play.fullscreen().states(form)
    #expect(states.count == 1)
    let state = try #require(states.first)
    #expect(state.layers.count == 4 && state.layers.last?.fill?.shade == 0.35)
    #expect(state.fills(0.9) == [window])
    #expect(state.fills(0) == [ViewRect(20, 30, 100, 50)])
    #expect(state.fills(0.35) == [ViewRect(20, 67.5, 100, 12.5)])
    #expect(near(try state.pictureFrame(), ViewRect(20 + 50 - 100.0 / 3, 30, 200.0 / 3, 50)))
    #expect(state.recogniser == .possible && state.force == 0)
  }

  @Test(arguments: ZoomForm.allCases)
  func `the view is where its ancestors put it, and taps hit it there`(form: ZoomForm) throws {
    let list = Stage.Ancestor(frame: ViewRect(10, 100, 300, 400), scroll: ViewPoint(0, 200))
    var play = Play.fullscreen(stage: Stage(view: ViewRect(20, 230, 100, 50), ancestors: [list]))
    play.tap(31, 131, at: 0)
    let states = try play.states(form)
    #expect(states.first?.fills(0) == [ViewRect(30, 130, 100, 50)])
    #expect(states.happened == [.singleTap, .present])
  }

  @Test(arguments: [(667.0, 375.0), (375, 667), (400, 400)])
  func `without a place the view has half of the viewport's shorter side`(
    width: Double, height: Double
  ) throws {
    let states = try Play.fullscreen(size: ViewSize(width, height), stage: Stage())
      .states(.corrected)
    let side = min(width, height) / 2
    #expect(
      states.first?.fills(0) == [ViewRect((width - side) / 2, (height - side) / 2, side, side)])
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
    #expect(full.time == 0.2 && full.fills(0) == [window])
    #expect(near(try full.pictureFrame(), ViewRect(0, 192.875, 375, 281.25)))
    // The curve is symmetric: half-way in time is half-way in place.
    let half = try #require(states.shown(at: 0.1).fills(0).first)
    #expect(near(half, ViewRect(10, 15, 237.5, 358.5)))
  }

  @Test(arguments: DeviceOrientation.allCases.filter { $0.contentTurn != nil })
  func `ZV-P8: held so from the beginning, it zooms there at once and comes back`(
    device: DeviceOrientation
  ) throws {
    var play = Play.fullscreen().opened
    play.event(.device(device), at: 1)
    play.tap(200, 300, at: 2)
    let states = try play.states(.corrected)
    #expect(states.last?.layers == (try Play.fullscreen().states(.corrected).last?.layers))
    play.device = device
    play.events.removeAll { $0.time == 1 }
    let other = try play.states(.corrected)
    #expect(try other.shown(at: 1.5).layers == states.shown(at: 1.5).layers)
    #expect(other.last?.layers == states.last?.layers)
  }

  @Test func `ZV-P10: black covers the page for the quarter of a second that a turn takes`() throws
  {
    var play = Play.fullscreen(size: ViewSize(667, 375)).opened
    play.event(.device(.landscapeLeft), at: 1)
    let states = try play.states(.corrected)
    #expect(states.happened == [.singleTap, .present, .rotate])
    let moving = states.filter { $0.time >= 1 && $0.time < 1.25 }
    #expect(moving.count == 15)
    for state in moving { #expect(state.fills(0) == [ViewRect(0, -146, 667, 667)]) }
    #expect(try states.shown(at: 1.25).fills(0) == [ViewRect(0, 0, 667, 375)])
  }

  @Test func `ZV-B10: from one landscape to the other the picture passes upright`() throws {
    var play = Play.fullscreen(device: .landscapeLeft).opened
    play.event(.device(.landscapeRight), at: 1)
    let ups = try play.states(.corrected).filter { $0.time >= 1 && $0.time <= 1.25 }.map {
      try $0.up()
    }
    #expect(ups.first == ViewPoint(1, 0) && ups.last == ViewPoint(-1, 0))
    #expect(ups.dropFirst().dropLast().allSatisfy { $0.y < 0 })
    #expect(zip(ups, ups.dropFirst()).allSatisfy { $0.x > $1.x })
  }

  @Test(arguments: [DeviceOrientation.unknown, .faceUp, .faceDown])
  func `ZV-P7: the interface is followed while the device lies flat or is unknown`(
    device: DeviceOrientation
  ) throws {
    var play = Play.fullscreen(device: device, interface: .landscapeRight).opened
    play.event(.interface(.landscapeLeft), at: 1)
    play.event(.interface(.portrait), at: 2)
    let states = try play.states(.corrected)
    let ups = try [0.5, 1.5, 2.5].map { try states.shown(at: $0).up() }
    #expect(ups == [ViewPoint(1, 0), ViewPoint(-1, 0), ViewPoint(0, -1)])
    #expect(states.happened == [.singleTap, .present, .rotate, .rotate])
  }

  @Test(arguments: ZoomForm.allCases)
  func `turns have no effect inline, nor do those that change nothing`(form: ZoomForm) throws {
    var play = Play.fullscreen()
    play.event(.device(.landscapeLeft), at: 1)
    play.event(.interface(.landscapeLeft), at: 2)
    let states = try play.states(form)
    #expect(Set(states.map(\.layers)).count == 1 && states.happened.isEmpty)
    var opened = Play.fullscreen().opened
    opened.event(.device(.faceUp), at: 1)
    opened.event(.device(.portrait), at: 2)
    let shown = try opened.states(form)
    #expect(!shown.happened.contains(.rotate) && shown.last?.time == 2)
  }

  @Test func `an interrupted animation continues from what is visible`() throws {
    var play = Play.fullscreen().opened
    play.event(.device(.landscapeLeft), at: 0.1)
    play.event(.device(.landscapeRight), at: 0.2)
    play.tap(70, 55, at: 0.3)
    play.tap(70, 55, at: 0.4)
    let states = try play.states(.corrected)
    let moves = states.happened.filter { $0 != .singleTap }
    #expect(moves == [.present, .rotate, .rotate, .dismiss, .present])
    for (state, next) in zip(states, states.dropFirst()) {
      // A frame of the fastest movement is far less; a jump to an end would be more.
      let (one, other) = try (state.pictureFrame().centre, next.pictureFrame().centre)
      #expect(abs(one.y - other.y) < 45)
      #expect(abs(try state.up().x - next.up().x) < 0.5)
    }
    #expect(try states.last?.up() == ViewPoint(-1, 0) && states.last?.fills(0) == [window])
  }

  @Test func `a viewport of another size is laid out at once, another scale stops nothing`() throws
  {
    var play = Play.fullscreen(stage: Stage())
    play.tap(187.5, 333.5, at: 0)
    play.events.append(try resize(0.1, 768, 1024))
    play.tap(10, 10, at: 1)
    play.events.append(try resize(1.1, 320, 480))
    let states = try play.states(.corrected)
    let full = try states.shown(at: 0.1)
    #expect(full.fills(0) == [ViewRect(0, 0, 768, 1024)] && full.fills(0.9) == full.fills(0))
    #expect(states.last?.time == 1.1 && states.last?.fills(0) == [ViewRect(80, 160, 160, 160)])
    #expect(states.last?.layers.last?.fill?.shade == 0.35)
    var finer = Play.fullscreen().opened
    finer.event(.screen(try Screen(size: finer.size, scale: 3)), at: 0.1)
    #expect(try finer.states(.corrected).last?.time == 0.2)
  }

  @Test(arguments: ZoomForm.allCases)
  func `only the corrected picture that is shown 1:1 rests on whole pixels`(form: ZoomForm) throws {
    let view = ViewRect(20.3, 30.8, 100, 50)
    let states = try play(
      .fullscreen, [], picture: PixelSize(100, 50), form: form, stage: Stage(view: view))
    let corner = form == .corrected ? ViewPoint(20, 31) : view.origin
    #expect(near(try #require(states.first).pictureFrame().origin, corner))
  }

  @Test(arguments: InterfaceOrientation.allCases, [(667.0, 375.0), (375, 667), (400, 400)])
  func `a viewport has turned if it is wider than high and the interface in landscape`(
    interface: InterfaceOrientation, size: (Double, Double)
  ) throws {
    // The device is held as the interface is drawn, which is upright in a window that has turned.
    var play = Play.fullscreen(
      size: ViewSize(size.0, size.1), device: DeviceOrientation(upright: interface),
      interface: interface)
    play.tap(70, 55, at: 0)
    let isLandscape = interface == .landscapeLeft || interface == .landscapeRight
    let turn: QuarterTurn =
      isLandscape && size.0 > size.1 ? .none : play.device.contentTurn ?? .none
    #expect(
      try play.states(.corrected).shown(at: 1).up() == Affine.turn(turn).apply(to: ViewPoint(0, -1))
    )
  }

  static let others: [(String, [(TouchPhase, Double, Double)], RecogniserState)] = [
    ("beside the view", [(.began, 200, 300), (.ended, 200, 300)], .failed),
    ("a pan", [(.began, 70, 55), (.moved, 90, 55), (.ended, 70, 55)], .failed),
    ("a cancelled touch", [(.began, 70, 55), (.cancelled, 70, 55)], .cancelled),
    ("a touch that stays", [(.began, 70, 55), (.moved, 71, 55)], .possible),
  ]

  @Test(arguments: others, ZoomForm.allCases)
  func `only a tap on the view moves it`(
    other: (String, [(TouchPhase, Double, Double)], RecogniserState), form: ZoomForm
  ) throws {
    var play = Play.fullscreen()
    for (step, (phase, x, y)) in other.1.enumerated() {
      play.events.append(finger(Double(step), phase, x, y))
    }
    let states = try play.states(form)
    #expect(Set(states.map(\.layers)).count == 1, "\(other.0)")
    #expect(!states.happened.contains(.present) && states.last?.recogniser == other.2)
  }

  @Test func `a call drops a tap that has begun, and only that`() throws {
    var play = Play.fullscreen()
    play.events.append(finger(0, .began, 70, 55))
    play.event(.cancelAll, at: 0.1)
    play.event(.cancelAll, at: 0.2)
    // Another finger: the first one is not down although its end was not reported.
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
  func `the recogniser starts again with the first of several fingers`(
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

  @Test(arguments: [ViewSize(667, 375), ViewSize(375, 640)], ZoomForm.allCases)
  func `a finger that is down while the screen changes its size does not tap`(
    size: ViewSize, form: ZoomForm
  ) throws {
    var zoom = try live(.fullscreen, form)
    for event in tap(0, 187, 333) { try zoom.handle(event) }
    try zoom.handle(finger(2, .began, 187, 333))
    try zoom.handle(resize(2.05, size.width, size.height))
    try zoom.handle(finger(2.1, .ended, 187, 333))
    #expect(zoom.events == [.singleTap, .present] && zoom.recogniser == .failed)
    try zoom.handle(finger(3, .began, 187, 333))
    // The same size again breaks no tap.
    try zoom.handle(resize(3.01, size.width, size.height))
    try zoom.handle(finger(3.05, .ended, 187, 333))
    #expect(zoom.events.last == .dismiss)
  }
}

extension ZoomState {
  /// The rectangles of one shade, from back to front.
  func fills(_ shade: Double) -> [ViewRect] {
    layers.compactMap(\.fill).filter { $0.shade == shade }
      .map { $0.transform.boundingBox(of: $0.rect) }
  }

  /// The direction of the picture's up.
  fileprivate func up() throws -> ViewPoint {
    try #require(picture).transform.linear.apply(to: ViewPoint(0, -1))
  }
}
