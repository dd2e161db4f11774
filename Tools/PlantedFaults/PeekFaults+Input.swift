import ZoomGeometry
import ZoomLaws

extension PeekFaults {
  static let inputs: [Fault] = [
    input("touch swapped", "The touch's x and y are swapped.") {
      $0.touch = $0.touch.transposed
    },
    input("touch upside down", "The touch's y counts from the bottom.") {
      $0.touch.y = $0.viewport.height - $0.touch.y
    },
    input(
      "touch beside at (0, 0)", "A touch beside the picture is taken for one in the corner.",
      origin: "OpenAthenaAndroid#128"
    ) { input in
      guard input.isSound, input.isBeside else { return }
      input.touch = ViewPoint(x: 0, y: 0)
    },
    input("letterbox forgotten", "The touch is measured from the viewport's corner.") { input in
      guard input.isSound else { return }
      input.touch.x += input.axes.across.start
      input.touch.y += input.axes.down.start
    },
    input("picture swapped", "The picture's width and height are swapped.") {
      ($0.pictureWidth, $0.pictureHeight) = ($0.pictureHeight, $0.pictureWidth)
    },
    input("width for the height", "The picture is taken for square.") {
      $0.pictureHeight = $0.pictureWidth
    },
    input("scale ignored", "The peek shows one pixel a point whatever k is.") {
      if $0.scale > 0, $0.scale.isFinite { $0.scale = 1 }
    },
    input("scale twice", "The peek shows k k pixels a point.") { $0.scale *= $0.scale.magnitude },
    input(
      "longer side", "The peek is as long as the viewport's longer side.",
      origin: "FlexMonkey/ForceZoom FZ-B4"
    ) { input in
      guard input.isSound else { return }
      input.side = input.side ?? max(input.viewport.width, input.viewport.height)
    },
    input("letterbox never rejected", "A touch beside the picture always shows the nearest.") {
      $0.letterbox = .clamp
    },
    input("letterbox always rejected", "A touch beside the picture never shows anything.") {
      $0.letterbox = .reject
    },
    Fault(
      "border rejected", "A touch on the right or bottom border counts as beside.", in: \.peek
    ) { answer, input in
      let axes = input.axes
      guard input.letterbox == .reject else { return }
      if input.touch.x >= axes.across.end || input.touch.y >= axes.down.end { answer = nil }
    },
    Fault("NaN passes", "What should be refused is answered with NaN.") { faulty, sound in
      faulty.peek = { input in
        do { return try sound.peek(input) } catch {
          return PeekAnswer(
            crop: PictureRect(x: .nan, y: .nan, width: .nan, height: .nan), region: nil,
            frame: ViewRect(x: .nan, y: .nan, width: .nan, height: .nan),
            contentsRect: UnitRect(x: .nan, y: .nan, width: .nan, height: .nan),
            size: ViewSize(width: .nan, height: .nan))
        }
      }
    },
    input("infinity is the edge", "An infinite touch counts as one at the viewport's end.") {
      input in
      if input.touch.x.isInfinite { input.touch.x = input.touch.x > 0 ? input.viewport.width : 0 }
    },
    Fault("far touches refused", "A touch outside the viewport is refused.", in: \.peek) {
      _, input in
      if !input.viewport.atOrigin.contains(input.touch) { throw TouchRefused() }
    },
    input(
      "sides compared the other way", "The shorter side is found by comparing height with width.",
      equivalence: "The shorter of two numbers is the same in either order."
    ) { input in
      guard input.isSound else { return }
      input.side = input.side ?? min(input.viewport.height, input.viewport.width)
    },
  ]

  private struct TouchRefused: Error {}
}

extension PeekInput {
  /// Whether it can be asked where the picture is shown.
  fileprivate var isSound: Bool {
    pictureWidth > 0 && pictureHeight > 0 && viewport.width > 0 && viewport.height > 0
      && viewport.width.isFinite && viewport.height.isFinite && touch.x.isFinite
      && touch.y.isFinite
  }

  /// Whether the touch is beside the shown picture.
  fileprivate var isBeside: Bool {
    let axes = axes
    return touch.x < axes.across.start || touch.x > axes.across.end || touch.y < axes.down.start
      || touch.y > axes.down.end
  }
}
