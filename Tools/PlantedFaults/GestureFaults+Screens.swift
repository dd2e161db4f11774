import ZoomGeometry
import ZoomLaws

extension GestureFaults {
  /// The origin of bugs of this package that its laws once passed over.
  static let ours = "zoombench"

  static let screens: [Fault] = [
    events("A size change within 1/30 s of another is missed.") { events in
      var last = -1.0
      return events.filter { event in
        guard case .screen = event.kind else { return true }
        defer { last = event.time }
        return event.time - last > 1.0 / 30
      }
    },
    states("A 1:1 picture is a quarter of a pixel off the grid.") { states, script in
      guard let scale = states.last?.screen.scale else { return }
      states[states.count - 1].changePictures { layer in
        let pixel = layer.size.width / layer.content.width * scale
        let side = pixel * (abs(layer.transform.a) + abs(layer.transform.b))
        if layer.mask == nil, abs(side - 1) < 1e-9 { layer.transform.ty += 0.25 / scale }
      }
    },
  ]

  static let insetsAreASize = scripts("Changed insets count as a change of size.", origin: ours) {
    script in
    var screen = script.screen
    return try script.with(
      script.events.flatMap { event -> [GestureEvent] in
        guard case .screen(let next) = event.kind else { return [event] }
        defer { screen = next }
        let narrow = ViewSize(width: 0.9 * next.size.width, height: next.size.height)
        guard next.size == screen.size, next != screen, let other = try? Screen(size: narrow) else {
          return [event]
        }
        return [GestureEvent(time: event.time, kind: .screen(other)), event]
      })
  }

  static let beneathTheNotch = scripts("The area below a notch counts as free.") { script in
    try script.with(screen: Screen(size: script.screen.size, scale: script.screen.scale))
  }

  static let readFromTheLeft = scripts("Every page is read from left to right.") { script in
    var stage = script.stage
    stage.direction = .leftToRight
    return try script.with(stage: stage)
  }

  static let pressStartStays = events(
    "The start of a long press is not moved when the screen changes.", origin: ours
  ) { events in
    var (starts, stale) = ([Int: ViewPoint](), Set<Int>())
    return events.flatMap { event -> [GestureEvent] in
      if case .screen = event.kind { stale = Set(starts.keys) }
      if event.kind == .cancelAll { starts = [:] }
      guard case .touches(let phase, let touches) = event.kind else { return [event] }
      for touch in touches where phase != .moved {
        starts[touch.id] = phase == .began ? touch.point : nil
      }
      let far = touches.filter { touch in
        guard let start = starts[touch.id], stale.remove(touch.id) != nil else { return false }
        return start.distance(to: touch.point) > 10
      }
      guard phase == .moved, !far.isEmpty else { return [event] }
      // Going away cancels a long press for this finger, even if it comes back.
      let away = far.map { touch in
        var touch = touch
        touch.move(by: ViewPoint(x: 11, y: 0))
        return touch
      }
      return [event]
        + [away, far].map { GestureEvent(time: event.time, kind: .touches(.moved, $0)) }
    }
  }

  static let tapsSurvive = events("A finger taps although the screen has changed.", origin: ours) {
    events in
    var (starts, isTap, isChanged) = ([Int: ViewPoint](), false, false)
    return events.flatMap { event -> [GestureEvent] in
      if case .screen = event.kind { isChanged = true }
      guard case .touches(let phase, let touches) = event.kind else {
        if event.kind == .cancelAll { starts = [:] }
        return [event]
      }
      if phase == .began, starts.isEmpty { (isTap, isChanged) = (touches.count == 1, false) }
      let start = starts[touches[0].id] ?? touches[0].point
      for touch in touches {
        if phase == .began { starts[touch.id] = touch.point }
        if starts[touch.id].map({ $0.distance(to: touch.point) > 10 }) == true { isTap = false }
      }
      if starts.count > 1 || phase == .cancelled { isTap = false }
      guard phase == .ended || phase == .cancelled else { return [event] }
      for touch in touches { starts[touch.id] = nil }
      guard isTap, isChanged else { return [event] }
      let touch = Touch(id: touches[0].id, point: start)
      return [event]
        + [TouchPhase.began, .ended].map {
          GestureEvent(time: event.time, kind: .touches($0, [touch]))
        }
    }
  }

  static let tapsWait = events("A tap that waits for a second one is evaluated on the next screen.")
  { events in
    var seen: [GestureEvent] = []
    for event in events {
      seen.append(event)
      guard case .screen = event.kind, seen.count > 2,
        case .touches(.began, let one) = seen[seen.count - 3].kind,
        case .touches(.ended, let other) = seen[seen.count - 2].kind, one.count == 1,
        other.count == 1, event.time - seen[seen.count - 2].time < 0.35
      else { continue }
      seen.removeLast(3)
      seen.append(event)
      seen += [(TouchPhase.began, one), (.ended, other)].map {
        GestureEvent(time: event.time, kind: .touches($0.0, $0.1))
      }
    }
    return seen
  }
}
