import ZoomGeometry
import ZoomLaws

extension GestureFaults {
  /// The origin of faults that imitate former bugs of this package, which no law found.
  static let ours = "zoombench"

  static let screens: [Fault] = [
    states("A 1:1 picture is a quarter of a pixel off the grid.") { states, script in
      guard let scale = states.last?.screen.scale else { return }
      states[states.count - 1].changePictures { layer in
        let pixel = layer.size.width / layer.content.width * scale
        let side = pixel * (abs(layer.transform.a) + abs(layer.transform.b))
        if layer.mask == nil, abs(side - 1) < 1e-9 { layer.transform.ty += 0.25 / scale }
      }
    }
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

  static let readFromTheLeft = scripts(
    "Every page is read from left to right.", origin: "frontend-collective/react-image-lightbox#164"
  ) { script in
    var stage = script.stage
    stage.direction = .leftToRight
    return try script.with(stage: stage)
  }

  static let pressStartStays = events(
    "The start of a long press is not moved when the screen changes.", origin: ours
  ) { events in
    var isStale = false
    return events.flatMap { event -> [GestureEvent] in
      if case .screen = event.kind { isStale = true }
      guard isStale, event.isMovement else { return [event] }
      isStale = false
      // A finger that moves away no longer makes a long press, even if it returns.
      let away = event.changingTouches { $1.point.x += 11 }
      return [event, away ?? event, event]
    }
  }

  static let tapsSurvive = events("A finger taps although the screen has changed.", origin: ours) {
    events in
    var isChanged = false
    return events.flatMap { event -> [GestureEvent] in
      if case .screen = event.kind { isChanged = true }
      guard case .touches(let phase, let touches) = event.kind else { return [event] }
      if phase == .began { isChanged = false }
      guard phase == .ended, isChanged else { return [event] }
      return [event] + [TouchPhase.began, .ended].map { event.reporting($0, [touches[0]]) }
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
      seen += [event.reporting(.began, one), event.reporting(.ended, other)]
    }
    return seen
  }
}

extension GestureEvent {
  func reporting(_ phase: TouchPhase, _ touches: [Touch]) -> GestureEvent {
    GestureEvent(time: time, kind: .touches(phase, touches))
  }
}
