import PropertyTesting
public import ZoomGeometry

/// A zoom system that plays scripts.
public struct ReplaySubject: LawSubject {
  /// The cost of a case in evaluations of the peek's formula, to within a factor of 3; a case plays dozens of frames.
  public var caseCost = 10

  /// The name in reports.
  public let name: String
  /// The zoom system that the subject implements.
  public let system: ZoomSystem
  /// Returns the states, one per frame, of a script that is played over a picture of a size.
  ///
  /// It may leave out states while nothing moves, and throws for a script that it cannot play.
  public var play: @Sendable (GestureScript, PixelSize) throws -> [ZoomState]
  /// Returns the same system to be driven live; nil if the subject only plays scripts.
  public var live: (@Sendable (ZoomScene, PixelSize) throws -> LiveZoom)?
  /// The distance that a finger may move and still tap, in points.
  public var slop = 10.0
  /// The longest time that anything moves after the last event, in seconds.
  ///
  /// A presentation takes 0.5 s; a tap at full screen waits for 0.35 s before a dismissal or a reset of 0.3 s; a throw
  /// takes up to 0.8 s.
  public var longestMotion = 0.95
  /// The differences allowed beyond roundings; none for systems that state what they show.
  public var tolerance = Tolerance()
  /// The screens that laws change to.
  var screens = Gen<Screen>.gestureScreens
  /// The length in points of a detour along each axis.
  var detour = 3000.0
  /// The published durations of the animations that events announce, in seconds.
  public var durations: [ZoomEvent: Double] = [:]

  /// Creates a subject that plays scripts.
  public init(
    _ name: String, system: ZoomSystem,
    play: @escaping @Sendable (GestureScript, PixelSize) throws -> [ZoomState]
  ) {
    self.name = name
    self.system = system
    self.play = play
    durations =
      switch system {
      case .fullscreen: [.present: 0.2, .dismiss: 0.2, .rotate: 0.25]
      case .doubleTap: [.doubleTap: 0.3]
      case .transition: [.present: 0.5, .dismiss: 0.3, .rotate: 0.3, .zoomIn: 0.3, .zoomOut: 0.3]
      case .peek, .force: [:]
      }
  }

  /// Creates a subject for one of our systems.
  public init(_ system: ZoomSystem, _ form: ZoomForm) {
    self.init("\(system.rawValue) \(form.rawValue)", system: system) { script, picture in
      var player = try GesturePlayer(script, system: system, picture: picture, form: form)
      return try player.states()
    }
    live = { try LiveZoom(system, picture: $1, scene: $0, form: form) }
  }

  /// The differences that laws allow a subject whose places are measured.
  public struct Tolerance: Sendable, Hashable {
    /// The distance in points.
    public var distance = 0.0
    /// The share by which scales may differ.
    public var scale = 0.0
    /// The part of the screen, from its origin, at whose corners places are compared; nil for the picture's corners.
    ///
    /// It is set if places are measured: a small error of a measured scale would be large far off the screen.
    public var area: PixelSize?
  }

  /// Whether the subject is a third-party viewer, whose places are measured in a browser.
  var isMeasured: Bool { tolerance.area != nil }

  /// Returns the allowed error of a picture's place in points.
  func slack(_ layer: PictureLayer) -> Double { layer.slack + tolerance.distance }

  /// Returns the shares of a finger's way by which the picture may move.
  ///
  /// Our systems never make up for the slop; others may do so at once, later or not at all.
  func shares(ofWay length: Double, slop: Double? = nil) -> ClosedRange<Double> {
    let slop = slop ?? self.slop
    let least = length > slop ? 1 - slop / length : 0
    return least...(isMeasured ? 1 : least)
  }

  func play(_ gesture: GestureCase) throws -> [ZoomState] {
    try play(gesture.script, gesture.picture)
  }
  func play(_ gesture: GestureCase, _ events: [GestureEvent]) throws -> [ZoomState] {
    try play(gesture.with(events))
  }
}

extension GesturePlayer {
  package mutating func states() throws -> [ZoomState] {
    var states: [ZoomState] = []
    while let state = try next() { states.append(state) }
    return states
  }
}

