extension ForceModel {
  func layers() throws(GeometryError) -> [Layer] {
    let page = Layer.fill(FillLayer(rect: screen.bounds, shade: 0.9))
    switch stage.forceExhibit {
    case .zoom: return [page, .picture(try zoomed())]
    case .button: return [page, .fill(try button())]
    case .animation: return [page, .picture(try animated())]
    }
  }

  private func zoomed() throws(GeometryError) -> PictureLayer {
    switch form {
    case .corrected:
      let zoom = try ForceZoom(fitting: picture, in: view, range: range)
      guard let press else { return PictureLayer(whole: picture, in: zoom.frame) }
      return PictureLayer(
        whole: picture, in: try zoom.frame(at: press.finger, force: press.force))
    case .original:
      let zoom = OriginalForceZoom(view: view, captured: captured)
      let layer = press.map { zoom.layer(at: $0.finger, force: $0.force) } ?? ViewLayer(frame: view)
      // The picture's frame in the view's own space, then as the view's layer is placed.
      let own = ViewRect(x: 0, y: 0, width: view.width, height: view.height)
      var shown = PictureLayer(whole: picture, in: own.fitting(picture))
      shown.transform = shown.transform.then(layer.toParent)
      return shown
    }
  }

  private func button() throws(GeometryError) -> FillLayer {
    let force = press?.force ?? 0
    let shadow =
      switch form {
      case .corrected: try ForceButton(range: range).shadow(at: force)
      case .original: OriginalForceButton().shadow(at: force)
      }
    // The button stands out from the page by its shadow more than by its shade.
    return FillLayer(rect: view, shade: 0.83, cornerRadius: stage.cornerRadius, shadow: shadow)
  }

  private func animated() throws(GeometryError) -> PictureLayer {
    let force = press?.force ?? 0
    let pose =
      switch form {
      case .corrected: try ForceAnimation(range: range).pose(at: force)
      case .original: OriginalForceAnimation().pose(at: force)
      }
    // The fitted picture has the view's centre, so it stands as it would inside the scaled view.
    return PictureLayer(whole: picture, in: pose.frame(of: view.fitting(picture)))
  }
}
