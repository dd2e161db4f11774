import ZoomGeometry

extension FullscreenFaults {
  static let turns: [Fault] = [
    setting("crossed-names", "Left and right are taken from the interface's names.") {
      switch $0.device {
      case .landscapeLeft: $0.device = .landscapeRight
      case .landscapeRight: $0.device = .landscapeLeft
      case .unknown, .portrait, .portraitUpsideDown, .faceUp, .faceDown: break
      }
    },
    setting("upside-down-ignored", "Upside down counts as upright.") {
      if $0.device == .portraitUpsideDown { $0.device = .portrait }
    },
    setting("flat-is-upright", "A device that lies flat counts as upright.") {
      if $0.device == .faceUp || $0.device == .faceDown { $0.device = .portrait }
    },
    setting("unknown-is-upright", "A device of unknown orientation counts as upright.") {
      if $0.device == .unknown { $0.device = .portrait }
    },
    setting("turned-twice", "A window that has turned already is turned again.") {
      $0.kind = .fixed
    },
    Fault("blanking-of-the-height", "The blanking square has the window's height for a side.") {
      sound in
      var faulty = sound
      faulty.blanking = {
        let window = $0.window
        return ViewRect(
          x: window.x + (window.width - window.height) / 2, y: window.y, width: window.height,
          height: window.height)
      }
      return faulty
    },
    Fault("blanking-in-the-corner", "The blanking square starts in the window's corner.") {
      sound in
      var faulty = sound
      faulty.blanking = {
        var blanking = try sound.blanking($0)
        (blanking.x, blanking.y) = ($0.window.x, $0.window.y)
        return blanking
      }
      return faulty
    },
  ]

  static let trips: [Fault] = [
    roundTrip("to-the-front", "A view that comes back stands before its siblings.") { back, trip in
      back.siblings = back.siblings.filter { $0 != trip.view } + [trip.view]
    },
    roundTrip("to-the-old-place", "The proxy's frame is taken when the view leaves.") {
      back, trip in
      back.layer = ViewLayer(frame: trip.home)
    },
    Fault("frame-before-transform", "The frame is set while the view is still turned.") { sound in
      var faulty = sound
      faulty.roundTrip = { trip in
        var back = try sound.roundTrip(trip)
        var layer = try sound.layer(trip.setting)
        layer.setFrame(trip.proxy)
        layer.transform = .identity
        back.layer = layer
        return back
      }
      return faulty
    },
    Fault("turn-left-on", "The transform is not taken off when the view comes back.") { sound in
      var faulty = sound
      faulty.roundTrip = { trip in
        var back = try sound.roundTrip(trip)
        back.layer.transform = try sound.layer(trip.setting).transform
        return back
      }
      return faulty
    },
    Fault("outermost-forgotten", "The way back from the window leaves the outermost view out.") {
      sound in
      var faulty = sound
      faulty.converted = { rect, ancestors in
        let there = try ViewChain(ancestors)
        return try ViewChain(ancestors.dropLast()).toWindow(there.fromWindow(rect))
      }
      return faulty
    },
    Fault("scroll-forgotten", "The way back from the window forgets what is scrolled.") { sound in
      var faulty = sound
      faulty.converted = { rect, ancestors in
        let still = ancestors.map { ancestor in
          var still = ancestor
          still.boundsOrigin = ViewPoint(x: 0, y: 0)
          return still
        }
        return try ViewChain(still).toWindow(ViewChain(ancestors).fromWindow(rect))
      }
      return faulty
    },
  ]

  private static func roundTrip(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (inout FullscreenSubject.Return, FullscreenSubject.Trip) -> Void
  ) -> Fault {
    Fault(name, summary) { sound in
      var faulty = sound
      faulty.roundTrip = { trip in
        var back = try sound.roundTrip(trip)
        change(&back, trip)
        return back
      }
      return faulty
    }
  }
}