/// The laws of gestures on any system.
public enum GestureLaws {
  /// Returns the laws of a system.
  ///
  /// The published form of one system may break a law that the published form of another keeps.
  public static func all(of system: ZoomSystem) -> [Law<ReplaySubject>] {
    let (law, moved) = (gestures(of: system), movements(Movement.any(system)))
    let laws = [
      plays(system, law), reports(system, law, moved), ends(system), screens(system, law),
      screenChanges(system, screenChanged(ScreenChange.any(system))), motions(system),
      thresholds(system), [reflections(system), scenes(system), limits(system)],
    ].flatMap { $0 }
    return switch system {
    case .peek: laws + [lifts(system), pens(system), again(system), peeks]
    case .fullscreen: laws + [again(system)]
    case .force: laws + presses + [lifts(system), pens(system), again(system)]
    case .doubleTap: laws + pans(moved)
    case .transition:
      laws + pinches(pinched, anchored: family(PinchScript.any(mayTurn: true)))
        + pans(moved) + [thrown, again(system)]
    }
  }

  static var source: String {
    "relations of gestures: Suwayomi-Tsumiru#377, react-native-zoom-toolkit#36 and others"
  }

  static func family<Input: PlayedInput>(
    _ inputs: Gen<Input>,
    classify: @escaping @Sendable (Input, inout TestCase) -> Void = { _, _ in }
  ) -> LawFamily<ReplaySubject, Input> {
    LawFamily(source: source, inputs: inputs, inWords: { $0.inWords }, classify: classify)
  }

  static func gestures(of system: ZoomSystem) -> LawFamily<ReplaySubject, GestureCase> {
    family(.gestures(of: system)) { gesture, testCase in
      let events = gesture.script.events
      testCase.classify(
        events.contains { $0.touches.count > 1 }, as: "several fingers in one event", atLeast: 0.2)
      testCase.classify(events.count > 60, as: "over 60 events", atLeast: 0.1)
    }
  }

  /// Returns a short script over a picture; nil if the script or the picture is invalid.
  static func example(
    width: Double = 375, height: Double = 667, scale: Double = 1,
    device: DeviceOrientation = .portrait, picture: (width: Int, height: Int) = (1600, 1200),
    _ actions: [GestureAction]
  ) -> GestureCase? {
    guard let screen = try? Screen(size: ViewSize(width: width, height: height), scale: scale),
      let script = try? GestureScript(
        screen: screen, device: device, events: GestureWriter.events(of: actions)),
      let picture = try? PixelSize(width: picture.width, height: picture.height)
    else { return nil }
    return GestureCase(script: script, picture: picture)
  }

  /// Returns the events with a final cancellation, and a time at which everything is at rest.
  static func rested(_ gesture: GestureCase) -> (events: [GestureEvent], at: Double) {
    let events = cancelled(gesture)
    return (events, (events.last?.time ?? 0) + 2)
  }

  static func over(
    _ gesture: GestureCase, _ testCase: inout TestCase
  ) throws -> [GestureEvent] {
    let down = gesture.script.events.fingers().touches()
    let ends: [GestureEvent.Kind] =
      [.cancelAll] + (down.isEmpty ? [] : [.touches(.ended, down), .touches(.cancelled, down)])
    let end = try testCase.draw(Gen<Int>.integer(in: 0...2))
    return gesture.script.events
      + [GestureEvent(time: gesture.end, kind: ends[min(end, ends.count - 1)])]
  }

  static func cancelled(_ gesture: GestureCase) -> [GestureEvent] {
    gesture.script.events + [GestureEvent(time: gesture.end, kind: .cancelAll)]
  }

  static func untouched(_ gesture: GestureCase) -> [GestureEvent] {
    gesture.script.events.filter {
      switch $0.kind {
      case .touches, .cancelAll, .close, .wheel: false
      case .device, .interface, .screen: true
      }
    }
  }

