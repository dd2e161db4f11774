import ZoomGeometry
package import ZoomLaws

/// Faults of a double tap.
package enum DoubleTapFaults {
  package static let all: [SeededFault<DoubleTapSubject>] = positions + decisions

  typealias Fault = SeededFault<DoubleTapSubject>

  /// Returns a fault that changes the input.
  static func input(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout DoubleTapInput) -> Void
  ) -> Fault {
    @Sendable func changed(_ input: DoubleTapInput) -> DoubleTapInput {
      var input = input
      change(&input)
      return input
    }
    return Fault(name, summary) { faulty, sound in
      faulty.fitted = {
        try sound.fitted(changed(DoubleTapInput(scene: $0, place: ViewPoint(x: 0, y: 0))).scene)
      }
      faulty.toggled = { try sound.toggled(changed($0), $1) }
    }
  }

  /// Returns a fault in the initial position.
  static func fit(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout ScrollPosition, DoubleTapScene) -> Void
  ) -> Fault { Fault(name, summary, in: \.fitted, change) }

  /// Returns a fault in the position after an enlarging double tap.
  static func enlarged(
    _ name: String, _ summary: String, origin: String? = nil, equivalence: String? = nil,
    _ change: @escaping @Sendable (inout ScrollPosition, DoubleTapInput) -> Void
  ) -> Fault {
    Fault(name, summary, origin: origin, equivalence: equivalence, in: \.toggled) {
      position, input, _ in
      guard var changed = position, changed.zoom > input.scene.fitScale else { return }
      change(&changed, input)
      position = changed
    }
  }

  /// Returns a fault in the decision whether a double tap zooms, and from which position.
  static func decision(
    _ name: String, _ summary: String, origin: String? = nil,
    _ toggle:
      @escaping @Sendable (DoubleTapSubject, DoubleTapInput, ScrollPosition) throws
      -> ScrollPosition?
  ) -> Fault {
    Fault(name, summary, origin: origin) { faulty, sound in
      faulty.toggled = { try toggle(sound, $0, $1) }
    }
  }
}

extension ScrollPosition {
  /// Scrolls so that a place is as near as possible to a share of the scroll view.
  ///
  /// The share is a fraction of its length on each axis; 0.5 is the middle.
  mutating func aim(at place: ViewPoint, in scene: DoubleTapScene, share: Double = 0.5) {
    let axes = scene.axes(self)
    offset = ViewPoint(
      x: (zoom * place.x - axes[0].bounds * share).clamped(to: 0...axes[0].furthest),
      y: (zoom * place.y - axes[1].bounds * share).clamped(to: 0...axes[1].furthest))
  }

  /// Sets a zoom, and centres the picture on each axis on which it is shorter than the scroll view.
  mutating func centre(at zoom: Double, in scene: DoubleTapScene) {
    self.zoom = zoom
    let margins = scene.axes(self).map { max(0, ($0.bounds - $0.shown) / 2) }
    origin = ViewPoint(x: margins[0], y: margins[1])
  }
}

extension DoubleTapFaults {
  static let decisions: [Fault] = [
    decision(
      "exact comparison", "Only a zoom equal to the fit in all bits counts as the fit.",
      origin: "fanyinan/ZoomImageScrollViewDemo DT-B3"
    ) { sound, input, position in
      let fitted = try sound.fitted(input.scene)
      return position.zoom == fitted.zoom ? try sound.toggled(input, position) : fitted
    },
    decision("always enlarges", "A second double tap enlarges again.") { sound, input, _ in
      try sound.toggled(input, try sound.fitted(input.scene))
    },
    decision("never enlarges", "A double tap shows the whole picture.") { sound, input, _ in
      let fitted = try sound.fitted(input.scene)
      return try sound.toggled(input, fitted) == nil ? nil : fitted
    },
    decision("returns unclamped", "The way back keeps the enlarged picture's offset.") {
      sound, input, position in
      guard var back = try sound.toggled(input, position) else { return nil }
      if back.zoom <= input.scene.fitScale { back.offset = position.offset }
      return back
    },
    input("letterbox counts", "A double tap beside the picture zooms at the nearest place.") {
      input in
      let image = input.scene.image
      guard input.place.x.isFinite, input.place.y.isFinite, image.width > 0, image.height > 0
      else { return }
      input.place = ViewPoint(
        x: input.place.x.clamped(to: 0...image.width),
        y: input.place.y.clamped(to: 0...image.height))
    },
    decision("border excluded", "A double tap on the right border does nothing.") {
      sound, input, position in
      input.place.x == input.scene.image.width ? nil : try sound.toggled(input, position)
    },
    enlarged("no largest zoom", "The zoom may exceed the largest one.") { position, input in
      position.centre(at: input.scene.fitScale * input.scene.factor, in: input.scene)
      position.aim(at: input.place, in: input.scene)
    },
    input("factor ignored", "The picture is always enlarged twice.") {
      if $0.scene.factor >= 1 { $0.scene.factor = 2 }
    },
    enlarged("zoom to the largest", "A double tap goes to the largest zoom.") { position, input in
      position.centre(at: input.scene.maximumZoom, in: input.scene)
      position.aim(at: input.place, in: input.scene)
    },
    fit("fit of the width", "The picture is fitted by its width alone.") { position, scene in
      position.centre(at: min(1, scene.bounds.width / scene.image.width), in: scene)
    },
    fit("fit enlarges", "A picture smaller than the screen is enlarged to fill it.") {
      position, scene in
      let (bounds, image) = (scene.bounds, scene.image)
      position.centre(at: min(bounds.width / image.width, bounds.height / image.height), in: scene)
    },
    input("picture swapped", "The picture's width and height are swapped.") {
      $0.scene.image = $0.scene.image.transposed
    },
    input("bounds swapped", "The scroll view's width and height are swapped.") {
      $0.scene.bounds = $0.scene.bounds.transposed
    },
    Fault("NaN passes", "Invalid input is answered with NaN.") { faulty, sound in
      let bad = ScrollPosition(
        zoom: .nan, origin: ViewPoint(x: .nan, y: .nan), offset: ViewPoint(x: .nan, y: .nan))
      faulty.fitted = { (try? sound.fitted($0)) ?? bad }
      faulty.toggled = { input, position in
        do { return try sound.toggled(input, position) } catch { return bad }
      }
    },
    input("empty bounds are one", "An empty scroll view counts as one point in size.") {
      input in
      if input.scene.bounds.width == 0 { input.scene.bounds.width = 1 }
      if input.scene.bounds.height == 0 { input.scene.bounds.height = 1 }
    },
  ]
}
