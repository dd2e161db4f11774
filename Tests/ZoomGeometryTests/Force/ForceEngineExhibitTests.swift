import Testing

@testable import ZoomGeometry

/// What a script shows of the button and of the driven animation.
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

  @Test func `FT-B3: a cancelled press leaves the original's button down`() throws {
    let original = try buttons(press(5), .original).map(\.shadow)
    #expect(original[2] == original[1])
    #expect(original[2] != original[0])
    let corrected = try buttons(press(5), .corrected).map(\.shadow)
    #expect(corrected[2] == corrected[0])
    #expect(corrected[1] != corrected[0])
  }

  private func frames(_ events: [(Double, GestureEvent.Kind)], _ form: ZoomForm) throws
    -> [ViewRect]
  {
    try ForceEngineTests.play(events, form, stage: Stage(forceExhibit: .animation))
      .map(ForceEngineTests.frame)
  }

  @Test func `FT-B16: full force shows the animation's end in the corrected form only`() throws {
    let corrected = try frames(press(fullForce, then: lift), .corrected)
    #expect(corrected[0] == demoView)
    #expect(corrected[1].isNear(ViewRect(-12.5, 33.28, 400, 400), within: 0.01))
    let original = try frames(press(fullForce, then: lift), .original)
    #expect(original[0] == demoView)
    #expect(original[1].width < 399.9)
    #expect(original[1].width > 398)
    // FT-P19: both are back at the start.
    #expect(corrected[2] == demoView && original[2] == demoView)
  }

  @Test func `FT-B17: a force beyond 7 makes the original's animation disappear`() throws {
    #expect(try frames(press(7.5), .original)[1] == demoView)
    #expect(try frames(press(7.5), .corrected)[1].width == 400)
  }

  @Test func `FT-P19: a cancelled press resets the animation in the corrected form only`() throws {
    #expect(try frames(press(5), .corrected)[2] == demoView)
    let original = try frames(press(5), .original)
    #expect(original[2] == original[1])
    #expect(original[2] != demoView)
  }

  @Test func `the picture of the animation is fitted into the stage's view`() throws {
    let stage = Stage(view: ViewRect(10, 20, 300, 300), forceExhibit: .animation)
    for form in ZoomForm.allCases {
      let states = try ForceEngineTests.play([], form, stage: stage, picture: PixelSize(300, 100))
      let frame = try ForceEngineTests.frame(states[0])
      #expect(frame == ViewRect(10, 120, 300, 100))
    }
  }
}