  /// Returns whether the picture is zoomed.
  ///
  /// What a zoomed picture does in another viewport differs between systems, so the laws of viewports skip it.
  static func isZoomed(_ state: ZoomState, _ subject: ReplaySubject) throws -> Bool {
    guard subject.system == .transition || subject.system == .doubleTap else { return false }
    let layer = try state.shownPicture()
    let (box, screen, slack) = (layer.box, state.screen.size, subject.slack(layer))
    // A picture with a mask is a thumbnail.
    return layer.mask == nil
      && (box.width > screen.width + slack || box.height > screen.height + slack)
  }

  /// Requires that a picture at rest covers the screen, or is in the middle of it if it is smaller.
  static func requireRest(_ state: ZoomState, _ system: ZoomSystem) throws {
    let picture = try state.shownPicture()
    // The peek's picture fits in the safe area, so that all of it can be touched.
    let area = system == .peek ? state.screen.safeArea : state.screen.bounds
    try TransitionLaws.isAtRest(picture.box, on: area, picture.slackAtRest(on: state.screen))
  }

  /// Requires that two runs end with the same view, to the bit or within a tolerance.
  static func requireSameEnd(
    _ one: [ZoomState], _ other: [ZoomState], _ what: String,
    within tolerance: ReplaySubject.Tolerance = .init(),
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    if let area = tolerance.area {
      return try requireSamePlace(
        one.lastPicture(), other.lastPicture(), of: area, what, within: tolerance, fileID: fileID,
        line: line)
    }
    // A message is long, so it is created only if the layers differ.
    let (first, second) = (one.last?.layers ?? [], other.last?.layers ?? [])
    guard first != second else { return }
    let pair = zip(first, second).first { $0 != $1 }
    try Property.require(
      false, "\(what): " + (pair.map { "\($0) instead of \($1)" } ?? "other layers"),
      fileID: fileID, line: line)
  }

  /// Requires that two runs end with the same view, apart from roundings of the picture's frame.
  static func requireNearlySameEnd(
    _ one: [ZoomState], _ other: [ZoomState], of picture: PixelSize, _ what: String,
    within tolerance: ReplaySubject.Tolerance = .init(),
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let layers = (one.last?.layers ?? [], other.last?.layers ?? [])
    guard layers.0 != layers.1 else { return }
    guard layers.0.count == layers.1.count, tolerance.area == nil else {
      return try requireSameEnd(one, other, what, within: tolerance, fileID: fileID, line: line)
    }
    for pair in zip(layers.0, layers.1) {
      let isSame: Bool
      switch pair {
      case (.picture(let first), .picture(let second)):
        try requireSamePlace(first, second, of: picture, what, fileID: fileID, line: line)
        isSame = distance(first.box, second.box) <= 2 * second.slack
      case (.fill(let first), .fill(let second)):
        isSame =
          distance(first.box, second.box) <= gestureSlack * magnitude(second.box)
          && first.shade == second.shade
          && near(first.opacity, second.opacity, within: gestureSlack)
          && near(first.shadow?.radius ?? 0, second.shadow?.radius ?? 0, within: gestureSlack)
      case (.outline(let first), .outline(let second)):
        isSame = distance(first.rect, second.rect) <= gestureSlack * magnitude(second.rect)
      default: isSame = false
      }
      try Property.require(
        isSame, "\(what): \(pair.0) instead of \(pair.1)", fileID: fileID, line: line)
    }
  }

  static func requireSamePlace(
    _ one: PictureLayer, _ other: PictureLayer, of picture: PixelSize, _ what: String,
    within tolerance: ReplaySubject.Tolerance = .init(),
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let (off, allowed) = try separation(of: one, other, picture, within: tolerance)
    try Property.require(
      off <= allowed, "\(what) a corner is \(off) points off", fileID: fileID, line: line)
  }

  static func separation(
    of one: PictureLayer, _ other: PictureLayer, _ picture: PixelSize,
    within tolerance: ReplaySubject.Tolerance
  ) throws -> (off: Double, allowed: Double) {
    guard let area = tolerance.area else {
      return (apart(one.toScreen, other.toScreen, picture), other.slack)
    }
    let change = try given(other.toScreen.inverted()).then(one.toScreen)
    let far = Double(max(area.width, area.height))
    return (apart(change, .identity, area), tolerance.distance + tolerance.scale * far)
  }
}
