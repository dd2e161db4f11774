extension FullscreenModel {
  /// How light the page and the caption are.
  static let pageShade = 0.9
  static let captionShade = 0.35

  func layers() throws(GeometryError) -> [Layer] {
    var layers = [Layer.fill(FillLayer(rect: screen.bounds, shade: Self.pageShade))]
    for sibling in hierarchy.siblings {
      switch sibling {
      case .view(Self.captionName): layers.append(.fill(caption))
      case .view: layers += view
      case .proxy: break
      }
    }
    guard hierarchy.isFullscreen else { return layers }
    if run?.isTurn == true {
      layers.append(.fill(FillLayer(rect: try blanking(), shade: 0)))
    }
    return layers + view
  }

  /// A sibling before the view: a strip over the lowest quarter of its place.
  private var caption: FillLayer {
    let height = home.height / 4
    return FillLayer(
      rect: ViewRect(x: home.x, y: home.maxY - height, width: home.width, height: height),
      shade: Self.captionShade)
  }

  /// The picture, fitted into the view, over black.
  ///
  /// While the view turns there is only the blanking view behind it: a card would hide some of
  /// what that one leaves uncovered (ZV-B3).
  private var view: [Layer] {
    let shown = shown
    let fitted = AspectFit(picture: picture, viewport: shown.size).frame
    var layer = PictureLayer(whole: picture, in: fitted)
    layer.transform = layer.transform.then(shown.layer.toParent)
    let bounds = ViewRect(x: 0, y: 0, width: shown.size.width, height: shown.size.height)
    let card = Layer.fill(FillLayer(rect: bounds, transform: shown.layer.toParent, shade: 0))
    return run?.isTurn == true ? [.picture(layer)] : [card, .picture(layer)]
  }
}
