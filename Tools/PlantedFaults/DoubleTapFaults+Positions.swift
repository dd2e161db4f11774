import ZoomGeometry
import ZoomLaws

extension DoubleTapFaults {
  static let positions: [Fault] = [
    enlarged(
      "no correction", "The offset is too large by the old origin, within its limits.",
      origin: "fanyinan/ZoomImageScrollViewDemo 4.2"
    ) { position, input in position.moveOffset(by: input.scene.marginsAtFit, in: input.scene) },
    enlarged(
      "correction for twice",
      "The offset is corrected as if the zoom were R times the fit.",
      origin: "fanyinan/ZoomImageScrollViewDemo DT-B2"
    ) { position, input in
      let scene = input.scene
      let left = 1 - position.zoom / (scene.fitScale * scene.factor)
      position.moveOffset(by: scene.marginsAtFit.scaled(by: left), in: scene)
    },
    enlarged(
      "translation of the unclamped zoom",
      "The zoom is clamped; the offset is that for the unclamped zoom.",
      origin: "react-native-gesture-image-viewer#194"
    ) { position, input in
      let zoom = position.zoom
      position.zoom = input.scene.fitScale * input.scene.factor
      position.aim(at: input.place, in: input.scene)
      position.zoom = zoom
    },
    enlarged(
      "focal point (0, 0)", "The zoom is about the picture's corner.",
      origin: "OpenAthenaAndroid#128"
    ) { position, _ in position.offset = ViewPoint(x: 0, y: 0) },
    enlarged(
      "anchor of the first tap", "The zoom is about the picture's middle, wherever the tap is.",
      origin: "Suwayomi-Tsumiru#377"
    ) { position, input in position.aim(at: input.scene.image.atOrigin.centre, in: input.scene) },
    enlarged(
      "recentred near borders", "A tap near a border shows the picture's middle instead.",
      origin: "darktable#21040"
    ) { position, input in
      let axis = input.scene.axes(position)[0]
      guard axis.isLonger, axis.offset == 0 || axis.offset == axis.furthest else { return }
      position.offset.x = axis.furthest / 2
    },
    enlarged("no clamp at the start", "The content is scrolled past its left edge.") {
      position, input in position.offset.x = min(position.offset.x, input.freeOffset(position).x)
    },
    enlarged("no clamp at the end", "The content is scrolled past its bottom edge.") {
      position, input in position.offset.y = max(position.offset.y, input.freeOffset(position).y)
    },
    enlarged("half a pixel further", "The offset is half a point too large, within its limits.") {
      position, input in position.moveOffset(by: ViewPoint(x: 0.5, y: 0.5), in: input.scene)
    },
    enlarged("a third for the middle", "The tapped place is moved to a third of the width.") {
      position, input in position.aim(at: input.place, in: input.scene, share: 1.0 / 3)
    },
    enlarged("axes swapped", "The tap's x and y are swapped.") { position, input in
      position.aim(at: input.place.transposed, in: input.scene)
    },
    enlarged("whole points", "The offset is rounded down to a whole point.") { position, _ in
      position.offset.x = position.offset.x.rounded(.down)
      position.offset.y = position.offset.y.rounded(.down)
    },
    enlarged("one in twenty", "One tap of twenty lands a point to the side, within limits.") {
      position, input in
      let bits = (input.place.x.bitPattern ^ input.place.y.bitPattern) &* 0x9E37_79B9_7F4A_7C15
      guard (bits >> 32) % 20 == 0 else { return }
      position.moveOffset(by: ViewPoint(x: 1, y: 1), in: input.scene)
    },
    fit("not centred", "A picture shorter than the screen is at its top.") { position, _ in
      position.origin.y = 0
    },
    enlarged("margin doubled", "The whole margin is before the picture.") { position, _ in
      position.origin.x *= 2
    },
    enlarged("stale origin", "The old margins stay after the zoom.") { position, input in
      position.origin = input.scene.marginsAtFit
    },
    enlarged(
      "clamped twice", "The offset is clamped once more.",
      equivalence: "Clamping a clamped number does not change it."
    ) { position, input in position.moveOffset(by: ViewPoint(x: 0, y: 0), in: input.scene) },
  ]
}

extension DoubleTapScene {
  /// The margins around the whole picture at the fit.
  fileprivate var marginsAtFit: ViewPoint {
    ViewPoint(
      x: max(0, (bounds.width - fitScale * image.width) / 2),
      y: max(0, (bounds.height - fitScale * image.height) / 2))
  }
}

extension DoubleTapInput {
  /// Returns the unclamped offset that brings the place to the middle.
  fileprivate func freeOffset(_ position: ScrollPosition) -> ViewPoint {
    ViewPoint(
      x: position.zoom * place.x - scene.bounds.width / 2,
      y: position.zoom * place.y - scene.bounds.height / 2)
  }
}

extension ScrollPosition {
  /// Moves the offset within its limits.
  fileprivate mutating func moveOffset(by step: ViewPoint, in scene: DoubleTapScene) {
    let axes = scene.axes(self)
    offset = ViewPoint(
      x: (offset.x + step.x).clamped(to: 0...max(offset.x, axes[0].furthest)),
      y: (offset.y + step.y).clamped(to: 0...max(offset.y, axes[1].furthest)))
  }
}
