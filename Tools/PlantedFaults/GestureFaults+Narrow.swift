import ZoomGeometry
import ZoomLaws

extension GestureFaults {
  /// Returns faults that only one law each should find.
  ///
  /// The comment above each fault begins with the only law that finds it; the rest says why the other laws do not.
  static func narrow(_ system: ZoomSystem) -> [Fault] {
    switch system {
    case .peek: [frameStays, growsLate, dividedBySeven, dimsByHalf, secondPressLost, hangsLow]
    case .fullscreen: [arrivesLate, staysBegun, alwaysFixed, turnsBackwards]
    case .force: [staysInPlace, halfAsLarge, radiusBelowZero]
    case .doubleTap: [tapsMoved, threeTimesAsFar, eightPoints, flashes, settlesLate]
    case .transition:
      [
        longWayRound, standsStill, losesPans, squareCorners, keepsScale, throwsHarder,
        fewFingers, fingerShifts,
      ]
    }
  }

  // MARK: Peek

  // GE-51: other laws compare the frame with an equally wrong one, that of another play with the same finger.
  private static let frameStays = states(
    "The frame stays where the finger came down.", origin: "FlexMonkey/ForceZoom FZ-B11"
  ) { states, _ in
    var first: ViewRect?
    for place in states.indices {
      first = states[place].previewFrame.map { first ?? $0 }
      states[place].layers = states[place].layers.map { layer in
        guard case .outline(var line) = layer, let first else { return layer }
        line.rect = first
        return .outline(line)
      }
    }
  }

  // GE-43: other laws compare the force at one time in two plays, which both have this fault; a
  // force of 1 stays 1, so the peek opens on time.
  private static let growsLate = eachState(
    "The force of a long press grows with the square of the time."
  ) { state, script in
    if case .longPress = script.scene.press { state.force *= state.force }
  }

  // GE-44: no other law knows the force of a finger.
  private static let dividedBySeven = eachTouch(
    "The force is a share of 7, whatever the largest is.",
    origin: "Produkt/3dForceTouchExamples FT-B16"
  ) { $0.force *= GestureScript.usualMaximumForce / 7 }

  // GE-46: others look at pictures, or compare all layers with those of another play.
  private static let dimsByHalf = eachState("A peek dims the page by a half, not by 0.6.") {
    state, _ in state.changeCards { $0.opacity = 0.5 }
  }

  // GE-55: to notice this, a law must compare a play in which a press follows a cancellation of
  // fingers with a play in which it does not. Of the others only GE-27 does so, and rarely.
  private static let secondPressLost = events("A press after a cancellation is ignored.") {
    events in
    var (down, wasCancelled) = ([Int: ViewPoint](), false)
    return events.filter { event in
      if event.kind == .cancelAll, !down.isEmpty { wasCancelled = true }
      event.follow(&down)
      return !wasCancelled || !event.isTouch
    }
  }

  // GE-12: others compare plays with the same device turns; GE-37 leaves out upside-down devices.
  private static let hangsLow = eachState(
    "After the device was upside down, the picture is 3 points too low."
  ) { state, script in
    let past = script.events.prefix { $0.time <= state.time + 1e-6 }
    guard past.contains(where: { $0.kind == .device(.portraitUpsideDown) }) else { return }
    state.changePictures { $0.transform.ty += 3 }
  }

  // MARK: Full screen

  // ZV-P14: the other full-screen laws play trips (`FullscreenTrip`) in windows of known kind, and
  // gesture laws compare scripts whose windows are of the same kind.
  private static let alwaysFixed = scripts("A window of unknown kind counts as fixed.") { script in
    var stage = script.stage
    stage.window = stage.window ?? .fixed
    return try script.with(stage: stage)
  }

  // ZV-P15: others look at a turning view's middle, and at both ends of the turn.
  private static let turnsBackwards = eachState(
    "A view turns counterclockwise to upside down."
  ) { state, script in
    guard script.events.contains(where: { $0.kind == .device(.portraitUpsideDown) }) else { return }
    let mirror = Affine(a: -1, b: 0, c: 0, d: 1, tx: state.screen.size.width, ty: 0)
    state.changePictures { picture in
      guard abs(picture.transform.a * picture.transform.b) > 1e-9 else { return }
      let own = Affine(a: -1, b: 0, c: 0, d: 1, tx: picture.size.width, ty: 0)
      picture.transform = own.then(picture.transform).then(mirror)
    }
  }

  // GE-39: others use the layers of the last state; GE-11 allows for a longer time.
  private static let arrivesLate = states("An animation ends a twentieth of a second late.") {
    states, _ in
    guard states.count > 1, states.last?.events == [] else { return }
    states[states.count - 1].time += 0.05
  }

