extension Layer {
  /// Whether every number of the layer is finite.
  public var isFinite: Bool {
    switch self {
    case .picture(let layer):
      layer.transform.isFinite && layer.content.isFinite && layer.seen.isFinite
        && [layer.size.width, layer.size.height, layer.cornerRadius, layer.opacity]
          .allSatisfy(\.isFinite)
        && layer.shadow?.isFinite != false
    case .fill(let layer):
      layer.rect.isFinite && layer.transform.isFinite && layer.shadow?.isFinite != false
        && [layer.shade, layer.opacity, layer.cornerRadius].allSatisfy(\.isFinite)
    case .outline(let layer):
      layer.rect.isFinite && layer.width.isFinite && layer.shade.isFinite
        && layer.shadow?.isFinite != false
    }
  }
}

extension Shadow {
  fileprivate var isFinite: Bool {
    [offset.x, offset.y, radius, opacity].allSatisfy(\.isFinite)
  }
}

extension ViewRect {
  /// Whether its four numbers are finite.
  package var isFinite: Bool { [x, y, width, height].allSatisfy(\.isFinite) }
}

extension PictureRect {
  /// Whether its four numbers are finite.
  package var isFinite: Bool { [x, y, width, height].allSatisfy(\.isFinite) }
}
