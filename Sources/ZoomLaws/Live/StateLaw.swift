import PropertyTesting
package import ZoomGeometry

/// A law of what is shown at one moment, whatever was done before: it can be tried while fingers move.
///
/// The laws of gestures compare whole plays, which takes many of them; these look at one state. The
/// corrected systems keep all of them, for every script.
package struct StateLaw: Sendable {
  /// A name as other laws have; where it is one of theirs, it is the part of it that one state shows.
  package let name: String
  /// The law in one sentence.
  package let statement: String
  /// Says what is wrong with a state; nil where nothing is.
  private let complaint: @Sendable (Moment) -> String?

  /// A state, and what is known about it.
  package struct Moment: Sendable {
    /// What is shown.
    package var state: ZoomState
    /// The upright size of the picture in pixels.
    package var picture: PixelSize
    /// The system that shows it.
    package var system: ZoomSystem
    /// Whether no finger is down and nothing moves by itself.
    package var isAtRest: Bool

    /// A moment.
    package init(_ state: ZoomState, of picture: PixelSize, system: ZoomSystem, isAtRest: Bool) {
      (self.state, self.picture, self.system, self.isAtRest) = (state, picture, system, isAtRest)
    }
  }

  /// A law that was broken, and how.
  package struct Breach: Sendable, Hashable {
    /// The law's name.
    package let law: String
    /// The law in one sentence.
    package let statement: String
    /// What is wrong.
    package let complaint: String
  }

  /// Tries all of them on a moment.
  package static func breaches(of moment: Moment) -> [Breach] {
    all.compactMap { law in
      law.complaint(moment).map {
        Breach(law: law.name, statement: law.statement, complaint: $0)
      }
    }
  }

  /// Every law of single states.
  package static let all = [
    StateLaw(name: "GE-1", statement: "Every state can be drawn.") { moment in
      do {
        try GestureLaws.isDrawable(moment.state, moment.picture)
        return nil
      } catch { return (error as? PropertyFailure)?.message ?? "\(error)" }
    },
    StateLaw(name: "FZ-P1", statement: "Nothing is shown that is not in the picture.") { moment in
      for layer in moment.pictures {
        let over = layer.content.beyond(moment.picture)
        guard over <= pixelSlack else { return "\(over.inWords) px beyond the picture are shown" }
      }
      return nil
    },
    StateLaw(
      name: "FZ-P6", statement: "The preview frame is inside the picture as it is shown."
    ) { moment in
      guard moment.system == .peek, let frame = moment.state.previewFrame,
        let page = moment.pictures.first?.box
      else { return nil }
      let over = frame.beyond(page)
      // The frame is put on whole pixels of the screen, the picture is not.
      return over <= 0.5 / moment.state.screen.scale + pointSlack
        ? nil : "the frame is \(over.inWords) pt outside"
    },
    StateLaw(name: "FT-P5", statement: "The force is a fraction from 0 to 1.") { moment in
      (0...1).contains(moment.state.force) ? nil : "it is \(moment.state.force.inWords)"
    },
    StateLaw(name: "FT-P6", statement: "A shadow's radius is never below 0.") { moment in
      let radii = moment.state.layers.compactMap(\.shadow?.radius)
      return radii.first { $0 < 0 }.map { "it is \($0.inWords)" }
    },
    StateLaw(
      name: "TI-P8",
      statement:
        "At rest the picture covers the screen where it is larger, and is centred where not."
    ) { moment in
      guard moment.isAtRest, let layer = moment.freePicture else { return nil }
      let (box, screen) = (layer.box, moment.state.screen.size)
      return restComplaint("x", box.x, box.width, screen.width)
        ?? restComplaint("y", box.y, box.height, screen.height)
    },
  ]

  private static func restComplaint(
    _ axis: String, _ start: Double, _ length: Double, _ screen: Double
  ) -> String? {
    let slack = pointSlack * max(1, abs(length))
    if length <= screen {
      let off = abs(start - (screen - length) / 2)
      // A picture is put on whole pixels of the screen.
      return off <= 0.5 + slack ? nil : "on \(axis) it is \(off.inWords) pt out of the middle"
    }
    let gap = max(start, screen - start - length)
    return gap <= slack ? nil : "on \(axis) a gap of \(gap.inWords) pt is left"
  }

  /// What a crop's two ends may be off by rounding, in picture pixels.
  private static let pixelSlack = 1e-6
  /// What a few hundred events leave of rounding, in points; see `gestureSlack`.
  private static let pointSlack = gestureSlack
}

extension StateLaw.Moment {
  fileprivate var pictures: [PictureLayer] { state.pictures }

  /// The picture where fingers may move it: in a scroll view, and at full screen.
  fileprivate var freePicture: PictureLayer? {
    switch system {
    case .doubleTap: pictures.last
    // Turned by the device it is not fitted anew: its sides are not along the screen's.
    case .transition:
      pictures.last.flatMap { layer in
        layer.mask == nil && layer.cornerRadius == 0 && layer.transform.b == 0 ? layer : nil
      }
    case .peek, .fullscreen, .force: nil
    }
  }
}

extension Layer {
  /// The layer's shadow, if it has one.
  fileprivate var shadow: Shadow? {
    switch self {
    case .picture(let layer): layer.shadow
    case .fill(let layer): layer.shadow
    case .outline(let layer): layer.shadow
    }
  }
}

extension PictureRect {
  /// How far it reaches out of a picture, in its pixels; not above 0 for what lies inside.
  fileprivate func beyond(_ picture: PixelSize) -> Double {
    max(-x, -y, x + width - Double(picture.width), y + height - Double(picture.height))
  }
}

extension ViewRect {
  /// How far it reaches out of another, in points; not above 0 for what lies inside.
  fileprivate func beyond(_ other: ViewRect) -> Double {
    max(
      other.x - x, other.y - y, x + width - other.x - other.width,
      y + height - other.y - other.height)
  }
}
