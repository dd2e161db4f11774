import PropertyTesting
package import ZoomGeometry

/// A law of a single state, which can be tried while fingers move.
///
/// Each has the name of a law, and states the part of it that a single state can break.
package struct StateLaw: Sendable {
  package let name: String
  package let statement: String
  private let requireHolds: @Sendable (Moment) throws -> Void

  /// A state, with the facts that the laws need.
  package struct Moment: Sendable {
    package var state: ZoomState
    package var picture: PixelSize
    package var system: ZoomSystem
    /// Whether all fingers are up and all animations are over.
    package var isAtRest: Bool

    package init(_ state: ZoomState, of picture: PixelSize, system: ZoomSystem, isAtRest: Bool) {
      (self.state, self.picture, self.system, self.isAtRest) = (state, picture, system, isAtRest)
    }
  }

  package struct Breach: Sendable, Hashable, Encodable {
    package let law: String
    package let statement: String
    package let complaint: String
  }

  package static func breaches(of moment: Moment) -> [Breach] {
    all.compactMap { law in
      do {
        try law.requireHolds(moment)
        return nil
      } catch {
        let complaint = (error as? PropertyFailure)?.message ?? "\(error)"
        return Breach(law: law.name, statement: law.statement, complaint: complaint)
      }
    }
  }

  private static let all = [
    StateLaw(name: "GE-1", statement: "Every state can be drawn.") {
      try GestureLaws.isDrawable($0.state, $0.picture)
    },
    StateLaw(name: "FZ-P1", statement: "Nothing is shown that is not in the picture.") { moment in
      let whole = moment.picture
      for content in moment.state.pictures.map(\.content) {
        let over = max(
          -content.x, -content.y, content.x + content.width - Double(whole.width),
          content.y + content.height - Double(whole.height))
        try Property.require(over <= 1e-6, "\(over.inWords) px beyond the picture are shown")
      }
    },
    StateLaw(
      name: "FZ-P6", statement: "The preview frame is inside the picture as it is shown."
    ) { moment in
      guard moment.system == .peek, let frame = moment.state.previewFrame,
        let page = moment.state.pictures.first?.box
      else { return }
      // The picture may have been aligned to the screen's pixels; the frame is not aligned.
      try Property.require(
        page.covers(frame, within: 0.5 / moment.state.screen.scale + gestureSlack),
        "the frame \(frame.inWords) is not inside \(page.inWords)")
    },
    StateLaw(name: "FT-P5", statement: "The force is a fraction from 0 to 1.") {
      try Property.require((0...1).contains($0.state.force), "it is \($0.state.force.inWords)")
    },
    StateLaw(name: "FT-P6", statement: "A shadow's radius is never below 0.") {
      for radius in $0.state.layers.compactMap(\.shadow?.radius) {
        try Property.require(radius >= 0, "it is \(radius.inWords)")
      }
    },
    StateLaw(
      name: "GE-12",
      statement:
        "At rest the picture covers the screen on the axes on which it is longer, and is centred on the others."
    ) { moment in
      guard moment.isAtRest, let layer = moment.state.picture else { return }
      switch moment.system {
      case .doubleTap: break
      // Only an unturned picture at full screen is tested: the page places a thumbnail, and the
      // published form does not fit a picture again after a turn.
      case .transition where layer.mask == nil && layer.cornerRadius == 0 && layer.transform.b == 0:
        break
      case .peek, .fullscreen, .force, .transition: return
      }
      try GestureLaws.requireRest(moment.state, moment.system)
    },
  ]
}
