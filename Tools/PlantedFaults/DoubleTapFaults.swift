import ZoomGeometry
package import ZoomLaws

package enum DoubleTapFaults {
  package static let all: [SeededFault<DoubleTapSubject>] = [
    enlarged(
      "The margin that the picture had before the zoom is added to the offset, as far as the offset's limit allows.",
      origin: "fanyinan/ZoomImageScrollViewDemo 4.2"
    ) { position, input in
      let scene = input.scene
      let axes = scene.axes(position)
      let x = position.offset.x + max(0, (axes[0].bounds - scene.fitScale * axes[0].image) / 2)
      let y = position.offset.y + max(0, (axes[1].bounds - scene.fitScale * axes[1].image) / 2)
      position.offset = ViewPoint(
        x: x.clamped(to: 0...max(position.offset.x, axes[0].furthest)),
        y: y.clamped(to: 0...max(position.offset.y, axes[1].furthest)))
    },
    enlarged(
      "The zoom is clamped, but the offset is computed for the unclamped zoom.",
      origin: "saseungmin/react-native-gesture-image-viewer#194"
    ) { position, input in
      let zoom = position.zoom
      position.zoom = input.scene.fitScale * input.scene.factor
      position.aim(at: input.place, in: input.scene)
      position.zoom = zoom
    },
    enlarged(
      "The zoom is about the picture's corner.", origin: "Theta-Limited/OpenAthenaAndroid#128"
    ) { position, _ in position.offset = ViewPoint(x: 0, y: 0) },
    enlarged(
      "A tap near a border shows the picture's middle instead.",
      origin: "darktable-org/darktable#21040"
    ) { position, input in
      let axis = input.scene.axes(position)[0]
      guard axis.isLonger, axis.offset == 0 || axis.offset == axis.furthest else { return }
      position.offset.x = axis.furthest / 2
    },
    enlarged("A tap near a border scrolls past it.", origin: "nytimes/NYTPhotoViewer#87") {
      position, input in
      let offsets = input.scene.axes(position, tapped: input.place).map {
        $0.isLonger ? $0.zoom * $0.place - $0.bounds / 2 : $0.offset
      }
      position.offset = ViewPoint(x: offsets[0], y: offsets[1])
    },
    decision(
      "Only a zoom equal to the fit in all bits counts as the fit.",
      origin: "fanyinan/ZoomImageScrollViewDemo DT-B3"
    ) { sound, input, position in
      let fitted = try sound.fitted(input.scene)
      return position.zoom == fitted.zoom ? try sound.toggled(input, position) : fitted
    },
    Fault("A picture shorter than the screen is at its top.", in: \.fitted) { position, _ in
      position.origin.y = 0
    },
    Fault("A small picture is enlarged to fill the screen.", in: \.fitted) { position, scene in
      let (bounds, image) = (scene.bounds, scene.image)
      position.centre(at: min(bounds.width / image.width, bounds.height / image.height), in: scene)
    },
    enlarged("A double tap goes to the largest zoom.") { position, input in
      position.centre(at: input.scene.maximumZoom, in: input.scene)
      position.aim(at: input.place, in: input.scene)
    },
    decision("A double tap beside the picture zooms at the nearest place.") {
      sound, input, position in
      let (image, place) = (input.scene.image, input.place)
      guard place.x.isFinite, place.y.isFinite, image.width > 0, image.height > 0 else {
        return try sound.toggled(input, position)
      }
      var near = input
      near.place = ViewPoint(
        x: place.x.clamped(to: 0...image.width), y: place.y.clamped(to: 0...image.height))
      return try sound.toggled(near, position)
    },
    Fault("Invalid input is answered with NaN.") { faulty, sound in
      let bad = ScrollPosition(
        zoom: .nan, origin: ViewPoint(x: .nan, y: .nan), offset: ViewPoint(x: .nan, y: .nan))
      faulty.fitted = { (try? sound.fitted($0)) ?? bad }
      faulty.toggled = { input, position in
        do { return try sound.toggled(input, position) } catch { return bad }
      }
    },
  ]

  private typealias Fault = SeededFault<DoubleTapSubject>

  private static func enlarged(
    _ summary: String, origin: String? = nil,
    _ change: @escaping @Sendable (inout ScrollPosition, DoubleTapInput) -> Void
  ) -> Fault {
    Fault(summary, origin: origin, in: \.toggled) { position, input, _ in
      guard var changed = position, changed.zoom > input.scene.fitScale else { return }
      change(&changed, input)
      position = changed
    }
  }

  /// Returns a fault that replaces the response to a double tap.
  private static func decision(
    _ summary: String, origin: String? = nil,
    _ toggle:
      @escaping @Sendable (DoubleTapSubject, DoubleTapInput, ScrollPosition) throws ->
      ScrollPosition?
  ) -> Fault {
    Fault(summary, origin: origin) { faulty, sound in faulty.toggled = { try toggle(sound, $0, $1) }
    }
  }
}

extension ScrollPosition {
  /// Scrolls so that a place is as near as possible to the middle of the scroll view.
  fileprivate mutating func aim(at place: ViewPoint, in scene: DoubleTapScene) {
    let axes = scene.axes(self)
    offset = ViewPoint(
      x: (zoom * place.x - axes[0].bounds / 2).clamped(to: 0...axes[0].furthest),
      y: (zoom * place.y - axes[1].bounds / 2).clamped(to: 0...axes[1].furthest))
  }

  /// Sets a zoom, and centres the picture on each axis on which it is shorter than the scroll view.
  fileprivate mutating func centre(at zoom: Double, in scene: DoubleTapScene) {
    self.zoom = zoom
    let margins = scene.axes(self).map { max(0, ($0.bounds - $0.shown) / 2) }
    origin = ViewPoint(x: margins[0], y: margins[1])
  }
}
