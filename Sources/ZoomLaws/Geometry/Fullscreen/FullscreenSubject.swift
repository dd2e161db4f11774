public import ZoomGeometry

/// A controller that takes a view to full screen and back and turns it with the device.
public struct FullscreenSubject: LawSubject {
  /// A window, and how device and interface are turned.
  public struct WindowSetting: Sendable, Hashable {
    /// The rectangle to fill, in points.
    public var window: ViewRect
    /// Whether the window's points turn with the interface.
    public var kind = WindowKind.fixed
    /// How the device is held.
    public var device = DeviceOrientation.portrait
    /// How the interface is drawn.
    public var interface = InterfaceOrientation.portrait
  }

  /// A way to full screen and back.
  public struct Trip: Sendable, Hashable {
    /// Where the view stands inline, in points of the window.
    public var home: ViewRect
    /// Where its proxy stands at the end: the same, unless the page was laid out anew meanwhile.
    public var proxy: ViewRect
    /// The superview's children from back to front.
    public var siblings: [Int]
    /// Which of them is taken to full screen.
    public var view: Int
    /// The window and the way the device is held when the view comes back.
    public var setting: WindowSetting
  }

  /// What a trip leaves.
  public struct Return: Sendable, Hashable {
    /// The view as it stands at the end.
    public var layer: ViewLayer
    /// The superview's children from back to front, without a proxy.
    public var siblings: [Int]

    /// A return.
    public init(layer: ViewLayer, siblings: [Int]) {
      self.layer = layer
      self.siblings = siblings
    }
  }

  /// What reports call it.
  public let name: String
  /// The view in full screen.
  public var layer: @Sendable (WindowSetting) throws -> ViewLayer
  /// The transform of a view whose centre stands at a point of the window.
  public var transform: @Sendable (WindowSetting, _ centre: ViewPoint) throws -> Affine
  /// The black rectangle behind a view that turns.
  public var blanking: @Sendable (WindowSetting) throws -> ViewRect
  /// What a trip leaves.
  public var roundTrip: @Sendable (Trip) throws -> Return
  /// A rectangle of the window, converted into some ancestors and back.
  public var converted: @Sendable (ViewRect, [ViewLayer]) throws -> ViewRect

  /// A subject of one's own.
  public init(
    _ name: String,
    layer: @escaping @Sendable (WindowSetting) throws -> ViewLayer,
    transform: @escaping @Sendable (WindowSetting, ViewPoint) throws -> Affine,
    blanking: @escaping @Sendable (WindowSetting) throws -> ViewRect,
    roundTrip: @escaping @Sendable (Trip) throws -> Return,
    converted: @escaping @Sendable (ViewRect, [ViewLayer]) throws -> ViewRect
  ) {
    self.name = name
    self.layer = layer
    self.transform = transform
    self.blanking = blanking
    self.roundTrip = roundTrip
    self.converted = converted
  }
}

extension FullscreenSubject.WindowSetting {
  /// The setting in words: "window 375x667 at (0, 0), device landscapeLeft, interface portrait".
  public var inWords: String {
    (kind == .turning ? "turning window " : "window ")
      + "\(window.inWords), device \(device), interface \(interface)"
  }
}

extension FullscreenSubject.Trip {
  /// The trip in words: "view 1 of 3 from 100x100 at (0, 0) and back, window …".
  public var inWords: String {
    let end = proxy == home ? "and back" : "and back to \(proxy.inWords)"
    return "view \(view) of \(siblings.count) from \(home.inWords) \(end), \(setting.inWords)"
  }
}

extension ViewLayer {
  /// The layer in words: its size and place, and its contents' place and map where it has any.
  var inWords: String {
    var words = "\(size.inWords) about \(position.inWords)"
    if boundsOrigin != ViewPoint(x: 0, y: 0) { words += " scrolled to \(boundsOrigin.inWords)" }
    if transform != .identity {
      let numbers = [transform.a, transform.b, transform.c, transform.d].map { $0.inWords }
      words += " mapped by (\(numbers.joined(separator: ", ")))"
    }
    return words
  }
}
