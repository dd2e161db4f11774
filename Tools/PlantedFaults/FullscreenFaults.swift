import ZoomGeometry
package import ZoomLaws

/// Faults of a view that changes to full screen and back, and turns with the device.
///
/// They are planted from outside, like `GestureFaults`: the sound machine receives a faulty view of
/// the device and the page, or its output is changed.
package enum FullscreenFaults {
  package static let all: [SeededFault<ReplaySubject>] = told + shown

  private typealias Fault = SeededFault<ReplaySubject>

  private static let told: [Fault] = [
    scripts(
      "Left and right are named as for the interface.",
      device: {
        switch $0 {
        case .landscapeLeft: .landscapeRight
        case .landscapeRight: .landscapeLeft
        case .unknown, .portrait, .portraitUpsideDown, .faceUp, .faceDown: $0
        }
      }),
    scripts(
      "A device that lies flat counts as upright.",
      device: { $0 == .faceUp || $0 == .faceDown ? .portrait : $0 }),
    scripts(
      "A device of unknown orientation counts as upright.", published: "ZV-B5",
      device: { $0 == .unknown ? .portrait : $0 }),
    scripts(
      "A device that is laid flat keeps its last turn.",
      events: { $0.filter { $0.kind != .device(.faceUp) && $0.kind != .device(.faceDown) } }),
    scripts(
      "An already turned window is turned again.", published: "ZV-B4", stage: { $0.window = .fixed }
    ),
    scripts(
      "A window with fixed points counts as one that turns.", stage: { $0.window = .turning }),
    scripts(
      "The conversion to the window ignores scroll offsets.",
      stage: { stage in
        for place in stage.ancestors.indices {
          stage.ancestors[place].scroll = ViewPoint(x: 0, y: 0)
        }
      }),
  ]

  private static let shown: [Fault] = [
    cards("The view is scaled by a thousandth.", whileTurning: false) { card, _ in
      card.transform = card.transform.then(.scale(1.001))
    },
    GestureFaults.states("A turning view is slightly off the middle.") { states, script in
      for place in states.indices where script.isTurning(at: states[place].time) {
        states[place].changePictures { $0.transform.tx += 3 }
      }
    },
    cards(
      "The sides of the blanking square are the window's height.", published: "ZV-B3",
      whileTurning: true
    ) { card, state in
      let (width, height) = (state.screen.size.width, state.screen.size.height)
      card.rect = ViewRect(x: (width - height) / 2, y: 0, width: height, height: height)
    },
    back("A view that comes back is in front of its siblings.", published: "ZV-B8") { state in
      guard state.layers.count > 2 else { return }
      let caption = state.layers.removeLast()
      state.layers.insert(caption, at: 1)
    },
  ]

  private static func origin(_ code: String) -> String {
    "Matt Gallagher, ZoomingViewController \(code)"
  }

  /// Returns a fault that changes the input of the machine.
  private static func scripts(
    _ summary: String, published code: String? = nil,
    device: @escaping @Sendable (DeviceOrientation) -> DeviceOrientation = { $0 },
    stage: @escaping @Sendable (inout Stage) -> Void = { _ in },
    events: @escaping @Sendable ([GestureEvent]) -> [GestureEvent] = { $0 }
  ) -> Fault {
    GestureFaults.scripts(summary, origin: code.map(origin)) { script in
      var page = script.stage
      stage(&page)
      let told = script.events.map { event in
        guard case .device(let held) = event.kind else { return event }
        return GestureEvent(time: event.time, kind: .device(device(held)))
      }
      return try script.with(events(told), device: device(script.device), stage: page)
    }
  }

  /// Returns a fault of the black area: the view itself while it rests or zooms, or the cover of the
  /// page while it turns.
  private static func cards(
    _ summary: String, published code: String? = nil, whileTurning isTurning: Bool,
    _ change: @escaping @Sendable (inout FillLayer, ZoomState) -> Void
  ) -> Fault {
    GestureFaults.states(summary, origin: code.map(origin)) { states, script in
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

  /// Returns a fault of the final state after a view has come back.
  private static func back(
    _ summary: String, published code: String,
    _ change: @escaping @Sendable (inout ZoomState) -> Void
  ) -> Fault {
    GestureFaults.states(summary, origin: origin(code)) { states, _ in
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
