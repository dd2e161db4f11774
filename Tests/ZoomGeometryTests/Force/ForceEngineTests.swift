import Testing

@testable import ZoomGeometry

/// What a script shows of the zoom: a picture of 1:1 fills the view of 200x200 points.
struct ForceEngineTests {
  /// A square picture, which fills the square view.
  static func square() throws -> PixelSize { try PixelSize(600, 600) }

  static func play(
    _ events: [(Double, GestureEvent.Kind)], _ form: ZoomForm, stage: Stage = Stage(),
    maximumForce: Double = fullForce, picture: PixelSize? = nil
  ) throws -> [ZoomState] {
    try ZoomGeometryTests.play(
      .force, events.map { GestureEvent(time: $0.0, kind: $0.1) }, picture: picture ?? square(),
      form: form, maximumForce: maximumForce, stage: stage)
  }

  static func press(
    _ phase: TouchPhase, _ x: Double, _ y: Double, _ force: Double, id: Int = 1
  ) -> GestureEvent.Kind {
    .touches(phase, [Touch(id: id, point: ViewPoint(x, y), force: force)])
  }

  static func frame(_ state: ZoomState) throws -> ViewRect { try state.pictureFrame() }

  @Test(arguments: ZoomForm.allCases)
  func `at rest the picture stands in the middle of a light page`(form: ZoomForm) throws {
    let states = try Self.play([], form)
    #expect(states.count == 1)
    #expect(states[0].recogniser == .possible)
    #expect(states[0].force == 0)
    #expect(try Self.frame(states[0]) == demoView)
    let page = try #require(states[0].layers.first?.fill)
    #expect(page.rect == ViewRect(0, 0, 375, 667))
    #expect(page.shade == 0.9)
  }

  @Test func `a press ends when the screen turns, for the view is elsewhere then`() throws {
    let press: [(Double, GestureEvent.Kind)] = [
      (0, Self.press(.began, 137.5, 283.5, fullForce)),
      (1, .screen(try Screen(size: phone.transposed))),
    ]
    let states = try Self.play(press, .corrected)
    #expect(states.last?.recogniser == .cancelled && states.last?.force == 0)
    let later = try Self.play(press + [(2, Self.press(.moved, 300, 100, fullForce))], .corrected)
    #expect(later.last?.layers == states.last?.layers)
    // The same screen is no other one.
    let same = try Self.play([press[0], (1, .screen(try Screen(size: phone)))], .corrected)
    #expect(same.last?.force == 1)
  }

  @Test func `FT-P4 and FT-P15: a press zooms about the finger and leaves no trace`() throws {
    let states = try Self.play(
      [
        (0, Self.press(.began, 137.5, 283.5, 0)),
        (0.1, Self.press(.moved, 137.5, 283.5, fullForce)),
        // Beyond the view the finger counts as on its border.
        (0.2, Self.press(.moved, 0, 667, fullForce)), (0.3, Self.press(.ended, 0, 667, 1)),
      ], .corrected)
    #expect(states.map(\.recogniser) == [.began, .changed, .changed, .ended])
    #expect(states.map(\.force) == [0, 1, 1, 0])
    #expect(states.map(\.events) == [[.zoomIn], [], [], [.zoomOut]])
    #expect(try Self.frame(states[0]) == demoView)
    let side = 200 * fullForce
    let pressed = ViewRect(137.5 - 50 * fullForce, 283.5 - 50 * fullForce, side, side)
    #expect(try Self.frame(states[1]).isNear(pressed))
    let border = ViewRect(87.5, 433.5 - side, side, side)
    #expect(try Self.frame(states[2]).isNear(border))
    #expect(try Self.frame(states[3]) == demoView)
  }

  @Test(arguments: ZoomForm.allCases)
  func `a touch that begins beside the view is not counted, wherever it goes`(form: ZoomForm) throws
  {
    let states = try Self.play(
      [
        (0, Self.press(.began, 80, 300, 3)), (0.1, Self.press(.moved, 187.5, 333.5, 3)),
        (0.2, Self.press(.began, 100, 300, 2, id: 2)), (0.3, Self.press(.ended, 187.5, 333.5, 3)),
      ], form)
    #expect(states.map(\.recogniser) == [.possible, .possible, .began, .began])
    #expect(try Self.frame(states[1]) == demoView)
    #expect(states[2].events == [.zoomIn])
    #expect(states[3].layers == states[2].layers)
  }

  @Test func `FT-B9: a light touch on the corner makes the original jump by 100 points and back`()
    throws
  {
    let events = [
      (0, Self.press(.began, 87.5, 233.5, 0)), (0.1, Self.press(.ended, 87.5, 233.5, 0)),
    ]
    let original = try Self.play(events, .original)
    #expect(try original.map(Self.frame) == [ViewRect(187.5, 333.5, 200, 200), demoView])
    #expect(try Self.play(events, .corrected).map(Self.frame) == [demoView, demoView])
  }

