import ZoomGeometry

/// Mistakes of a view that goes to full screen and back and turns with the device.
public enum FullscreenFaults {
  /// All of them.
  public static let all: [SeededFault<FullscreenSubject>] = placements + turns + trips

  typealias Fault = SeededFault<FullscreenSubject>

  /// A fault of the view in full screen, made of the sound view.
  static func layer(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (ViewLayer, FullscreenSubject.Setting) -> ViewLayer
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.layer = { change(try sound.layer($0), $0) }
      return faulty
    }
  }

  /// A fault that takes a setting for another one.
  static func setting(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout FullscreenSubject.Setting) -> Void
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.layer = {
        var setting = $0
        change(&setting)
        return try sound.layer(setting)
      }
      return faulty
    }
  }

  private static let placements: [Fault] = [
    layer("window-corner-forgotten", "The view is placed as if the window stood at (0, 0).") {
      layer, setting in
      var moved = layer
      moved.position.x -= setting.window.x
      moved.position.y -= setting.window.y
      return moved
    },
    layer("sides-not-swapped", "The view keeps the window's sides when it is turned.") {
      layer, setting in
      var kept = layer
      kept.size = ViewSize(width: setting.window.width, height: setting.window.height)
      return kept
    },
    layer("turn-forgotten", "The sides are swapped but the view is not turned.") { layer, _ in
      var straight = layer
      straight.transform = .identity
      return straight
    },
    layer("whole-points", "The view's middle is rounded to whole points.") { layer, _ in
      var rounded = layer
      rounded.position = ViewPoint(x: layer.position.x.rounded(), y: layer.position.y.rounded())
      return rounded
    },
    layer("mirrored", "A quarter turn to one side mirrors the view.") { layer, _ in
      var mirrored = layer
      if layer.transform.b < -0.5 { mirrored.transform.b = -layer.transform.b }
      return mirrored
    },
    layer("a-thousandth-larger", "The view is scaled by a thousandth.") { layer, _ in
      var larger = layer
      larger.transform = layer.transform.then(.scale(1.001))
      return larger
    },
    Fault("moved-the-other-way", "A view that is not centred is moved away from the middle.") {
      sound in
      var faulty = sound
      faulty.transform = { setting, centre in
        var map = try sound.transform(setting, centre)
        (map.tx, map.ty) = (-map.tx, -map.ty)
        return map
      }
      return faulty
    },
    Fault("moved-in-turned-axes", "A view that is not centred is moved before it is turned.") {
      sound in
      var faulty = sound
      faulty.transform = { setting, centre in
        let map = try sound.transform(setting, centre)
        var linear = map
        (linear.tx, linear.ty) = (0, 0)
        return Affine.translation(x: map.tx, y: map.ty).then(linear)
      }
      return faulty
    },
  ]
}
