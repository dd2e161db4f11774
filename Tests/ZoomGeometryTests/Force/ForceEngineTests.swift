import Testing

@testable import ZoomGeometry

/// Plays of the zoom: a square picture fills the view of 200x200 points.
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

/// Plays of the button.
struct ForceEngineExhibitTests {
  /// A press at the screen's middle that grows to a force, is held, and is cancelled or ends.
  private func press(
    _ force: Double, then last: GestureEvent.Kind = .cancelAll
  ) -> [(Double, GestureEvent.Kind)] {
    [
      (0, ForceEngineTests.press(.began, 187.5, 333.5, 0)),
      (0.1, ForceEngineTests.press(.moved, 187.5, 333.5, force)), (0.2, last),
    ]
  }

  private var lift: GestureEvent.Kind { ForceEngineTests.press(.ended, 187.5, 333.5, 0.1) }

  private func buttons(
    _ events: [(Double, GestureEvent.Kind)], _ form: ZoomForm, cornerRadius: Double = 0
  ) throws -> [FillLayer] {
    let stage = Stage(cornerRadius: cornerRadius, forceExhibit: .button)
    return try ForceEngineTests.play(events, form, stage: stage).map { state in
      #expect(state.layers.count == 2)
      #expect(state.picture == nil)
      return try #require(state.layers.last?.fill)
    }
  }

  @Test func `FT-B6 and FT-B7: fully pressed the button has a shadow in the original only`() throws
  {
    let corrected = try buttons(press(fullForce, then: lift), .corrected, cornerRadius: 5)
    for button in corrected {
      #expect(button.rect == ViewRect(87.5, 291, 200, 85))
      #expect(button.shade == 0.83)
      #expect(button.cornerRadius == 5)
    }
    let rest = Shadow(offset: ViewPoint(6.6, 6.6), radius: 10, opacity: 0.8)
    let none = Shadow(offset: ViewPoint(0, 0), radius: 0, opacity: 0.8)
    #expect(corrected.map(\.shadow) == [rest, none, rest])
    for form in ZoomForm.allCases { #expect(try buttons([], form).map(\.shadow) == [rest]) }

    let original = try buttons(press(fullForce, then: lift), .original).map(\.shadow)
    #expect(original[0] == rest && original[2] == rest)
    #expect(prints(original[1]?.offset.x ?? 1, as: -0.0667, decimals: 4))
    #expect(prints(original[1]?.radius ?? 1, as: 3.3333, decimals: 4))
  }
}

/// The published recogniser's defects; laws FT-P1 to FT-P5 hold the right results.
struct OriginalForceRecogniserTests {
  private func touch(_ id: Int, _ force: Double) -> Touch {
    Touch(id: id, point: ViewPoint(10, 20), force: force)
  }

  @Test func `FT-B2: two fingers at once begin and fail, and end and fail`() {
    var press = OriginalForceRecogniser()
    #expect(press.handle(.began, [touch(1, 1), touch(2, 1)]) == [.began, .failed])
    #expect(press.handle(.ended, [touch(1, 1), touch(2, 1)]) == [.ended, .failed])
    #expect(press.state == .failed)
    #expect(press.force == 0)
  }

  @Test func `FT-B4: the force lives on in the next gesture till one touch sets it`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, 6)])
    press.handle(.cancelled, [touch(1, 6)])
    press.handle(.began, [touch(2, 0), touch(3, 0)])
    #expect(press.force == 6)
  }

  @Test func `FT-B5: the lifting touch's force replaces the press's`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, 5)])
    press.handle(.ended, [touch(1, 0.02)])
    #expect(press.state == .ended)
    #expect(press.force == 0.02)
  }

  @Test func `a force that is no number goes through`() {
    var press = OriginalForceRecogniser()
    press.handle(.began, [touch(1, .nan)])
    #expect(press.force.isNaN)
    press.handle(.moved, [touch(1, -.infinity)])
    #expect(press.force == -.infinity)
    #expect(press.handle(.moved, []) == [.changed, .failed])
  }
}