  static let cancellations: [GestureEvent.Kind] = [.cancelAll, press(.cancelled, 187.5, 333.5, 0)]

  @Test(arguments: cancellations)
  func `FT-B3 and FT-B13: a cancellation leaves the original zoomed`(kind: GestureEvent.Kind) throws
  {
    let events = [
      (0, Self.press(.began, 187.5, 333.5, 1)), (0.1, Self.press(.moved, 187.5, 333.5, 3)),
      (0.2, kind),
    ]
    let original = try Self.play(events, .original)
    #expect(original[2].recogniser == .changed)
    #expect(original[2].events == [])
    #expect(near(original[2].force, 0.45, within: 1e-12))
    #expect(try Self.frame(original[2]) == ViewRect(-112.5, 33.5, 600, 600))

    let corrected = try Self.play(events, .corrected)
    #expect(corrected[2].recogniser == .cancelled)
    #expect(corrected[2].events == [.cancelled, .zoomOut])
    #expect(corrected[2].force == 0)
    #expect(try Self.frame(corrected[2]) == demoView)
  }

  @Test func `FT-B1: a second finger takes the original's zoom over and cancels the corrected one`()
    throws
  {
    let events = [
      (0, Self.press(.began, 137.5, 333.5, 1)), (0.1, Self.press(.moved, 137.5, 333.5, 2)),
      (0.2, Self.press(.began, 237.5, 333.5, 6, id: 2)),
      (0.3, Self.press(.moved, 137.5, 333.5, 2)), (0.4, Self.press(.ended, 137.5, 333.5, 0)),
      (0.5, Self.press(.moved, 237.5, 333.5, 6, id: 2)),
      (0.6, Self.press(.ended, 237.5, 333.5, 6, id: 2)),
    ]
    let original = try Self.play(events, .original)
    #expect(
      original.map(\.recogniser) == [.began, .changed, .began, .changed, .ended, .ended, .ended])
    #expect(original.flatMap(\.events) == [.zoomIn, .zoomIn, .zoomOut])
    // From 2 to 6 and back, about the middle of both fingers.
    #expect(try original.map { try Self.frame($0).width } == [200, 400, 1200, 400, 200, 200, 200])
    #expect(try Self.frame(original[2]).isNear(ViewRect(-412.5, -266.5, 1200, 1200)))

