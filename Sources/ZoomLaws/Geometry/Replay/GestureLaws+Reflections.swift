import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  /// Returns the law that no side of the screen and no axis is treated differently from the others.
  static func reflections(_ system: ZoomSystem) -> Law<ReplaySubject> {
    gestures(of: system)(
      "GE-37",
      "A reflected gesture over a reflected picture shows the reflection, and a right-to-left page "
        + "mirrors a left-to-right page.",
      isBroken: system == .peek || system == .transition,
      examples: system == .transition ? [closedWhilePinching] : []
    ) { subject, gesture, testCase in
      let reflection = try testCase.draw(Gen<Reflection>.element(of: Reflection.allCases))
      var script = try reflection.reflectable(gesture.script, of: system)
      var picture = gesture.picture
      let states = try subject.play(script, picture)
      testCase.classify(
        states.contains { $0.layers != states.first?.layers }, as: "something changes",
        atLeast: 0.03)
      let touched = GestureCase(script: script, picture: picture)
      // Half a pixel may bring a finger to the other side of a border.
      guard
        testCase.reaches(
          !touched.touchesBorder(of: states), "fingers away from borders", atLeast: 0.3)
      else { return }
      testCase.note("reflected: \(reflection)")
      script = try reflection(script)
      if reflection == .transposed { picture = picture.transposed }
      let reflected = try subject.play(script, picture)
      try Property.require(
        states.flatMap(\.events) == reflected.flatMap(\.events),
        "events: \(states.flatMap(\.events)), in the reflection \(reflected.flatMap(\.events))")
      let side = ViewSize(width: Double(picture.width), height: Double(picture.height))
      var enlargement = Enlargement()
      let pairs = zip(states, reflected).filter { $0.time == $1.time }
      for (one, other) in pairs + zip(states.suffix(1), reflected.suffix(1)) {
        try Property.require(
          one.pictures.count == other.pictures.count && one.recogniser == other.recogniser
            && near(one.force, other.force, within: 1e-9),
          "at \(one.time) s it is \(one.recogniser), in the reflection \(other.recogniser)")
        let whole = reflection.map(of: one.screen.size)
        for (there, here) in [
          (one.previewFrame, other.previewFrame), (one.card?.box, other.card?.box),
        ] {
          try Property.require(
            (there == nil) == (here == nil), "at \(one.time) s only one play has a frame or card")
          guard let there, let here else { continue }
          let off = distance(whole.boundingBox(of: there), here)
          try Property.require(
            off <= gestureSlack * magnitude(here) + 2.25 / one.screen.scale,
            "at \(one.time) s a frame or card is \(off) points off")
        }
        for (there, here) in zip(one.pictures, other.pictures) {
          // Aligning to pixels moves a picture by up to half a pixel, and a peek by up to one, and
          // more where the screen ends within a pixel.
          let pixel = enlargement.ofPixel(of: there, on: one.screen)
          let expected = reflection.map(of: reflection(side)).then(there.toScreen).then(whole)
          let off = apart(expected, here.toScreen, picture)
          let slack = there.slack + (2.25 + cutOff(one.screen)) * pixel
          try Property.require(
            off <= slack && (there.mask == nil) == (here.mask == nil)
              && distance(whole.boundingBox(of: there.box), here.box) <= slack,
            "at \(one.time) s a corner is \(off) points off: \(there.box.inWords), in the reflection "
              + here.box.inWords)
        }
      }
    }
  }

  private static let closedWhilePinching = example([
    GestureAction(.tap(at: ViewPoint(x: 70, y: 100), held: GestureWriter.sampling)),
    GestureAction(after: 0.6, .touch(finger: 1, at: ViewPoint(x: 0, y: 0), force: 0)),
    GestureAction(.touch(finger: 0, at: ViewPoint(x: 0, y: 0), force: 0)),
    GestureAction(
      after: GestureWriter.sampling, .touch(finger: 0, at: ViewPoint(x: 0, y: 2), force: 0)),
    GestureAction(.close),
  ])
}

extension GestureCase {
  /// Returns whether a finger is so near a border of the picture that aligning the picture to
  /// pixels may bring it to the other side.
  func touchesBorder(of states: [ZoomState]) -> Bool {
    let points = script.events.flatMap { $0.touches.map(\.point) }
    var enlargement = Enlargement()
    return states.contains { state in
      state.pictures.contains { picture in
        let (box, reach) = (picture.box, 1.25 * enlargement.ofPixel(of: picture, on: state.screen))
        return points.contains { point in
          abs(point.x - box.x) <= reach || abs(point.x - box.maxX) <= reach
            || abs(point.y - box.y) <= reach || abs(point.y - box.maxY) <= reach
        }
      }
    }
  }
}

/// Returns the fraction of a pixel, at most 0.5, by which the viewport's sides differ from whole pixels.
///
/// The middle of the pixel grid is half of this fraction away from the viewport's middle. In the reflection it is as
/// far away, but on the opposite side, so the two plays differ by the whole fraction.
private func cutOff(_ screen: Screen) -> Double {
  max(
    abs(screen.size.width * screen.scale - Double(screen.pixels.width)),
    abs(screen.size.height * screen.scale - Double(screen.pixels.height)))
}

/// The factor by which pictures were enlarged since they were aligned to pixels; the alignment's
/// error was enlarged by the same factor.
private struct Enlargement {
  private var least = Double.infinity