  // GE-6: others compare the recognisers of two plays, or drive a system live.
  private static let staysBegun = eachState(
    "After a cancellation the recogniser stays in its began state."
  ) { state, _ in if state.recogniser == .cancelled { state.recogniser = .began } }

  // MARK: Force

  // GE-50: others change the screen in both of the plays that they compare.
  private static let staysInPlace = scripts(
    "The pressed view is placed once, on the first screen.",
    origin: "Produkt/3dForceTouchExamples FT-B12"
  ) { script in
    var stage = script.stage
    let middle = script.screen.safeArea.centre
    // Buttons are left out, because GE-46 checks where a button is and would find the fault, too.
    guard stage.forceExhibit != .button else { return script }
    stage.view =
      stage.view ?? ViewRect(x: middle.x - 100, y: middle.y - 100, width: 200, height: 200)
    return try script.with(stage: stage)
  }

  // GE-7: the force is right, and GE-17 and GE-37 press other exhibits.
  private static let halfAsLarge = eachState(
    "Above two thirds of the force an animated picture is half as large."
  ) { state, script in
    guard script.stage.forceExhibit == .animation, state.force > 2.0 / 3 else { return }
    state.changePictures { $0.transform = Affine.scale(0.5).then($0.transform) }
  }

  // GE-47: no generated stage is invalid.
  private static let radiusBelowZero = Fault("A corner radius below 0 counts as 0.") {
    faulty, sound in
    guard let live = ReplaySubject(sound.system, .corrected).live else { return }
    faulty.live = { scene, picture in
      var scene = scene
      if scene.stage.cornerRadius < 0 { scene.stage.cornerRadius = 0 }
      return try live(scene, picture)
    }
  }

  // MARK: Double tap

  // GE-45: others put fingers down and lift them at one place, or move them much further.
  private static let tapsMoved = events("A finger that moves by less than 11 points still taps.") {
    events in
    var (starts, size): ([Int: ViewPoint], ViewSize?) = ([:], nil)
    return events.compactMap { event in
      if case .screen(let screen) = event.kind {
        if screen.size != size { starts = [:] }
        size = screen.size
      }
      return event.changingTouches { phase, touch in
        if phase == .began { starts[touch.id] = touch.point }
        guard let start = starts[touch.id], start.distance(to: touch.point) < 11 else { return }
        touch.point = start
      }
    }
  }

  // GE-48: in other laws a finger is reported only once after the screen changes, and that first
  // report moves nothing, or the finger moves alike in both plays that they compare.
  private static let threeTimesAsFar = scripts(
    "On a screen that changes under it, a finger moves the picture three times as far."
  ) { script in
    var (size, down) = (script.screen.size, [Int: ViewPoint]())
    // The fingers of an earlier screen, with their first points on the present one.
    var moved: [Int: ViewPoint?] = [:]
    return try script.with(
      script.events.compactMap { event -> GestureEvent? in
        defer { event.follow(&down) }
        if case .screen(let next) = event.kind, next.size != size {
          size = next.size
          moved = down.mapValues { _ in nil }
        }
        return event.changingTouches { phase, touch in
          if phase == .began { moved.removeValue(forKey: touch.id) }
          guard let known = moved[touch.id] else { return }
          let first = known ?? touch.point
          moved.updateValue(first, forKey: touch.id)
          touch.point = first + (touch.point - first).scaled(by: 3)
        }
      })
  }

  // GE-49: others see nothing wrong: the picture covers the screen, lies on whole pixels, and moves alike on both axes.
  private static let eightPoints = states(
    "A screen of another size moves an enlarged picture by 8 points, where it has room."
  ) { states, _ in
    var (across, down) = (false, false)
    for place in states.indices.dropFirst() {
      guard let box = states[place].picture?.box else { continue }
      let (before, size) = (states[place - 1].screen.size, states[place].screen.size)
      across = (across || size != before) && box.x < -16 && box.maxX > size.width + 16
      down = (down || size != before) && box.y < -16 && box.maxY > size.height + 16
      states[place].changePictures {
        $0.transform.tx += across ? 8 : 0
        $0.transform.ty += down ? 8 : 0
      }
    }
  }

  // GE-38: others look before and after a zoom, or compare it with a reflected zoom.
  private static let flashes = engine(
    "A zoom shows its end for a moment before it begins.", .flashes, of: .doubleTap)

