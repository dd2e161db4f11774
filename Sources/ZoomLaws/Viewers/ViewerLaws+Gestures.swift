import PropertyTesting
import ZoomGeometry

extension ViewerLaws {
  /// The laws of wheels, mice, flicks and interruptions; distances are in CSS pixels.
  static let gestures: [Law<ViewerSubject>] = [
    law("W-G1", "A wheel step keeps the point under the pointer.", { .zoomed(in: $0, wheeled) }) {
      viewer, each, testCase in
      let deed = try Deed(each, of: viewer)
      let centre = each.screen.bounds.centre
      testCase.classify(deed.place.distance(to: centre) > 20, as: "off centre", atLeast: 0.3)
      let isZoomed = abs(deed.after.place.scale / deed.before.place.scale - 1) > 0.01
      guard testCase.reaches(isZoomed && !deed.free.isEmpty, "not clamped", atLeast: 0.3) else {
        return
      }
      let off = try deed.moved(at: deed.place)
      try require(
        // Viewers round places and scales.
        deed.free.allSatisfy { abs(off[$0]) <= deed.allowed(1.5) },
        "the point under the pointer moves by \(off.inWords)", deed.after.look)
    },
    law(
      "W-G2", "Equal wheel steps give equal factors.",
      { viewer in
        let pause = viewer.pause
        return .zoomed(in: viewer) { place, _ in
          [-40.0, -40, 40].map { GestureAction(after: pause, .wheel(at: place, steps: [$0])) }
        }
      }
    ) { viewer, each, testCase in
      let deed = try Deed(each, of: viewer)
      let all = each.script.events.count
      let scales = try (0...3).map { step in
        try step == 3
          ? deed.after.place.scale : deed.play.view(before: all - 3 + step).place.scale
      }
      let factors = zip(scales, scales.dropFirst()).map { $1 / $0 }
      let (_, largest) = viewer.traits.limits(of: each.gesture.picture, on: each.screen)
      let isFree = scales[2] < 0.95 * largest && abs(factors[0] - 1) > 0.005
      guard testCase.reaches(isFree, "not clamped", atLeast: 0.2) else { return }
      // Many viewers choose steps of whole levels on the way out, so a return is only counted.
      testCase.classify(abs(factors[1] * factors[2] - 1) <= 0.005, as: "in and out returns")
      try require(
        abs(factors[1] / factors[0] - 1) <= 0.005,
        "the second factor is \(factors[1].inWords), the first \(factors[0].inWords)",
        deed.after.look)
    },
    law(
      "W-G3", "A mouse moves the picture as it moves.",
      { .zoomed(in: $0) { [GestureAction(after: 0.1, .drag(from: $0, to: $0 + $1, steps: 5))] } }
    ) { viewer, each, testCase in
      let deed = try Deed(each, of: viewer)
      let (way, moved) = (deed.fingerWay, try deed.moved(at: deed.place))
      guard testCase.reaches(way.length > 12 && !deed.free.isEmpty, "a drag", atLeast: 0.3) else {
        return
      }
      // The picture may lag by a constant slop of up to 10 px, but not run ahead.
      let least = max(0, 1 - 10 / way.length)
      for axis in deed.free {
        let ends = [way[axis], least * way[axis]].sorted()
        try require(
          moved[axis] >= ends[0] - deed.allowed(1) && moved[axis] <= ends[1] + deed.allowed(1),
          "a mouse that moves by \(way.inWords) moves the picture by \(moved.inWords)",
          deed.after.look)
      }
    },
    law(
      "W-G4", "A flick goes the finger's way and ends within 3 s inside the bounds.",
      { .zoomed(in: $0, flicked) }
    ) { viewer, each, testCase in
      let deed = try Deed(each, of: viewer)
      let held = try deed.play.view(before: each.script.events.count - 1)
      let (way, glide) = (
        deed.fingerWay, try deed.moved(at: deed.place, from: held, to: deed.after)
      )
      testCase.classify(glide.length > 8, as: "a flick", atLeast: 0.1)
      try require(
        (deed.play.restAfter ?? .infinity) <= 3, "it still moves after 3 s", deed.after.look)
      // The cosine of 20 degrees; the direction of a short glide is uncertain.
      let cosine = (way.x * glide.x + way.y * glide.y) / max(1e-9, way.length * glide.length)
      try require(
        deed.free.count < 2 || glide.length <= 8 || cosine >= 0.94,
        "a flick by \(way.inWords) glides by \(glide.inWords)", deed.after.look)
      if viewer.traits.promises.contains(.bounds) {
        try TransitionLaws.isAtRest(each.box(deed.after), on: each.screen.bounds, deed.allowed(1))
      }
    },
    law(
      "W-G5", "A finger that comes down stops the glide.",
      {
        .zoomed(in: $0) { place, way in
          flicked(place, way) + [
            GestureAction(after: 0.064, .touch(finger: 0, at: place, force: 1))
          ]
        }
      }
    ) { viewer, each, testCase in
      let (deed, all) = (try Deed(each, of: viewer), each.script.events.count)
      let (lifted, touched) = (
        try deed.play.view(before: all - 2), try deed.play.view(before: all - 1)
      )
      let centre = each.screen.bounds.centre
      let glide = try deed.moved(at: centre, from: lifted, to: touched)
      let time = max(0.016, touched.look.time - lifted.look.time)
      // The picture moves on in the frame of the touch and in the one that handles it.
      let frames = 2 * 0.016 * glide.length / time
      guard testCase.reaches(frames > 2, "gliding", atLeast: 0.1) else { return }
      let off = try deed.moved(at: centre, from: touched, to: deed.after)
      try require(
        off.length <= frames + deed.allowed(1),
        "after the touch it moves on by \(off.inWords)", deed.after.look, expected: touched.map)
    },
    law(
      "W-G6", "A gesture that interrupts an animation jumps nowhere.",
      {
        .zoomed(in: $0) { place, way in
          [
            GestureAction(after: 0.1, .zoomTap(at: place)),
            GestureAction(after: 0.1, .pan(finger: 0, from: place, to: place + way, steps: 4)),
          ]
        }
      }
    ) { viewer, each, testCase in
      let deed = try Deed(each, of: viewer)
      let events = each.script.events
      // The double tap has four events.
      let touch = events.count - deed.events.count + 4
      let before = try deed.play.view(before: touch)
      let after = try given(
        deed.play.looks.first { $0.eventsSoFar > touch }.flatMap { ViewerView($0) })
      // A corner moves even if the scale changes about the middle.
      let corner = ViewPoint(x: 0, y: 0)
      let way = try deed.moved(at: corner, from: deed.before, to: before).length
      guard testCase.reaches(way > 8, "animating", atLeast: 0.1) else { return }
      // An animation has its mean speed at most 1.5 times over where fingers interrupt it.
      let since = max(0.016, before.look.time - events[touch - 1].time)
      let step = 1.5 * way * (after.look.time - before.look.time) / since
      let seen = events[touch..<max(touch + 1, after.look.eventsSoFar)].last?.touches.last?.point
      let off = try deed.moved(at: corner, from: before, to: after)
      try require(
        off.length <= step + ((seen ?? deed.place) - deed.place).length + deed.allowed(1),
        "when a finger comes down it jumps by \(off.inWords)", after.look, expected: before.map)
    },
    LawFamily<ViewerSubject, Movement>(
      source: "event rates of mice and screens", forEach: { Movement.onViewer($0) },
      inWords: { $0.inWords }
    )("W-G7", "A mouse at 30 and at 120 events per second ends at one place.") {
      viewer, movement, testCase in
      testCase.classify(movement.isPan, as: "moves", atLeast: 0.3)
      let views = try [30.0, 120].map { rate in
        let script = try movement.script(rate: rate)
        // The fingers zoom the picture before the mouse moves it.
        let events = script.events.compactMap { event in
          event.changingTouches { $1.isMouse = event.time >= movement.start - 0.01 }
        }
        return try viewer.living(
          viewer.gestureCase(script.with(events), movement.picture)
        ).lastView()
      }
      try requireSame(
        views[0], views[1], within: 1, "at 30 and not 120 events per second", on: movement.screen)
    },
    law(
      "W-G8", "After turning the viewport and back the same is shown.",
      { viewer in
        ScreenChange.onViewer(viewer).compactMap { change in
          let back = GestureEvent(
            time: change.later + viewer.pause, kind: .screen(change.screens[0]))
          return (try? change.gesture.with(change.events + [back])).map {
            ViewerCase(gesture: $0, tiles: viewer.kinds[0])
          }
        }
      }
    ) { viewer, each, testCase in
      let (play, events) = (try viewer.living(each), each.script.events)
      let isResized = events.suffix(2).first?.screen?.size != each.screen.size
      testCase.classify(isResized, as: "resized", atLeast: 0.3)
      try requireSame(
        play.lastView(), play.view(before: events.count - 2), within: 1,
        "turned back", on: each.screen)
    },
    law("W-G9", "Each device pixel ratio shows the same place.", { .views(of: $0) }) {
      viewer, each, testCase in
      let ratio = try testCase.draw(Gen<Double>.element(of: viewer.ratios))
      let canDiffer = Set(viewer.ratios).count > 1
      testCase.classify(
        ratio != each.screen.scale, as: "another ratio", atLeast: canDiffer ? 0.2 : nil)
      var other = each
      let screen = try Screen(size: each.screen.size, scale: ratio)
      other.gesture = try each.gesture.with(each.script.events, screen: screen)
      let (one, two) = (try viewer.living(each).lastView(), try viewer.living(other).lastView())
      // Limits of scale may count device pixels.
      let (_, largest) = viewer.traits.limits(of: each.gesture.picture, on: each.screen)
      try testCase.assume(max(one.place.scale, two.place.scale) < 0.95 * largest)
      try requireSame(two, one, within: 1, "at a ratio of \(ratio)", on: each.screen)
    },
  ]

  /// A step of a wheel that enlarges the picture.
  @Sendable private static func wheeled(_ place: ViewPoint, _ way: ViewPoint) -> [GestureAction] {
    [GestureAction(after: 0.1, .wheel(at: place, steps: [-40]))]
  }

  /// A finger that throws the picture, by at least 30 points on an axis.
  @Sendable private static func flicked(_ place: ViewPoint, _ way: ViewPoint) -> [GestureAction] {
    let far = ViewPoint(x: way.x + (way.x < 0 ? -30 : 30), y: way.y)
    return [
      GestureAction(after: 0.1, .pan(finger: 0, from: place, to: place + far, steps: 4)),
      GestureAction(after: GestureWriter.sampling, .lift([0])),
    ]
  }
}
