import Testing

@testable import ZoomGeometry

/// The corrected transition, played.
struct TransitionEngineTests {
  private let thumbnail = ViewRect(20, 50, 100, 100)
  private let full = ViewRect(0, 192.875, 375, 281.25)

  private func expect(_ box: ViewRect?, _ other: ViewRect) throws {
    let box = try #require(box)
    #expect(near(box, other), "\(box) is not \(other)")
  }

  @Test(arguments: [ZoomForm.corrected, .original])
  func `without a touch there is one state, the thumbnail`(form: ZoomForm) throws {
    let states = try Play.transition.states(form, stage: Stage(view: thumbnail, cornerRadius: 25))
    #expect(states.count == 1)
    try expect(states.lastBox, thumbnail)
    let picture = try #require(states.first?.picture)
    #expect(near(picture.cornerRadius, 70.3125, within: 1e-9))
    let page = try #require(states[0].layers.first?.fill)
    #expect(page.shade == 0.9)
  }

  @Test(arguments: [ZoomForm.corrected, .original])
  func `a tap on the thumbnail presents, one beside it does nothing`(form: ZoomForm) throws {
    let states = try Play.presented.states(form)
    #expect(states.happened == [.present])
    try expect(states.lastBox, full)
    let last = try #require(states.last)
    #expect(last.time < 0.6)
    #expect(last.picture?.mask == nil)
    let cover = try #require(last.layers[1].fill)
    #expect(cover.opacity == 1)

    var beside = Play.transition
    beside.tap(200, 500)
    #expect(try beside.states(form).happened.isEmpty)
  }

  @Test(arguments: [ZoomForm.corrected, .original])
  func `TI-P6 and TI-P12: a single tap dismisses after the delay, back to where it began`(
    form: ZoomForm
  ) throws {
    var play = Play.presented
    play.tap(200, 300)
    let states = try play.states(form)
    #expect(states.happened == [.present, .singleTap, .dismiss])
    let dismissed = try #require(states.first { $0.events.contains(.dismiss) })
    #expect(dismissed.time >= 1.05 + 0.35 - 1e-9)
    #expect(dismissed.time < 1.05 + 0.35 + 1.0 / 60 + 1e-9)
    try expect(states.lastBox, thumbnail)
    #expect(states.first?.layers == states.last?.layers)
  }

