import Testing

@testable import ZoomGeometry

/// The double tap played over gesture scripts.
struct DoubleTapEngineTests {
  let petronas: PixelSize
  let fit = 375.0 / 3264

  init() throws { petronas = try SamplePicture.petronas.size() }

  func play(
    _ events: [GestureEvent], _ form: ZoomForm = .corrected, picture: PixelSize? = nil
  ) throws -> [ZoomState] {
    try ZoomGeometryTests.play(.doubleTap, events, picture: picture ?? petronas, form: form)
  }

  func transform(_ state: ZoomState?) throws -> Affine { try #require(state?.picture).transform }

  func frame(_ state: ZoomState?) throws -> ViewRect { try #require(state).pictureFrame() }

  func events(_ states: [ZoomState]) -> [ZoomEvent] { states.flatMap(\.events) }

  @Test(arguments: ZoomForm.allCases)
  func `it begins with the whole picture in the middle, and rests`(form: ZoomForm) throws {
    let states = try play([], form)
    #expect(states.count == 1)
    let state = try #require(states.first)
    #expect(state.layers.count == 1)
    #expect(state.picture?.content == PictureRect(0, 0, 3264, 4896))
    #expect(state.picture?.size == ViewSize(3264, 4896))
    let frame = try frame(state)
    #expect(near(frame.y, 52.25, within: 1e-9))
    #expect(near(frame.width, 375, within: 1e-9) && near(frame.height, 562.5, within: 1e-9))
    #expect(state.recogniser == .possible)
    #expect(events(states).isEmpty)
  }

  @Test(arguments: ZoomForm.allCases)
  func `a double tap zooms to the tapped place in 0.3 s`(form: ZoomForm) throws {
    // The picture point 1632, 2448 + 1000 stands at 187.5, 333.5 + 1000 fit.
    let place = ViewPoint(1632, 2648)
    let states = try play(twoTaps(1, 187.5, 333.5 + 200 * fit), form)
    #expect(events(states) == [.doubleTap, .zoomIn])
    #expect(states.first { $0.events == [.doubleTap, .zoomIn] }?.recogniser == .ended)
    let last = try transform(states.last)
    #expect(near(last.a, 2 * fit, within: 1e-12))
    #expect(near(last.apply(to: place), middle, 1e-6))
    let end = try #require(states.last?.time)
    #expect(near(end, 1.5, within: 1.0 / 60 + 1e-9))
  }

  @Test(arguments: ZoomForm.allCases)
  func `a single tap is one when the delay is over`(form: ZoomForm) throws {
    let states = try play(tap(1, 187.5, 333.5), form)
    #expect(events(states) == [.singleTap])
    let state = try #require(states.first { $0.events == [.singleTap] })
    #expect(near(state.time, 1.4, within: 1.0 / 60 + 1e-6) && state.time >= 1.4 - 1e-6)
    #expect(try transform(state) == transform(states.first))
    #expect(states.allSatisfy { $0.recogniser == .possible })
  }

  @Test(arguments: ZoomForm.allCases)
  func `DT-P10: taps beside the picture do nothing`(form: ZoomForm) throws {
    let states = try play(twoTaps(1, 187.5, 20) + tap(3, 187.5, 660), form)
    #expect(events(states).isEmpty)
    #expect(try transform(states.last) == transform(states.first))
  }

  @Test(arguments: ZoomForm.allCases)
  func `a finger scrolls only after the first zoom, and not past the ends`(form: ZoomForm) throws {
    let drag = { (time: Double, x: Double, y: Double) in
      [
        finger(time, .began, 187.5, 333.5), finger(time + 0.1, .moved, 187.5 + x, 333.5 + y),
        finger(time + 0.2, .ended, 187.5 + x, 333.5 + y),
      ]
    }
    let before = try play(drag(1, 100, 100), form)
    #expect(events(before).isEmpty)
    #expect(try transform(before.last) == transform(before.first))

    let states = try play(twoTaps(1, 187.5, 333.5) + drag(2, 30, -40) + drag(3, -9e3, 9e3), form)
    #expect(events(states) == [.doubleTap, .zoomIn, .panBegan, .panEnded, .panBegan, .panEnded])
    let rested = try #require(states.last { $0.time < 2 })
    let dragged = try #require(states.last { $0.time < 3 })
    let (one, two) = (try frame(rested), try frame(dragged))
    // By (30, -40) is 50 points, of which the slop takes 10.
    #expect(near(two.x - one.x, 24, within: 1e-9))
    #expect(near(two.y - one.y, -32, within: 1e-9))
    let end = try frame(states.last)
    #expect(near(end.maxX, 375, within: 1e-9))
    #expect(near(end.y, 0, within: 1e-9))
  }

  @Test func `taps on two screens make no double tap`() throws {
    let states = try play(
      tap(1, 187, 333) + [try resize(1.1, 374, 667)] + tap(1.15, 187, 333))
    #expect(events(states) == [.singleTap, .singleTap])
  }

  @Test func `on a finer screen the picture rests on its pixels`() throws {
    let picture = try PixelSize(width: 300, height: 199)
    let size = ViewSize(100, 100)
    let finer = try Screen(size: size, scale: 3)
    let states = try ZoomGeometryTests.play(
      .doubleTap, [GestureEvent(time: 1, kind: .screen(finer))], picture: picture, screen: size)
    // Its margin is 50.5 pixels of the finer screen.
    let y = 3 * (try frame(states.last).y)
    #expect(near(y, y.rounded(), within: 1e-9))
  }

  @Test func `a finger that comes back from beyond the end has under it what it had`() throws {
    let way: [(Double, Double)] = [(2.1, 150), (2.2, 900), (2.3, 150)]
    let states = try play(
      twoTaps(1, 187.5, 333.5) + [finger(2, .began, 100, 300)]
        + way.map { finger($0.0, .moved, $0.1, 300) })
    let at = { (time: Double) in try frame(states.last { $0.time <= time + 1e-9 }) }
    // Without a jump by the slop: of the 50 points, those beyond the first 10.
    #expect(near(try at(2.1).x, try at(1.9).x + 40, within: 1e-9))
    #expect(try at(2.2).x == 0)
    #expect(near(try at(2.3), try at(2.1)))
  }

  @Test func `the recogniser of a pan begins, changes and ends`() throws {
    let states = try play(
      twoTaps(1, 187.5, 333.5) + [
        finger(2, .began, 100, 100), finger(2.1, .moved, 105, 100), finger(2.2, .moved, 150, 100),
        finger(2.3, .moved, 160, 100), finger(2.4, .ended, 160, 100), finger(2.5, .began, 9, 9),
      ])
    let recogniser = states.filter { $0.time >= 2 }.map(\.recogniser)
    #expect(recogniser == [.possible, .possible, .began, .changed, .ended, .possible])
  }

  @Test func `a pan waits for the animation and then does not jump`() throws {
    let states = try play(
      twoTaps(1, 187.5, 333.5) + [
        finger(1.25, .began, 100, 100), finger(1.3, .moved, 180, 100),
        finger(1.6, .moved, 183, 100), finger(1.7, .ended, 183, 100),
      ])
    let rested = try play(twoTaps(1, 187.5, 333.5))
    let way = try frame(states.last).x - frame(rested.last).x
    #expect(near(way, 3, within: 1e-9))
  }

  @Test func `DT-B3: a double tap while the picture shrinks enlarges it again`() throws {
    // The second pair comes up at 2.2, the third at 2.45, before the animation is over at 2.5.
    let script = twoTaps(1, 187.5, 333.5) + twoTaps(2, 187.5, 333.5) + twoTaps(2.25, 187.5, 333.5)
    let corrected = try play(script)
    #expect(events(corrected).suffix(2) == [.doubleTap, .zoomIn])
    #expect(near(try transform(corrected.last).a, 2 * fit, within: 1e-12))
    let original = try play(script, .original)
    #expect(events(original).suffix(2) == [.doubleTap, .zoomOut])
    #expect(try transform(original.last).a == fit)
  }

  @Test(arguments: ZoomForm.allCases)
  func `an interrupted animation goes on from what is shown`(form: ZoomForm) throws {
    let states = try play(twoTaps(1, 100, 200) + twoTaps(1.22, 200, 300), form)
    #expect(events(states) == [.doubleTap, .zoomIn, .doubleTap, .zoomOut])
    let frames = try states.map { try frame($0) }
    // The fastest that ease in, ease out moves is under twice the mean: 375 points in 18 frames.
    let steps = zip(frames, frames.dropFirst()).map { abs($0.0.width - $0.1.width) }
    #expect(steps.allSatisfy { $0 < 2 * 375.0 / 18 })
    #expect(try transform(states.last) == transform(states.first))
  }

  @Test func `DT-B5: turned at the fit, only the corrected picture fits again`() throws {
    let script = [try resize(1, 667, 375)]
    let corrected = try frame(try play(script).last)
    #expect(near(corrected.height, 375, within: 1e-9) && near(corrected.y, 0, within: 1e-9))
    #expect(near(corrected.x, 208.5, within: 1e-9))
    let original = try frame(try play(script, .original).last)
    #expect(near(original.height, 562.5, within: 1e-9) && original.y == 0)
  }

  @Test func `DT-B5: turned at a close-up, only the corrected picture keeps its middle`() throws {
    let script = twoTaps(1, 187.5, 333.5) + [try resize(2, 667, 375)]
    let states = try play(script)
    let seen = try transform(states.last).apply(to: ViewPoint(1632, 2448))
    #expect(near(seen, ViewPoint(333.5, 187.5), 1e-9))
    let original = try transform(try play(script, .original).last).apply(to: ViewPoint(1632, 2448))
    #expect(near(original, ViewPoint(375 - 83, 333.5), 1e-9))
  }

  @Test(arguments: ZoomForm.allCases)
  func `a screen that changes ends the animation, one of the same size does not`(
    form: ZoomForm
  ) throws {
    let script = twoTaps(1, 187.5, 333.5)
    let turned = try play(script + [try resize(1.3, 667, 375)], form)
    let after = turned.filter { $0.time >= 1.3 - 1e-6 }
    #expect(try after.first.map { try transform($0).a } == transform(turned.last).a)
    #expect(near(try transform(turned.last).a, 2 * fit, within: 1e-12))
    let same = try play(script + [try resize(1.3, 375, 667)], form)
    #expect(try same.map { try transform($0).a } == play(script, form).map { try transform($0).a })
  }

  @Test(arguments: ZoomForm.allCases)
  func `a call takes the touches away, and what waits stays`(form: ZoomForm) throws {
    let call = { GestureEvent(time: $0, kind: .cancelAll) }
    let states = try play(
      twoTaps(1, 187.5, 333.5) + [
        finger(2, .began, 100, 100), finger(2.1, .moved, 200, 100), call(2.2),
        finger(2.3, .began, 100, 100), call(2.31),
        finger(3, .began, 187.5, 333.5, id: 2), finger(3.05, .ended, 187.5, 333.5, id: 2),
        call(3.1), finger(4, .began, 100, 100, id: 3), finger(4.1, .moved, 150, 100, id: 3),
        finger(4.2, .cancelled, 150, 100, id: 3),
      ], form)
    #expect(
      events(states) == [
        .doubleTap, .zoomIn, .panBegan, .panEnded, .cancelled, .cancelled, .singleTap, .panBegan,
        .panEnded, .cancelled,
      ])
    #expect(states.contains { $0.recogniser == .cancelled && $0.time < 3 })
    // A finger that is taken away cancels its pan.
    #expect(states.last?.recogniser == .cancelled)
  }

  @Test func `a pan goes on after the screen changes, from where the finger is told then`() throws {
    let states = try play(
      twoTaps(1, 187.5, 333.5) + [
        finger(2, .began, 187, 300), finger(2.1, .moved, 150, 300), try resize(2.2, 667, 375),
        finger(2.3, .moved, 400, 100), finger(2.4, .moved, 390, 104),
      ])
    let at = { (time: Double) in try frame(states.last { $0.time <= time + 1e-6 }) }
    #expect(try at(2.3) == at(2.2))
    #expect(near(try at(2.4).x - at(2.3).x, -10, within: 1e-9))
    #expect(near(try at(2.4).y - at(2.3).y, 4, within: 1e-9))
    #expect(events(states).filter { $0 == .panBegan }.count == 1)
  }

  @Test func `a screen that changes and changes back fits the picture again`() throws {
    let states = try play([try resize(1, 667, 375), try resize(2, 375, 667)])
    #expect(try transform(states.last) == transform(states.first))
  }

  @Test func `what is shown 1:1 comes to rest on whole pixels, within the ends`() throws {
    // Twice the fit is 1:1; the ends are at 374.5 and 666.5.
    let picture = try PixelSize(749, 1333)
    let drag = { (x: Double, y: Double) in
      [finger(2, .began, 100, 300), finger(2.1, .moved, x, y), finger(2.2, .ended, x, y)]
    }
    let screen = try resize(0.5, 374.5, 666.5)
    let zoomed = [screen] + twoTaps(1, 100.25, 200.25)
    let corner = { (events: [GestureEvent], picture: PixelSize) in
      let map = try transform(play(events, picture: picture).last)
      #expect(map.a == 1)
      return ViewPoint(map.tx, map.ty)
    }
    // The tapped place is at (200.5, 400.5) of the picture: 13.25 and 67.25 before the middle.
    #expect(try corner(zoomed, picture) == ViewPoint(-13, -67))
    #expect(try corner(zoomed + drag(130.3, 340.4), picture) == ViewPoint(0, -35))
    #expect(try corner(zoomed + drag(-900, -900), picture) == ViewPoint(-374, -666))
    // Smaller than the screen it is in the middle, but for half a pixel.
    let small = try PixelSize(300, 1333)
    let flat = try PixelSize(749, 300)
    #expect(try corner([screen] + twoTaps(1, 187, 333), small).x == 37)
    #expect(try corner([screen] + twoTaps(1, 187, 333), flat).y == 183)
  }

  @Test(arguments: ZoomForm.allCases)
  func `closing and turning the device change nothing`(form: ZoomForm) throws {
    let states = try play(
      [
        GestureEvent(time: 1, kind: .close), GestureEvent(time: 2, kind: .device(.landscapeLeft)),
        GestureEvent(time: 3, kind: .interface(.landscapeRight)), try resize(4, 375, 667),
      ], form)
    #expect(events(states).isEmpty)
    for state in states { #expect(try transform(state) == transform(states.first)) }
  }

  @Test(arguments: ZoomForm.allCases)
  func `every step of a pan scrolls, and nothing presses`(form: ZoomForm) throws {
    let zoomed = twoTaps(1, 187.5, 333.5)
    let steps = [
      finger(2, .began, 187, 300), finger(2.1, .moved, 167, 300), finger(2.2, .moved, 157, 290),
      finger(2.3, .ended, 154, 285),
    ]
    let (before, states) = (try play(zoomed, form), try play(zoomed + steps, form))
    let (still, moved) = (try transform(before.last), try transform(states.last))
    // The slop of 10 points is lost, and nothing jumps by it.
    #expect(near(moved.tx - still.tx, -23, within: 1e-9))
    #expect(near(moved.ty - still.ty, -15, within: 1e-9))
    #expect(states.allSatisfy { $0.force == 0 })
  }

  @Test func `as published a screen that changes keeps the fit but has its own middle`() throws {
    let wide = ViewSize(667, 375)
    let place = ViewPoint(300, 150)
    let states = try play(
      [try resize(0.5, wide.width, wide.height)] + twoTaps(1, place.x, place.y), .original)
    let image = ViewSize(3264, 4896)
    let original = OriginalDoubleTap(image: image, bounds: phone)
    let resized = original.resized(to: wide)
    let shown = resized.scroller.laidOut(resized.scroller.clamped(original.fitted))
    let aim = resized.toggled(shown, tapped: shown.imagePoint(at: place))
    #expect(near(try transform(states.last), aim.transform, within: 1e-9))
  }
}
