import Testing

@testable import ZoomGeometry

/// Tests that every animation of the corrected transition starts from the visible pose, even if it
/// interrupts another, and ends in a pose in which the picture may rest.
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

  @Test func `a pinch is forgotten when it ends, or something else moves the picture`() throws {
    let wide = try Screen(size: phone.turned(by: .clockwise))
    let transition = Transition(picture: forest, screen: wide, stage: Stage())
    let changes: [(String, (inout CorrectedTransitionForm) throws -> Void)] = [
      ("end", { try $0.follow(.pinchEnded, at: 1) }),
      ("cancel", { try $0.follow(.cancelled, at: 1) }),
      ("dismiss", { $0.dismiss(at: 1) }),
      ("turn", { _ = try $0.turn(to: .landscapeLeft, isShown: true, at: 1) }),
      ("screen", { try $0.change(to: wide, transition) }),
    ]
    for (name, change) in changes {
      var form = try form()
      // The picture has reached full screen.
      form.advance(to: 0.5)
      try form.follow(.pinchBegan(centre: middle), at: 1)
      try change(&form)
      let before = try form.layer(at: 1.1)
      let pinch = FingerTracker.Pinch(ratio: 2, step: 2, centre: middle, shift: ViewPoint(0, 0))
      try form.follow(.pinched(pinch), at: 1.1)
      let after = try form.layer(at: 1.1)
      #expect(after == before, "\(name)")
    }
  }

  @Test func `a touch cancelled without a pinch settles the picture about its centre`() throws {
    // On this thumbnail an immediate gesture starts at a scale far above the largest, 4.267.
    var form = try form(ViewRect(-1800, -1700, 4000, 4000))
    try form.follow(.panned(by: ViewPoint(30, 40)), at: 0)
    try form.follow(.cancelled, at: 0)
    let layer = try form.layer(at: 1)
    let box = layer.transform.boundingBox(of: layer.size.atOrigin)
    #expect(near(box.centre, ViewPoint(230, 340), within: 0.5))
    #expect(near(box.width, 1600, within: 1e-6))
  }

  @Test func `a cancelled finger without a gesture stops no animation`() throws {
    let form = try form()
    var other = form
    try other.follow(.cancelled, at: 0.2)
    for time in [0.2, 0.25, 0.3, 0.4] {
      #expect(try form.layer(at: time) == other.layer(at: time))
    }
  }
}
