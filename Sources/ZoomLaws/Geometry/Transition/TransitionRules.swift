package import ZoomGeometry

/// The decisions of the gestures at full screen, of which a fault takes one wrong.
package struct TransitionRules: Sendable {
  /// An event of a pinch: the scale and the content it began with, the fingers as they are, and
  /// where the picture stands.
  package struct Pinched {
    package var pinch: TransitionPinch
    package var fit: TransitionFit
    package var pose: TransitionPose
    /// The distance of the fingers over that at the beginning, and over that of the event before.
    package var ratio, step: Double
    /// Where the middle of the fingers was when they came, and is.
    package var start, centre: ViewPoint
  }

  /// Where a picture stands during a pinch.
  package var pinched: @Sendable (Pinched) throws -> TransitionPose = {
    try $0.pinch.pose(ratio: $0.ratio, centre: $0.centre)
  }

  /// Where a picture comes to rest that is let go with a velocity.
  package var settled:
    @Sendable (TransitionFit, TransitionPose, _ about: ViewPoint, _ velocity: ViewPoint) throws ->
      TransitionPose = { try $0.thrown($1, about: $2, velocity: $3).pose }

  /// Where a single tap sends a picture; nil to dismiss it.
  package var singleTapped: @Sendable (TransitionFit, TransitionPose) -> TransitionPose? = {
    $0.singleTapped($1)
  }

  /// How a picture is turned for a device, given how it is.
  package var turned: @Sendable (DeviceOrientation, QuarterTurn) -> QuarterTurn? = { device, _ in
    device.contentTurn
  }

  package init() {}
}

/// The gestures by some rules, each step brought to rest at once.
struct CorrectedViewer {
  private let picture: PixelSize
  private let screen: Screen
  private let rules: TransitionRules
  private var fit: TransitionFit
  private var pose: TransitionPose
  private var pinch: TransitionPinch?
  private var ratio = 1.0
  private var start = ViewPoint(x: 0, y: 0)
  private var centre = ViewPoint(x: 0, y: 0)
  private var isDismissed = false

  init(picture: PixelSize, screen: Screen, rules: TransitionRules) throws {
    self.picture = picture
    self.screen = screen
    self.rules = rules
    fit = try TransitionFit(picture: picture, screen: screen)
    pose = fit.fitted
  }

  var view: TransitionSubject.ShownPicture {
    TransitionSubject.ShownPicture(
      transform: pose.transform(of: fit.full), full: fit.full, scale: pose.scale / fit.scale,
      maximum: fit.band.maximum, isDismissed: isDismissed)
  }

  mutating func take(_ step: TransitionSubject.ViewerStep) throws {
    isDismissed = false
    switch step {
    case .pan(let translation):
      pose.centre.x += translation.x
      pose.centre.y += translation.y
    case .endPan(let velocity):
      pose = try rules.settled(fit, pose, pose.centre, velocity)
    case .beginPinch(let point):
      pinch = try TransitionPinch(pose, fit: fit, centre: point)
      (ratio, start, centre) = (1, point, point)
    case .pinch(let ratio, let point):
      guard let pinch else { return }
      pose = try rules.pinched(
        TransitionRules.Pinched(
          pinch: pinch, fit: fit, pose: pose, ratio: ratio, step: ratio / self.ratio,
          start: start, centre: point))
      (self.ratio, centre) = (ratio, point)
    case .endPinch, .cancel:
      pose = try rules.settled(
        fit, pose, pinch == nil ? pose.centre : centre, ViewPoint(x: 0, y: 0))
      pinch = nil
    case .singleTap:
      if let reset = rules.singleTapped(fit, pose) { pose = reset } else { isDismissed = true }
    case .doubleTap(let point):
      pose = try fit.doubleTapped(pose, at: point)
    case .turn(let device, _):
      guard let turn = rules.turned(device, fit.turn), turn != fit.turn else { return }
      fit = try TransitionFit(picture: picture, screen: screen, turn: turn)
      pose = fit.fitted
      pinch = nil
    }
  }
}
