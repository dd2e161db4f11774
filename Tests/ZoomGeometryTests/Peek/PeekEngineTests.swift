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

  @Test func `nothing touched shows the picture by aspect fit and nothing else`() throws {
    let states = try states([])
    #expect(states.count == 1)
    #expect(states[0].force == 0)
    #expect(
      states[0].layers == [
        .picture(PictureLayer(whole: forest, in: ViewRect(0, 192.875, 375, 281.25)))
      ])
  }

  @Test func `a light touch shows the frame, a firm one the crop, a lift neither`() throws {
    let states = try states([
      touch(.began, centre, at: 0), touch(.moved, centre, force: 0.2, at: 0.1),
      touch(.ended, centre, force: 0, at: 0.2),
    ])
    #expect(states.map(\.events) == [[], [.peek], [.dismissPeek]])
    #expect(states.map(\.recogniser) == [.possible, .began, .ended])
    #expect(states[0].previewFrame == ViewRect(143.5546875, 289.5546875, 87.890625, 87.890625))
    #expect(states[1].previewFrame == nil)
    #expect(states[1].picture?.content == PictureRect(613, 413, 375, 375))
    #expect(states[2].layers.count == 1)
  }

  /// The middle of what is shown of the picture, in its pixels.
  private func middle(_ state: ZoomState?) throws -> ViewPoint {
    let content = try #require(state?.picture).content
    return ViewPoint(content.x + content.width / 2, content.y + content.height / 2)
  }

  @Test func `what is under a still finger stays when a notch changes sides`() throws {
    let screen = { (left: Double, right: Double) in
      try Screen(
        size: phone.transposed, insets: ViewInsets(top: 0, left: left, bottom: 0, right: right))
    }
    var zoom = try live(.peek, screen: screen(44, 0))
    let finger = ViewPoint(355, 187)
    try zoom.handle(touch(.began, finger, force: 6, at: 0))
    let before = try zoom.takeState().picture?.content
    try zoom.handle(GestureEvent(time: 1, kind: .screen(screen(0, 44))))
    try zoom.handle(touch(.moved, finger, force: 6, at: 2))
    #expect(try zoom.takeState().picture?.content == before)
  }

  @Test(arguments: [0.1, 0.3])
  func `what is under a still finger stays when the screen turns, and follows it from there`(
    force: Double
  ) throws {
    let start = ViewPoint(200, 333.5)
    // The finger is told again where it has not moved, in coordinates of the turned screen.
    let states = try states([
      touch(.began, start, force: force, at: 0), try resize(0.1, 667, 375),
      touch(.moved, ViewPoint(333.5, 175), force: 0.3, at: 0.2),
      touch(.moved, ViewPoint(333.5 + 31.25, 175), force: 0.3, at: 0.3),
    ])
    let (scale, turned) = (375.0 / 1600, 375.0 / 1200)
    let place = (x: start.x / scale, y: 600.0)
    for state in states[(force < 0.2 ? 2 : 0)...2] {
      let middle = try middle(state)
      #expect(abs(middle.x - place.x) <= 1 && abs(middle.y - place.y) <= 1)
    }
    #expect(abs(try middle(states[3]).x - (place.x + 31.25 / turned)) <= 1)
    if force < 0.2 {
      let frame = try #require(states[1].previewFrame)
      let left = (667 - 1600 * turned) / 2
      #expect(near(frame.x + frame.width / 2, left + place.x * turned, within: 1e-9))
    }
  }

  @Test
  func `FZ-B1: the published peek lies 46.875 px too low in a forest, the corrected one does not`()
    throws
  {
    let events = [touch(.began, centre, force: 0.3, at: 0)]
    let original = try states(events, form: .original)[0].picture?.content
    #expect(original == PictureRect(612.5, 459.375, 375, 375))
    let corrected = try #require(try states(events)[0].picture?.content)
    #expect(abs(corrected.y - 412.5) <= 0.5)
  }

  @Test func `FZ-B3: a touch in the letterbox is peeked as published and turned down here`() throws
  {
    let below = ViewPoint(187.5, 666)
    let original = try states([touch(.began, below, force: 0.3, at: 0)], form: .original)
    #expect(original[0].events == [.peek])
    #expect(original[0].picture?.content.y == 1200)
    let corrected = try states([
      touch(.began, below, force: 0.3, at: 0), touch(.moved, below, force: 0.9, at: 0.1),
    ])
    #expect(corrected.map(\.events) == [[.rejectedTouch], []])
    #expect(corrected.allSatisfy { $0.layers.count == 1 })
  }

  @Test func `FZ-B11: the frame follows the finger; published, it stays where the touch began`()
    throws
  {
    let moved = ViewPoint(100, 300)
    let events = [touch(.began, centre, at: 0), touch(.moved, moved, at: 0.1)]
    let corrected = try states(events)
    let alone = try states([touch(.began, moved, at: 0)])
    #expect(corrected[1].previewFrame == alone[0].previewFrame)
    let original = try states(events, form: .original)
    #expect(original[0].previewFrame == original[1].previewFrame)
  }

  @Test(arguments: [true, false])
  func `FZ-B11: a cancelled touch leaves no frame; published, it leaves one`(byPhase: Bool) throws {
    let cancel =
      byPhase ? touch(.cancelled, centre, at: 0.1) : GestureEvent(time: 0.1, kind: .cancelAll)
    let events = [touch(.began, centre, at: 0), cancel]
    let corrected = try states(events)
    #expect(corrected[1].previewFrame == nil)
    #expect(corrected[1].events == [.cancelled])
    let original = try states(events, form: .original)
    #expect(original[1].previewFrame == original[0].previewFrame)
  }

  @Test
  func `FZ-B11: a frame goes with the screen; published, it stays where the old screen had it`()
    throws
  {
    let landscape = try Screen(size: ViewSize(667, 375))
    let events = [touch(.began, centre, at: 0), GestureEvent(time: 0.1, kind: .screen(landscape))]
    let corrected = try states(events)
    // The middle of the picture is in the middle of either screen.
    let there = try PeekSetup(picture: forest, viewport: landscape.size)
      .peek(at: ViewPoint(333.5, 187.5))?.frame
    #expect(corrected[1].previewFrame == there)
    let original = try states(events, form: .original)
    #expect(original[1].previewFrame == original[0].previewFrame)
  }

  @Test func `the corrected peek follows the finger, the published one stays`() throws {
    let events = [
      touch(.began, centre, force: 0.3, at: 0),
      touch(.moved, ViewPoint(200, 300), force: 0.3, at: 0.1),
    ]
    let corrected = try states(events)
    #expect(corrected[0].picture != corrected[1].picture)
    #expect(corrected[1].recogniser == .changed)
    let original = try states(events, form: .original)
    #expect(original[0].picture == original[1].picture)
  }

  @Test func `pressing on pops once; published, the peek then closes for nothing`() throws {
    let events = [
      touch(.began, centre, force: 0.3, at: 0), touch(.moved, centre, force: 0.75, at: 0.1),
      touch(.moved, centre, force: 1, at: 0.2), touch(.ended, centre, at: 0.3),
    ]
    let corrected = try states(events)
    #expect(corrected.map(\.events) == [[.peek], [.pop], [], []])
    #expect(corrected[2].layers.count == 3)
    let original = try states(events, form: .original)
    #expect(original.map(\.events) == [[.peek], [.pop], [], []])
    #expect(original[1].layers.count == 1)
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

  @Test func `FZ-B10: the published window covers a point with each pixel, whatever the screen`()
    throws
  {
    for scale in [1.0, 2, 3] {
      let states = try states(
        [touch(.began, centre, force: 0.5, at: 0)], form: .original, scale: scale)
      #expect(states[0].picture?.size == ViewSize(375, 375))
    }
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

  @Test func `a peek on a screen that changes is laid out on the new one`() throws {
    let size = ViewSize(667, 375)
    let states = try states([
      touch(.began, centre, force: 0.5, at: 0),
      GestureEvent(time: 0.1, kind: .screen(try Screen(size: size))),
    ])
    let bounds = ViewRect(0, 0, 667, 375)
    #expect(states.last?.layers[1] == .fill(FillLayer(rect: bounds, shade: 0, opacity: 0.6)))
  }

  @Test func `as published the frame goes when any finger lifts, corrected when its own does`()
    throws
  {
    let events = [
      touch(.began, centre, at: 0), touch(.began, ViewPoint(100, 300), at: 0.1, id: 2),
      touch(.ended, ViewPoint(100, 300), at: 0.2, id: 2),
    ]
    #expect(try states(events, form: .original).last?.previewFrame == nil)
    #expect(try states(events).last?.previewFrame != nil)
    // A peek stays.
    let firm = [touch(.moved, centre, force: 0.5, at: 0.15)]
    let open = try states(events[..<2] + firm + events[2...], form: .original)
    #expect(open.last?.layers.count == 3)
  }

  @Test func `as published the frame is where a touch began and the peek where it opened`() throws {
    let (start, opened) = (ViewPoint(150, 300), ViewPoint(230, 380))
    let setup = try PeekSetup(picture: forest, viewport: phone)
    let states = try states(
      [
        touch(.began, start, at: 0), touch(.moved, opened, force: 0.3, at: 0.1),
        touch(.moved, start, force: 0.3, at: 0.2), touch(.ended, start, at: 0.3),
      ], form: .original)
    #expect(states[0].previewFrame == setup.originalPeek(at: start).frame)
    #expect(states[1].picture?.content == setup.originalPeek(at: opened).shownCrop)
    #expect(states[2].picture == states[1].picture)
    #expect(states.map(\.events) == [[], [.peek], [], [.dismissPeek]])
    #expect(states.map(\.recogniser) == [.possible, .began, .changed, .ended])
    #expect(states[3].layers.count == 1)
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

  @Test(arguments: ZoomForm.allCases)
  func `each press is committed by itself`(form: ZoomForm) throws {
    let states = try states(
      [
        touch(.began, centre, force: 0.3, at: 0), touch(.moved, centre, force: 0.8, at: 0.1),
        touch(.ended, centre, at: 0.2), touch(.began, centre, force: 0.3, at: 0.3),
        touch(.ended, centre, at: 0.4),
      ], form: form)
    #expect(states.map(\.events) == [[.peek], [.pop], [], [.peek], [.dismissPeek]])
  }

  @Test func `what a change of the screen did to one touch is nothing to the next`() throws {
    let (place, other) = (ViewPoint(300, 180), ViewPoint(360, 200))
    let next = [touch(.began, place, at: 1), touch(.moved, other, at: 1.1)]
    let before = [
      touch(.began, centre, at: 0), try resize(0.1, 667, 375), touch(.moved, other, at: 0.2),
      touch(.ended, other, at: 0.3),
    ]
    let alone = try play(.peek, next, screen: ViewSize(667, 375))
    #expect(try states(before + next).last?.layers == alone.last?.layers)
    // Nor is it if the first was not told again.
    #expect(try states(before[..<2] + before[3...] + next).last?.layers == alone.last?.layers)
  }

  @Test func `a firm touch opens the peek at once, not at the next look at the clock`() throws {
    var zoom = try live(.peek)
    try zoom.handle(touch(.began, centre, force: 3, at: 0))
    #expect(zoom.recogniser == .began && zoom.events == [.peek])
  }

  @Test func `a new touch is possible again after one that failed`() throws {
    let states = try states([
      touch(.began, centre, at: 0), touch(.ended, centre, at: 0.1), touch(.began, centre, at: 0.2),
    ])
    #expect(states.map(\.recogniser) == [.possible, .failed, .possible])
  }

  @Test func `a force below none is none`() throws {
    #expect(try states([touch(.began, centre, force: -2, at: 0)]).map(\.force) == [0])
  }
}
