import PropertyTesting
import ZoomGeometry

extension GestureLaws {
  static func frames(_ system: ZoomSystem) -> [Law<ReplaySubject>] {
    [
      law("GE-1", "Every state can be drawn, and no time goes back.", of: system) {
        subject, gesture, _ in
        let states = try subject.play(gesture)
        try Property.require(!states.isEmpty, "there is no state")
        var now = 0.0
        for state in states {
          try Property.require(state.time >= now, "after \(now) s comes \(state.time) s")
          now = state.time
          try isDrawable(state, gesture.picture)
        }
      },
      law("GE-2", "The same script gives the same states.", of: system) { subject, gesture, _ in
        let isSame = try subject.play(gesture) == subject.play(gesture)
        try Property.require(isSame, "the second time it gives others")
      },
      law("GE-11", "When nothing happens any more, everything rests within a moment.", of: system) {
        subject, gesture, _ in
        let states = try subject.play(gesture)
        let last = gesture.script.events.last?.time ?? 0
        let end = states.last?.time ?? 0
        // A tap waits for 0.35 s and then sets off 0.5 s of transition; a pan ends in 0.8 s.
        try Property.require(
          end <= last + 0.95, "\(end - last) s after the last event something moves")
      },
    ]
  }

  /// Requires that a state can be drawn.
  static func isDrawable(_ state: ZoomState, _ picture: PixelSize) throws {
    try Property.require(state.isFinite, "at \(state.time) s a number is not finite")
    try Property.require(!state.layers.isEmpty, "at \(state.time) s there is nothing to draw")
    for layer in state.layers {
      switch layer {
      case .picture(let layer): try isDrawable(layer, picture, state)
      case .fill(let fill):
        try Property.require(
          fill.rect.width >= 0 && fill.rect.height >= 0 && (0...1).contains(fill.shade)
            && (0...1).contains(fill.opacity) && fill.cornerRadius >= 0,
          "at \(state.time) s an area cannot be drawn: \(fill)")
      case .outline(let line):
        try Property.require(
          line.rect.width >= 0 && line.rect.height >= 0 && line.width >= 0,
          "at \(state.time) s a line cannot be drawn: \(line)")
      }
    }
  }

  private static func isDrawable(
    _ layer: PictureLayer, _ picture: PixelSize, _ state: ZoomState
  ) throws {
    try Property.require(
      layer.size.width > 0 && layer.size.height > 0 && (0...1).contains(layer.opacity)
        && layer.cornerRadius >= 0 && layer.seen.width >= 0 && layer.seen.height >= 0,
      "at \(state.time) s the picture cannot be drawn: \(layer)")
    try Property.require(
      layer.transform.determinant > 0,
      "at \(state.time) s the picture is squeezed or mirrored: \(layer.transform)")
    guard let plan = PicturePlan(layer, on: state.screen, picture: picture) else { return }
    let region = plan.region
    try Property.require(
      region.x >= 0 && region.y >= 0 && region.maxX <= picture.width
        && region.maxY <= picture.height,
      "at \(state.time) s pixels beside the picture are asked for")
  }
}
