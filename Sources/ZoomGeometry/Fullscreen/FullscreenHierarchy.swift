/// Which views stand where while one of them is in full screen: the order of siblings, by names.
///
/// A view in full screen is a child of the window, and a proxy keeps its place among its siblings.
/// In the original form both only ever go on top (ZV-B8), and what happens to the controller beside
/// a tap leaves views in the wrong place (ZV-B6, ZV-B7).
public struct FullscreenHierarchy: Sendable, Hashable {
  /// A child of the superview.
  public enum Member: Sendable, Hashable {
    /// A view, by its name.
    case view(Int)
    /// The hidden view that keeps the place of the one in full screen.
    case proxy
  }

  /// The superview's children, from back to front.
  public private(set) var siblings: [Member]

  /// The views that stand in the window, from back to front.
  public private(set) var window: [Int] = []

  /// The view that taps move; nil once the controller is gone.
  public private(set) var view: Int?

  /// Whether turns of the device are listened to.
  public private(set) var isListening = false

  /// Whether this is the published form.
  public let form: ZoomForm

  /// Whether a view is in full screen: whether there is a proxy.
  public var isFullscreen: Bool { siblings.contains(.proxy) }

  /// Creates a superview with its children, all inline.
  ///
  /// - Parameters:
  ///   - siblings: The children's names, from back to front.
  ///   - view: The one that taps move.
  ///   - form: As it should be, or as published.
  /// - Throws: `GeometryError` if a name stands twice, or if `view` is not among them.
  public init(
    siblings: [Int], view: Int, form: ZoomForm = .corrected
  ) throws(GeometryError) {
    guard Set(siblings).count == siblings.count else {
      throw GeometryError(
        argument: "siblings", value: siblings, reason: .contradiction("has a name twice"))
    }
    self.siblings = siblings.map { .view($0) }
    self.form = form
    self.view = try Self.sibling(view, among: self.siblings)
  }

  private static func sibling(
    _ name: Int, among siblings: [Member]
  ) throws(GeometryError) -> Int {
    guard siblings.contains(.view(name)) else {
      throw GeometryError(
        argument: "view", value: name, reason: .contradiction("is no child of the superview"))
    }
    return name
  }

  /// Takes the view to full screen; nothing happens if one is there, or if there is none to take.
  public mutating func zoomIn() {
    guard !isFullscreen, let view, let place = siblings.firstIndex(of: .view(view)) else { return }
    switch form {
    case .corrected:
      siblings[place] = .proxy
    case .original:
      siblings.remove(at: place)
      siblings.append(.proxy)
    }
    window.append(view)
    isListening = true
  }

  /// Takes the view back; nothing happens if none is in full screen.
  public mutating func zoomOut() {
    guard let place = siblings.firstIndex(of: .proxy), let view else { return }
    switch form {
    case .corrected:
      siblings[place] = .view(view)
    case .original:
      // Adding a child that is there already moves it to the front.
      siblings.removeAll { $0 == .proxy || $0 == .view(view) }
      siblings.append(.view(view))
    }
    window.removeAll { $0 == view }
    isListening = false
  }

  /// Gives the controller another view.
  ///
  /// The one it had comes back first. The original toggles instead: a view that stands inline goes
  /// to full screen, and is nobody's from then on (ZV-B6).
  /// - Throws: `GeometryError` if, as it should be, the new view must be a sibling and is not.
  public mutating func replaceView(with next: Int) throws(GeometryError) {
    switch form {
    case .corrected:
      // Checked first: a refused view leaves everything as it was. The old view itself is no
      // sibling while it is in full screen.
      if next != view { _ = try Self.sibling(next, among: siblings) }
      zoomOut()
    case .original:
      if isFullscreen { zoomOut() } else { zoomIn() }
    }
    view = next
  }

  /// Ends the controller.
  ///
  /// The view comes back and nothing listens any more. The original does neither in full screen,
  /// where the next turn of the device calls an object that is gone (ZV-B7).
  public mutating func end() {
    if form == .corrected { zoomOut() }
    view = nil
  }
}
