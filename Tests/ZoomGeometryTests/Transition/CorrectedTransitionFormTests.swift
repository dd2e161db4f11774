import Testing

@testable import ZoomGeometry

/// Every animation of the corrected transition starts from the visible pose, so nothing jumps when
/// one interrupts another, and ends on a pose in which the picture may rest.
struct CorrectedTransitionFormTests {
  private static let thumbnail = ViewRect(20, 50, 100, 100)

  private func form(_ thumbnail: ViewRect = thumbnail) throws -> CorrectedTransitionForm {
    let screen = try Screen(size: phone)
    var form = try CorrectedTransitionForm(
      ZoomScene(screen: screen), picture: forest,
      Transition(picture: forest, screen: screen, stage: Stage(view: thumbnail)))
    form.present(at: 0)
    return form
  }

  /// A form at full screen since half a second.
  private func shown() throws -> CorrectedTransitionForm {
    var form = try form()
    form.advance(to: 0.5)
    return form
  }

  private func fitted(_ turn: QuarterTurn) throws -> Affine {
    let fit = TransitionFit(picture: forest, screen: try Screen(size: phone), turn: turn)
    return fit.fitted.transform(of: fit.full)
  }

  @Test func `a pinch is forgotten when it ends, or something else moves the picture`() throws {
    let wide = try Screen(size: phone.transposed)
    let transition = Transition(picture: forest, screen: wide, stage: Stage())
    let changes: [(String, (inout CorrectedTransitionForm) throws -> Void)] = [
      ("end", { try $0.follow(.pinchEnded, at: 1) }),
      ("cancel", { try $0.follow(.cancelled, at: 1) }),
      ("dismiss", { $0.dismiss(at: 1) }),
      ("turn", { _ = try $0.turn(to: .landscapeLeft, isShown: true, at: 1) }),
      ("screen", { try $0.change(to: wide, transition) }),
    ]
    for (name, change) in changes {
      var form = try shown()
      try form.follow(.pinchBegan(centre: middle), at: 1)
      try change(&form)
      let before = try form.layer(at: 1.1)
      let pinch = FingerTracker.Pinch(ratio: 2, step: 2, centre: middle, shift: ViewPoint(0, 0))
      try form.follow(.pinched(pinch), at: 1.1)
      let after = try form.layer(at: 1.1)
      #expect(after == before, "\(name)")
    }
  }

  @Test func `without a pinch a cancelled touch settles about the picture's centre`() throws {
    // From this thumbnail a gesture that comes at once meets a scale far above the largest, 4.267.
    var form = try form(ViewRect(-1800, -1700, 4000, 4000))
    try form.follow(.panned(by: ViewPoint(30, 40)), at: 0)
    try form.follow(.cancelled, at: 0)
    let layer = try form.layer(at: 1)
    let box = layer.transform.boundingBox(of: layer.size.atOrigin)
    #expect(near(box.centre, ViewPoint(230, 340), 0.5) && near(box.width, 1600, within: 1e-6))
  }

  @Test func `a finger that has done nothing stops no animation`() throws {
    let form = try form()
    var other = form
    try other.follow(.cancelled, at: 0.2)
    for time in [0.2, 0.25, 0.3, 0.4] {
      #expect(try form.layer(at: time) == other.layer(at: time))
    }
  }

  @Test(arguments: [
    (DeviceOrientation.portrait, DeviceOrientation.landscapeLeft, 1.0),
    (.landscapeLeft, .portraitUpsideDown, 1), (.portraitUpsideDown, .landscapeRight, 1),
    (.landscapeRight, .landscapeLeft, 2), (.portrait, .portraitUpsideDown, 2),
  ])
  func `a turn goes the short way in 0.3 seconds, and only once`(
    from: DeviceOrientation, to: DeviceOrientation, quarters: Double
  ) throws {
    var form = try shown()
    _ = try form.turn(to: from, isShown: true, at: 1)
    form.advance(to: 2)
    let (turns, again) = try (
      form.turn(to: to, isShown: true, at: 2), form.turn(to: to, isShown: true, at: 2)
    )
    #expect(turns && !again)
    let direction = { (time: Double) in
      let map = try form.layer(at: time).transform
      let length = map.determinant.squareRoot()
      return ViewPoint(map.a / length, map.b / length)
    }
    let (start, half) = (try direction(2), try direction(2.15))
    // Half-way of a quarter turn are 45 degrees, of a half turn 90.
    let cosine = quarters == 1 ? 0.5.squareRoot() : 0
    #expect(near(start.x * half.x + start.y * half.y, cosine, within: 1e-9))
    form.advance(to: 2.3)
    #expect(!form.isMoving)
    #expect(try form.layer(at: 2.3).transform == fitted(try #require(to.contentTurn)))
  }

  @Test(arguments: [false, true])
  func `another screen ends every animation there`(isClosing: Bool) throws {
    let wide = try Screen(size: ViewSize(667, 375))
    let there = Transition(
      picture: forest, screen: wide, stage: Stage(view: Self.thumbnail))
    var form = try shown()
    _ = try form.turn(to: .landscapeLeft, isShown: true, at: 1)
    if isClosing { form.dismiss(at: 1.1) }
    try form.change(to: wide, there)
    #expect(!form.isMoving)
    let layer = try form.layer(at: 1.2)
    #expect(layer.mask == (isClosing ? there.mask : nil))
    let fit = TransitionFit(picture: forest, screen: wide, turn: .clockwise)
    #expect(layer.transform == (isClosing ? there.start : fit.fitted).transform(of: fit.full))
    // While the mask opens too.
    var early = try self.form()
    try early.change(to: wide, there)
    #expect(!early.isMoving)
    #expect(try early.layer(at: 0.05).mask == nil)
  }
}
