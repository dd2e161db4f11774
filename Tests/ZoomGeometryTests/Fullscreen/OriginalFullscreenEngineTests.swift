import Testing

@testable import ZoomGeometry

/// The defects of the published form, as they are seen in a play, beside the corrected form.
struct OriginalFullscreenEngineTests {
  @Test(arguments: [DeviceOrientation.landscapeLeft, .landscapeRight])
  func `ZV-B1: dismissed in landscape, the view stays with its sides swapped`(
    device: DeviceOrientation
  ) throws {
    var play = Play.fullscreen().opened
    play.event(.device(device), at: 1)
    play.tap(200, 300, at: 2)
    let swapped = ViewRect(45, 5, 50, 100)
    let states = try play.states(.original)
    #expect(states.last?.fills(0) == [swapped])
    // Right after the tap the picture lies flat in a view that is not turned any more.
    let start = try states.shown(at: 2)
    #expect(try start.up() == ViewPoint(0, -1))
    #expect(start.fills(0) == [ViewRect(-146, 146, 667, 375)])

    let place = ViewRect(20, 30, 100, 50)
    #expect(try play.states(.corrected).last?.fills(0) == [place])

    // The next time the view sets out from there, and taps on its old corners miss it.
    play.tap(21, 31, at: 3)
    play.tap(70, 6, at: 4)
    let again = try play.states(.original)
    #expect(again.happened.filter { $0 == .present }.count == 2)
    #expect(try again.shown(at: 3).fills(0) == [swapped])
  }

  @Test func `ZV-B2: taken to full screen in landscape, size and turn jump while it slides`() throws
  {
    let play = Play.fullscreen(device: .landscapeLeft).opened
    let states = try play.states(.original)
    let first = try #require(states.first)
    #expect(first.fills(0) == [ViewRect(-117.5, -278.5, 375, 667)])
    #expect(try first.up() == ViewPoint(1, 0))
    #expect(states.last?.fills(0) == [portraitWindow])

    let corrected = try #require(try play.states(.corrected).first)
    #expect(corrected.fills(0) == [ViewRect(20, 30, 100, 50)])
    #expect(try corrected.up() == ViewPoint(0, -1))
  }

  @Test func `ZV-B3: turning in a wide window leaves strips of the page uncovered`() throws {
    var play = Play.fullscreen(size: ViewSize(667, 375)).opened
    play.event(.device(.landscapeLeft), at: 1)
    let published = try play.states(.original).shown(at: 1.1)
    #expect(published.fills(0) == [ViewRect(146, 0, 375, 375)])
    let corrected = try play.states(.corrected).shown(at: 1.1)
    #expect(corrected.fills(0) == [ViewRect(0, -146, 667, 667)])
  }

  @Test func `ZV-B4: a window that turns with the interface is turned once too often`() throws {
    var play = Play.fullscreen().opened
    play.event(.device(.landscapeLeft), at: 1)
    play.event(.interface(.landscapeRight), at: 2)
    play.events.append(try resize(2, 667, 375))
    let whole = ViewRect(0, 0, 667, 375)
    let published = try #require(try play.states(.original).last)
    #expect(try published.up() == ViewPoint(1, 0))
    #expect(published.fills(0) == [whole])
    let corrected = try #require(try play.states(.corrected).last)
    #expect(try corrected.up() == ViewPoint(0, -1))
    #expect(corrected.fills(0) == [whole])
    // 4:3 in 667 x 375, and on its side 3:4.
    #expect(near(try corrected.pictureFrame().width, 500, within: 1e-9))
    #expect(near(try published.pictureFrame().width, 281.25, within: 1e-9))
  }

  @Test func `ZV-B5: with an unknown device the picture stays upright while the interface lies`()
    throws
  {
    let play = Play.fullscreen(device: .unknown, interface: .landscapeRight).opened
    #expect(try play.states(.original).last?.up() == ViewPoint(0, -1))
    #expect(try play.states(.corrected).last?.up() == ViewPoint(1, 0))
  }

  @Test func `the published form looks at the interface only when the device is turned`() throws {
    var play = Play.fullscreen(device: .faceUp).opened
    play.event(.interface(.landscapeRight), at: 1)
    play.event(.device(.faceDown), at: 2)
    let published = try play.states(.original)
    #expect(try published.shown(at: 1.9).up() == ViewPoint(0, -1))
    #expect(try published.shown(at: 2.9).up() == ViewPoint(1, 0))
    #expect(try play.states(.corrected).shown(at: 1.9).up() == ViewPoint(1, 0))
  }

  @Test(arguments: ZoomForm.allCases)
  func `dismissed on its way, the view goes back from where it is seen`(form: ZoomForm) throws {
    var play = Play.fullscreen().opened
    play.event(.close, at: 0.1)
    let turnedBack = try play.states(form).shown(at: 0.1)
    let half = ViewRect(10, 15, 237.5, 358.5)
    #expect(difference(try #require(turnedBack.fills(0).first), half) < 1e-9)
  }

  @Test func `ZV-B8: after full screen the view hides the sibling that stood before it`() throws {
    var play = Play.fullscreen().opened
    play.tap(70, 55, at: 1)
    let published = try play.states(.original)
    #expect(published.first?.isCaptionInFront == false)
    #expect(published.last?.isCaptionInFront == false)
    let corrected = try play.states(.corrected)
    #expect(try corrected.shown(at: 1.1).isCaptionInFront == false)
    #expect(corrected.last?.isCaptionInFront == true)
  }

  @Test func `dismissed upright, the published form does well but for the order`() throws {
    var play = Play.fullscreen().opened
    play.tap(70, 55, at: 1)
    let forms = try ZoomForm.allCases.map { try play.states($0) }
    #expect(forms[0].map(\.time) == forms[1].map(\.time))
    for (one, other) in zip(forms[0], forms[1]) {
      #expect(difference(try one.pictureFrame(), try other.pictureFrame()) < 1e-9)
    }
  }

  @Test(arguments: ZoomForm.allCases)
  func `on its way back a view hides its sibling, and the original one does from then on`(
    form: ZoomForm
  ) throws {
    var play = Play.fullscreen().opened
    play.event(.close, at: 1)
    // Its card is drawn after the caption's place among the siblings while it is in the window.
    let states = try play.states(form)
    let leaving = try states.shown(at: 1.1)
    #expect(leaving.fills(FullscreenPage.captionShade).count == 1)
    #expect(leaving.layers.count == 4)
    let second = try #require(leaving.layers[1].fill)
    // The published view has gone on top of its siblings, where it stays.
    #expect(second.shade == FullscreenPage.captionShade)
    #expect(try states.shown(at: 2).isCaptionInFront == (form == .corrected))
  }

  @Test
  func `ZV-B1: the place that a turn has swapped is the one that is returned to from then on`()
    throws
  {
    var play = Play.fullscreen().opened
    play.event(.device(.landscapeLeft), at: 1)
    play.tap(70, 55, at: 2)
    play.event(.device(.portrait), at: 3)
    play.tap(70, 55, at: 4)
    play.tap(70, 55, at: 5)
    let states = try play.states(.original)
    let swapped = ViewRect(45, 5, 50, 100)
    #expect(states.happened.filter { $0 == .dismiss }.count == 2)
    for time in [2.9, 5.9] {
      let place = try #require(try states.shown(at: time).fills(0).first)
      #expect(difference(place, swapped) < 1e-9)
    }
  }
}
