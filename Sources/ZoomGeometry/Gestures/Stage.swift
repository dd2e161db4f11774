/// What is around the picture when a script begins, for the systems that start from something.
public struct Stage: Sendable, Hashable {
  /// Where the picture stands at first, in points of the innermost ancestor.
  ///
  /// It is the inline view, the thumbnail, the pressed view; each system has a place of its own if
  /// nil.
  public var view: ViewRect?

  /// The radius of that view's corners, in points.
  public var cornerRadius: Double

  /// The views around it, from its parent outwards to the viewport's child.
  public var ancestors: [Ancestor]

  /// Whether the window turns with the interface; told from its shape and the interface if nil.
  public var window: WindowKind?

  /// Which of the things that force drives is shown.
  public var forceExhibit: ForceExhibit

  /// Creates a stage.
  public init(
    view: ViewRect? = nil, cornerRadius: Double = 0, ancestors: [Ancestor] = [],
    window: WindowKind? = nil, forceExhibit: ForceExhibit = .zoom
  ) {
    self.window = window
    self.view = view
    self.cornerRadius = cornerRadius
    self.ancestors = ancestors
    self.forceExhibit = forceExhibit
  }

  /// A view around others.
  public struct Ancestor: Sendable, Hashable {
    /// Where it stands in its parent, in the parent's points, before it is scaled.
    public var frame: ViewRect
    /// What of its content stands in its corner: a scroll view's content offset, in points.
    public var scroll: ViewPoint
    /// By how much it is scaled about its centre.
    public var scale: Double

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
}

/// What the 3D-force system shows.
public enum ForceExhibit: String, Sendable, Hashable, Codable, CaseIterable {
  /// The picture grows about the finger.
  case zoom
  /// A button sinks: its shadow closes up.
  case button
  /// A prepared animation is driven back and forth.
  case animation
}
