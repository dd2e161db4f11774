import PropertyTesting
import ZoomGeometry

extension NumberLaws {
  static let inputs = Law<ArithmeticSubject>(
    "NUM-11",
    "Inputs have the documented defaults; numbers out of range are refused, or count as the nearest.",
    source: source, for: Gen<PixelSize>.pictures(), inWords: { "\($0)" }
  ) { subject, picture, _ in
    let limit = Double(PixelSize.maximumSide)
    let screen = ViewSize(width: 375, height: 667)
    let side = ViewSize(width: 100, height: 80)
    let frame = ViewRect(x: 20, y: 50, width: 100, height: 80)
    func require(_ isRight: Bool, _ words: String) throws {
      try Property.require(isRight, "\(words) are not as documented")
    }
    for (seconds, isTaken) in [(0.01, true), (60, true), (0.0099, false), (60.1, false)] {
      try require(((try? LongPress(duration: seconds)) != nil) == isTaken, "long presses")
    }
    for (force, isTaken) in [
      (0, true), (1e-6, true), (limit, true), (1e-7, false), (-1, false), (limit.nextUp, false),
    ] {
      let range = try? ForceRange(maximum: force)
      try require((range != nil) == isTaken, "largest forces such as \(force)")
      guard let range else { continue }
      let hardware: PressSource = force == 0 ? .longPress(LongPress()) : .force(range)
      let zoom = try ForceZoom(frame: frame, range: range)
      let (least, most) = (try subject.scale(zoom, 0), try subject.scale(zoom, limit))
      let isNoneIfZero = force > 0 || range == .none
      try require(
        PressSource(hardware: range) == hardware && isNoneIfZero && least == 1
          && most == max(1, force) && (try range.share(of: limit)) == (force == 0 ? 0 : 1),
        "presses with forces up to \(force)")
    }
    let whole = try DoubleTapSetup(picture: picture, bounds: screen)
    let half = try DoubleTapSetup(picture: picture, scale: 2, bounds: screen)
    let (width, height) = (Double(picture.width), Double(picture.height))
    try require(
      whole.image == ViewSize(width: width, height: height)
        && half.image == ViewSize(width: width / 2, height: height / 2)
        && (try DoubleTapSetup(image: side, bounds: screen, factor: 5)).closeZoom == 3
        && (try? DoubleTapSetup(image: side, bounds: screen, factor: 0.999)) == nil
        && (try? DoubleTapSetup(image: side, bounds: screen, maximumZoom: 0.999)) == nil,
      "double taps")
    let square = try Transition(picture: picture, viewport: screen, thumbnail: frame)
    let round = try Transition(
      picture: picture, viewport: screen, thumbnail: frame, cornerRadius: 8)
    let centre = square.full.centre + square.startTransform.apply(to: .zero)
    let isClamped = try [(-0.5, 0.0), (1.5, 1)].allSatisfy {
      let isSame = try round.mask(openedBy: $0) == round.mask(openedBy: $1)
      return try isSame && round.radius(openedBy: $0) == round.radius(openedBy: $1)
    }
    try require(
      square.maskRadius == 0 && (try round.radius(openedBy: 1)) == 0 && isClamped
        && centre.distance(to: frame.centre) <= 1e-9, "transitions")
    try require(
      Stage.Ancestor(frame: frame) == Stage.Ancestor(frame: frame, scroll: .zero, scale: 1)
        && Stage().cornerRadius == 0, "stages")
  }
}
