/// The order of a superview's children while one of them is in full screen.
///
/// A view in full screen is a child of the window, and a proxy keeps its place among its siblings.
/// As published both only ever go on top (ZV-B8).
struct FullscreenHierarchy: Sendable {
  /// A child of the superview.
  enum Member: Sendable, Hashable {
    /// A view, by its name.
    case view(Int)
    /// The hidden view that keeps the place of the one in full screen.
    case proxy
  }

  /// The superview's children, from back to front.
  private(set) var siblings: [Member]
  /// The one that taps move.
  let view: Int
  /// Whether view and proxy stand where the other did; otherwise in front of all.
  let keepsPlaces: Bool

  /// Whether the view is in full screen: whether there is a proxy.
  var isFullscreen: Bool { siblings.contains(.proxy) }

  /// Creates a superview with its children, all inline, of which one is the view.
  init(siblings: [Int], view: Int, keepsPlaces: Bool) {
    self.siblings = siblings.map { .view($0) }
    self.view = view
    self.keepsPlaces = keepsPlaces
  }

  /// Takes the view to full screen; nothing happens if it is there.
  mutating func zoomIn() { replace(.view(view), by: .proxy) }

  /// Takes the view back; nothing happens if it is inline.
  mutating func zoomOut() { replace(.proxy, by: .view(view)) }

  private mutating func replace(_ old: Member, by new: Member) {
    guard let place = siblings.firstIndex(of: old) else { return }
    siblings.remove(at: place)
    siblings.insert(new, at: keepsPlaces ? place : siblings.count)
  }
}
