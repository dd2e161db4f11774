import PropertyTesting
import ZoomGeometry

/// The laws of a transition from a thumbnail, and of the gestures at full screen.
public enum TransitionLaws {
  /// All laws of the transition.
  public static let all: [Law<ReplaySubject>] = crops + landings + endStates

  static let source = "quri/Titanium"

  /// The share of a length by which rounding may move a point.
  ///
  /// Some thirty operations are each off by 2^-53 of at most a few thousand times the length.
  static let rounding = 1e-11

  static var nothingShown: PropertyFailure { PropertyFailure("no picture is shown") }

  private static let setupLaw = LawFamily<ReplaySubject, Presentation>(
    source: source, inputs: Presentation.any, inWords: \.inWords,
    classify: { setup, testCase in
      let (thumbnail, picture) = (setup.thumbnail, setup.picture)
      let isWider =
        thumbnail.width / thumbnail.height > Double(picture.width) / Double(picture.height)
      testCase.classify(isWider, as: "a wider thumbnail", atLeast: 0.2)
      testCase.classify(
        thumbnail.width > setup.screen.size.width, as: "wider than the screen", atLeast: 0.1)
    })

  private static let crops = [
    setupLaw(
      "TI-P1", "When the picture is presented, it covers exactly the thumbnail.",
      isBroken: true
    ) { subject, setup, _ in
      let layer = try setup.presented(by: subject)
      try Property.require(
        distance(layer.box, setup.thumbnail) <= rounding * magnitude(setup.thumbnail),
        "the picture is \(layer.box.inWords), not \(setup.thumbnail.inWords)")
      let map = layer.transform
      // An upright map keeps the directions of both axes.
      try Property.require(
        map.a > 0 && map.d > 0 && map.b == 0 && map.c == 0, "it is turned: \(layer.transform)")
    },
    setupLaw(
      "TI-P2",
      "The mask lies in the full frame, has the thumbnail's ratio, touches two opposite sides and "
        + "is centred.", isBroken: true
    ) { subject, setup, _ in
      let layer = try setup.presented(by: subject)
      let (mask, full) = (layer.seen, layer.size)
      let slack = rounding * max(full.width, full.height)
      let words = "the mask \(mask.inWords) in the frame \(full.inWords)"
      let frame = ViewRect(x: 0, y: 0, width: full.width, height: full.height)
      try Property.require(frame.covers(mask, within: slack), "\(words) exceeds it")
      let ratio = mask.width / mask.height * setup.thumbnail.height / setup.thumbnail.width
      try Property.require(
        abs(ratio - 1) <= rounding, "the mask's ratio is \(ratio) of the thumbnail's")
      try Property.require(
        abs(mask.width - full.width) <= slack || abs(mask.height - full.height) <= slack,
        "\(words) touches no two sides")
      try Property.require(
        mask.isCentred(on: frame, within: slack / 2), "\(words) is not centred")
    },
    setupLaw("TI-P3", "The full frame is scaled so that it just fills the thumbnail.") {
      subject, setup, _ in
      let layer = try setup.presented(by: subject)
      let expected = max(
        setup.thumbnail.width / layer.size.width, setup.thumbnail.height / layer.size.height)
      let scale = layer.transform.determinant.squareRoot()
      try Property.require(
        abs(scale / expected - 1) <= rounding, "the scale is \(scale), not \(expected)")
    },
    setupLaw(
      "TI-P4", "The corners look as round as the thumbnail's, at most like quarters of a circle.",
      isBroken: true
    ) { subject, setup, _ in
      let layer = try setup.presented(by: subject)
      let half = min(setup.thumbnail.width, setup.thumbnail.height) / 2
      let expected = min(setup.cornerRadius, half)
      let looks = layer.cornerRadius * layer.transform.determinant.squareRoot()
      try Property.require(
        abs(looks - expected) <= rounding * max(1, expected), "their radius looks like \(looks)")
    },
    setupLaw(
      "TI-P7",
      "At full screen the whole picture is shown in the middle, as large as fits."
    ) { subject, setup, _ in
      let states = try subject.play(setup.script(), setup.picture)
      guard let layer = states.last?.picture else { throw nothingShown }
      try Property.require(layer.mask == nil, "a part is hidden by \(layer.seen.inWords)")
      let (box, screen) = (layer.box, setup.screen)
      // A picture shown 1:1 is aligned to whole pixels.
      let slack = rounding * max(screen.size.width, screen.size.height) + 0.5 / screen.scale
      try Property.require(
        box.isCentred(on: screen.bounds, within: slack),
        "the picture \(box.inWords) is not in the middle")
      let across = box.width / Double(setup.picture.width)
      let down = box.height / Double(setup.picture.height)
      let fit = fitScale(of: setup.picture, on: screen)
      try Property.require(
        abs(across / fit - 1) <= 1e-9 && abs(down / fit - 1) <= 1e-9,
        "a pixel is \(across)x\(down) points, not \(fit)")
    },
  ]

