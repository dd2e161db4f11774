internal import ZoomGeometry
internal import ZoomPipeline

extension PaintStep {
  static func steps(of layer: FillLayer, on screen: Screen) -> [PaintStep] {
    let map = layer.transform.then(.scale(screen.scale))
    let shadow = ShadowShape(
      layer.shadow, of: layer.rect, cornerRadius: layer.cornerRadius, map, opacity: layer.opacity,
      on: screen)
    let area =
      layer.opacity > 0
      ? RoundedRectangle(
        layer.rect, cornerRadius: layer.cornerRadius, map, opacity: layer.opacity, on: screen)
      : nil
    return [shadow.map(black), area.map { PaintStep(shape: $0, paint: grey(layer.shade)) }]
      .compactMap(\.self)
  }

  static func steps(of layer: OutlineLayer, on screen: Screen) -> [PaintStep] {
    let shadow = ShadowShape(
      layer.shadow, ofOutline: layer.rect, width: layer.width, on: screen)
    let line = RectangleOutline(layer.rect, width: layer.width, on: screen)
    return [shadow.map(black), line.map { PaintStep(shape: $0, paint: grey(layer.shade)) }]
      .compactMap(\.self)
  }

  /// Returns the shadow of a picture's visible part, which may itself be off the screen.
  static func shadow(of layer: PictureLayer, on screen: Screen) -> [PaintStep] {
    guard let visible = layer.visible else { return [] }
    return ShadowShape(
      layer.shadow, of: visible, cornerRadius: layer.cornerRadius,
      layer.transform.then(.scale(screen.scale)), opacity: layer.opacity, on: screen
    ).map { [black($0)] } ?? []
  }

  static func shape(of layer: PictureLayer, on screen: Screen) -> RoundedRectangle? {
    guard let visible = layer.visible else { return nil }
    return RoundedRectangle(
      visible, cornerRadius: layer.cornerRadius, layer.transform.then(.scale(screen.scale)),
      opacity: layer.opacity, on: screen)
  }

  private static func black(_ shadow: ShadowShape) -> PaintStep {
    PaintStep(shape: shadow, paint: .shade(0))
  }

  private static func grey(_ shade: Double) -> Paint { .shade(CoverageRow.coverage(shade)) }
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
