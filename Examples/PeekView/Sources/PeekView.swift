public import CoreGraphics
import QuartzCore
public import UIKit
public import ZoomGeometry

/// A picture that opens from a thumbnail to full screen, is panned, pinched, double-tapped and closed, and
/// that peeks, pixel for pixel, under a hard or a long press while all of it is seen.
///
/// It holds two systems: the transition, and the peek over it. Both get the touches until one of them
/// has understood a gesture: then the touches of the other are cancelled.
public final class PeekView: UIView {
  /// Gets everything that happens: peek, pop, present, dismiss and so on.
  public var onEvent: ((ZoomEvent) -> Void)?

  private var transition: FollowedZoom
  private var peek: FollowedZoom
  private let canvas: LayerCanvas
  private lazy var link = UIUpdateLink(view: self)

  /// Creates a view of an upright picture.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - thumbnail: Where it is seen at first and goes back to, in the view's points.
  ///   - press: What tells a press; `PressSource(hardwareOf: traitCollection)` knows the screen's.
  /// - Throws: `GeometryError` if a number cannot be calculated with.
  public init(
    image: CGImage, thumbnail: CGRect, press: PressSource = .longPress(LongPress())
  ) throws(GeometryError) {
    let picture = try PixelSize(width: image.width, height: image.height)
    // Until the first layout.
    let screen = try Screen(size: ViewSize(width: 1, height: 1))
    let stage = Stage(view: ViewRect(thumbnail))
    transition = FollowedZoom(
      try LiveZoom(.transition, picture: picture, scene: ZoomScene(screen: screen, stage: stage)))
    peek = FollowedZoom(
      try LiveZoom(.peek, picture: picture, scene: ZoomScene(screen: screen, press: press)))
    canvas = LayerCanvas(image)
    super.init(frame: .zero)
    isMultipleTouchEnabled = true
    clipsToBounds = true
    layer.addSublayer(canvas.root)
    link.addAction { [weak self] _, info in self?.advance(to: info.modelTime) }
    link.requiresContinuousUpdates = true
  }

  /// Not to be used: a view of a storyboard has no picture.
  @available(*, unavailable)
  public required init?(coder: NSCoder) { fatalError("made in code only") }

  /// Sends the picture back to its thumbnail.
  public func close() {
    step { () throws(GeometryError) in try transition.handle(.close) }
  }

  public override func layoutSubviews() {
    super.layoutSubviews()
    guard bounds.width > 0, bounds.height > 0 else { return }
    step { () throws(GeometryError) in
      let screen = try Screen(of: self)
      guard screen != transition.zoom.screen else { return }
      try transition.handle(.screen(screen))
      // The transition fits the picture in all of the screen, so the peek has to look there, too.
      try peek.handle(.screen(Screen(size: screen.size, scale: screen.scale)))
    }
  }

  public override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    step { () throws(GeometryError) in
      transition.follow(touches)
      if try showsWholePicture() { peek.follow(touches) }
    }
    take(.began, touches, event)
  }

  public override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    take(.moved, touches, event)
  }

  public override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    take(.ended, touches, event)
  }

  public override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    take(.cancelled, touches, event)
  }

  private func take(_ phase: TouchPhase, _ touches: Set<UITouch>, _ event: UIEvent?) {
    step { () throws(GeometryError) in
      try transition.handle(phase, touches, with: event, in: self)
      try peek.handle(phase, touches, with: event, in: self)
    }
  }

  private func advance(to time: Double) {
    step { () throws(GeometryError) in
      // Touches may have been later.
      try transition.zoom.advance(to: max(time, transition.zoom.time))
      try peek.zoom.advance(to: max(time, peek.zoom.time))
    }
  }

  /// Whether the transition shows the picture where the peek takes it to be.
  private func showsWholePicture() throws(GeometryError) -> Bool {
    guard case .picture(let shown) = try transition.zoom.layers().last, shown.mask == nil,
      case .picture(let known) = try peek.zoom.layers().first
    else { return false }
    let one = shown.transform.boundingBox(of: shown.seen)
    let other = known.transform.boundingBox(of: known.seen)
    return !transition.zoom.isMoving && abs(one.x - other.x) < 1 && abs(one.y - other.y) < 1
      && abs(one.maxX - other.maxX) < 1 && abs(one.maxY - other.maxY) < 1
  }

  /// Changes the systems, settles which of them has the touches, and draws.
  private func step(_ change: () throws(GeometryError) -> Void) {
    do throws(GeometryError) {
      try change()
      let events = transition.zoom.events + peek.zoom.events
      if events.contains(.peek) {
        try transition.cancel()
      } else if events.contains(.panBegan) || events.contains(.pinchBegan) {
        try peek.cancel()
      }
      transition.zoom.clearEvents()
      peek.zoom.clearEvents()
      // The first layer of the peek is the whole picture, which the transition draws.
      canvas.draw(try transition.zoom.layers() + peek.zoom.layers().dropFirst())
      link.isEnabled = transition.zoom.isMoving || peek.zoom.isMoving
      for event in events { onEvent?(event) }
    } catch {
      // Only numbers that UIKit does not give lead here; what was drawn stays.
      assertionFailure("\(error)")
    }
  }
}

/// A system, and the touches that it follows: it is told only of those whose beginning it was told of.
private struct FollowedZoom {
  var zoom: LiveZoom
  /// Not the touches themselves, which are UIKit's to keep.
  private var followed: Set<ObjectIdentifier> = []

  init(_ zoom: LiveZoom) { self.zoom = zoom }

  /// Follows touches that begin, from the next call of `handle` on.
  mutating func follow(_ touches: Set<UITouch>) {
    followed.formUnion(touches.map { ObjectIdentifier($0) })
  }

  @MainActor
  mutating func handle(
    _ phase: TouchPhase, _ touches: Set<UITouch>, with event: UIEvent?, in view: UIView
  ) throws(GeometryError) {
    let own = touches.filter { followed.contains(ObjectIdentifier($0)) }
    try zoom.handle(phase, own, with: event, in: view)
    if phase == .ended || phase == .cancelled {
      followed.subtract(own.map { ObjectIdentifier($0) })
    }
  }

  /// Takes what is no touch, now.
  mutating func handle(_ kind: GestureEvent.Kind) throws(GeometryError) {
    try zoom.handle(GestureEvent(time: max(CACurrentMediaTime(), zoom.time), kind: kind))
  }

  /// Leaves the fingers that are down to the other system, until they lift.
  mutating func cancel() throws(GeometryError) {
    followed = []
    try handle(.cancelAll)
  }
}
