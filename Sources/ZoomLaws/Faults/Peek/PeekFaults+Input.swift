internal import ZoomGeometry

extension PeekFaults {
  static let inputFaults: [SeededFault<PeekSubject>] = [
    SeededFault("touch swapped", "The touch's x and y are swapped.") {
      $0.changingInput { $0.touch = ViewPoint(x: $0.touch.y, y: $0.touch.x) }
    },
    SeededFault("touch upside down", "The touch's y counts from the bottom.") {
      $0.changingInput { $0.touch.y = $0.viewport.height - $0.touch.y }
    },
    SeededFault(
      "touch beside at (0, 0)", "A touch beside the picture is taken for one in the corner.",
      origin: "OpenAthenaAndroid#128"
    ) {
      $0.changingInput { input in
        guard input.isSound, input.isBeside else { return }
        input.touch = ViewPoint(x: 0, y: 0)
      }
    },
    SeededFault("letterbox forgotten", "The touch is measured from the viewport's corner.") {
      $0.changingInput { input in
        guard input.isSound else { return }
        input.touch.x += input.axes.across.start
        input.touch.y += input.axes.down.start
      }
    },
    SeededFault("picture swapped", "The picture's width and height are swapped.") {
      $0.changingInput {
        ($0.pictureWidth, $0.pictureHeight) = ($0.pictureHeight, $0.pictureWidth)
      }
    },
    SeededFault("width for the height", "The picture is taken for square.") {
      $0.changingInput { $0.pictureHeight = $0.pictureWidth }
    },
    SeededFault("scale ignored", "The peek shows one pixel a point whatever k is.") {
      $0.changingInput { if $0.scale > 0, $0.scale.isFinite { $0.scale = 1 } }
    },
    SeededFault("scale twice", "The peek shows k k pixels a point.") {
      $0.changingInput { $0.scale *= $0.scale.magnitude }
    },
    SeededFault(
      "longer side", "The peek is as long as the viewport's longer side.",
      origin: "FlexMonkey/ForceZoom FZ-B4"
    ) {
      $0.changingInput { input in
        guard input.isSound else { return }
        input.side = input.side ?? max(input.viewport.width, input.viewport.height)
      }
    },
    SeededFault("letterbox never rejected", "A touch beside the picture always shows the nearest.")
    {
      $0.changingInput { $0.letterbox = .clamp }
    },
    SeededFault("letterbox always rejected", "A touch beside the picture never shows anything.") {
      $0.changingInput { $0.letterbox = .reject }
    },
    SeededFault("border rejected", "A touch on the right or bottom border counts as beside.") {
      sound in
      PeekSubject(name: sound.name, takesScale: sound.takesScale) { input in
        let answer = try sound.peek(input)
        let axes = input.axes
        guard input.letterbox == .reject else { return answer }
        return input.touch.x >= axes.across.end || input.touch.y >= axes.down.end ? nil : answer
      }
    },
    SeededFault("NaN passes", "What should be refused is answered with NaN.") { sound in
      PeekSubject(name: sound.name, takesScale: sound.takesScale) { input in
        do {
          return try sound.peek(input)
        } catch {
          return PeekAnswer(
            crop: PictureRect(x: .nan, y: .nan, width: .nan, height: .nan), region: nil,
            frame: ViewRect(x: .nan, y: .nan, width: .nan, height: .nan),
            contentsRect: UnitRect(x: .nan, y: .nan, width: .nan, height: .nan),
            size: ViewSize(width: .nan, height: .nan))
        }
      }
    },
    SeededFault("infinity is the edge", "An infinite touch counts as one at the viewport's end.") {
      $0.changingInput { input in
        if input.touch.x.isInfinite { input.touch.x = input.touch.x > 0 ? input.viewport.width : 0 }
      }
    },
    SeededFault("far touches refused", "A touch outside the viewport is refused.") { sound in
      PeekSubject(name: sound.name, takesScale: sound.takesScale) { input in
        let bounds = ViewRect(
          x: 0, y: 0, width: input.viewport.width, height: input.viewport.height)
        guard bounds.contains(input.touch) else { throw Refusal() }
        return try sound.peek(input)
      }
    },
    SeededFault(
      "sides compared the other way", "The shorter side is found by comparing height with width.",
      equivalence: "The shorter of two numbers is the same in either order."
    ) {
      $0.changingInput { input in
        guard input.isSound else { return }
        input.side = input.side ?? min(input.viewport.height, input.viewport.width)
      }
    },
  ]

  private struct Refusal: Error {}
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
