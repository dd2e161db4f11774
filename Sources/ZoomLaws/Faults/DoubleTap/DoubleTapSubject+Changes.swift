internal import ZoomGeometry

extension DoubleTapSubject {
  /// The subject with other inputs than it is given.
  func changingInput(
    _ change: @escaping @Sendable (inout DoubleTapInput) -> Void
  ) -> DoubleTapSubject {
    DoubleTapSubject(
      name: name, onlyFactor: onlyFactor,
      fitted: { scene in
        var input = DoubleTapInput(scene: scene, place: ViewPoint(x: 0, y: 0))
        change(&input)
        return try fitted(input.scene)
      },
      toggled: { input, position in
        var input = input
        change(&input)
        return try toggled(input, position)
      },
      zoomRect: { input in
        var input = input
        change(&input)
        return try zoomRect(input)
      })
  }

  /// The subject with another position at first.
  func changingFit(
    _ change: @escaping @Sendable (DoubleTapScene, inout ScrollPosition) -> Void
  ) -> DoubleTapSubject {
    DoubleTapSubject(
      name: name, onlyFactor: onlyFactor,
      fitted: { scene in
        var position = try fitted(scene)
        change(scene, &position)
        return position
      }, toggled: toggled, zoomRect: zoomRect)
  }

  /// The subject with other positions where a double tap enlarges.
  func changingEnlarged(
    _ change: @escaping @Sendable (DoubleTapInput, inout ScrollPosition) -> Void
  ) -> DoubleTapSubject {
    DoubleTapSubject(
      name: name, onlyFactor: onlyFactor, fitted: fitted,
      toggled: { input, before in
        guard var position = try toggled(input, before) else { return nil }
        if position.zoom > input.scene.fitScale { change(input, &position) }
        return position
      }, zoomRect: zoomRect)
  }

  /// The subject with another decision whether and from where a double tap zooms.
  func deciding(
    _ toggle:
      @escaping @Sendable (DoubleTapSubject, DoubleTapInput, ScrollPosition) throws
      -> ScrollPosition?
  ) -> DoubleTapSubject {
    DoubleTapSubject(
      name: name, onlyFactor: onlyFactor, fitted: fitted,
      toggled: { try toggle(self, $0, $1) }, zoomRect: zoomRect)
  }

  /// The subject with another rectangle.
  func changingRect(
    _ change: @escaping @Sendable (DoubleTapInput, inout ViewRect) -> Void
  ) -> DoubleTapSubject {
    DoubleTapSubject(
      name: name, onlyFactor: onlyFactor, fitted: fitted, toggled: toggled,
      zoomRect: { input in
        var rect = try zoomRect(input)
        change(input, &rect)
        return rect
      })
  }
}

extension ScrollPosition {
  /// Moves the content to where the place is as near to the middle as scrolling allows.
  ///
  /// - Parameters:
  ///   - place: the place in image points.
  ///   - scene: where.
  ///   - share: of the scroll view that the place is to stand at; the middle is a half.
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
