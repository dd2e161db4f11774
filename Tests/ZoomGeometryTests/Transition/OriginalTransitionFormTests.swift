import Testing

@testable import ZoomGeometry

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