  /// Returns the length of a screen pixel in points, times the enlargement of a picture.
  mutating func ofPixel(of picture: PictureLayer, on screen: Screen) -> Double {
    let scale = abs(picture.toScreen.determinant).squareRoot()
    if TransitionLaws.isWhole(picture, on: screen) { least = min(least, scale) }
    return max(1, scale / least) / screen.scale
  }
}

/// A reflection: it exchanges left and right, top and bottom, or the axes.
private enum Reflection: CaseIterable {
  case sideways, upsideDown, transposed

  /// Returns the map that reflects a rectangle at the origin onto itself or onto its transpose.
  func map(of size: ViewSize) -> Affine {
    switch self {
    case .sideways: Affine(a: -1, b: 0, c: 0, d: 1, tx: size.width, ty: 0)
    case .upsideDown: Affine(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: size.height)
    case .transposed: Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    }
  }

  func callAsFunction(_ size: ViewSize) -> ViewSize {
    self == .transposed ? size.transposed : size
  }

  func callAsFunction(_ screen: Screen) throws(GeometryError) -> Screen {
    var insets = screen.insets
    switch self {
    case .sideways: swap(&insets.left, &insets.right)
    case .upsideDown: swap(&insets.top, &insets.bottom)
    case .transposed:
      swap(&insets.left, &insets.top)
      swap(&insets.right, &insets.bottom)
    }
    return try Screen(size: self(screen.size), scale: screen.scale, insets: insets)
  }

  /// Returns the orientation that turns in the opposite direction.
  func callAsFunction<Orientation: RawRepresentable<String>>(
    _ orientation: Orientation
  ) -> Orientation {
    let opposite = ["landscapeLeft": "landscapeRight", "landscapeRight": "landscapeLeft"]
    return opposite[orientation.rawValue].flatMap { Orientation(rawValue: $0) } ?? orientation
  }

  func callAsFunction(_ stage: Stage, on screen: Screen) -> Stage {
    var stage = stage
    let parents = stage.ancestors.map(\.frame) + [screen.bounds]
    func reflect(_ rect: ViewRect, in parent: ViewRect) -> ViewRect {
      map(of: ViewSize(width: parent.width, height: parent.height)).boundingBox(of: rect)
    }
    stage.view = stage.view.map { reflect($0, in: parents[0]) }
    if self == .sideways { stage.direction = .rightToLeft }
    for index in stage.ancestors.indices {
      stage.ancestors[index].frame = reflect(parents[index], in: parents[index + 1])
      // A content offset is a vector, so only its direction is reflected.
      let way = map(of: ViewSize(width: 0, height: 0)).apply(to: stage.ancestors[index].scroll)
      stage.ancestors[index].scroll = way
    }
    return stage
  }

  func callAsFunction(_ script: GestureScript) throws(GeometryError) -> GestureScript {
    let map = map(of: script.screen.size)
    let touched = script.events.mappingTouches { $0.point = map.apply(to: $0.point) }
    let events = try touched.map { event throws(GeometryError) in
      let kind: GestureEvent.Kind =
        switch event.kind {
        case .device(let device): .device(self(device))
        case .interface(let interface): .interface(self(interface))
        case .screen(let screen): .screen(try self(screen))
        case .wheel(let at, let by):
          .wheel(
            at: map.apply(to: at), by: map.apply(to: by) - map.apply(to: ViewPoint(x: 0, y: 0)))
        case .touches, .cancelAll, .close: event.kind
        }
      return GestureEvent(time: event.time, kind: kind)
    }
    return try script.with(
      events, screen: self(script.screen), device: self(script.device),
      interface: self(script.interface), stage: self(script.stage, on: script.screen))
  }

  /// Returns the script without anything that is not symmetric.
  ///
  /// - Pressed views zoom, the window is fixed, and coordinates are rounded to 1/1024.
  /// - A transition's usual thumbnail gets a frame, except sideways, because it is at the leading side.
  /// - Nothing is upside down, because half turns go clockwise.
  /// - The screen changes only if the axes are exchanged: a frame that is the mirror image on the first screen is not
  ///   the mirror image on another.
  func reflectable(
    _ script: GestureScript, of system: ZoomSystem
  ) throws(GeometryError) -> GestureScript {
    var stage = script.stage
    stage.forceExhibit = .zoom
    // In a window that turns, a device in one landscape orientation and an interface in the other
    // differ by a half turn, which goes clockwise in the reflection too.
    stage.window = .fixed
    if system == .transition, stage.view == nil, self != .sideways {
      stage.view = Transition.usualThumbnail(on: script.screen)
    }
    // Multiples of 1/1024 are reflected exactly: a rounding could take a finger across a border.
    func exact(_ value: Double) -> Double { (value * 1024).rounded() / 1024 }
    func exact(_ point: ViewPoint) -> ViewPoint { ViewPoint(x: exact(point.x), y: exact(point.y)) }
    stage.view = stage.view.map {
      ViewRect(x: exact($0.x), y: exact($0.y), width: exact($0.width), height: exact($0.height))
    }
    for index in stage.ancestors.indices {
      stage.ancestors[index].scroll = exact(stage.ancestors[index].scroll)
    }
    let events = script.events.mappingTouches { $0.point = exact($0.point) }.filter {
      switch $0.kind {
      case .device(let device): device != .portraitUpsideDown
      case .interface(let interface): interface != .portraitUpsideDown
      case .screen: self == .transposed
      case .touches, .cancelAll, .close, .wheel: true
      }
    }
    return try script.with(
      events,
      device: script.device == .portraitUpsideDown ? .portrait : script.device,
      interface: script.interface == .portraitUpsideDown ? .portrait : script.interface,
      stage: stage)
  }
}
