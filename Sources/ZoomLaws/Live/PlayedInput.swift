import ZoomGeometry

/// An input of a law that can be played as a gesture, to see what is wrong.
protocol PlayedInput {
  /// The gesture.
  ///
  /// - Throws: `GeometryError` for numbers that no screen and no picture has: those are inputs, too.
  var played: GestureCase { get throws(GeometryError) }

  /// Whether the gesture has everything that the input has; a gesture that lacks a part may keep the law.
  var isPlayedExactly: Bool { get }
}

extension PlayedInput {
  var isPlayedExactly: Bool { true }
}

extension GestureCase: PlayedInput {
  var played: GestureCase { self }
}

extension PinchScript: PlayedInput {
  var played: GestureCase { gesture }
}

extension PeekInput: PlayedInput {
  /// Live peeks have the side of the screen, and clamp touches beside the picture.
  var isPlayedExactly: Bool {
    let shorter = min(viewport.width, viewport.height)
    return letterbox == .clamp && (side ?? shorter) == shorter
  }

  /// A finger that comes down at the place and presses until the peek opens.
  var played: GestureCase {
    get throws(GeometryError) {
      let screen = try Screen(size: viewport, scale: scale)
      return GestureCase(
        script: try GestureScript(
          screen: screen,
          events: GestureWriter.events(of: [
            GestureAction(.press(at: touch, forces: [0.5, 0.5, 0.5, 2])),
            GestureAction(after: 0.25, .touch(finger: 0, at: touch, force: 2)),
          ])),
        picture: try PixelSize(width: pictureWidth, height: pictureHeight))
    }
  }
}

extension DoubleTapInput: PlayedInput {
  /// Live scroll views have the published factors and pictures of whole pixels.
  var isPlayedExactly: Bool {
    scene
      == DoubleTapScene(
        image: ViewSize(
          width: Double(wholePixels(scene.image.width)),
          height: Double(wholePixels(scene.image.height))), bounds: scene.bounds)
  }

  /// A double tap at the place, where the fitted picture has it.
  var played: GestureCase {
    get throws(GeometryError) {
      let screen = try Screen(size: scene.bounds)
      let picture = try PixelSize(
        width: wholePixels(scene.image.width), height: wholePixels(scene.image.height))
      let scale = scene.fitScale
      let point = ViewPoint(
        x: (scene.bounds.width - scale * scene.image.width) / 2 + scale * place.x,
        y: (scene.bounds.height - scale * scene.image.height) / 2 + scale * place.y)
      return GestureCase(
        script: try GestureScript(
          screen: screen,
          events: GestureWriter.events(of: [
            GestureAction(.doubleTap(at: point, then: point, gap: GestureWriter.sampling))
          ])),
        picture: picture)
    }
  }

  /// A length in points as a picture of one pixel a point has it; 0 for what is none.
  private func wholePixels(_ length: Double) -> Int {
    length.isFinite ? Int(length.rounded().clamped(to: 0...1e9)) : 0
  }
}

extension FullscreenTrip: PlayedInput {
  var played: GestureCase {
    get throws(GeometryError) {
      GestureCase(script: try script(andBack: true), picture: picture)
    }
  }
}

extension [ForceSubject.RecogniserInput]: PlayedInput {
  /// The inputs a sixtieth of a second apart, over a photograph.
  var played: GestureCase {
    get throws(GeometryError) {
      let events = enumerated().map { number, input in
        GestureEvent(time: Double(number + 1) * GestureWriter.sampling, kind: input.kind)
      }
      let screen = try Screen(size: ViewSize(width: 375, height: 667))
      return GestureCase(
        script: try GestureScript(screen: screen, events: events),
        picture: try PixelSize(width: 1600, height: 1200))
    }
  }
}
