import PropertyTesting
import ZoomGeometry

/// The laws of what answers to force.
public enum ForceLaws {
  /// All of them.
  public static let all: [Law<ForceSubject>] = recogniser + button + zoom + animation

  static var source: String { "Produkt/3dForceTouchExamples" }

  /// A law of a finger on a view.
  static func law(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds:
      @escaping @Sendable (ForceSubject, ForceSubject.PressedView, inout TestCase) throws -> Void
  ) -> Law<ForceSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: .presses,
      examples: [corner], inWords: { $0.inWords }
    ) { subject, press, testCase in
      testCase.classify(!press.frame.contains(press.finger), as: "beside the view", atLeast: 0.1)
      testCase.classify(press.force > 1, as: "presses harder than average", atLeast: 0.5)
      try holds(subject, press, &testCase)
    }
  }

  /// A light touch on the corner of the demonstration's view on a 375x667 screen.
  private static let corner = ForceSubject.PressedView(
    frame: ViewRect(x: 87.5, y: 233.5, width: 200, height: 200),
    finger: ViewPoint(x: 87.5, y: 233.5), force: 0.5)

  /// The share of a length by which a rounding may put a point off.
  ///
  /// A dozen operations on numbers up to fifteen times the length, each off by 2^-53 of them, make
  /// 1e-14 of it.
  static let rounding = 1e-12
}

extension ForceLaws {
  static var button: [Law<ForceSubject>] {
    [
      buttonLaw("FT-P6", "The shadow's radius is never below 0.", isBroken: true) {
        subject, button, force, _ in
        let radius = try subject.shadow(button, force).radius
        try Property.require(radius >= 0, "the radius is \(radius)")
      },
      buttonLaw(
        "FT-P7", "The shadow is moved to no other side than at rest, and no further.",
        isBroken: true
      ) { subject, button, force, _ in
        let offset = try subject.shadow(button, force).offset
        let rest = button.offset
        try Property.require(
          offset.x * rest.x >= 0 && offset.y * rest.y >= 0 && abs(offset.x) <= abs(rest.x)
            && abs(offset.y) <= abs(rest.y),
          "the offset is (\(offset.x), \(offset.y)), at rest (\(rest.x), \(rest.y))")
      },
      buttonLaw(
        "FT-P8", "The harder the press, the smaller the shadow and the larger the button."
      ) { subject, button, one, other in
        let (less, more) = (min(one, other), max(one, other))
        let (before, after) = try (subject.shadow(button, less), subject.shadow(button, more))
        // Towards the offset at rest, as signs go.
        let x: Double = button.offset.x < 0 ? -1 : 1
        let y: Double = button.offset.y < 0 ? -1 : 1
        try Property.require(
          after.radius <= before.radius && x * after.offset.x <= x * before.offset.x
            && y * after.offset.y <= y * before.offset.y,
          "from \(less) to \(more) the shadow goes from \(before) to \(after)")
        let (small, large) = try (
          subject.buttonScale(button, less), subject.buttonScale(button, more)
        )
        try Property.require(small <= large, "from \(less) to \(more) the scale falls to \(large)")
      },
      buttonLaw(
        "FT-P9", "Without force the shadow is that at rest, under the largest force it is none.",
        isBroken: true
      ) { subject, button, force, _ in
        let rest = try subject.shadow(button, 0)
        try Property.require(
          rest.radius == button.radius && rest.offset == button.offset,
          "without force the shadow is \(rest)")
        let pressed = try subject.shadow(button, button.maximumForce + max(0, force))
        try Property.require(
          pressed.radius == 0 && pressed.offset.x == 0 && pressed.offset.y == 0,
          "fully pressed the shadow is \(pressed)")
      },
    ]
  }

  private static func buttonLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds:
      @escaping @Sendable (ForceSubject, ForceSubject.RestingButton, Double, Double) throws -> Void
  ) -> Law<ForceSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken,
      for: Gen<ForceSubject.RestingButton>.forceButtons.flatMap { button in
        let forces = Gen<Double>.pressures(upTo: button.maximumForce)
        return Gens.zip(forces, forces).map { (button, $0, $1) }
      },
      inWords: {
        "\($0.0.inWords), forces \($0.1.inWords) and \($0.2.inWords) of "
          + $0.0.maximumForce.inWords
      }
    ) { subject, input, testCase in
      testCase.classify(input.1 > input.0.maximumForce, as: "beyond the largest", atLeast: 0.02)
      try holds(subject, input.0, input.1, input.2)
    }
  }
}

