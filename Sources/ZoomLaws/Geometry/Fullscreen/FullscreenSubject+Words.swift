import ZoomGeometry

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
