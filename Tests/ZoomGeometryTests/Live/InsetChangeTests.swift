import Testing

@testable import ZoomGeometry

/// Insets and scales that change under fingers, as when a tap hides the bars of an app.
struct InsetChangeTests {
  /// The phone with another inset at the top, or another scale.
  private func change(_ top: Double, scale: Double = 1) throws -> GestureEvent.Kind {
    .screen(try Screen(size: phone, scale: scale, insets: ViewInsets(top: top)))
  }

  @Test(arguments: [(20.0, 1.0), (0, 2)])
  func `a tap is a tap`(top: Double, scale: Double) throws {
    let change = try change(top, scale: scale)
    var play = Play.fullscreen()
    play.events = tap(0, 70, 55)
    play.events.insert(GestureEvent(time: 0.02, kind: change), at: 1)
    #expect(try play.states().happened == [.singleTap, .present])
    var taps = twoTaps(1, 187.5, 333.5)
    taps.insert(GestureEvent(time: 1.1, kind: change), at: 2)
    for system in [ZoomSystem.doubleTap, .transition] {
      let opening = system == .transition ? tap(0, 70, 100) : []
      let happened = try ZoomGeometryTests.play(system, opening + taps).happened
      #expect(happened.suffix(2) == [.doubleTap, .zoomIn])
    }
  }

  @Test(arguments: [(20.0, 1.0), (0, 2)], [PressKind.longPress, .pen])
  func `a movement is a movement`(screen: (top: Double, scale: Double), press: PressKind) throws {
    let change = try change(screen.top, scale: screen.scale)
    let large = SamplePicture.petronas
    let events = [
      penTouch(0, .began, 100, 300), GestureEvent(time: 0.1, kind: change),
      penTouch(0.2, .moved, 200, 400),
    ]
    let alone = [events[0], events[2]]
    let (moved, expected) = try (
      play(.peek, events, picture: large.size(), press: press),
      play(.peek, alone, picture: large.size(), press: press)
    )
    #expect(moved.happened == (press == .pen ? [.peek] : []))
    #expect(moved.happened == expected.happened)
    guard press == .pen else { return }
    let (one, other) = try (#require(moved.last?.picture), #require(expected.last?.picture))
    // The middle: at another scale the peek shows more.
    #expect(
      abs(one.content.x + one.content.width / 2 - other.content.x - other.content.width / 2) <= 1)
    #expect(
      abs(one.content.y + one.content.height / 2 - other.content.y - other.content.height / 2) <= 1)
  }

  @Test func `a press that creeps fails however often insets change`() throws {
    let events = try (0...4).flatMap { step in
      let (time, y) = (0.1 * Double(step), 300 + 30 * Double(step))
      return [
        finger(time, step == 0 ? .began : .moved, 100, y),
        GestureEvent(time: time, kind: try change(20 + Double(step))),
      ]
    }
    let states = try play(.peek, events, press: .longPress)
    #expect(states.happened.isEmpty && states.last?.recogniser == .failed)
  }

  @Test(arguments: [(20.0, 1.0), (0, 2)])
  func `presses, pans and pinches go on`(top: Double, scale: Double) throws {
    let change = try change(top, scale: scale)
    var press = try live(.force)
    try press.handle(penTouch(0, .began, 187, 333))
    try press.handle(GestureEvent(time: 0.1, kind: change))
    #expect(press.events == [.zoomIn] && press.recogniser == .began && press.force > 0)

    var play = Play.presented
    play.press((100, 300), (200, 300))
    play.drag(to: (80, 300), (280, 300))
    play.event(change, at: play.now)
    play.drag(to: (60, 300), (360, 300))
    let changed = try play.states()
    play.events.removeAll { $0.kind == change }
    let alone = try play.states()
    #expect(changed.happened == alone.happened && changed.last?.layers == alone.last?.layers)
  }

  @Test(arguments: [(20.0, 1.0), (0, 2)])
  func `a zoomed picture stays zoomed`(top: Double, scale: Double) throws {
    let change = try change(top, scale: scale)
    var play = Play.presented
    play.events += twoTaps(1, 100, 300)
    let zoomed = try play.states().lastBox
    play.event(change, at: 3)
    let box = try #require(try play.states().lastBox)
    #expect(near(box, try #require(zoomed), within: 1))
  }

  @Test func `a pan ends on whole pixels of the scale that came during it`() throws {
    // Zoomed 1:1 to the middle of a picture twice as wide as the phone, the corner lies at half a point.
    var events = [GestureEvent(time: 0, kind: try change(0, scale: 2))] + twoTaps(1, 187.5, 333.5)
    events += [finger(3, .began, 100, 300), finger(3.1, .moved, 80, 300)]
    events.append(GestureEvent(time: 3.2, kind: try change(0)))
    events += [finger(3.3, .moved, 60, 300), finger(3.4, .ended, 60, 300)]
    let size = try PixelSize(width: 750, height: 1334)
    let states = try play(.doubleTap, events, picture: size)
    #expect(states.happened.suffix(2) == [.panBegan, .panEnded])
    let box = try #require(states.lastBox)
    #expect(
      near(box.width, 750, within: 1e-9) && near(box.x, box.x.rounded(), within: 1e-9), "\(box)")
  }

  @Test func `an animation to full screen goes on when the bars are hidden`() throws {
    var play = Play.fullscreen(stage: Stage())
    play.tap(187, 333, at: 0)
    let alone = try play.states()
    play.event(try change(20), at: 0.1)
    #expect(try play.states().map { $0.picture } == alone.map { $0.picture })
  }
}

/// A pen, or a finger, that presses hard.
private func penTouch(_ time: Double, _ phase: TouchPhase, _ x: Double, _ y: Double) -> GestureEvent
{
  let touch = Touch(id: 1, point: ViewPoint(x, y), force: 3, isPen: true)
  return GestureEvent(time: time, kind: .touches(phase, [touch]))
}
