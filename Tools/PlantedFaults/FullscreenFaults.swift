import ZoomGeometry
package import ZoomLaws

/// Mistakes of a view that goes to full screen and back and turns with the device.
package enum FullscreenFaults {
  package static let all: [SeededFault<FullscreenSubject>] = placements + turns + trips

  private typealias Fault = SeededFault<FullscreenSubject>

  private static let placements: [Fault] = [
    Fault(
      "window-corner-forgotten", "The view is placed as if the window stood at (0, 0).",
      in: \.layer
    ) { layer, setting in
      layer.position.x -= setting.window.x
      layer.position.y -= setting.window.y
    },
    Fault(
      "sides-not-swapped", "The view keeps the window's sides when it is turned.", in: \.layer
    ) { layer, setting in
      layer.size = ViewSize(width: setting.window.width, height: setting.window.height)
    },
    Fault("turn-forgotten", "The sides are swapped but the view is not turned.", in: \.layer) {
      layer, _ in layer.transform = .identity
    },
    Fault("whole-points", "The view's middle is rounded to whole points.", in: \.layer) {
      layer, _ in
      layer.position = ViewPoint(x: layer.position.x.rounded(), y: layer.position.y.rounded())
    },
    Fault("mirrored", "A quarter turn to one side mirrors the view.", in: \.layer) { layer, _ in
      if layer.transform.b < -0.5 { layer.transform.b = -layer.transform.b }
    },
    Fault("a-thousandth-larger", "The view is scaled by a thousandth.", in: \.layer) { layer, _ in
      layer.transform = layer.transform.then(.scale(1.001))
    },
    Fault(
      "moved-the-other-way", "A view that is not centred is moved away from the middle.",
      in: \.transform
    ) { map, _, _ in (map.tx, map.ty) = (-map.tx, -map.ty) },
    Fault(
      "moved-in-turned-axes", "A view that is not centred is moved before it is turned.",
      in: \.transform
    ) { map, _, _ in
      var linear = map
      (linear.tx, linear.ty) = (0, 0)
      map = Affine.translation(x: map.tx, y: map.ty).then(linear)
    },
  ]

  private static let turns: [Fault] = [
    Fault(
      "crossed-names", "Left and right are taken from the interface's names.", before: \.layer
    ) {
      switch $0.device {
      case .landscapeLeft: $0.device = .landscapeRight
      case .landscapeRight: $0.device = .landscapeLeft
      case .unknown, .portrait, .portraitUpsideDown, .faceUp, .faceDown: break
      }
    },
    Fault("upside-down-ignored", "Upside down counts as upright.", before: \.layer) {
      if $0.device == .portraitUpsideDown { $0.device = .portrait }
    },
    Fault("flat-is-upright", "A device that lies flat counts as upright.", before: \.layer) {
      if $0.device == .faceUp || $0.device == .faceDown { $0.device = .portrait }
    },
    Fault(
      "unknown-is-upright", "A device of unknown orientation counts as upright.", before: \.layer
    ) {
      if $0.device == .unknown { $0.device = .portrait }
    },
    Fault(
      "turned-twice", "A window that has turned already is turned again.", before: \.layer
    ) { $0.kind = .fixed },
    Fault(
      "blanking-of-the-height", "The blanking square has the window's height for a side.",
      in: \.blanking
    ) { blanking, setting in
      let window = setting.window
      blanking = ViewRect(
        x: window.x + (window.width - window.height) / 2, y: window.y, width: window.height,
        height: window.height)
    },
    Fault(
      "blanking-in-the-corner", "The blanking square starts in the window's corner.",
      in: \.blanking
    ) { blanking, setting in (blanking.x, blanking.y) = (setting.window.x, setting.window.y) },
  ]

  private static let trips: [Fault] = [
    Fault(
      "to-the-front", "A view that comes back stands before its siblings.", in: \.roundTrip
    ) { back, trip in
      back.siblings = back.siblings.filter { $0 != trip.view } + [trip.view]
    },
    Fault(
      "to-the-old-place", "The proxy's frame is taken when the view leaves.", in: \.roundTrip
    ) { back, trip in back.layer = ViewLayer(frame: trip.home) },
    Fault("frame-before-transform", "The frame is set while the view is still turned.") {
      faulty, sound in
      faulty.roundTrip = { trip in
        var back = try sound.roundTrip(trip)
        back.layer = try sound.layer(trip.setting)
        back.layer.setFrame(trip.proxy)
        back.layer.transform = .identity
        return back
      }
    },
    Fault("turn-left-on", "The transform is not taken off when the view comes back.") {
      faulty, sound in
      faulty.roundTrip = { trip in
        var back = try sound.roundTrip(trip)
        back.layer.transform = try sound.layer(trip.setting).transform
        return back
      }
    },
    Fault(
      "outermost-forgotten", "The way back from the window leaves the outermost view out.",
      in: \.converted
    ) { rect, start, ancestors in
      rect = try ViewChain(ancestors.dropLast())
        .toWindow(ViewChain(ancestors).fromWindow(start))
    },
    Fault(
      "scroll-forgotten", "The way back from the window forgets what is scrolled.",
      in: \.converted
    ) { rect, start, ancestors in
      let still = ancestors.map { ancestor in
        var still = ancestor
        still.boundsOrigin = ViewPoint(x: 0, y: 0)
        return still
      }
      rect = try ViewChain(still).toWindow(ViewChain(ancestors).fromWindow(start))
    },
  ]
}
