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

  /// Returns the laws of gestures on a viewer; W-D1 states GE-2 for a new browser context.
  package static func viewer(_ viewer: ViewerSubject) -> [Law<ReplaySubject>] {
    var law = family(viewer.gestures)
    let moved = movements(viewer.movements(byMouse: viewer.traits.drags))
    var changed = family(viewer.resizes)
    let pinched = family(viewer.pinches) { pinch, testCase in
      testCase.classify(pinch.pinch.from != pinch.pinch.to, as: "moves", atLeast: 0.3)
    }
    (law.hasExamples, changed.hasExamples) = (false, false)
    let system = ZoomSystem.doubleTap
    return [
      plays(system, law), reports(system, law, moved), screens(system, law, evenZoomed: true),
      screenChanges(system, changed), pinches(pinched, anchored: pinched), pans(moved),
    ].flatMap { $0 }.filter { shared.contains($0.name) }
  }
}
