import PropertyTesting
import ZoomGeometry

extension ForceLaws {
  static var recogniser: [Law<ForceSubject>] {
    [
      gestureLaw("FT-P1", "A gesture begins at most once, and before it changes.", isBroken: true) {
        gesture, _ in
        let states = gesture.flatMap(\.step.entered)
        let begins = states.filter { $0 == .began }.count
        try Property.require(begins <= 1, "the gesture begins \(begins) times")
        guard let first = states.firstIndex(of: .changed) else { return }
        try Property.require(
          states[..<first].contains(.began), "the gesture changes before it begins")
      },
      gestureLaw(
        "FT-P2", "A gesture ends in one terminal state, and in none after it.", isBroken: true
      ) { gesture, isOver in
        let states = gesture.flatMap(\.step.entered)
        guard let end = states.firstIndex(where: \.isTerminal) else {
          try Property.require(
            !isOver, "all fingers are gone and the gesture is in no terminal state")
          return
        }
        try Property.require(
          end == states.count - 1, "after \(states[end]) the gesture is \(states[end + 1])")
      },
      gestureLaw(
        "FT-P3", "While and after two fingers were down at once, nothing is followed.",
        isBroken: true
      ) { gesture, _ in
        guard let second = gesture.firstIndex(where: { $0.down > 1 }) else { return }
        for moment in gesture[second...] {
          guard let state = moment.step.entered.last else { continue }
          try Property.require(
            state != .began && state != .changed,
            "the gesture is \(state) after two fingers were down")
        }
      },
      gestureLaw(
        "FT-P4",
        "When a gesture is over or has come to a terminal state, there is no force and "
          + "nothing is zoomed.", isBroken: true
      ) { gesture, isOver in
        for moment in try ended(gesture, isOver) {
          try Property.require(moment.step.share == 0, "the force stays at \(moment.step.share)")
          try Property.require(moment.step.finger == nil, "the zoom stays")
        }
      },
      gestureLaw("FT-P5", "The force is a fraction from 0 to 1.", isBroken: true) { gesture, _ in
        for moment in gesture {
          try Property.require(
            (0...1).contains(moment.step.share), "the fraction is \(moment.step.share)")
        }
      },
    ]
  }

  /// A step with the number of fingers that are down after it.
  private struct RecordedStep: Sendable {
    var step: ForceSubject.RecogniserStep
    var down: Int
  }

  /// A law of each gesture: from the first finger that comes down to the last that goes.
  private static func gestureLaw(
    _ name: String, _ statement: String, isBroken: Bool,
    holds: @escaping @Sendable (_ gesture: [RecordedStep], _ isOver: Bool) throws -> Void
  ) -> Law<ForceSubject> {
    Law(
      name, statement, source: source, isBrokenAsPublished: isBroken, for: .forceInputs,
      inWords: { $0.map(\.inWords).joined(separator: "; ") }
    ) { subject, inputs, testCase in
      let steps = try subject.recognise(inputs, GestureScript.usualMaximumForce)
      var down: Set<Int> = []
      var gesture: [RecordedStep] = []
      var isSeveral = false
      var isCancelled = false
      for (input, step) in zip(inputs, steps) {
        if down.isEmpty && !gesture.isEmpty {
          try holds(gesture, true)
          gesture = []
        }
        let wasTouched = !down.isEmpty
        ForceSubject.follow(input, &down)
        // Without fingers before and after, a cancellation is no part of a gesture.
        guard wasTouched || !down.isEmpty else { continue }
        gesture.append(RecordedStep(step: step, down: down.count))
        isSeveral = isSeveral || down.count > 1
        if case .cancelAll = input { isCancelled = true }
        if case .touches(.cancelled, _) = input { isCancelled = true }
      }
      testCase.classify(isSeveral, as: "several fingers", atLeast: 0.3)
      testCase.classify(isCancelled, as: "cancelled", atLeast: 0.03)
      if !gesture.isEmpty { try holds(gesture, down.isEmpty) }
    }
  }

  /// The moments of a gesture at which nothing may be pressed any more.
  private static func ended(_ gesture: [RecordedStep], _ isOver: Bool) throws -> ArraySlice<
    RecordedStep
  > {
    if let end = gesture.firstIndex(where: { $0.step.entered.last?.isTerminal == true }) {
      return gesture[end...]
    }
    return isOver ? gesture.suffix(1) : []
  }
}
