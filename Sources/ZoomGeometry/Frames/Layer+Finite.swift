extension Layer {
  /// Whether every number of the layer is finite.
  public var isFinite: Bool {
    // No arrays: this runs for each layer of each frame.
    switch self {
    case .picture(let layer):
      layer.transform.isFinite && layer.content.isFinite && layer.seen.isFinite
        && layer.size.width.isFinite && layer.size.height.isFinite && layer.cornerRadius.isFinite
        && layer.opacity.isFinite && layer.shadow?.isFinite != false
    case .fill(let layer):
      layer.rect.isFinite && layer.transform.isFinite && layer.shadow?.isFinite != false
        && layer.shade.isFinite && layer.opacity.isFinite && layer.cornerRadius.isFinite
    case .outline(let layer):
      layer.rect.isFinite && layer.width.isFinite && layer.shade.isFinite
        && layer.shadow?.isFinite != false
    }
  }
}

extension Shadow {
  fileprivate var isFinite: Bool {
    offset.x.isFinite && offset.y.isFinite && radius.isFinite && opacity.isFinite
  }
}

extension ViewRect {
  /// Whether its four numbers are finite.
  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

extension PictureRect {
  /// Whether its four numbers are finite.
  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}