extension ForceLaws {
  static var zoom: [Law<ForceSubject>] {
    [
      law("FT-P10", "Without force the view stands where it does at rest.", isBroken: true) {
        subject, press, _ in
        var light = press
        light.force = 0
        let frame = try subject.frame(light)
        try Property.require(
          distance(frame, press.frame) <= rounding * magnitude(press.frame),
          "the view stands at \(frame.inWords), at rest at \(press.frame.inWords)")
      },
      law("FT-P11", "The touched place stays where it is.", isBroken: true) { subject, press, _ in
        let anchor = try subject.anchor(press)
        let frame = try subject.frame(press)
        let rest = press.frame
        let x = (frame.x + anchor.x * frame.width) - (rest.x + anchor.x * rest.width)
        let y = (frame.y + anchor.y * frame.height) - (rest.y + anchor.y * rest.height)
        let slack = rounding * magnitude(frame)
        try Property.require(
          abs(x) <= slack && abs(y) <= slack, "the touched place moves by (\(x), \(y))")
      },
      law("FT-P12", "A zoomed view covers what it covers at rest.", isBroken: true) {
        subject, press, _ in
        let frame = try subject.frame(press)
        let rest = press.frame
        let slack = rounding * magnitude(frame)
        try Property.require(
          frame.x <= rest.x + slack && frame.y <= rest.y + slack && frame.maxX >= rest.maxX - slack
            && frame.maxY >= rest.maxY - slack,
          "the view at \(frame.inWords) does not cover \(rest.inWords)")
      },
      law("FT-P20", "A zoomed view keeps its proportions.") { subject, press, _ in
        let frame = try subject.frame(press)
        let rest = press.frame
        try Property.require(
          abs(frame.width * rest.height - frame.height * rest.width)
            <= rounding * frame.width * rest.height,
          "\(rest.width)x\(rest.height) is shown as \(frame.width)x\(frame.height)")
      },
      law("FT-P13", "The touched place is a place of the view.") { subject, press, _ in
        let anchor = try subject.anchor(press)
        try Property.require(
          (0...1).contains(anchor.x) && (0...1).contains(anchor.y),
          "the touched place is (\(anchor.x), \(anchor.y))")
      },
      law("FT-P14", "The view moves little when finger and force do.") { subject, press, testCase in
        let step = Gen<Double>.double(in: -1...1)
        let (x, y, force) = try (testCase.draw(step), testCase.draw(step), testCase.draw(step))
        var moved = press
        moved.finger.x += x
        moved.finger.y += y
        moved.force += force
        let way = distance(try subject.frame(press), try subject.frame(moved))
        // A finger moves an edge by at most the scale, which no force here brings above 15. A force
        // moves it by at most the view's longer side for each unit of scale, and scales by at most
        // one unit for one of force; an edge is moved so twice, by its corner and its side.
        let bound =
          16 * max(abs(x), abs(y)) + 2 * max(press.frame.width, press.frame.height) * abs(force)
        try Property.require(
          way <= bound + rounding * magnitude(press.frame) * 16,
          "a step of (\(x), \(y)) and of \(force) moves an edge by \(way)")
      },
    ]
  }
}

extension ForceLaws {
  static var animation: [Law<ForceSubject>] {
    [
      animationLaw("FT-P16", "The moment shown is one of the animation.", isBroken: true) {
        subject, force, _, maximum in
        let time = try subject.time(force, maximum)
        try Property.require((0...ForcePose.duration).contains(time), "the moment is \(time) s")
      },
      animationLaw("FT-P17", "The harder the press, the later the moment.") {
        subject, one, other, maximum in
        let (less, more) = (min(one, other), max(one, other))
        let (early, late) = try (subject.time(less, maximum), subject.time(more, maximum))
        try Property.require(early <= late, "\(less) shows \(early) s, \(more) shows \(late) s")
      },
      animationLaw(
        "FT-P18", "Without force the animation is at its start, under the largest at its end.",
        isBroken: true
      ) { subject, force, _, maximum in
        try Property.require(
          try subject.pose(0, maximum) == .rest, "without force it is not at rest")
        let hardest = maximum + max(0, force)
        let time = try subject.time(hardest, maximum)
        try Property.require(time == ForcePose.duration, "fully pressed it is at \(time) s")
        // The scale of the published animation goes from 1 to 2; at its end it is 2 to the bit.
        let scale = try subject.pose(hardest, maximum).scale
        try Property.require(scale == 2, "fully pressed the scale is \(scale)")
      },
    ]
  }

  private static func animationLaw(
    _ name: String, _ statement: String, isBroken: Bool = false,
    holds: @escaping @Sendable (ForceSubject, Double, Double, Double) throws -> Void
  ) -> Law<ForceSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken,
      for: Gen<Double>.maximumForces.flatMap { maximum in
        Gens.zip(.pressures(upTo: maximum), .pressures(upTo: maximum)).map { ($0, $1, maximum) }
      }, inWords: { "forces \($0.0.inWords) and \($0.1.inWords) of \($0.2.inWords)" }
    ) { subject, input, testCase in
      testCase.classify(input.0 > input.2, as: "beyond the largest", atLeast: 0.02)
      try holds(subject, input.0, input.1, input.2)
    }
  }
}