  private static let landings = [
    setupLaw(
      "TI-P5",
      "The mask opens from the thumbnail's to the whole frame and closes back, both sides together.",
      isBroken: true
    ) { subject, setup, testCase in
      let states = try subject.play(
        setup.script([GestureEvent(time: 1.5, kind: .close)]), setup.picture)
      // Each range includes the last frame before the mask moves and the first frame after it,
      // because the mask must not jump there either.
      for (from, to) in [(0, 1.4), (1.4, 9)] {
        let layers = states.filter { $0.time >= from && $0.time < to }.compactMap(\.picture)
        let isOpening = try opensTogether(layers)
        testCase.classify(isOpening, as: "the mask changes from \(from) s on", atLeast: 0.3)
      }
    },
    gestureLaw(
      "TI-P16",
      "A dismissed picture lands on the thumbnail, whatever was done to it before.",
      isBroken: true
    ) { subject, gesture, testCase in
      guard let (rest, states, _) = try presented(gesture, by: subject, then: .close, &testCase)
      else { return }
      // The last frame of the animation; then the page draws the thumbnail.
      let (begin, end) = (try rest.shownPicture(), try states.lastPicture())
      guard let landing = states.dropLast().last?.picture else { throw nothingShown }
      // The largest coordinate is added: in a half turn the picture moves but its box hardly does.
      let way = distance(begin.box, end.box) + magnitude(begin.box)
      // The animation takes 0.3 s, which is 18 frames at 60 Hz, so its last frame is at 17/18 or
      // later. The envelope of the spring decays to 0.001 at the end, so at 17/18 less than 0.02 of
      // the way remains.
      try Property.require(
        distance(landing.box, end.box) <= 0.02 * way + 1e-6,
        "the picture ends as \(landing.box.inWords), the thumbnail is \(end.box.inWords)")
      // The corners reach their radius after 0.15 s, in the layer's own points, at any scale.
      let (radius, expected) = (landing.cornerRadius, end.cornerRadius)
      try Property.require(
        abs(radius - expected) <= 0.01 * max(1, expected),
        "the corners end with a radius of \(radius), the thumbnail's is \(expected)")
    },
  ]

  static let gestureLaw = LawFamily<ReplaySubject, GestureCase>(
    source: source, inputs: .gestures(of: .transition), inWords: \.description)

  /// Plays a gesture, lets the picture come to rest, and plays an action; returns the state at
  /// rest, all states, and the time of the action less a tolerance.
  ///
  /// Returns nil if no picture is presented at rest.
  static func presented(
    _ gesture: GestureCase, by subject: ReplaySubject, then deed: GestureAction.Deed,
    _ testCase: inout TestCase
  ) throws -> (rest: ZoomState, states: [ZoomState], start: Double)? {
    let (still, later) = GestureLaws.rested(gesture)
    let events = still + GestureWriter.events(of: [GestureAction(deed)], at: later)
    let states = try subject.play(gesture.with(events))
    let before = states.filter { $0.time < later - 1e-6 }
    guard testCase.reaches(isPresented(before), "presented", atLeast: 0.1) else { return nil }
    guard let rest = before.last else { throw nothingShown }
    return (rest, states, later - 1e-6)
  }