  // GE-57: others look at pictures that have come to rest.
  private static let settlesLate = engine(
    "A screen that changes during an animation leaves the picture 3 points off for 0.1 s.",
    .settlesLate, of: .doubleTap)

  // MARK: Transition

  // GE-37: the turn begins and ends as it should, and no other law compares the states between.
  private static let longWayRound = states(
    "A picture turns to landscapeRight the long way round.",
    origin: "Matt Gallagher, ZoomingViewController ZV-B10"
  ) { states, script in
    let duration = 0.28
    let turns = script.events.filter { if case .device = $0.kind { true } else { false } }
    var start: Double?
    for place in states.indices.dropLast() {
      let (time, middle) = (states[place].time, states[place].screen.bounds.centre)
      if states[place].events.contains(.rotate) {
        let last = turns.last { $0.time <= time + 1e-6 }
        start = last?.kind == .device(.landscapeRight) ? time : nil
      }
      guard let start, time < start + duration else { continue }
      let more = Affine.rotation(2 * .pi * (time - start) / duration).about(middle)
      states[place].changePictures { $0.transform = $0.transform.then(more) }
    }
  }

  // GE-52: others have three fingers in both of the plays that they compare.
  private static let standsStill = events("Under three fingers the picture stands still.") {
    events in
    var down: [Int: ViewPoint] = [:]
    return events.filter { event in
      defer { event.follow(&down) }
      return !event.isMovement || down.count < 3
    }
  }

  // GE-54: in other laws a finger rarely moves at the time at which it lifts.
  private static let throwsHarder = events("A throw counts the last movement twice.") { events in
    var (down, last, moved) = ([Int: ViewPoint](), [Int: ViewPoint](), -1.0)
    return events.flatMap { event -> [GestureEvent] in
      defer {
        if event.isMovement { (last, moved) = (down, event.time) }
        event.follow(&down)
      }
      guard event.phase == .ended, down.count == 1, event.time == moved,
        var touch = event.touches.first, let before = last[touch.id]
      else { return [event] }
      touch.point = touch.point + (touch.point - before)
      return [TouchPhase.moved, .ended].map { event.reporting($0, [touch]) }
    }
  }

  // GE-56: other laws rarely lift a finger and put it down at one time.
  private static let fingerShifts = events(
    "A finger that comes back at once is taken to be 20 points further right."
  ) { events in
    var (lifted, shifted) = ([Int: Double](), Set<Int>())
    return events.compactMap { event in
      event.changingTouches { phase, touch in
        switch phase {
        case .began:
          if lifted[touch.id] == event.time { shifted.insert(touch.id) }
        case .ended, .cancelled: lifted[touch.id] = event.time
        case .moved: break
        }
        if shifted.contains(touch.id) { touch.point.x += 20 }
        if lifted[touch.id] != nil, phase != .began, phase != .moved { shifted.remove(touch.id) }
      }
    }
  }

  // GE-53: no other law has more than eight fingers.
  private static let fewFingers = engine(
    "More than ten fingers are refused.", .countsTen, of: .transition)

  // GE-40: others compare the reports of one play with those of another.
  private static let losesPans = engine(
    "A pan that another finger interrupts is not reported as ended.", .losesPans, of: .transition)

  // TI-P16: others look at corners only while a picture is presented.
  private static let squareCorners = states(
    "A picture that goes back has square corners until it has arrived."
  ) { states, _ in
    guard let start = states.lastIndex(where: { $0.events.contains(.dismiss) }) else { return }
    for place in states.indices.dropLast() where place >= start {
      states[place].changePictures { $0.cornerRadius = 0 }
    }
  }

  // TI-P8: its example is a pinch beyond the largest scale. GE-12 accepts the picture, because it covers the screen
  // or is centred. GE-9 and GE-41 notice only scales that are too small, and GE-20 ends its pinch by lifting the
  // fingers, not by a cancellation.
  private static let keepsScale = engine(
    "A cancelled pinch leaves a scale outside its limits.", .keepsScale, of: .transition,
    origin: "quri/Titanium TI-B12")

  static func engine(
    _ summary: String, _ mistake: FaultyEngine.Mistake, of system: ZoomSystem,
    origin: String? = nil
  ) -> Fault {
    systems(summary, origin: origin) { scene, picture in
      let zoom = try LiveZoom(system, picture: picture, scene: scene)
      return LiveZoom(system, engine: FaultyEngine(zoom, mistake), screen: scene.screen)
    }
  }
}

extension Affine {
  func about(_ point: ViewPoint) -> Affine {
    Affine.translation(x: -point.x, y: -point.y).then(self)
      .then(.translation(x: point.x, y: point.y))
  }
}
