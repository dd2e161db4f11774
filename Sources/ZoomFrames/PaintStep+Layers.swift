internal import ZoomGeometry
internal import ZoomPipeline

extension PaintStep {
  static func steps(of layer: FillLayer, on screen: Screen) -> [PaintStep] {
    let map = layer.transform.then(.scale(screen.scale))
    let shadow = ShadowShape(
      layer.shadow, of: layer.rect, cornerRadius: layer.cornerRadius, map, opacity: layer.opacity,
      on: screen)
    let area = RoundedRectangle(
      layer.rect, cornerRadius: layer.cornerRadius, map, opacity: layer.opacity, on: screen)
    return steps(shadow, layer.opacity > 0 ? area : nil, shade: layer.shade)
  }

  static func steps(of layer: OutlineLayer, on screen: Screen) -> [PaintStep] {
    steps(
      ShadowShape(layer.shadow, ofOutline: layer.rect, width: layer.width, on: screen),
      RectangleOutline(layer.rect, width: layer.width, on: screen), shade: layer.shade)
  }

  /// Returns the shadow of a picture's visible part, which may itself be off the screen.
  static func shadow(of layer: PictureLayer, on screen: Screen) -> [PaintStep] {
    guard let visible = layer.visible else { return [] }
    let shadow = ShadowShape(
      layer.shadow, of: visible, cornerRadius: layer.cornerRadius,
      layer.transform.then(.scale(screen.scale)), opacity: layer.opacity, on: screen)
    return steps(shadow, nil, shade: 0)
  }

  static func shape(of layer: PictureLayer, on screen: Screen) -> RoundedRectangle? {
    guard let visible = layer.visible else { return nil }
    return RoundedRectangle(
      visible, cornerRadius: layer.cornerRadius, layer.transform.then(.scale(screen.scale)),
      opacity: layer.opacity, on: screen)
  }

  /// Returns the steps of a shape over its shadow; nil for one that is not visible.
  private static func steps(
    _ shadow: ShadowShape?, _ shape: (any Shape)?, shade: Double
  ) -> [PaintStep] {
    var steps: [PaintStep] = []
    if let shadow { steps.append(PaintStep(shape: shadow, paint: .shade(0))) }
    if let shape {
      steps.append(PaintStep(shape: shape, paint: .shade(CoverageRow.coverage(shade))))
    }
    return steps
  }
}

extension PicturePlan {
  /// Returns the paint of pixels of the target.
  func paint(_ pixels: Pixels) -> Paint { .pixels(pixels, x: -target.x, y: -target.y) }

  /// Returns the paint of an exact plan's own pixels; nil if edges must be repeated in the target.
  func copying(_ part: HeldPart) -> Paint? {
    let origin = copiesTo
    guard target.x >= origin.x, target.y >= origin.y, target.maxX <= origin.x + part.size.width,
      target.maxY <= origin.y + part.size.height
    else { return nil }
    return .pixels(part.answer.pixels, x: part.x - origin.x, y: part.y - origin.y)
  }
}
