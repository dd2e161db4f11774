internal import ZoomGeometry

extension PaintStep {
  /// Returns the steps of a layer's shadow and, unless it is a picture, of the layer.
  ///
  /// Either may be visible alone.
  static func steps(of layer: Layer, on screen: Screen) -> [PaintStep] {
    let shadow: ShadowShape?
    var above: PaintStep?
    switch layer {
    case .picture(let layer):
      shadow = layer.visible.flatMap {
        ShadowShape(
          layer.shadow, of: $0, cornerRadius: layer.cornerRadius, layer.transform,
          opacity: layer.opacity, on: screen)
      }
    case .fill(let layer):
      shadow = ShadowShape(
        layer.shadow, of: layer.rect, cornerRadius: layer.cornerRadius, layer.transform,
        opacity: layer.opacity, on: screen)
      above = RoundedRectangle(
        layer.rect, cornerRadius: layer.cornerRadius, layer.transform, opacity: layer.opacity,
        on: screen
      ).map { PaintStep(shape: $0, paint: .shade(layer.shade)) }
    case .outline(let layer):
      shadow = ShadowShape(
        layer.shadow, of: layer.rect.grown(by: layer.width / 2), cornerRadius: 0, .identity,
        opacity: 1, line: layer.width, on: screen)
      above = RectangleOutline(layer.rect, width: layer.width, on: screen)
        .map { PaintStep(shape: $0, paint: .shade(layer.shade)) }
    }
    return [shadow.map { PaintStep(shape: $0, paint: .shade(0)) }, above].compactMap(\.self)
  }
}
