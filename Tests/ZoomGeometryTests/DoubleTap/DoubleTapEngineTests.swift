import Testing

@testable import ZoomGeometry

/// The double tap played over gesture scripts; the published behaviours are the timelines DT-*.
struct DoubleTapEngineTests {
  let fit = 375.0 / 3264

  func play(_ events: [GestureEvent], _ form: ZoomForm = .corrected) throws -> [ZoomState] {
    try ZoomGeometryTests.play(
      .doubleTap, events, picture: SamplePicture.petronas.size(), form: form)
  }

  func transform(_ state: ZoomState?) throws -> Affine { try #require(state?.picture).transform }

  func frame(_ state: ZoomState?) throws -> ViewRect { try #require(state).pictureFrame() }

  /// A finger that moves in a tenth of a second and lifts after another.
  func drag(_ time: Double, by x: Double, _ y: Double) -> [GestureEvent] {
    [
      finger(time, .began, 187.5, 333.5), finger(time + 0.1, .moved, 187.5 + x, 333.5 + y),
      finger(time + 0.2, .ended, 187.5 + x, 333.5 + y),
    ]
  }

  let zoom = twoTaps(1, 187.5, 333.5)

  @Test(arguments: ZoomForm.allCases)
  func `a single tap is reported when the delay is over`(form: ZoomForm) throws {
    let states = try play(tap(1, 187.5, 333.5), form)
    #expect(states.happened == [.singleTap])
    let state = try #require(states.first { $0.events == [.singleTap] })
    #expect(near(state.time, 1.4, within: 1.0 / 60 + 1e-6) && state.time >= 1.4 - 1e-6)
    #expect(try transform(states.last) == transform(states.first))
    #expect(states.allSatisfy { $0.recogniser == .possible })
  }

  @Test(arguments: ZoomForm.allCases)
  func `taps beside the picture, closing and turning the device have no effect`(
    form: ZoomForm
  ) throws {
    let states = try play(
      twoTaps(1, 187.5, 20) + tap(3, 187.5, 660) + [
        GestureEvent(time: 4, kind: .close), GestureEvent(time: 4, kind: .device(.landscapeLeft)),
        GestureEvent(time: 4, kind: .interface(.landscapeRight)), try resize(4, 375, 667),
      ], form)
    #expect(states.happened.isEmpty)
    for state in states { #expect(try transform(state) == transform(states.first)) }
  }

  @Test(arguments: ZoomForm.allCases)
  func `a finger scrolls only after the first zoom, and not past the ends`(form: ZoomForm) throws {
    let before = try play(drag(1, by: 100, 100), form)
    #expect(before.happened.isEmpty)
    #expect(try transform(before.last) == transform(before.first))

    let states = try play(zoom + drag(2, by: 30, -40) + drag(3, by: -9e3, 9e3), form)
    #expect(states.happened == [.doubleTap, .zoomIn, .panBegan, .panEnded, .panBegan, .panEnded])
    let (one, two) = (try frame(states.shown(at: 1.99)), try frame(states.shown(at: 2.99)))
    // (30, -40) are 50 points; the slop takes 10 of them.
    #expect(near(two.origin, one.origin + ViewPoint(24, -32)))
    let end = try frame(states.last)
    #expect(near(end.maxX, 375, within: 1e-9) && near(end.y, 0, within: 1e-9))
    #expect(states.allSatisfy { $0.force == 0 })
  }

  @Test func `taps on two screens make no double tap`() throws {
    let states = try play(tap(1, 187, 333) + [try resize(1.1, 374, 667)] + tap(1.15, 187, 333))
    #expect(states.happened == [.singleTap, .singleTap])
  }

  @Test func `the recogniser of a pan begins, changes and ends`() throws {
    let states = try play(
      zoom + [
        finger(2, .began, 100, 100), finger(2.1, .moved, 105, 100), finger(2.2, .moved, 150, 100),
        finger(2.3, .moved, 160, 100), finger(2.4, .ended, 160, 100), finger(2.5, .began, 9, 9),
      ])
    let recogniser = states.filter { $0.time >= 2 }.map(\.recogniser)
    #expect(recogniser == [.possible, .possible, .began, .changed, .ended, .possible])
  }

  @Test func `a pan waits for the animation and then does not jump`() throws {
    let states = try play(
      zoom + [
        finger(1.25, .began, 100, 100), finger(1.3, .moved, 180, 100),
        finger(1.6, .moved, 183, 100), finger(1.7, .ended, 183, 100),
      ])
    #expect(near(try frame(states.last).x - frame(play(zoom).last).x, 3, within: 1e-9))
  }

  @Test(arguments: ZoomForm.allCases)
  func `an interrupted animation continues from what is visible`(form: ZoomForm) throws {
    let states = try play(twoTaps(1, 100, 200) + twoTaps(1.22, 200, 300), form)
    #expect(states.happened == [.doubleTap, .zoomIn, .doubleTap, .zoomOut])
    let widths = try states.map { try frame($0).width }
    // Ease in, ease out is at most twice as fast as the mean: 375 points in 18 frames.
    #expect(zip(widths, widths.dropFirst()).allSatisfy { abs($0 - $1) < 2 * 375.0 / 18 })
    #expect(try transform(states.last) == transform(states.first))
  }

  @Test(arguments: ZoomForm.allCases)
  func `a screen of another size ends the animation, one of the same size does not`(
    form: ZoomForm
  ) throws {
    let turned = try play(zoom + [try resize(1.3, 667, 375)], form)
    let after = turned.first { $0.time >= 1.3 - 1e-6 }
    #expect(try transform(after).a == transform(turned.last).a)
    #expect(near(try transform(turned.last).a, 2 * fit, within: 1e-12))
    let same = try play(zoom + [try resize(1.3, 375, 667)], form)
    #expect(try same.map { try transform($0).a } == play(zoom, form).map { try transform($0).a })
  }

  @Test func `1:1 comes to rest on whole pixels, within the ends`() throws {
    let corner = { (picture: PixelSize, events: [GestureEvent]) in
      // Twice the fit is 1:1; the ends are at 374.5 and 666.5.
      let states = try ZoomGeometryTests.play(
        .doubleTap, [try resize(0.5, 374.5, 666.5)] + events, picture: picture)
      let map = try transform(states.last)
      #expect(map.a == 1)
      return ViewPoint(map.tx, map.ty)
    }
    let large = try PixelSize(749, 1333)
    let zoomed = twoTaps(1, 100.25, 200.25)
    // The tapped point is (200.5, 400.5) in the picture: 13.25 and 67.25 before the middle.
    #expect(try corner(large, zoomed) == ViewPoint(-13, -67))
    #expect(try corner(large, zoomed + drag(2, by: -900, -900)) == ViewPoint(-374, -666))
    // A smaller picture is in the middle except for half a pixel.
    #expect(try corner(PixelSize(300, 1333), twoTaps(1, 187, 333)).x == 37)
    #expect(try corner(PixelSize(749, 300), twoTaps(1, 187, 333)).y == 183)
  }

  @Test(arguments: ZoomForm.allCases)
  func `a call cancels the touches, and waiting taps stay`(form: ZoomForm) throws {
    let call = { GestureEvent(time: $0, kind: .cancelAll) }
    let states = try play(
      zoom + [
        finger(2, .began, 100, 100), finger(2.1, .moved, 200, 100), call(2.2),
        finger(2.3, .began, 100, 100), call(2.31),
        finger(3, .began, 187.5, 333.5, id: 2), finger(3.05, .ended, 187.5, 333.5, id: 2),
        call(3.1), finger(4, .began, 100, 100, id: 3), finger(4.1, .moved, 150, 100, id: 3),
        finger(4.2, .cancelled, 150, 100, id: 3),
      ], form)
    #expect(
      states.happened == [
        .doubleTap, .zoomIn, .panBegan, .panEnded, .cancelled, .cancelled, .singleTap, .panBegan,
        .panEnded, .cancelled,
      ])
    #expect(try states.shown(at: 2.2).recogniser == .cancelled)
    #expect(states.last?.recogniser == .cancelled)
  }
}
