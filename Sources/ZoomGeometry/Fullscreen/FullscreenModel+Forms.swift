// Where the two forms part. Each function asks one of them for its numbers.

extension FullscreenModel {
  /// The viewport as the window of the corrected form.
  ///
  /// Where the stage does not say whether the window turns with the interface, a viewport that is
  /// wider than high while the interface is drawn for landscape has turned; all others are fixed.
  private func setup() throws(GeometryError) -> FullscreenSetup {
    let isLandscape = interface == .landscapeLeft || interface == .landscapeRight
    let hasTurned = isLandscape && screen.size.width > screen.size.height
    return try FullscreenSetup(
      window: screen.bounds, kind: stage.window ?? (hasTurned ? .turning : .fixed),
      device: device, interface: interface)
  }

  private var original: OriginalFullscreen {
    OriginalFullscreen(window: screen.size, device: device, interface: interface)
  }

  /// Where the view stands in full screen.
  func fullscreen() throws(GeometryError) -> FullscreenPlacement {
    switch form {
    case .corrected:
      let setup = try setup()
      return Self.placement(setup.layer, setup.turn)
    case .original:
      return Self.placement(original.layer, original.turn)
    }
  }

  /// Where the way to full screen begins and ends.
  func zoomIn() throws(GeometryError) -> (FullscreenPlacement, FullscreenPlacement) {
    switch form {
    case .corrected:
      return (shown, try fullscreen())
    case .original:
      let (start, end) = original.zoomedIn(shown.layer)
      return (Self.placement(start, original.turn), Self.placement(end, original.turn))
    }
  }

  /// Where the way back begins and ends.
  mutating func zoomOut() -> (FullscreenPlacement, FullscreenPlacement) {
    switch form {
    case .corrected:
      return (shown, FullscreenPlacement(frame: inline))
    case .original:
      hierarchy.zoomOut()
      // The frame is set under the turn that the view has been given, which is that of the goal,
      // and what is seen sets out from where it is.
      let end = Self.placement(
        OriginalFullscreen.zoomedOut(goal.layer, to: inline).end, .none)
      inline = end.covered
      return (Self.placement(shown.layer, .none), end)
    }
  }

  /// The rectangle that is black behind a turning view.
  func blanking() throws(GeometryError) -> ViewRect {
    switch form {
    case .corrected: try setup().blanking
    case .original: original.blanking
    }
  }

  private static func placement(_ layer: ViewLayer, _ turn: QuarterTurn) -> FullscreenPlacement {
    FullscreenPlacement(centre: layer.position, size: layer.size, turn: turn)
  }
}
