import ZoomGeometry

// Everything with x and y exchanged: mirrored on the diagonal through the screen's corner.

extension ViewPoint {
  var transposed: ViewPoint { ViewPoint(x: y, y: x) }
}

extension ViewSize {
  var transposed: ViewSize { ViewSize(width: height, height: width) }
}

extension ViewRect {
  var transposed: ViewRect { ViewRect(x: y, y: x, width: height, height: width) }
}

extension Affine {
  /// The map between the mirrored places.
  var transposed: Affine { Affine(a: d, b: c, c: b, d: a, tx: ty, ty: tx) }
}

extension GestureEvent {
  /// Touches and screens with x and y exchanged; the rest as it is.
  func transposed() throws -> GestureEvent {
    var event = self
    switch kind {
    case .touches(let phase, let touches):
      event.kind = .touches(
        phase,
        touches.map { Touch(id: $0.id, point: $0.point.transposed, force: $0.force) })
    case .screen(let screen):
      event.kind = .screen(try Screen(size: screen.size.transposed, scale: screen.scale))
    case .device, .interface, .cancelAll, .close: break
    }
    return event
  }
}

extension Layer {
  /// The numbers of a layer, or of the layer with x and y exchanged, to be compared but for rounding.
  func numbers(transposed: Bool) -> [Double] {
    func numbers(_ point: ViewPoint) -> [Double] {
      transposed ? [point.y, point.x] : [point.x, point.y]
    }
    func numbers(_ rect: ViewRect) -> [Double] {
      let rect = transposed ? rect.transposed : rect
      return [rect.x, rect.y, rect.width, rect.height]
    }
    func numbers(_ map: Affine) -> [Double] {
      let map = transposed ? map.transposed : map
      return [map.a, map.b, map.c, map.d, map.tx, map.ty]
    }
    func numbers(_ shadow: Shadow?) -> [Double] {
      shadow.map { numbers($0.offset) + [$0.radius, $0.opacity] } ?? [-1]
    }
    switch self {
    case .picture(let layer):
      let content = ViewRect(
        x: layer.content.x, y: layer.content.y, width: layer.content.width,
        height: layer.content.height)
      let size = ViewRect(x: 0, y: 0, width: layer.size.width, height: layer.size.height)
      return [0] + numbers(content) + numbers(size) + numbers(layer.transform)
        + (layer.mask.map { numbers($0) } ?? [-1]) + numbers(layer.shadow)
        + [layer.cornerRadius, layer.opacity]
    case .fill(let layer):
      return [1] + numbers(layer.rect) + numbers(layer.transform) + numbers(layer.shadow)
        + [layer.shade, layer.opacity, layer.cornerRadius]
    case .outline(let layer):
      return [2] + numbers(layer.rect) + numbers(layer.shadow) + [layer.width, layer.shade]
    }
  }
}
