import Testing

@testable import ZoomGeometry

/// The corrected subject sets out from what is seen and ends on what the screen, the picture and the
/// last turn make alone.
struct CorrectedTransitionFormTests {
  private static let thumbnail = ViewRect(20, 50, 100, 100)

  private func screen(_ size: ViewSize = phone) throws -> Screen { try Screen(size: size) }

  private func transition(
    _ thumbnail: ViewRect = thumbnail, _ size: ViewSize = phone
  ) throws -> Transition {
    try Transition(
      picture: SamplePicture.forest.size(), screen: try screen(size),
      stage: Stage(view: thumbnail, cornerRadius: 25))
  }

  private func fit(_ turn: QuarterTurn = .none) throws -> TransitionFit {
    try TransitionFit(picture: SamplePicture.forest.size(), screen: screen(), turn: turn)
  }

  private func subject(_ thumbnail: ViewRect = thumbnail) throws -> CorrectedTransitionForm {
    try CorrectedTransitionForm(
      ZoomScene(screen: screen()), picture: SamplePicture.forest.size(), transition(thumbnail))
  }

  /// A subject at full screen since half a second.
  private func shown() throws -> CorrectedTransitionForm {
    var subject = try subject()
    subject.present(at: 0)
    subject.advance(to: 0.5)
    return subject
  }

  private func pinch(_ ratio: Double, _ centre: ViewPoint) -> FingerTracker.Pinch {
    FingerTracker.Pinch(ratio: ratio, step: ratio, centre: centre, shift: ViewPoint(0, 0))
  }

  private func map(_ pose: TransitionPose) throws -> Affine { pose.transform(of: try fit().full) }

  @Test(arguments: [0.0375, 0.075, 0.1125])
  func `TI-B1: the mask opens and closes evenly in 0.15 seconds`(time: Double) throws {
    var subject = try subject()
    let transition = try transition()
    subject.present(at: 0)
    let opening = try #require(try subject.layer(at: time).mask)
    #expect(near(opening, try transition.mask(openedBy: time / 0.15)))
    subject.advance(to: 0.5)
    subject.dismiss(at: 1)
    let closing = try #require(try subject.layer(at: 1 + time).mask)
    #expect(near(closing, try transition.mask(openedBy: 1 - time / 0.15)))
    subject.advance(to: 1.3.nextDown)
    #expect(subject.isMoving)
    subject.advance(to: 1.3)
    #expect(!subject.isMoving)
  }

  @Test func `a pinch is forgotten when it ends, or something else takes the picture`() throws {
    let changes: [(String, (inout CorrectedTransitionForm) throws -> Void)] = [
      ("end", { try $0.endPinch(at: 1) }), ("cancel", { try $0.cancel(at: 1) }),
      ("dismiss", { $0.dismiss(at: 1) }),
      ("turn", { _ = try $0.turn(to: .landscapeLeft, isShown: true, at: 1) }),
      ("screen", { try $0.change(to: self.screen(phone.transposed), self.transition()) }),
    ]
    for (name, change) in changes {
      var subject = try shown()
      try subject.beginPinch(at: middle, time: 1)
      try change(&subject)
      let before = try subject.layer(at: 1.1)
      try subject.pinch(pinch(2, middle), at: 1.1)
      let isSame = try subject.layer(at: 1.1) == before
      #expect(isSame, "\(name)")
    }
  }

  /// A thumbnail from which a gesture that comes at once finds a scale far above the largest.
  private let huge = ViewRect(-1800, -1700, 4000, 4000)
  private let places = [ViewPoint(100, 200), ViewPoint(300, 400)]

  @Test func `a pinch that ends is brought into bounds about the fingers as they last were`() throws
  {
    let start = try transition(huge).start
    var still = try subject(huge)
    still.present(at: 0)
    try still.beginPinch(at: places[0], time: 0)
    try still.endPinch(at: 0)
    #expect(near(try still.layer(at: 1).transform, try map(fit().settled(start, about: places[0]))))

    for ends in [true, false] {
      var moved = try subject(huge)
      moved.present(at: 0)
      try moved.beginPinch(at: places[0], time: 0)
      try moved.pinch(pinch(1.5, places[1]), at: 0)
      let pose = try TransitionPinch(start, fit: fit(), centre: places[0])
        .pose(ratio: 1.5, centre: places[1])
      if ends { try moved.endPinch(at: 0) } else { try moved.cancel(at: 0) }
      let settled = try fit().settled(pose, about: places[1])
      #expect(near(try moved.layer(at: 1).transform, try map(settled)))
      // In a quarter of a second, and half-way in time is half-way in place.
      #expect(try moved.layer(at: 0.25).transform == map(settled))
      let half = pose.moved(towards: settled, by: 0.5)
      #expect(near(try moved.layer(at: 0.125).transform, try map(half)))
    }
  }

