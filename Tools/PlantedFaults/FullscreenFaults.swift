import ZoomGeometry
package import ZoomLaws

/// Faults of a view in full screen, which change the script or the output of the sound system.
package enum FullscreenFaults {
  package static let all: [SeededFault<ReplaySubject>] = told + shown

  private typealias Fault = SeededFault<ReplaySubject>

  private static let told: [Fault] = [
    devices("A device that lies flat counts as upright.") {
      $0 == .faceUp || $0 == .faceDown ? .portrait : $0
    },
    devices("A device of unknown orientation counts as upright.", published: "ZV-B5") {
      $0 == .unknown ? .portrait : $0
    },
    GestureFaults.events("A device that is laid flat keeps its last turn.") { events in
      events.filter { $0.kind != .device(.faceUp) && $0.kind != .device(.faceDown) }
    },
    // ZV-P13: every other law turns the interface in both of the plays that it compares, or in none.
    GestureFaults.events("A shown view does not turn with the interface.") { events in
      events.filter { if case .interface = $0.kind { false } else { true } }
    },
    GestureFaults.scripts(
      "In a window that has already turned, the view is turned again.", origin: origin("ZV-B4")
    ) { script in
      var stage = script.stage
      stage.window = .fixed
      return try script.with(stage: stage)
    },
    GestureFaults.scripts(
      "The conversion to the window ignores scroll offsets.",
      origin: "rpearce/react-medium-image-zoom#1"
    ) { script in
      var stage = script.stage
      for place in stage.ancestors.indices { stage.ancestors[place].scroll = ViewPoint(x: 0, y: 0) }
      return try script.with(stage: stage)
    },
  ]

  private static let shown: [Fault] = [
    cards("The view is scaled by a thousandth.", whileTurning: false) { card, _ in
      card.transform = card.transform.then(.scale(1.001))
    },
    GestureFaults.eachState("A turning view is slightly off the middle.") { state, script in
      if script.isTurning(at: state.time) { state.changePictures { $0.transform.tx += 3 } }
    },
    cards(
      "The sides of the blanking square are the window's height.", published: "ZV-B3",
      whileTurning: true
    ) { card, screen in
      let (width, height) = (screen.size.width, screen.size.height)
      card.rect = ViewRect(x: (width - height) / 2, y: 0, width: height, height: height)
    },
    GestureFaults.states(
      "A view that comes back is in front of its siblings.", origin: origin("ZV-B8")
    ) { states, _ in
      let moves = states.flatMap(\.events).last { $0 == .present || $0 == .dismiss }
      guard moves == .dismiss, states[states.count - 1].layers.count > 2 else { return }
      let caption = states[states.count - 1].layers.removeLast()
      states[states.count - 1].layers.insert(caption, at: 1)
    },
  ]

  private static func origin(_ code: String) -> String {
    "Matt Gallagher, ZoomingViewController \(code)"
  }

  private static func devices(
    _ summary: String, published code: String? = nil,
    _ device: @escaping @Sendable (DeviceOrientation) -> DeviceOrientation
  ) -> Fault {
    GestureFaults.scripts(summary, origin: code.map(origin)) { script in
      let events = script.events.map { event in
        guard case .device(let held) = event.kind else { return event }
        return GestureEvent(time: event.time, kind: .device(device(held)))
      }
      return try script.with(events, device: device(script.device))
    }
  }

  /// Returns a fault of a black area: with `whileTurning`, of the blanking rectangle behind a
  /// turning view; without it, of the card of a view that does not turn.
  private static func cards(
    _ summary: String, published code: String? = nil, whileTurning isTurning: Bool,
    _ change: @escaping @Sendable (inout FillLayer, Screen) -> Void
  ) -> Fault {
    GestureFaults.eachState(summary, origin: code.map(origin)) { state, script in
      guard script.isTurning(at: state.time) == isTurning else { return }
      let screen = state.screen
      state.changeCards { change(&$0, screen) }
    }
  }
}

extension GestureScript {
  fileprivate func isTurning(at time: Double) -> Bool {
    events.contains { event in
      guard case .device = event.kind else { return false }
      return (event.time..<event.time + 0.25 - 1e-9).contains(time)
    }
  }
}
