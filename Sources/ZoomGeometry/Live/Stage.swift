/// The views around the picture, for the systems that start from a view.
public struct Stage: Sendable, Hashable, Encodable {
  /// The initial frame of the picture, in points of the innermost ancestor.
  ///
  /// It is the inline view, the thumbnail or the pressed view. If nil, each system uses its default
  /// frame inside the screen's safe area.
  public var view: ViewRect?
  /// The radius of that view's corners, in points.
  public var cornerRadius: Double
  /// The views around it, from its parent outwards to the viewport's child; at most 16.
  public var ancestors: [Ancestor]
  /// The kind of the window: its coordinates are fixed, or turn with the interface.
  ///
  /// If nil, it is derived from the window's shape and the interface.
  public var window: WindowKind?
  /// The exhibit of the 3D-force system.
  public var forceExhibit: ForceExhibit
  /// The direction in which the page is read: the transition's usual thumbnail is at the leading side.
  public var direction: LayoutDirection

  enum CodingKeys: String, CodingKey {
    case view, cornerRadius, ancestors, window
    case forceExhibit = "force"
    case direction
  }

  /// Creates a stage.
  public init(
    view: ViewRect? = nil, cornerRadius: Double = 0, ancestors: [Ancestor] = [],
    window: WindowKind? = nil, forceExhibit: ForceExhibit = .zoom,
    direction: LayoutDirection = .leftToRight
  ) {
    self.window = window
    self.view = view
    self.cornerRadius = cornerRadius
    self.ancestors = ancestors
    self.forceExhibit = forceExhibit
    self.direction = direction
  }

  /// A view that contains the picture's view.
  public struct Ancestor: Sendable, Hashable, Encodable {
    /// The frame in its parent, in the parent's points, before it is scaled.
    public var frame: ViewRect
    /// The point of its content at its top left corner: a scroll view's content offset.
    public var scroll: ViewPoint
    /// The scale about its centre: 0.001 to 1000.
    public var scale: Double

    enum CodingKeys: String, CodingKey {
      case frame, scroll, scale
    }

    /// Creates an ancestor.
    public init(frame: ViewRect, scroll: ViewPoint = ViewPoint(x: 0, y: 0), scale: Double = 1) {
      self.frame = frame
      self.scroll = scroll
      self.scale = scale
    }

    /// The ancestor as Core Animation places it.
    public var layer: ViewLayer {
      var layer = ViewLayer(frame: frame, boundsOrigin: scroll)
      layer.transform = .scale(scale)
      return layer
    }
  }

  /// The map from the innermost ancestor's points to the viewport's.
  var toViewport: Affine { ancestors.reduce(.identity) { $0.then($1.layer.toParent) } }

  /// Returns a rectangle of the innermost ancestor in points of the viewport.
  package func placed(_ rect: ViewRect) -> ViewRect {
    // The linear part maps the size. The difference of two mapped corners would lose digits, and
    // would be zero for a small view far out.
    let box = toViewport.linear.boundingBox(of: rect.size.atOrigin)
    return box.moved(by: toViewport.apply(to: rect.origin))
  }

  func check() throws(GeometryError) {
    if let view { _ = try GeometryError.rect(view, "stage.view") }
    _ = try GeometryError.notNegative(cornerRadius, "stage.cornerRadius")
    _ = try GeometryError.point(cornerRadius, "stage.cornerRadius")
    for (number, ancestor) in ancestors.enumerated() {
      let place = "stage.ancestors[\(number)]"
      _ = try GeometryError.rect(ancestor.frame, "\(place).frame")
      _ = try GeometryError.point(ancestor.scroll, "\(place).scroll")
      // The scales of nested ancestors multiply.
      guard (0.001...1000).contains(ancestor.scale) else {
        throw GeometryError(
          argument: "\(place).scale", value: ancestor.scale,
          reason: .contradiction("is not between 0.001 and 1000"))
      }
    }
    guard ancestors.count <= 16 else {
      throw GeometryError(
        argument: "stage.ancestors", value: ancestors.count,
        reason: .contradiction("views are more than 16"))
    }
  }
}

/// The direction in which a page is read.
public enum LayoutDirection: String, Sendable, Hashable, Codable, CaseIterable {
  case leftToRight = "left-to-right"
  case rightToLeft = "right-to-left"
}
