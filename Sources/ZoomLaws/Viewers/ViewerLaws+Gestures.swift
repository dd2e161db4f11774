import PropertyTesting
import ZoomGeometry

extension ViewerLaws {
  /// Returns a law of one deed on a zoomed picture; a flick may take it off the screen, unless bounds are promised.
  private static func deed(
    _ name: String, _ statement: String, isFlick: Bool = false,
    _ actions: @escaping @Sendable (ViewPoint, ViewPoint, Double) -> [GestureAction],
    holds: @escaping @Sendable (Deed, inout TestCase) throws -> Void
  ) -> Law<ViewerSubject> {
    law(name, statement, { $0.zoomed(actions) }) { played, testCase in
      let mayLeave = isFlick && !played.viewer.traits.promises.contains(.bounds)
      try holds(try Deed(played, mayLeave: mayLeave), &testCase)
    }
  }

  /// The laws of wheels, mice, flicks and interruptions; distances are in CSS pixels.
  static let gestures: [Law<ViewerSubject>] = [
    deed(
      "W-G1", "A wheel step keeps the point under the pointer.",
      { place, way, _ in
        let step = way.x < 0 ? 40.0 : -40
        let steps = way.y < 0 ? [step] : [step, step]
        return [GestureAction(after: 0.1, .wheel(at: place, steps: steps))]
      }
    ) { deed, testCase in
      let distance = deed.place.distance(to: deed.screen.bounds.centre)
      testCase.classify(distance > 20, as: "off centre", atLeast: 0.3)
      let scale = deed.after.place.scale
      let isInside = scale > 1.02 * deed.limits.least && scale < 0.98 * deed.limits.largest
      let isZoomed = abs(scale / deed.before.place.scale - 1) > 0.01
      let isFree = isInside && isZoomed && !deed.free.isEmpty
      guard testCase.reaches(isFree, "not clamped", atLeast: 0.3) else { return }
      let off = try deed.before.way(of: deed.place, to: deed.after)
      // Viewers round places and scales.
      let isKept = deed.free.allSatisfy { abs(off[$0]) <= deed.allowed(1.5) }
      try require(
        isKept, "the point under the pointer moves by \(off.inWords)", deed.after.look)
    },
    deed(
      "W-G2", "Equal wheel steps give equal factors.",
      { place, _, pause in
        [-40.0, -40].map { GestureAction(after: pause, .wheel(at: place, steps: [$0])) }
      }
    ) { deed, testCase in
      let count = deed.all.count
      let views = try (count - 2..<count).map { try deed.played.view(before: $0) } + [deed.after]
      let scales = views.map(\.place.scale)
      let factors = zip(scales, scales.dropFirst()).map { $1 / $0 }
      let isFree = scales[2] < 0.95 * deed.limits.largest && abs(factors[0] - 1) > 0.005
      guard testCase.reaches(isFree, "not clamped", atLeast: 0.2) else { return }
      try require(
        abs(factors[1] / factors[0] - 1) <= 0.005,
        "the second factor is \(factors[1].inWords), the first \(factors[0].inWords)",
        deed.after.look)
    },
    deed(
      "W-G4", "A flick goes the finger's way and ends within 3 s inside the bounds.",
      isFlick: true, flicked
    ) { deed, testCase in
      let held = try deed.played.view(before: deed.all.count - 1)
      let end = deed.all.last?.touches.first?.point ?? deed.place
      let (way, glide) = (end - deed.place, try held.way(of: deed.place, to: deed.after))
      testCase.classify(glide.length > 8, as: "a flick", atLeast: 0.1)
      let rest = deed.played.play.restAfter ?? .infinity
      try require(rest <= 3, "it still moves after 3 s", deed.after.look)
      // The cosine of 20 degrees; the direction of a short glide is uncertain.
      let cosine = (way.x * glide.x + way.y * glide.y) / max(1e-9, way.length * glide.length)
      try require(
        deed.free.count < 2 || glide.length <= 8 || cosine >= 0.94,
        "a flick by \(way.inWords) glides by \(glide.inWords)", deed.after.look)
      if deed.played.viewer.traits.promises.contains(.bounds) {
        try TransitionLaws.isAtRest(deed.after.box, on: deed.screen.bounds, deed.allowed(1))
      }
    },
    deed(
      "W-G5", "A finger that comes down stops the glide.", isFlick: true,
      { place, way, pause in
        // A glide may begin some frames after the lift, so its speed is measured between two later looks.
        let touch = GestureAction(after: 0.048, .touch(finger: 0, at: place, force: 1))
        return flicked(place, way, pause) + [GestureAction(after: 0.064, look), touch]
      }
    ) { deed, testCase in
      let gliding = try deed.played.view(before: deed.all.count - 2)
      let touched = try deed.played.view(before: deed.all.count - 1)
      let centre = deed.screen.bounds.centre
      let glide = try gliding.way(of: centre, to: touched)
      let time = max(0.016, touched.look.time - gliding.look.time)
      // A look shows what the page drew up to two frames before, and the picture may move once more in the frame that
      // handles the touch. OpenSeadragon 6.1.1, which glides on, goes four times as far: 83 px at 0.42 px/ms.
      let frames = 3 * 0.016 * glide.length / time
      guard testCase.reaches(frames > 3, "gliding", atLeast: 0.1) else { return }
      let off = try touched.way(of: centre, to: deed.after)
      try require(
        off.length <= frames + deed.allowed(1),
        "after the touch it moves on by \(off.inWords)", deed.after.look, expected: touched.map)
    },
    deed(
      "W-G6", "A gesture that interrupts an animation jumps nowhere.",
      { place, way, _ in
        let drag = GestureAction.Deed.pan(finger: 0, from: place, to: place + way, steps: 6)
        let (tap, after) = (GestureAction.Deed.zoomTap(at: place), [0.1, 0.05, 0.05, 0.05])
        return zip(after, [tap, look, look, drag]).map { GestureAction(after: $0, $1) }
      }
    ) { deed, testCase in
      // The double tap has four events.
      let touch = deed.start + 6
      let early = try deed.played.view(before: touch - 2)
      let before = try deed.played.view(before: touch)
      // A corner moves even if the scale changes about the middle.
      let isAnimating = try early.way(of: .zero, to: before).length > 8
      guard testCase.reaches(isAnimating, "animating", atLeast: 0.1) else { return }
      // The same script without the finger shows how far the animation alone takes the picture.
      let waiting = deed.all.enumerated().map { index, event in
        index < touch ? event : GestureEvent(time: event.time, kind: .device(.unknown))
      }
      let script = try deed.played.each.script.with(waiting)
      let other = try deed.played.with { $0.gesture.script = script }
      // What a page draws at an event is seen a frame or two later.
      for look in deed.played.play.looks where (touch + 1...touch + 3).contains(look.eventsSoFar) {
        let end = try other.view(other.play.looks.first { $0.time > look.time - 0.001 })
        let goes = try before.way(of: .zero, to: end)
        let finger = deed.all[touch..<look.eventsSoFar].last?.touches.last?.point ?? deed.place
        let off = try before.way(of: .zero, to: deed.played.view(look))
        try require(
          off.length <= goes.length + (finger - deed.place).length + deed.allowed(1),
          "when a finger comes down it jumps by \(off.inWords)", look, expected: before.map)
      }
    },
    law(
      "GE-41",
      "A double tap enlarges a fitted picture, its place kept or centred; a second one fits it.",
      { viewer in
        // Points up to 60 from the middle are inside each fitted picture.
        Gens.zip(viewer.stages, Gen<ViewPoint>.vectors(upTo: 60)).compactMap { stage, way in
          let place = stage.0.bounds.centre + way
          let tap = GestureAction(after: viewer.pause, .doubleTap(at: place, then: place, gap: 0.1))
          let gesture = try? GestureCase([tap, tap], on: stage.0, stage.1)
          return gesture.map { ViewerCase(gesture: $0, tiles: viewer.kinds[0]) }
        }
      }
    ) { played, testCase in
      let (traits, deed) = (played.viewer.traits, try Deed(played, mayLeave: false))
      let (fitted, enlarged) = (try played.first(), deed.before)
      let factor = enlarged.place.scale / fitted.place.scale
      // The factor is the viewer's choice: it may lead to 1:1, which a small picture exceeds, or fill the screen.
      let isFree = fitted.place.scale < 0.95 * min(deed.limits.largest, 1 / deed.screen.scale)
      try require(!isFree || factor > 1.005, "it enlarges \(factor) times", enlarged.look)
      // The tapped place stays where it is or moves to the middle.
      let off = try fitted.way(of: deed.place, to: enlarged)
      let aims = [ViewPoint.zero, deed.screen.bounds.centre - deed.place]
      let slack = 2.5 + fitted.slack + enlarged.slack
      let free = enlarged.box.freeAxes(on: deed.screen.size, within: slack)
      testCase.classify(!free.isEmpty, as: "free along an axis", atLeast: 0.1)
      let miss = aims.map { aim in free.map { abs(off[$0] - aim[$0]) }.max() ?? 0 }.min() ?? 0
      try require(miss <= slack, "the tapped place is \(miss.inWords) CSS px off", enlarged.look)
      let returns = traits.tapsReturn || traits.promises.contains(.returns)
      let back = try deed.after.distance(from: fitted.map)
      try require(
        !returns || back <= 2.5 + fitted.slack + deed.after.slack,
        "after the second double tap a corner is \(back.inWords) CSS px off", deed.after.look,
        expected: fitted.map)
    },
  ]

  /// A deed that does nothing in a browser; as for each event, there is a look before it.
  private static let look = GestureAction.Deed.turn(.unknown)

  /// A finger that throws the picture, by at least 30 points on an axis.
  @Sendable private static func flicked(
    _ place: ViewPoint, _ way: ViewPoint, _ pause: Double
  ) -> [GestureAction] {
    let far = ViewPoint(x: way.x + (way.x < 0 ? -30 : 30), y: way.y)
    return [
      GestureAction(after: 0.1, .pan(finger: 0, from: place, to: place + far, steps: 4)),
      GestureAction(after: GestureWriter.sampling, .lift([0])),
    ]
  }
}

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
  package static let shared: Set = [
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
    return [
      plays(.doubleTap, law), reports(.doubleTap, law, moved),
      screens(.doubleTap, law, evenZoomed: true), screenChanges(.doubleTap, changed),
      pinches(pinched, anchored: pinched), pans(moved),
    ].flatMap { $0 }.filter { shared.contains($0.name) }
  }
}
