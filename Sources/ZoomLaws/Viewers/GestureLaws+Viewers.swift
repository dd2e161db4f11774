import PropertyTesting
import ZoomGeometry

extension ReplaySubject {
  /// Creates the subject of a viewer for the laws of gestures; its states are the looks at rest.
  ///
  /// A case in which the picture is lost breaks the law; see `PlayedCase.requireShown`.
  package init(_ viewer: ViewerSubject) {
    self.init(viewer.name, system: .doubleTap) { script, picture in
      var screen = script.screen
      let events = try script.events.map { event in
        if let changed = event.screen {
          // A browser keeps its device pixel ratio.
          screen = try Screen(size: changed.size, scale: script.screen.scale)
          return GestureEvent(time: event.time, kind: .screen(screen))
        }
        // A finger that comes down beside the page does not touch it.
        let isOn = event.touches.allSatisfy { screen.bounds.contains($0.point) }
        guard isOn || event.phase != .began else { throw Discarded() }
        return event
      }
      let gesture = GestureCase(script: try script.with(events), picture: picture)
      return try viewer.living(ViewerCase(gesture: gesture, tiles: viewer.kinds[0])).states()
    }
    caseCost = viewer.caseCost
    slop = viewer.traits.dragSlop
    longestMotion = 3
    // Viewers round places to a pixel or two of CSS; twice the largest error of a measured place, 0.25, is added.
    // Scales of good viewers follow the fingers within 0.5 %. All screens have an area of 320x320 points.
    tolerance = Tolerance(
      distance: 2.5, scale: 0.005,
      area: PixelRegion(uncheckedX: 0, y: 0, width: 320, height: 320).size)
    screens = viewer.screens
    // A longer detour would reach the picture's borders, at which viewers may stop.
    detour = 60
  }
}

extension PlayedCase {
  /// Returns the looks at rest as states, and the last look in any case.
  fileprivate func states() throws -> [ZoomState] {
    let (gesture, last) = (each.gesture, play.looks.count - 1)
    return try play.looks.enumerated().filter { $1.isSettled || $0 == last }.map { index, look in
      try requireShown("after a gesture", look, like: first())
      let view = try given(ViewerView(look, in: each))
      let next = each.script.events.dropFirst(look.eventsSoFar).first?.time ?? .infinity
      var layer = PictureLayer(
        whole: gesture.picture, in: PixelRegion(whole: gesture.picture).numbers)
      layer.transform = view.map
      // Laws look half a tick before an event, and the last frame before it is a tick old.
      let time =
        index == last ? gesture.end + (play.restAfter ?? .infinity) : min(look.time, next - 0.02)
      return ZoomState(time: time, screen: view.screen, layers: [.picture(layer)])
    }
  }
}

extension GestureLaws {
  /// The laws that viewers share with our systems; a browser hides repeated reports and the numbers of fingers.
  private static let shared: Set = [
    "GE-4", "GE-8", "GE-9", "GE-10", "GE-11", "GE-14", "GE-15", "GE-18", "GE-19", "GE-22", "GE-26",
    "GE-28", "GE-29", "GE-42", "GE-49", "GE-52", "GE-56",
  ]

  /// Returns the laws of gestures on a viewer; GE-2 is left out, because W-D1 states it for a new browser context.
  package static func viewer(_ viewer: ViewerSubject) -> [Law<ReplaySubject>] {
    var law = family(viewer.gestures)
    let moved = movements(viewer.movements(byMouse: viewer.traits.drags))
    var changed = family(viewer.resizes)
    let pinched = family(viewer.pinches) { pinch, testCase in
      testCase.classify(pinch.pinch.from != pinch.pinch.to, as: "moves", atLeast: 0.3)
    }
    (law.hasExamples, changed.hasExamples) = (false, false)
    let system = ZoomSystem.doubleTap
    let laws = [
      plays(system, law), reports(system, law, moved), screens(system, law, evenZoomed: true),
      screenChanges(system, changed), pinches(pinched, anchored: pinched), pans(moved),
    ].flatMap { $0 }.filter { shared.contains($0.name) }
    return laws + [doubleTaps(viewer)]
  }

  private static func doubleTaps(_ viewer: ViewerSubject) -> Law<ReplaySubject> {
    // The tapped points are well inside the fitted picture.
    let share = Gen<Double>.double(in: -0.35...0.35)
    let taps = Gens.zip(viewer.stages, share, share).compactMap { stage, x, y -> GestureCase? in
      let (screen, picture) = stage
      let way = ViewPoint(x: x * Double(picture.width), y: y * Double(picture.height))
      let fit = TransitionLaws.fitScale(of: picture, on: screen)
      let place = screen.bounds.centre + way.scaled(by: fit)
      let tap = GestureAction(after: viewer.pause, .doubleTap(at: place, then: place, gap: 0.1))
      return try? GestureCase([tap, tap], on: screen, picture)
    }
    return family(taps)(
      "GE-41",
      "A double tap enlarges a fitted picture about the tapped place; a second one fits it."
    ) { subject, gesture, testCase in
      let (effect, events) = (try given(viewer.traits.doubleTap), gesture.script.events)
      let (screen, place) = (gesture.script.screen, events[0].touches[0].point)
      let states = try subject.play(gesture)
      let before = try states.lastPicture { $0.time < events[0].time }
      let after = try states.lastPicture { $0.time < events[4].time }
      testCase.classify(after != before, as: "the picture changes", atLeast: 0.5)
      let factor = (after.toScreen.determinant / before.toScreen.determinant).squareRoot()
      // The factor is the viewer's choice: it may lead to 1:1, which a small picture exceeds, or fill the screen.
      let largest = viewer.traits.limits(of: gesture.picture, on: screen).largest
      let scale = before.toScreen.determinant.squareRoot()
      let isFree = scale < 0.95 * min(largest, 1 / screen.scale)
      try Property.require(!isFree || factor > 1.005, "it enlarges \(factor) times")
      let aim = effect.isCentring ? screen.bounds.centre : place
      let off = after.toScreen.apply(to: try before.content(at: place)) - aim
      let slack = subject.slack(after)
      let free = after.box.freeAxes(on: screen.size, within: slack)
      testCase.classify(!free.isEmpty, as: "free along an axis", atLeast: 0.1)
      try Property.require(
        free.allSatisfy { abs(off[$0]) <= slack }, "the tapped place is \(off.inWords) off")
      guard effect.returns else { return }
      try requireSamePlace(
        states.lastPicture(), before, of: gesture.picture, "after the second double tap",
        within: subject.tolerance)
    }
  }
}