  @Test func `TI-P5 and TI-B1: presenting moves the seen box without a jump`() throws {
    let stage = Stage(view: ViewRect(20, 50, 100, 200))
    // Once the mask is open there is none: the whole frame's 375 points.
    let widths = { (form: ZoomForm) in
      try Play.presented.states(form, .petronas, stage: stage).compactMap { $0.picture?.seen.width }
    }
    let jump = { (widths: [Double]) in
      zip(widths, widths.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    }
    // 281.25 to 375 in nine frames, and in one.
    let corrected = try widths(.corrected)
    #expect(near(corrected.first ?? 0, 281.25, within: 1e-9) && corrected.last == 375)
    #expect(jump(corrected) < 11)
    #expect(near(jump(try widths(.original)), 93.75, within: 1e-9))
  }

  @Test func `a double tap zooms about the tapped place, the next one back`() throws {
    var play = Play.presented
    for _ in 0..<2 {
      play.doubleTap(100, 300)
      play.now += 1
    }
    let states = try play.states()
    #expect(states.happened == [.present, .doubleTap, .zoomIn, .doubleTap, .zoomOut])
    let zoomed = try #require(states.last { $0.time < 2 })
    // 100 points right of the left edge become 300, 200 of them beyond the screen.
    try expect(zoomed.box, ViewRect(-200, 300 - 3 * 107.125, 1125, 843.75))
    try expect(states.lastBox, full)
  }

  @Test func `TI-P12: a finger that pans never taps, and the picture returns`() throws {
    var play = Play.presented
    play.press((200, 300))
    play.drag(to: (260, 330))
    play.lift()
    let states = try play.states()
    #expect(states.happened == [.present, .panBegan, .panEnded])
    let moved = try #require(states.compactMap(\.box).map(\.x).max())
    #expect(moved > 40)
    try expect(states.lastBox, full)
    #expect(states.last?.recogniser == .ended)
  }

  @Test func `a pinch keeps what is under the fingers, and rests in bounds`() throws {
    var play = Play.presented
    play.press((100, 333.5), (200, 333.5))
    play.drag(to: (50, 333.5), (250, 333.5))
    play.now += 0.5
    play.lift()
    let states = try play.states()
    #expect(states.happened == [.present, .pinchBegan, .pinchEnded])
    try expect(states.lastBox, ViewRect(-150, 52.25, 750, 562.5))
  }

  @Test(arguments: ZoomForm.allCases)
  func `two fingers that move together take the picture with them`(form: ZoomForm) throws {
    var play = Play.presented
    play.press((100, 300), (200, 300))
    let before = try #require(try play.states(form).lastBox)
    play.drag(to: (130, 260), (230, 260))
    let box = try play.states(form).lastBox
    let moved = ViewRect(before.x + 30, before.y - 40, before.width, before.height)
    try expect(box, moved)
  }

  @Test(arguments: [(DeviceOrientation.landscapeLeft, QuarterTurn.clockwise)], [0.0, 1.0])
  func `a turn refits exactly, before and after the picture is presented`(
    device: (DeviceOrientation, QuarterTurn), time: Double
  ) throws {
    var play = Play.transition
    if time == 0 {
      play.add(.device(device.0))
      play.tap(70, 100)
    } else {
      play.tap(70, 100)
      play.now = time
      play.add(.device(device.0))
      play.now += 0.5
      play.add(.device(.faceUp))
      play.add(.device(.unknown))
    }
    let states = try play.states()
    #expect(states.happened == (time == 0 ? [.present] : [.present, .rotate]))
    let transform = try #require(states.last?.picture).transform
    #expect(transform.a == 0 && transform.d == 0 && transform.b == -transform.c)
    try expect(states.lastBox, ViewRect(0, 83.5, 375, 500))
  }

  @Test func `another screen refits at once`() throws {
    var play = Play.presented
    play.add(.screen(try Screen(size: ViewSize(1000, 375))))
    let states = try play.states()
    try expect(states.lastBox, ViewRect(250, 0, 500, 375))
  }

  @Test func `a device that is held sideways at first turns the picture, upright it fits anew`()
    throws
  {
    var play = Play.presented
    play.device = .landscapeLeft
    try expect(play.states().lastBox, ViewRect(0, 83.5, 375, 500))
    play.add(.screen(try Screen(size: ViewSize(1000, 375))))
    play.add(.device(.portrait))
    try expect(play.states().lastBox, ViewRect(250, 0, 500, 375))
  }

  @Test func `a screen that stays the same leaves the picture zoomed`() throws {
    var play = Play.presented
    play.events += twoTaps(1, 100, 300)
    let zoomed = try play.states().lastBox
    play.event(.screen(try Screen(size: phone, scale: 2)), at: 3)
    #expect(try play.states().lastBox == zoomed && zoomed?.width == 1125)
  }

  @Test func `closing while it presents turns round without a jump`() throws {
    var play = Play.transition
    play.tap(70, 100)
    play.now = 0.2
    play.add(.close)
    let states = try play.states()
    #expect(states.happened == [.present, .dismiss])
    try expect(states.lastBox, thumbnail)
    let widths = states.compactMap { $0.box?.width }
    // The fastest frame of a spring that covers 275 points in half a second.
    #expect(widths.count > 2 && zip(widths, widths.dropFirst()).allSatisfy { abs($0 - $1) < 45 })
  }

  @Test func `a turn that interrupts another sets out from the angle that is seen`() throws {
    var play = Play.presented
    for turn in [DeviceOrientation.landscapeLeft, .landscapeRight, .portrait] {
      play.add(.device(turn))
      play.now += 0.1
    }
    let layers = try play.states().filter { $0.time >= 1 }.compactMap(\.picture)
    // The cosine between one frame's direction and the next: half a turn in 0.3 s, eased, is at
    // most a third of a radian a frame.
    var cosines: [Double] = []
    for (one, next) in zip(layers.map(\.transform), layers.dropFirst().map(\.transform)) {
      let product: Double = one.a * next.a + one.b * next.b
      cosines.append(product / (one.determinant * next.determinant).squareRoot())
    }
    #expect(cosines.count > 25)
    #expect(cosines.allSatisfy { $0 > 0.9 })
  }
}