  /// Requires that both sides of a mask open by equal shares at each moment, and never jump.
  ///
  /// Returns whether a side changes.
  private static func opensTogether(_ layers: [PictureLayer]) throws -> Bool {
    guard let first = layers.first?.seen, let last = layers.last?.seen else { throw nothingShown }
    var before = 0.0
    for layer in layers {
      func share(_ length: (ViewRect) -> Double) -> Double? {
        let (start, end) = (length(first), length(last))
        // The share of a side that keeps its length is undefined.
        return abs(end - start) > 1e-6 * max(abs(start), abs(end))
          ? (length(layer.seen) - start) / (end - start) : nil
      }
      let (across, down) = (share(\.width), share(\.height))
      if let across, let down {
        try Property.require(
          abs(across - down) <= 1e-5, "one side is open by \(across), the other by \(down)")
      }
      guard let share = across ?? down else { return false }
      // The mask opens in 0.15 s, which is 36 frames at 240 Hz.
      try Property.require(
        share >= before - 1e-5 && share - before <= 0.05,
        "from one frame to the next the share goes from \(before) to \(share)")
      before = share
    }
    return true
  }

  /// Returns the scale of the aspect fit, in points per picture pixel.
  static func fitScale(of picture: PixelSize, on screen: Screen) -> Double {
    FitAxes<Double>(width: picture.width, height: picture.height, viewport: screen.size).scale
  }

  static func isPresented(_ states: [ZoomState]) -> Bool {
    states.lazy.flatMap(\.events).last { $0 == .present || $0 == .dismiss } == .present
  }

  /// Returns whether each picture pixel covers whole screen pixels, so that it is aligned at rest.
  static func isWhole(_ layer: PictureLayer, on screen: Screen) -> Bool {
    let map = layer.toScreen
    let pixel = (abs(map.a) + abs(map.b)) * screen.scale
    return pixel > 0.999_999 && abs(pixel - pixel.rounded()) <= 1e-8 * pixel
  }

  /// Requires that a picture covers an area on each axis on which it is larger, and is centred on
  /// the other.
  static func isAtRest(_ box: ViewRect, on area: ViewRect, _ slack: Double) throws {
    for axis in Axis.allCases {
      let (start, length) = (box[axis].start - area[axis].start, area[axis].length)
      let end = box[axis].end - area[axis].start
      if end - start > length {
        try Property.require(
          start <= slack && end >= length - slack,
          "on \(axis) it goes from \(start) to \(end) and leaves a gap on 0 to \(length)")
      } else {
        try Property.require(
          abs(start + end - length) <= 2 * slack,
          "on \(axis) it goes from \(start) to \(end), not centred on 0 to \(length)")
      }
    }
  }
}

/// A thumbnail, and the screen on which its picture is presented.
struct Presentation: Sendable, PlayedInput {
  var picture: PixelSize
  var screen: Screen
  var thumbnail: ViewRect
  var cornerRadius: Double

  var inWords: String {
    "\(picture) from \(thumbnail.inWords), corners \(cornerRadius.inWords), on \(screen.inWords)"
  }

  /// Returns a script that taps the thumbnail and adds later events, at 240 frames per second.
  func script(_ more: [GestureEvent] = []) throws(GeometryError) -> GestureScript {
    let tap = GestureAction(.tap(at: thumbnail.centre, held: 0.05))
    return try GestureScript(
      screen: screen, framesPerSecond: 240,
      stage: Stage(view: thumbnail, cornerRadius: cornerRadius),
      events: GestureWriter.events(of: [tap]) + more)
  }

  var played: GestureCase {
    get throws(GeometryError) {
      GestureCase(script: try script([GestureEvent(time: 1, kind: .close)]), picture: picture)
    }
  }

  fileprivate func presented(by subject: ReplaySubject) throws -> PictureLayer {
    let states = try subject.play(script(), picture)
    guard let layer = states.first(where: { $0.events.contains(.present) })?.picture else {
      throw TransitionLaws.nothingShown
    }
    return layer
  }

  static var any: Gen<Presentation> {
    Gens.zip(
      Gen<PixelSize>.gesturePictures, .gestureScreens, Gen<ViewRect>.places, .double(in: 0...50)
    ).map { Presentation(picture: $0.0, screen: $0.1, thumbnail: $0.2, cornerRadius: $0.3) }
  }
}
