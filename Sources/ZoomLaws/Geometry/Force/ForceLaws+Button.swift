import PropertyTesting
import ZoomGeometry

extension ForceLaws {
  static var button: [Law<ForceSubject>] {
    [
      buttonLaw("FT-P6", "The shadow's radius is never below 0.", isBroken: true) {
        subject, button, force, _ in
        let radius = try subject.shadow(button, force).radius
        try require(radius >= 0, "the radius is \(radius)")
      },
      buttonLaw(
        "FT-P7", "The shadow is moved to no other side than at rest, and no further.",
        isBroken: true
      ) { subject, button, force, _ in
        let offset = try subject.shadow(button, force).offset
        let rest = button.offset
        try require(
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
        try require(
          after.radius <= before.radius && x * after.offset.x <= x * before.offset.x
            && y * after.offset.y <= y * before.offset.y,
          "from \(less) to \(more) the shadow goes from \(before) to \(after)")
        let (small, large) = try (
          subject.buttonScale(button, less), subject.buttonScale(button, more)
        )
        try require(small <= large, "from \(less) to \(more) the scale falls to \(large)")
      },
      buttonLaw(
        "FT-P9", "Without force the shadow is that at rest, under the largest force it is none.",
        isBroken: true
      ) { subject, button, force, _ in
        let rest = try subject.shadow(button, 0)
        try require(
          rest.radius == button.radius && rest.offset == button.offset,
          "without force the shadow is \(rest)")
        let pressed = try subject.shadow(button, button.maximumForce + max(0, force))
        try require(
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
        return zip(forces, forces).map { (button, $0, $1) }
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
