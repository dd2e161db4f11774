import ZoomGeometry
package import ZoomLaws

/// Mistakes in a double tap.
package enum DoubleTapFaults {
  package static let all: [SeededFault<DoubleTapSubject>] = positions + decisions

  typealias Fault = SeededFault<DoubleTapSubject>

  /// A fault that takes an input for another one.
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

  /// A fault of the position at first.
  static func fit(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout ScrollPosition, DoubleTapScene) -> Void
  ) -> Fault {
    Fault(name, summary, in: \.fitted, change)
  }

  /// A fault of the position where a double tap enlarges.
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

  /// A fault of the decision whether and from where a double tap zooms.
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
  /// Moves the content to where the place is as near to the middle as scrolling allows.
  ///
  /// The share is that of the scroll view which the place is to stand at; the middle is a half.
  mutating func aim(at place: ViewPoint, in scene: DoubleTapScene, share: Double = 0.5) {
    let axes = scene.axes(self)
    offset = ViewPoint(
      x: (zoom * place.x - axes[0].bounds * share).clamped(to: 0...axes[0].furthest),
      y: (zoom * place.y - axes[1].bounds * share).clamped(to: 0...axes[1].furthest))
  }

  /// Sets a zoom, and centres the picture that is then shorter than the scroll view.
  mutating func centre(at zoom: Double, in scene: DoubleTapScene) {
    self.zoom = zoom
    let margins = scene.axes(self).map { max(0, ($0.bounds - $0.shown) / 2) }
    origin = ViewPoint(x: margins[0], y: margins[1])
  }
}
