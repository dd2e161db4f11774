import ZoomGeometry

extension TransitionSubject {
  /// Everything as it was published.
  public static let original = TransitionSubject(
    "transition original",
    presented: { setup in
      var viewer = try OriginalViewer(picture: setup.picture, screen: setup.screen)
      return viewer.crop(to: setup)
    },
    dismissed: { setup, steps in
      var viewer = try OriginalViewer(picture: setup.picture, screen: setup.screen)
      for step in steps { viewer.take(step) }
      return viewer.crop(to: setup)
    },
    mask: { setup, share, isClosing in
      let full = try OriginalViewer(picture: setup.picture, screen: setup.screen).full
      let transition = OriginalTransition(
        frame: full, thumbnail: setup.thumbnail, cornerRadius: setup.cornerRadius)
      return isClosing ? transition.mask(closedBy: share) : transition.mask(openedBy: share)
    },
    view: { picture, screen, steps in
      var viewer = try OriginalViewer(picture: picture, screen: screen)
      for step in steps { viewer.take(step) }
      return viewer.shown
    },
    landing: {
      let inertia = OriginalPanInertia(
        centre: $0.centre, velocity: $0.velocity, box: $0.box, viewport: $0.viewport)
      return Landing(
        target: inertia.target, duration: inertia.duration, damping: inertia.damping)
    },
    // The published component leaves taps to UIKit, for which the arbiter stands.
    taps: { try arbitrate($0, delay: $1) })
}

/// The published gestures on the published image view.
private struct OriginalViewer {
  let full: ViewRect
  var view: OriginalImageView
  /// The ratio and the middle of the last event of a pinch.
  var last: (ratio: Double, centre: ViewPoint)?
  var isDismissed = false

  init(picture: PixelSize, screen: Screen) throws {
    // The aspect fit is the same in both forms, and depends on no thumbnail.
    full = try Transition(
      picture: picture, viewport: screen.size, thumbnail: screen.bounds
    ).full
    view = OriginalImageView(frame: full, viewport: screen.size)
  }

  var shown: TransitionSubject.ShownPicture {
    TransitionSubject.ShownPicture(
      transform: view.layer.toParent,
      full: ViewSize(width: full.width, height: full.height), scale: view.scale,
      maximum: PinchBand.publishedMaximum, isDismissed: isDismissed)
  }

  /// The crop that is made from the view's frame as it stands, in points that are taken for its own.
  mutating func crop(to setup: TransitionSubject.Presentation) -> TransitionSubject.ThumbnailCrop {
    let transition = OriginalTransition(
      frame: view.layer.frame, thumbnail: setup.thumbnail, cornerRadius: setup.cornerRadius)
    var layer = view.layer
    layer.transform = transition.startTransform
    return TransitionSubject.ThumbnailCrop(
      full: full, scale: transition.scale, transform: layer.toParent, mask: transition.mask,
      radius: transition.maskRadius)
  }

  mutating func take(_ step: TransitionSubject.ViewerStep) {
    isDismissed = false
    switch step {
    case .pan(let translation): view.pan(by: translation)
    case .endPan(let velocity): _ = view.endPan(velocity: velocity)
    case .beginPinch(let point):
      view.beginPinch(at: point)
      last = (1, point)
    case .pinch(let ratio, let point):
      guard let last else { return }
      view.pan(by: ViewPoint(x: point.x - last.centre.x, y: point.y - last.centre.y))
      view.pinch(by: ratio / last.ratio)
      self.last = (ratio, point)
    case .endPinch:
      view.endPinch()
      last = nil
    // Nothing was published for it (TI-B12).
    case .cancel: last = nil
    case .singleTap: isDismissed = view.singleTap()
    case .doubleTap: _ = view.doubleTap()
    case .turn(let device, let isHasty):
      view.turn(to: device)
      if !isHasty { view.completeTurn() }
    }
  }
}
