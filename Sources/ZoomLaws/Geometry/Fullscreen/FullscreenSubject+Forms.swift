import ZoomGeometry

extension FullscreenSubject {
  /// The controller as it should be.
  public static let corrected = FullscreenSubject(
    "fullscreen corrected",
    layer: { try setup($0).layer },
    transform: { try setup($0).transform(centre: $1) },
    blanking: { try setup($0).blanking },
    roundTrip: { trip in
      let shown = try setup(trip.setting).layer
      return Return(
        layer: try FullscreenSetup.zoomedOut(shown, to: trip.proxy),
        siblings: try siblings(after: trip, .corrected))
    },
    converted: { rect, ancestors in
      let chain = try ViewChain(ancestors)
      return try chain.toWindow(chain.fromWindow(rect))
    })

  /// The controller as it was published.
  public static let original = FullscreenSubject(
    "fullscreen original",
    layer: { original($0).layer },
    // In the shipped program the bounds are assigned first, so the transform is made from them and
    // does not know where the view stands.
    transform: { setting, _ in original(setting).layer.transform },
    blanking: { original($0).blanking },
    roundTrip: { trip in
      let shown = original(trip.setting).layer
      return Return(
        layer: OriginalFullscreen.zoomedOut(shown, to: trip.proxy).end,
        siblings: try siblings(after: trip, .original))
    },
    converted: { rect, ancestors in
      OriginalFullscreen.toWindow(
        OriginalFullscreen.fromWindow(rect, through: ancestors), through: ancestors)
    })

  private static func setup(_ setting: WindowSetting) throws -> FullscreenSetup {
    try FullscreenSetup(
      window: setting.window, kind: setting.kind, device: setting.device,
      interface: setting.interface)
  }

  private static func original(_ setting: WindowSetting) -> OriginalFullscreen {
    OriginalFullscreen(
      window: ViewSize(width: setting.window.width, height: setting.window.height),
      device: setting.device, interface: setting.interface)
  }

  private static func siblings(after trip: Trip, _ form: ZoomForm) throws -> [Int] {
    var hierarchy = try FullscreenHierarchy(siblings: trip.siblings, view: trip.view, form: form)
    hierarchy.zoomIn()
    hierarchy.zoomOut()
    return hierarchy.siblings.compactMap {
      if case .view(let name) = $0 { name } else { nil }
    }
  }
}
