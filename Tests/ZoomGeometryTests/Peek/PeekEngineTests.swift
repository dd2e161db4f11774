import Testing

@testable import ZoomGeometry

@Suite struct PeekEngineTests {
  /// The forest is shown in (0, 192.875, 375, 281.25).
  private let centre = ViewPoint(187.5, 333.5)

  private func states(
    _ events: [GestureEvent], form: ZoomForm = .corrected, scale: Double = 1,
    picture: PixelSize = forest, maximumForce: Double = 1
  ) throws -> [ZoomState] {
    try play(.peek, events, picture: picture, form: form, scale: scale, maximumForce: maximumForce)
  }

  private func touch(
    _ phase: TouchPhase, _ point: ViewPoint, force: Double = 0.1, at time: Double, id: Int = 1
  ) -> GestureEvent {
    GestureEvent(time: time, kind: .touches(phase, [Touch(id: id, point: point, force: force)]))
  }

  @Test func `other fingers change nothing`() throws {
    let other = ViewPoint(20, 200)
    let alone = try states([
      touch(.began, centre, at: 0), touch(.moved, centre, force: 0.4, at: 0.2),
    ])
    let both = try states([
      touch(.began, centre, at: 0), touch(.began, other, force: 1, at: 0.1, id: 2),
      touch(.moved, other, force: 1, at: 0.1, id: 2), touch(.moved, centre, force: 0.4, at: 0.2),
    ])
    #expect(both.last?.layers == alone.last?.layers)
  }

  @Test func `the frame and the dimming look as published`() throws {
    let light = try states([touch(.began, centre, at: 0)])[0].layers
    guard case .outline(let outline) = light.last else {
      Issue.record("no frame")
      return
    }
    #expect(outline.width == 4 && outline.shade == 1)
    #expect(outline.shadow == Shadow(offset: ViewPoint(0, 0), radius: 5, opacity: 0.75))
    let firm = try states([touch(.began, centre, force: 0.5, at: 0)])[0].layers
    let bounds = ViewRect(0, 0, 375, 667)
    #expect(firm[1] == .fill(FillLayer(rect: bounds, shade: 0, opacity: 0.6)))
  }

  @Test func `the force is the share of the largest, and never more than all of it`() throws {
    let forces = [0.0, 1, 3, 4, 9].map { force in
      touch(.moved, centre, force: force, at: 0.1 * (force + 1))
    }
    let states = try states([touch(.began, centre, force: 0, at: 0)] + forces, maximumForce: 4)
    #expect(states.map(\.force) == [0, 0, 0.25, 0.75, 1, 1])
  }

  @Test(arguments: ZoomForm.allCases, [true, false])
  func `a cancelled peek closes, and where nothing is down there is nothing to cancel`(
    form: ZoomForm, byPhase: Bool
  ) throws {
    let all = GestureEvent.Kind.cancelAll
    let cancel = byPhase ? touch(.cancelled, centre, at: 0.1) : GestureEvent(time: 0.1, kind: all)
    let states = try states(
      [touch(.began, centre, force: 0.3, at: 0), cancel, GestureEvent(time: 0.2, kind: all)],
      form: form)
    #expect(states.map(\.events) == [[.peek], [.dismissPeek, .cancelled], []])
    #expect(states[1].layers.count == 1 && states[1].recogniser == .cancelled)
  }

  @Test func `as published the window is in the middle of the screen, also of a new one`() throws {
    let states = try states(
      [touch(.began, centre, force: 0.3, at: 0), try resize(0.1, 668, 375)], form: .original)
    #expect(
      states.map(\.box) == [
        ViewRect(0, 146, 375, 375),
        // Half-way between two pixels it is on the right one.
        ViewRect(147, 0, 375, 375),
      ])
    let setup = try PeekSetup(picture: forest, viewport: ViewSize(668, 375))
    #expect(states[1].picture?.content == setup.originalPeek(at: centre).shownCrop)
  }

  @Test func `a firm touch opens the peek at once, not at the next look at the clock`() throws {
    var zoom = try live(.peek)
    try zoom.handle(touch(.began, centre, force: 3, at: 0))
    #expect(zoom.recogniser == .began && zoom.events == [.peek])
  }

  @Test func `a force below none is none`() throws {
    #expect(try states([touch(.began, centre, force: -2, at: 0)]).map(\.force) == [0])
  }
}
