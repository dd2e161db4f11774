import PropertyTesting
import ZoomGeometry

extension ForceLaws {
  static var animation: [Law<ForceSubject>] {
    [
      animationLaw("FT-P16", "The moment shown is one of the animation.", isBroken: true) {
        subject, force, _, maximum in
        let time = try subject.time(force, maximum)
        try require((0...ForcePose.duration).contains(time), "the moment is \(time) s")
      },
      animationLaw("FT-P17", "The harder the press, the later the moment.") {
        subject, one, other, maximum in
        let (less, more) = (min(one, other), max(one, other))
        let (early, late) = try (subject.time(less, maximum), subject.time(more, maximum))
        try require(early <= late, "\(less) shows \(early) s, \(more) shows \(late) s")
      },
      animationLaw(
        "FT-P18", "Without force the animation is at its start, under the largest at its end.",
        isBroken: true
      ) { subject, force, _, maximum in
        try require(try subject.pose(0, maximum) == .rest, "without force it is not at rest")
        let hardest = maximum + max(0, force)
        let time = try subject.time(hardest, maximum)
        try require(time == ForcePose.duration, "fully pressed it is at \(time) s")
        // The scale of the published animation goes from 1 to 2; at its end it is 2 to the bit.
        let scale = try subject.pose(hardest, maximum).scale
        try require(scale == 2, "fully pressed the scale is \(scale)")
      },
      streamLaw(
        "FT-P19",
        "When a gesture is over or has come to a terminal state, the animation is at its "
          + "start.", isBroken: true
      ) { subject, gesture, isOver in
        for moment in try ended(gesture, isOver) where moment.step.finger != nil {
          let time = try subject.time(moment.step.force, GestureScript.usualMaximumForce)
          try require(time == 0, "the animation stays at \(time) s")
        }
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
        zip(.pressures(upTo: maximum), .pressures(upTo: maximum)).map { ($0, $1, maximum) }
      },
      inWords: { "forces \($0.0.inWords) and \($0.1.inWords) of \($0.2.inWords)" }
    ) { subject, input, testCase in
      testCase.classify(input.0 > input.2, as: "beyond the largest", atLeast: 0.02)
      try holds(subject, input.0, input.1, input.2)
    }
  }
}