  @Test func `without a pinch a cancelled touch brings it into bounds about its own centre`() throws
  {
    var subject = try subject(huge)
    subject.present(at: 0)
    subject.pan(by: ViewPoint(30, 40), at: 0)
    try subject.cancel(at: 0)
    var pose = try transition(huge).start
    pose.centre.x += 30
    pose.centre.y += 40
    let settled = try fit().settled(pose, about: pose.centre)
    #expect(near(try subject.layer(at: 1).transform, try map(settled)))
  }

  @Test func `a finger that has done nothing stops no animation`() throws {
    var (subject, other) = (try subject(), try subject())
    subject.present(at: 0)
    other.present(at: 0)
    try other.cancel(at: 0.2)
    for time in [0.2, 0.25, 0.3, 0.4] {
      let isSame = try subject.layer(at: time) == other.layer(at: time)
      #expect(isSame)
    }
  }

  @Test func `a single tap resets what is zoomed in 0.3 seconds, and dismisses what is not`() throws
  {
    var subject = try shown()
    let dismisses = subject.singleTap(at: 1)
    #expect(dismisses)
    #expect(!subject.isMoving)
    _ = try subject.doubleTap(middle, at: 1)
    subject.advance(to: 1.3)
    let dismissesZoomed = subject.singleTap(at: 2)
    #expect(!dismissesZoomed)
    // Twice the size, half-way from three times to once.
    #expect(near(try subject.layer(at: 2.15).transform.a, 2, within: 1e-9))
    subject.advance(to: 2.3)
    #expect(!subject.isMoving)
    #expect(try subject.layer(at: 2.3).transform == map(fit().fitted))
  }

  /// Lying flat turns nothing.
  private static let upright = DeviceOrientation.allCases.filter { $0.contentTurn != nil }

  @Test func `four orientations turn the content`() { #expect(Self.upright.count == 4) }

  @Test(arguments: upright, upright)
  func `a turn goes the short way`(from: DeviceOrientation, to: DeviceOrientation) throws {
    let (one, other) = (try #require(from.contentTurn), try #require(to.contentTurn))
    guard one != other else { return }
    var subject = try shown()
    _ = try subject.turn(to: from, isShown: true, at: 1)
    subject.advance(to: 2)
    let turns = try subject.turn(to: to, isShown: true, at: 2)
    #expect(turns)
    let direction = { (time: Double) in
      let map = try subject.layer(at: time).transform
      let length = map.determinant.squareRoot()
      return ViewPoint(map.a / length, map.b / length)
    }
    let (start, half) = (try direction(2), try direction(2.15))
    // Half-way of a quarter turn are 45 degrees, of a half turn 90.
    let quarters = abs(QuarterTurn.sweep(from: one.quarters, to: other.quarters))
    let cosine: Double = quarters == 1 ? 0.5.squareRoot() : 0
    #expect(near(start.x * half.x + start.y * half.y, cosine, within: 1e-9))
    subject.advance(to: 2.3)
    #expect(!subject.isMoving)
    #expect(try subject.layer(at: 2.3).transform == map(fit(other).fitted))
    let turnsAgain = try subject.turn(to: to, isShown: true, at: 3)
    #expect(!turnsAgain)
  }

  @Test func `another screen brings everything that is under way to its end there`() throws {
    let wide = try screen(ViewSize(667, 375))
    let there = try transition(Self.thumbnail, wide.size)
    for isClosing in [false, true] {
      var subject = try shown()
      _ = try subject.turn(to: .landscapeLeft, isShown: true, at: 1)
      if isClosing { subject.dismiss(at: 1.1) }
      try subject.change(to: wide, there)
      #expect(!subject.isMoving)
      let fit = try TransitionFit(
        picture: SamplePicture.forest.size(), screen: wide, turn: .clockwise)
      let layer = try subject.layer(at: 1.2)
      let end = isClosing ? there.start : fit.fitted
      #expect(layer.transform == end.transform(of: fit.full))
      #expect(layer.mask == (isClosing ? there.mask : nil))
    }
    // While the mask opens too.
    var early = try subject()
    early.present(at: 0)
    try early.change(to: wide, there)
    #expect(!early.isMoving)
    #expect(try early.layer(at: 0.05).mask == nil)
  }
}
