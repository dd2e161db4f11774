internal import ZoomGeometry

extension PeekFaults {
  static let outlineFaults: [SeededFault<PeekSubject>] = [
    SeededFault(
      "frame about the touch", "The frame is centred on the touch, at the borders too.",
      origin: "FlexMonkey/ForceZoom FZ-B5"
    ) {
      $0.changingAnswer { input, answer in
        answer.frame.x = input.touch.x - answer.frame.width / 2
        answer.frame.y = input.touch.y - answer.frame.height / 2
      }
    },
    SeededFault("frame with its stroke", "The frame is larger by half the stroke on each side.") {
      $0.changingAnswer { _, answer in
        answer.frame = ViewRect(
          x: answer.frame.x - 2, y: answer.frame.y - 2, width: answer.frame.width + 4,
          height: answer.frame.height + 4)
      }
    },
    SeededFault("frame without the letterbox", "The frame is placed as if there were no letterbox.")
    {
      $0.changingAnswer { input, answer in
        answer.frame.x -= input.axes.across.start
        answer.frame.y -= input.axes.down.start
      }
    },
    SeededFault("contents by the width", "The contents rectangle is made of the width alone.") {
      $0.changingAnswer { input, answer in
        answer.contentsRect.y = answer.crop.y / Double(input.pictureWidth)
        answer.contentsRect.height = answer.crop.height / Double(input.pictureWidth)
      }
    },
    SeededFault("contents of a pixel more", "The contents rectangle has a pixel more to the right.")
    {
      $0.changingAnswer { input, answer in
        answer.contentsRect.width += 1 / Double(input.pictureWidth)
      }
    },
    SeededFault("size in pixels", "The peek has as many points as the crop has pixels.") {
      $0.changingAnswer { _, answer in
        answer.size = ViewSize(width: answer.crop.width, height: answer.crop.height)
      }
    },
    SeededFault("always square", "The peek is square for small pictures too.") {
      $0.changingAnswer { _, answer in
        let side = max(answer.size.width, answer.size.height)
        answer.size = ViewSize(width: side, height: side)
      }
    },
  ]
}
