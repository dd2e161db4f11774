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
      ("screen", { try $0.change(to: self.screen(), self.transition()) }),
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

  @Test(arguments: DeviceOrientation.allCases, DeviceOrientation.allCases)
  func `a turn goes the short way`(from: DeviceOrientation, to: DeviceOrientation) throws {
    guard let (one, other) = from.contentTurn.flatMap({ one in to.contentTurn.map { (one, $0) } }),
      one != other
    else { return }
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

/// The published subject moves the picture to where the published handlers put it, in the published
/// times, and its mask as `OriginalTransition` has it.
struct OriginalTransitionFormTests {
  private static let thumbnail = ViewRect(20, 50, 100, 100)
  private let curve = TimingCurve.spring(dampingRatio: 0.7, velocity: 0)

  private static func place(
    _ thumbnail: ViewRect = thumbnail, _ size: ViewSize = phone,
    picture: PixelSize? = nil
  ) throws -> (Transition, Stage, Screen) {
    let stage = Stage(view: thumbnail, cornerRadius: 25)
    let screen = try Screen(size: size)
    let picture = try picture ?? SamplePicture.forest.size()
    return (try Transition(picture: picture, screen: screen, stage: stage), stage, screen)
  }

  private static func subject(
    _ thumbnail: ViewRect = thumbnail, _ size: ViewSize = phone, picture: PixelSize? = nil
  ) throws -> OriginalTransitionForm {
    let (transition, stage, screen) = try place(thumbnail, size, picture: picture)
    return OriginalTransitionForm(
      ZoomScene(screen: screen, stage: stage),
      picture: try picture ?? SamplePicture.forest.size(), transition)
  }

  /// A subject at full screen, at rest since half a second, and the view that UIKit has there.
  private func shown() throws -> (OriginalTransitionForm, OriginalImageView) {
    var subject = try Self.subject()
    subject.present(at: 0)
    subject.advance(to: 0.5)
    return (subject, OriginalImageView(frame: try Self.place().0.full, viewport: phone))
  }

  @Test(arguments: [0, 0.0375, 0.075, 0.1125, 0.3])
  func `it presents from the start transform, with the mask as published`(time: Double) throws {
    var subject = try Self.subject()
    subject.present(at: 1)
    let full = try Self.place().0.full
    let it = OriginalTransition(frame: full, thumbnail: Self.thumbnail, cornerRadius: 25)
    var (start, end) = (ViewLayer(frame: full), ViewLayer(frame: full))
    start.transform = it.startTransform
    let way = start.moved(towards: end, by: curve.progress(at: time / 0.5))
    let layer = subject.layer(at: 1 + time)
    #expect(near(layer.transform, way.toParent))
    let share = time / 0.15
    if share < 1 {
      #expect(near(try #require(layer.mask), it.mask(openedBy: share)))
      #expect(near(layer.cornerRadius, 70.3125 * (1 - share), within: 1e-9))
    } else {
      #expect(layer.mask == nil && layer.cornerRadius == 0)
    }
    end.transform = .identity
    subject.advance(to: 1.5)
    #expect(!subject.isMoving)
    #expect(subject.layer(at: 1.5).transform == end.toParent)
  }

  @Test(arguments: [0, 0.0375, 0.075, 0.15, 0.3])
  func `it dismisses from the frame that is seen, closing the mask`(time: Double) throws {
    var (subject, _) = try shown()
    subject.dismiss(at: 1)
    let full = try Self.place().0.full
    let it = OriginalTransition(frame: full, thumbnail: Self.thumbnail, cornerRadius: 25)
    let share = min(1, time / 0.15)
    let layer = subject.layer(at: 1 + time)
    #expect(near(try #require(layer.mask), it.mask(closedBy: share)))
    #expect(near(layer.cornerRadius, 70.3125 * share, within: 1e-9))
    subject.advance(to: 1.3.nextDown)
    #expect(subject.isMoving)
    subject.advance(to: 1.3)
    #expect(!subject.isMoving)
  }

  /// Thumbnails, and what is seen of forest's 375x281.25 points when it is dismissed at 3x: the mask
  /// of the zoomed frame's 1125x843.75, as far as it lies on the layer (TI-B2).
  static let masks: [(ViewRect, ViewRect)] = [
    (thumbnail, ViewRect(140.625, 0, 234.375, 281.25)),
    // 84.375 of 1125 points in the middle, and 112.5 of 843.75: both begin beside the layer.
    (ViewRect(0, 0, 10, 100), ViewRect(520.3125, 0, 0, 281.25)),
    (ViewRect(0, 0, 100, 10), ViewRect(0, 365.625, 375, 0)),
    (ViewRect(0, 0, 200, 100), ViewRect(0, 140.625, 375, 140.625)),
  ]

  @Test(arguments: masks)
  func `TI-B2: a mask shows nothing of a layer beside the layer`(
    thumbnail: ViewRect, seen: ViewRect
  ) throws {
    var subject = try Self.subject(thumbnail)
    subject.present(at: 0)
    subject.advance(to: 0.5)
    _ = subject.doubleTap(middle, at: 1)
    subject.advance(to: 1.3)
    subject.dismiss(at: 2)
    let layer = subject.layer(at: 2.3)
    #expect(near(try #require(layer.mask), seen))
    let it = OriginalTransition(frame: ViewRect(-375, -88.375, 1125, 843.75), thumbnail: thumbnail)
    #expect(near(layer.transform.a, it.scale, within: 1e-12))
  }

  @Test func `from a thumbnail of the picture's own shape the mask leaves the layer by no bit`()
    throws
  {
    for height in 300...420 {
      let picture = try PixelSize(331, height)
      let full = try Self.place(picture: picture).0.full
      var subject = try Self.subject(full, picture: picture)
      subject.present(at: 0)
      let mask = try #require(subject.layer(at: 0).mask)
      #expect(mask.x >= 0 && mask.y >= 0)
      #expect(mask.maxX <= full.width && mask.maxY <= full.height)
      #expect(near(mask.width, full.width, within: 1e-9))
    }
  }

  @Test func `taps and the end of a pinch are animated for their times`() throws {
    for (duration, act) in [
      (0.3, { (subject: inout OriginalTransitionForm) in _ = subject.singleTap(at: 2) }),
      (0.25, { $0.endPinch(at: 2) }),
    ] {
      var (subject, view) = try shown()
      subject.pan(by: ViewPoint(10, 20), at: 1)
      subject.pinch(
        FingerTracker.Pinch(ratio: 8, step: 8, centre: middle, shift: ViewPoint(0, 0)), at: 1)
      view.pan(by: ViewPoint(10, 20))
      view.pinch(by: 8)
      let start = view.layer
      if duration == 0.3 { _ = view.singleTap() } else { view.endPinch() }
      act(&subject)
      #expect(subject.layer(at: 2).transform == start.toParent)
      // The curve is symmetric: half-way in time is half-way in place.
      let middleOfWay = start.moved(towards: view.layer, by: 0.5)
      #expect(near(subject.layer(at: 2 + duration / 2).transform, middleOfWay.toParent))
      subject.advance(to: (2 + duration).nextDown)
      #expect(subject.isMoving)
      subject.advance(to: 2 + duration)
      #expect(!subject.isMoving)
      #expect(subject.layer(at: 3).transform == view.layer.toParent)
    }
  }

  @Test func `a double tap and a turn take 0.3 seconds, and the turn is completed then`() throws {
    var (subject, view) = try shown()
    let event = subject.doubleTap(middle, at: 1)
    #expect(event == .zoomIn)
    #expect(subject.isMoving)
    _ = view.doubleTap()
    let half = OriginalImageView(frame: try Self.place().0.full, viewport: phone).layer
      .moved(towards: view.layer, by: 0.5)
    #expect(near(subject.layer(at: 1.15).transform, half.toParent))
    subject.advance(to: 1.3)
    #expect(!subject.isMoving)

    let turns = subject.turn(to: .landscapeLeft, isShown: true, at: 2)
    #expect(turns)
    subject.advance(to: 2.3)
    #expect(!subject.isMoving)
    // Completed, so the same turn once more is none.
    let turnsAgain = subject.turn(to: .landscapeLeft, isShown: true, at: 3)
    #expect(!turnsAgain)
    var hidden = try Self.subject()
    let turnsHidden = hidden.turn(to: .landscapeLeft, isShown: false, at: 0)
    #expect(!turnsHidden)
    #expect(!hidden.isMoving)
  }

  @Test func `presenting begins anew, and a pinch stops what moves`() throws {
    var (subject, _) = try shown()
    _ = subject.doubleTap(middle, at: 1)
    subject.beginPinch(at: middle, time: 1.1)
    #expect(!subject.isMoving && subject.layer(at: 1.1).transform.a == 3)
    _ = subject.turn(to: .landscapeLeft, isShown: true, at: 1.2)
    subject.dismiss(at: 1.25)
    var fresh = try Self.subject()
    for time in [1.3, 1.5, 1.8] {
      if time == 1.3 { fresh.present(at: time) }
      if time == 1.3 { subject.present(at: time) }
      subject.advance(to: time)
      let isSame = subject.layer(at: time) == fresh.layer(at: time)
      #expect(isSame && subject.isMoving == (time < 1.8))
    }
  }

  @Test func `another screen is that of the next tap and of the next transition`() throws {
    let wide = ViewSize(667, 375)
    let place = ViewRect(5, 6, 70, 80)
    let (moved, _, screen) = try Self.place(place, wide)
    var (subject, _) = try shown()
    subject.pinch(
      FingerTracker.Pinch(ratio: 2, step: 2, centre: middle, shift: ViewPoint(0, 0)),
      at: 1)
    subject.change(to: screen, moved)
    let dismisses = subject.singleTap(at: 1)
    #expect(!dismisses)
    subject.advance(to: 2)
    let centre = subject.layer(at: 2).transform.apply(to: ViewPoint(187.5, 140.625))
    #expect(near(centre, ViewPoint(333.5, 187.5)))
    subject.dismiss(at: 2)
    let closed = subject.layer(at: 3).transform.apply(to: ViewPoint(187.5, 140.625))
    #expect(near(closed, ViewPoint(40, 46)))
    subject.present(at: 4)
    #expect(near(subject.layer(at: 5).transform, ViewLayer(frame: moved.full).toParent))
  }
}
