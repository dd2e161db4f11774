import ZoomGeometry
package import ZoomLaws

/// Faults of a view that changes to full screen and back, and turns with the device.
///
/// They are planted from outside, like `GestureFaults`: the sound machine receives a faulty view of the device and the
/// page, or its output is changed.
package enum FullscreenFaults {
  package static let all: [SeededFault<ReplaySubject>] =
    devices + pages + views + blankings + returns

  private typealias Fault = SeededFault<ReplaySubject>

  private static func scripts(
    _ name: String, _ summary: String,
    device: @escaping @Sendable (DeviceOrientation) -> DeviceOrientation = { $0 },
    stage: @escaping @Sendable (inout Stage) -> Void = { _ in },
    events: @escaping @Sendable ([GestureEvent]) -> [GestureEvent] = { $0 }
  ) -> Fault {
    GestureFaults.scripts(name, summary) { script in
      var page = script.stage
      stage(&page)
      let told = script.events.map { event in
        guard case .device(let held) = event.kind else { return event }
        return GestureEvent(time: event.time, kind: .device(device(held)))
      }
      return try script.with(events(told), device: device(script.device), stage: page)
    }
  }

  /// Returns a fault of the black area: the view itself while it rests or zooms, or the cover of the page while it
  /// turns.
  private static func cards(
    _ name: String, _ summary: String, whileTurning isTurning: Bool = false,
    _ change: @escaping @Sendable (inout FillLayer, ZoomState) -> Void
  ) -> Fault {
    GestureFaults.states(name, summary) { states, script in
      for place in states.indices where script.isTurning(at: states[place].time) == isTurning {
        let state = states[place]
        states[place].layers = state.layers.map { layer in
          guard case .fill(var fill) = layer, fill.shade == 0 else { return layer }
          change(&fill, state)
          return .fill(fill)
        }
      }
    }
  }

  private static let devices: [Fault] = [
    scripts(
      "crossed-names", "Left and right are named as for the interface.",
      device: {
        switch $0 {
        case .landscapeLeft: .landscapeRight
        case .landscapeRight: .landscapeLeft
        case .unknown, .portrait, .portraitUpsideDown, .faceUp, .faceDown: $0
        }
      }),
    scripts(
      "upside-down-ignored", "Upside down counts as upright.",
      device: { $0 == .portraitUpsideDown ? .portrait : $0 }),
    scripts(
      "flat-is-upright", "A device that lies flat counts as upright.",
      device: { $0 == .faceUp || $0 == .faceDown ? .portrait : $0 }),
    scripts(
      "unknown-is-upright", "A device of unknown orientation counts as upright.",
      device: { $0 == .unknown ? .portrait : $0 }),
    scripts(
      "flat-is-no-turn", "A device that is laid flat keeps its last turn.",
      events: { $0.filter { $0.kind != .device(.faceUp) && $0.kind != .device(.faceDown) } }),
    scripts(
      "too-busy-to-turn", "A turn during a movement of the view is missed.",
      events: { events in
        var last = -1.0
        return events.filter { event in
          let isMissed = if case .device = event.kind { event.time - last < 0.2 } else { false }
          last = event.time
          return !isMissed
        }
      }),
  ]

  private static let pages: [Fault] = [
    scripts(
      "turned-twice", "An already turned window is turned again.",
      stage: { $0.window = .fixed }),
    scripts(
      "turned-by-itself", "A window with fixed points counts as one that turns.",
      stage: { $0.window = .turning }),
    scripts(
      "outermost-forgotten", "The conversion to the window omits the outermost view.",
      stage: { $0.ancestors = $0.ancestors.dropLast() }),
    scripts(
      "scroll-forgotten", "The conversion to the window ignores scroll offsets.",
      stage: { stage in
        for place in stage.ancestors.indices {
          stage.ancestors[place].scroll = ViewPoint(x: 0, y: 0)
        }
      }),
  ]

  private static let views: [Fault] = [
    cards("sides-not-swapped", "The view keeps the window's sides after a turn.") { card, _ in
      guard card.transform.a == 0 else { return }
      (card.rect.width, card.rect.height) = (card.rect.height, card.rect.width)
    },
    cards("turn-forgotten", "The sides are swapped but the view is not turned.") { card, _ in
      guard card.transform.a == 0 else { return }
      card = FillLayer(rect: card.transform.boundingBox(of: card.rect), shade: 0)
    },
    cards("mirrored", "A quarter turn to one side mirrors the view.") { card, _ in
      guard card.transform.b < -0.5 else { return }
      let flipped = Affine.scale(x: -1, y: 1).then(
        .translation(x: 2 * card.rect.x + card.rect.width, y: 0))
      card.transform = flipped.then(card.transform)
    },
    cards("a-thousandth-larger", "The view is scaled by a thousandth.") { card, _ in
      card.transform = card.transform.then(.scale(1.001))
    },
    GestureFaults.states("turns-about-a-corner", "A turning view is slightly off the middle.") {
      states, script in
      for place in states.indices where script.isTurning(at: states[place].time) {
        states[place].changePictures { $0.transform.tx += 3 }
      }
    },
  ]

  private static let blankings: [Fault] = [
    cards(
      "blanking-of-the-height", "The sides of the blanking square are the window's height.",
      whileTurning: true
    ) { card, state in
      let (width, height) = (state.screen.size.width, state.screen.size.height)
      card.rect = ViewRect(x: (width - height) / 2, y: 0, width: height, height: height)
    },
    cards(
      "blanking-see-through", "The page is visible below a turning view.", whileTurning: true
    ) { card, _ in card.opacity = 0.9 },
    GestureFaults.states("blanking-late", "The page is hidden one frame after the turn begins.") {
      states, script in
      for place in states.indices where states[place].events.contains(.rotate) {
        states[place].layers.removeAll {
          if case .fill(let fill) = $0 { fill.shade == 0 } else { false }
        }
      }
    },
  ]

  private static let returns: [Fault] = [
    back("to-the-front", "A view that comes back is in front of its siblings.") { state in
      guard state.layers.count > 2 else { return }
      let caption = state.layers.removeLast()
      state.layers.insert(caption, at: 1)
    },
    back("sides-swapped", "The frame is set while the view is still turned.") { state in
      state.changePictures {
        $0.transform = .translation(x: $0.size.height - $0.size.width, y: 0).then($0.transform)
      }
    },
    back("proxy-left-behind", "The view's proxy stays among its siblings.") { state in
      state.layers.insert(state.layers[0], at: 1)
    },
  ]

  /// Returns a fault of the final state after a view has come back.
  private static func back(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout ZoomState) -> Void
  ) -> Fault {
    GestureFaults.states(name, summary) { states, _ in
      let moves = states.flatMap(\.events).last { $0 == .present || $0 == .dismiss }
      if moves == .dismiss { change(&states[states.count - 1]) }
    }
  }
}

extension GestureScript {
  /// Whether the view is still following a turn of the device.
  fileprivate func isTurning(at time: Double) -> Bool {
    events.contains { event in
      guard case .device = event.kind else { return false }
      return (event.time..<event.time + 0.25 - 1e-9).contains(time)
    }
  }
}