    let corrected = try Self.play(events, .corrected)
    #expect(
      corrected.map(\.recogniser)
        == [.began, .changed, .cancelled, .cancelled, .cancelled, .cancelled, .cancelled])
    #expect(corrected.flatMap(\.events) == [.zoomIn, .cancelled, .zoomOut])
    #expect(try corrected.dropFirst(2).allSatisfy { try Self.frame($0) == demoView })
  }

  @Test func `FT-B2: two fingers at once fail`() throws {
    let two = [3, 4].map { Touch(id: $0, point: middle, force: 5) }
    for form in ZoomForm.allCases {
      let states = try Self.play([(0, .touches(.began, two)), (0.1, .touches(.ended, two))], form)
      #expect(states.map(\.recogniser) == [.failed, .failed])
      #expect(states.flatMap(\.events) == [])
      #expect(try states.map(Self.frame) == [demoView, demoView])
    }
  }

  @Test func `FT-B12: after a turn of the screen the original takes the finger to be elsewhere`()
    throws
  {
    let turned = ViewRect(233.5, 87.5, 200, 200)
    let wide = try Screen(size: ViewSize(667, 375))
    let events = [
      (0, GestureEvent.Kind.screen(wide)), (0.1, Self.press(.began, 333.5, 187.5, 1)),
      (0.2, Self.press(.ended, 333.5, 187.5, 1)), (0.3, Self.press(.began, 187.5, 333.5, 1)),
    ]
    let original = try Self.play(events, .original)
    #expect(try Self.frame(original[0]) == turned)
    #expect(try Self.frame(original[1]) == ViewRect(133.5, 187.5, 200, 200))
    let corrected = try Self.play(events, .corrected)
    let side = 200 * (1 + 0.15 * (fullForce - 1))
    #expect(try Self.frame(corrected[0]) == turned)
    #expect(
      try Self.frame(corrected[1]).isNear(ViewRect(333.5 - side / 2, 187.5 - side / 2, side, side)))
    // Where the view was before is nothing now.
    #expect(corrected[3].events == [])
    #expect(try Self.frame(corrected[3]) == turned)
  }

  @Test func `a stage's own view stays when the screen changes, and a turn alone does nothing`()
    throws
  {
    let view = ViewRect(20, 30, 100, 50)
    for form in ZoomForm.allCases {
      let states = try Self.play(
        [
          (0.1, .screen(try Screen(size: ViewSize(500, 500)))),
          (0.2, .device(.landscapeLeft)), (0.3, .interface(.landscapeRight)), (0.4, .close),
        ], form, stage: Stage(view: view))
      #expect(states.count == 5)
      let fitted = ViewRect(45, 30, 50, 50)
      for state in states { #expect(try Self.frame(state).isNear(fitted)) }
    }
  }

  @Test func `FT-B14: a force beyond the maximum zooms the original further`() throws {
    let events = [(0.0, Self.press(.began, 187.5, 333.5, 20))]
    #expect(try Self.frame(Self.play(events, .original)[0]).width == 4000)
    let corrected = try Self.play(events, .corrected)
    #expect(near(try Self.frame(corrected[0]).width, 200 * fullForce, within: 1e-9))
    #expect(corrected[0].force == 1)
  }

  @Test func `FT-B15: a finger on the bar lifts the picture off its edge in the original only`()
    throws
  {
    let picture = try PixelSize(1920, 1200)
    let fitted = ViewRect(87.5, 271, 200, 125)
    // On the view's top, 37.5 points above the picture, which is pressed at its upper edge.
    let events = [(0.0, Self.press(.began, 187.5, 233.5, fullForce))]
    let rest = try Self.play([], .corrected, picture: picture)
    #expect(try Self.frame(rest[0]) == fitted)
    let corrected = try Self.frame(Self.play(events, .corrected, picture: picture)[0])
    #expect(corrected.y == 271)
    let original = try Self.frame(Self.play(events, .original, picture: picture)[0])
    // The view's top comes to its centre, and the bar is scaled with it.
    #expect(near(original.y, 333.5 + 37.5 * fullForce, within: 1e-9))
  }

  @Test func `without the sense of force a finger that stays presses harder and harder`() throws {
    let events = [(0.0, Self.press(.began, 187.5, 333.5, 5))]
    let states = try Self.play(events, .corrected, maximumForce: 0)
    // Half a second of 60 frames.
    #expect(states.count == 31)
    for (frame, state) in states.enumerated() {
      #expect(near(state.force, Double(frame) / 30, within: 1e-12))
    }
    #expect(try near(Self.frame(states[30]).width, demoView.width * fullForce, within: 1e-9))
    let left = try Self.play(
      events + [(0.1, Self.press(.moved, 198, 333.5, 5))], .corrected, maximumForce: 0)
    #expect(left.last?.recogniser == .failed)
    #expect(try left.last.map(Self.frame) == demoView)
    #expect(try Self.play(events, .original, maximumForce: 0).map(\.force) == [0])
  }

  @Test func `a press begins anew after the one before, whatever the largest force is`() throws {
    let events = [
      (0, Self.press(.began, 187.5, 333.5, 0.25)), (0.1, Self.press(.ended, 187.5, 333.5, 0.25)),
      (0.2, Self.press(.began, 187.5, 333.5, 0.125)),
    ]
    for form in ZoomForm.allCases {
      let states = try Self.play(events, form, maximumForce: 0.5)
      #expect(states.map(\.events) == [[.zoomIn], [.zoomOut], [.zoomIn]])
      #expect(states[0].force == 0.5 && states[2].force == 0.25)
    }
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `the original's middle of three fingers is the same whatever their ids`(ids: [Int]) throws {
    let view = ViewRect(0, 0, 1, 1)
    let (xs, ys) = ([0.1, 0.2, 0.3], [0.7, 0.1, 0.2])
    // Sums of doubles depend on their order.
    for numbers in [xs, ys] {
      #expect(numbers.sorted().reduce(0, +) != numbers.sorted(by: >).reduce(0, +))
    }
    let events = zip(ids, zip(xs, ys)).map { id, place in
      (0.1 * Double(id), Self.press(.began, place.0, place.1, 2, id: id))
    }.sorted { $0.0 < $1.0 }
    let last = try #require(Self.play(events, .original, stage: Stage(view: view)).last)
    let wanted = OriginalForceZoom(view: view, captured: view)
      .layer(at: ViewPoint((0.1 + 0.2 + 0.3) / 3, (0.1 + 0.2 + 0.7) / 3), force: 2)
    #expect(last.picture?.transform == wanted.toParent)
  }

  @Test func `FT-B3: cancelled, the original forgets its fingers, though not that it is zoomed`()
    throws
  {
    let second = (0.2, Self.press(.began, 200, 400, 2, id: 2))
    let states = try Self.play(
      [(0, Self.press(.began, 100, 300, 2)), (0.1, .cancelAll), second], .original)
    #expect(states[1].layers == states[0].layers)
    #expect(states[2].layers == (try Self.play([second], .original).last?.layers))
  }

  @Test func `what an event does is told with it, not at the next look at the clock`() throws {
    var zoom = try live(.force, picture: Self.square())
    try zoom.handle(GestureEvent(time: 0, kind: Self.press(.began, 187.5, 333.5, 2)))
    #expect(zoom.recogniser == .began && zoom.events == [.zoomIn])
    try zoom.handle(GestureEvent(time: 0, kind: .cancelAll))
    #expect(zoom.recogniser == .cancelled && zoom.events == [.zoomIn, .cancelled, .zoomOut])
  }
}
