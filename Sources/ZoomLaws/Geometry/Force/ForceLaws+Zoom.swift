import PropertyTesting
import ZoomGeometry

extension ForceLaws {
  static var zoom: [Law<ForceSubject>] {
    [
      law("FT-P10", "Without force the view stands where it does at rest.", isBroken: true) {
        subject, press, _ in
        var light = press
        light.force = 0
        let frame = try subject.frame(light)
        try require(
          distance(frame, press.frame) <= rounding * magnitude(press.frame),
          "the view stands at \(frame.inWords), at rest at \(press.frame.inWords)")
      },
      law("FT-P11", "The touched place stays where it is.", isBroken: true) {
        subject, press, _ in
        let anchor = try subject.anchor(press)
        let frame = try subject.frame(press)
        let rest = press.frame
        let x = (frame.x + anchor.x * frame.width) - (rest.x + anchor.x * rest.width)
        let y = (frame.y + anchor.y * frame.height) - (rest.y + anchor.y * rest.height)
        let slack = rounding * magnitude(frame)
        try require(abs(x) <= slack && abs(y) <= slack, "the touched place moves by (\(x), \(y))")
      },
      law("FT-P12", "A zoomed view covers what it covers at rest.", isBroken: true) {
        subject, press, _ in
        let frame = try subject.frame(press)
        let rest = press.frame
        let slack = rounding * magnitude(frame)
        try require(
          frame.x <= rest.x + slack && frame.y <= rest.y + slack && frame.maxX >= rest.maxX - slack
            && frame.maxY >= rest.maxY - slack,
          "the view at \(frame.inWords) does not cover \(rest.inWords)")
      },
      law("FT-P20", "A zoomed view keeps its proportions.") { subject, press, _ in
        let frame = try subject.frame(press)
        let rest = press.frame
        try require(
          abs(frame.width * rest.height - frame.height * rest.width)
            <= rounding * frame.width * rest.height,
          "\(rest.width)x\(rest.height) is shown as \(frame.width)x\(frame.height)")
      },
      law("FT-P13", "The touched place is a place of the view.") { subject, press, _ in
        let anchor = try subject.anchor(press)
        try require(
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
        try require(
          way <= bound + rounding * magnitude(press.frame) * 16,
          "a step of (\(x), \(y)) and of \(force) moves an edge by \(way)")
      },
      streamLaw(
        "FT-P15", "When a gesture is over or has come to a terminal state, the view is at rest.",
        isBroken: true
      ) { subject, gesture, isOver in
        let rest = ViewRect(x: 87.5, y: 233.5, width: 200, height: 200)
        for moment in try ended(gesture, isOver) {
          guard let finger = moment.step.finger else { continue }
          let frame = try subject.frame(
            ForceSubject.PressedView(frame: rest, finger: finger, force: moment.step.force))
          try require(frame == rest, "the view stays at \(frame.inWords)")
        }
      },
    ]
  }
}
