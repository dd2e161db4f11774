// swift-format-ignore-file: NeverForceUnwrap

// Runs the glue and PeekView against the stubs: what UIKit and AppKit would hand over, and what comes out.
import AppKit
import PeekView
import UIKit
import ZoomGeometry

func expect(_ isSo: Bool, _ sentence: String, line: Int = #line) {
  guard !isSo else { return print("so: \(sentence)") }
  print("NOT SO (line \(line)): \(sentence)")
  exit(1)
}

let picture = try PixelSize(width: 3000, height: 4000)
let size = ViewSize(width: 390, height: 844)
let view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
view.stubInsets = UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
view.stubTraits = UITraitCollection(stubScale: 3, force: .unavailable)

// The conversions.
let map = Affine(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
expect(Affine(CGAffineTransform(map)) == map, "a map goes there and back")
let rect = ViewRect(x: 1, y: 2, width: 3, height: 4)
expect(ViewRect(CGRect(rect)) == rect, "a rectangle goes there and back")
let screen = try Screen(of: view)
expect(
  screen.pixels.width == 1170 && screen.insets.top == 47 && screen.insets.bottom == 34,
  "a view is a screen with pixels and a safe area")
for (number, device) in DeviceOrientation.allCases.enumerated() {
  let theirs = UIDeviceOrientation(rawValue: number)!
  expect(DeviceOrientation(theirs) == device, "the device's \(device) keeps its name")
}
expect(
  InterfaceOrientation(UIInterfaceOrientation.landscapeLeft) == .landscapeLeft
    && DeviceOrientation(upright: InterfaceOrientation(UIInterfaceOrientation.landscapeLeft))
      == DeviceOrientation(UIDeviceOrientation.landscapeRight),
  "an interface that is landscapeLeft is upright for a device that is landscapeRight")
expect(
  PressSource(hardwareOf: view.traitCollection) == .longPress(LongPress()),
  "a screen without the sense of force has a long press")
let pencil = UITouch(stubAt: .zero, 0, maximum: 4, type: .pencil)
expect(try PressSource(hardwareOf: pencil) == .pen(ForceRange(maximum: 4)), "a pencil presses")

// Coalesced touches, against the same events by hand.
let thumbnail = ViewRect(x: 20, y: 60, width: 100, height: 100)
let scene = ZoomScene(screen: screen, stage: Stage(view: thumbnail))
var glued = try LiveZoom(.transition, picture: picture, scene: scene)
var byHand = glued
let (one, two) = (UITouch(stubAt: CGPoint(x: 70, y: 110), 1), UITouch(stubAt: .zero, 3))
func touch(_ finger: UITouch, _ x: Double, _ y: Double) -> Touch {
  Touch(id: Int(bitPattern: ObjectIdentifier(finger)), point: ViewPoint(x: x, y: y))
}
@MainActor func send(_ time: Double, _ phase: TouchPhase, _ touches: Touch...) throws {
  try byHand.handle(GestureEvent(time: time, kind: .touches(phase, touches)))
}
try glued.handle(.began, [one], with: nil, in: view)
try send(1, .began, touch(one, 70, 110))
one.stubMove(to: CGPoint(x: 71, y: 110), 1.1)
try glued.handle(.ended, [one], with: nil, in: view)
try send(1.1, .ended, touch(one, 71, 110))
try glued.advance(to: 3)
try byHand.advance(to: 3)
one.stubMove(to: CGPoint(x: 100, y: 400), 2.99)
try glued.handle(.began, [one], with: nil, in: view)
try send(3, .began, touch(one, 100, 400))
two.stubMove(to: CGPoint(x: 300, y: 400), 3.01)
try glued.handle(.began, [two], with: nil, in: view)
try send(3.01, .began, touch(two, 300, 400))
let event = UIEvent(stubCoalesced: [
  ObjectIdentifier(one): [
    UITouch(stubAt: CGPoint(x: 90, y: 400), 3.02), UITouch(stubAt: CGPoint(x: 60, y: 390), 3.04),
  ],
  ObjectIdentifier(two): [
    UITouch(stubAt: CGPoint(x: 310, y: 410), 3.03), UITouch(stubAt: CGPoint(x: 340, y: 420), 3.04),
    UITouch(stubAt: CGPoint(x: 350, y: 420), 3.05),
  ],
])
try glued.handle(.ended, [one, two], with: event, in: view)
try send(3.02, .moved, touch(one, 90, 400))
try send(3.03, .moved, touch(two, 310, 410))
try send(3.04, .moved, touch(two, 340, 420))
try send(3.04, .ended, touch(one, 60, 390))
try send(3.05, .ended, touch(two, 350, 420))
expect(glued.events.contains(.pinchEnded), "coalesced touches pinch")
expect(
  try glued.takeState() == byHand.takeState(), "coalesced touches are one event for each time")

// A mouse and a trackpad.
let window = NSView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
let mouse = NSEvent(stub: .leftMouseDown, at: .zero, 0)
expect(
  try PressSource(hardwareOf: mouse) == .longPress(LongPress()), "a mouse presses by its time")
let middle = CGPoint(x: 195, y: 400)
let down = NSEvent(stub: .leftMouseDown, at: middle, 1, mask: .pressure)
var pressed = try LiveZoom(
  .peek, picture: picture,
  scene: ZoomScene(screen: Screen(of: window), press: PressSource(hardwareOf: down)))
try pressed.handle(down, in: window)
expect(pressed.force == 0, "a trackpad's click is no force")
try pressed.handle(NSEvent(stub: .pressure, at: middle, 1.1, pressure: 0.5, stage: 1), in: window)
try pressed.handle(NSEvent(stub: .leftMouseDragged, at: middle, 1.2, mask: .pressure), in: window)
expect(pressed.force == 0.5, "a drag keeps the force that was told last")
expect(pressed.events == [.peek], "a trackpad peeks")
try pressed.handle(NSEvent(stub: .leftMouseUp, at: middle, 1.3, mask: .pressure), in: window)
try pressed.handle(NSEvent(stub: .pressure, at: middle, 1.4, pressure: 0, stage: 0), in: window)
expect(
  pressed.recogniser == .ended, "a button that is let go ends the peek, and stage 0 is nothing")
try pressed.handle(
  NSEvent(stub: .leftMouseDown, at: CGPoint(x: 195, y: 200), 2, mask: .pressure), in: window)
let frame = try pressed.takeState().previewFrame
expect(frame!.y > 422, "a view that is not flipped has its origin below")

// PeekView.
@MainActor func make(_ press: PressSource) throws -> PeekView {
  let made = try PeekView(
    image: CGImage(stubWidth: 3000, height: 4000), thumbnail: CGRect(thumbnail), press: press)
  made.stubTraits = view.stubTraits
  made.stubInsets = view.stubInsets
  made.bounds = view.bounds
  made.onEvent = { events.append($0) }
  made.layoutSubviews()
  return made
}
var events: [ZoomEvent] = []
stubTime = 10
var peekView = try make(.longPress(LongPress()))
var link = UIUpdateLink.stubLinks[0]

/// Where the topmost layer that is drawn shows something, by the rules of Core Animation.
@MainActor func shown() -> (rect: ViewRect, content: CALayer) {
  let nodes = peekView.layer.sublayers![0].sublayers!
  let clip = nodes.last { !$0.isHidden }!.sublayers![0]
  var placed = ViewLayer(frame: ViewRect(x: 0, y: 0, width: 0, height: 0))
  placed.size = ViewSize(clip.bounds.size)
  placed.boundsOrigin = ViewPoint(clip.bounds.origin)
  placed.anchor = ViewPoint(clip.anchorPoint)
  placed.position = ViewPoint(clip.position)
  placed.transform = Affine(clip.affineTransform())
  return (placed.frame, clip.sublayers![0])
}
func isNear(_ one: ViewRect, _ other: ViewRect) -> Bool {
  max(abs(one.x - other.x), abs(one.y - other.y)) < 1e-9
    && max(abs(one.maxX - other.maxX), abs(one.maxY - other.maxY)) < 1e-9
}
/// Frames until nothing moves, or for a time.
@MainActor func wait(_ seconds: Double = 5) {
  let end = stubTime + seconds
  while link.isEnabled, stubTime < end {
    stubTime += 1 / 60
    link.stubFrame(stubTime)
  }
}
@MainActor func finger(_ x: Double, _ y: Double) -> UITouch {
  let finger = UITouch(stubAt: CGPoint(x: x, y: y), stubTime)
  peekView.touchesBegan([finger], with: nil)
  return finger
}
@MainActor func tap(_ x: Double, _ y: Double) {
  let finger = finger(x, y)
  stubTime += 0.05
  finger.stubMove(to: CGPoint(x: x, y: y), stubTime)
  peekView.touchesEnded([finger], with: nil)
}
expect(isNear(shown().rect, thumbnail), "the picture begins as a thumbnail")
tap(70, 110)
wait()
let full = ViewRect(x: 0, y: 162, width: 390, height: 520)
expect(isNear(shown().rect, full) && events == [.present], "a tap opens it")

events = []
var held = finger(195, 400)
expect(link.isEnabled, "a long press that rises asks for frames")
wait(0.6)
let copy = shown()
let cut = copy.content.contents as? CGImage
expect(events.contains(.peek), "a finger that rests peeks")
expect(
  cut?.width == 1170 && cut?.height == 1170 && copy.content.magnificationFilter == .nearest
    && copy.content.bounds == CGRect(x: 0, y: 0, width: 390, height: 390)
    && isNear(copy.rect, ViewRect(x: 0, y: 227, width: 390, height: 390)),
  "the peek is cut out pixel for pixel")
held.stubMove(to: CGPoint(x: 195, y: 420), stubTime)
peekView.touchesMoved([held], with: nil)
let moved = shown().content.contents as? CGImage
expect(moved!.stubOrigin.y > cut!.stubOrigin.y, "the peek follows the finger")
peekView.touchesEnded([held], with: nil)
wait()
expect(
  isNear(shown().rect, full) && events.last == .dismissPeek && !events.contains(.dismiss),
  "the end of a peek is no tap")

events = []
tap(195, 400)
stubTime += 0.05
tap(195, 400)
wait()
expect(events.contains(.zoomIn) && shown().rect.width > 600, "two taps zoom in")
let zoomed = shown().rect
events = []
held = finger(195, 400)
stubTime += 0.02
for step in 1...4 {
  stubTime += 0.02
  held.stubMove(to: CGPoint(x: 195, y: 400 + 10 * Double(step)), stubTime)
  peekView.touchesMoved([held], with: nil)
}
expect(
  events == [.panBegan] && shown().rect.y > zoomed.y, "a finger that moves pans, and peeks not")
wait(1)
expect(!events.contains(.peek), "a zoomed picture does not peek")
peekView.touchesCancelled([held], with: nil)
wait()

peekView.bounds = CGRect(x: 0, y: 0, width: 844, height: 390)
peekView.layoutSubviews()
wait()
expect(
  isNear(shown().rect, ViewRect(x: 275.75, y: 0, width: 292.5, height: 390)),
  "a view of another size fits the picture anew")
events = []
peekView.close()
wait()
expect(events == [.dismiss] && isNear(shown().rect, thumbnail), "it closes")
expect(!link.isEnabled, "at rest no frames are asked for")

// A driver of one system.
let driven = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
let canvas = LayerCanvas(CGImage(stubWidth: 3000, height: 4000))
let driver = ZoomDriver(
  try LiveZoom(.transition, picture: picture, scene: scene), on: canvas, in: driven)
link = UIUpdateLink.stubLinks[1]
events = []
var refused: [GeometryError] = []
driver.onEvent = { events.append($0) }
driver.onError = { refused.append($0) }
expect(
  !link.isEnabled && canvas.root.sublayers?.isEmpty == false, "a driver draws at once and rests")
let tapped = UITouch(stubAt: CGPoint(x: 70, y: CGFloat.nan), stubTime)
driver.handle(.began, [tapped], with: nil, in: driven)
expect(refused.count == 1 && events == [], "a touch without a place is refused")
tapped.stubMove(to: CGPoint(x: 70, y: 110), stubTime)
driver.handle(.ended, [tapped], with: nil, in: driven)
let second = UITouch(stubAt: CGPoint(x: 70, y: 110), stubTime + 0.1)
driver.handle(.began, [second], with: nil, in: driven)
stubTime += 0.2
second.stubMove(to: CGPoint(x: 70, y: 110), stubTime)
driver.handle(.ended, [second], with: nil, in: driven)
expect(refused.count == 1 && link.isEnabled, "the next touch is taken, and asks for frames")
wait()
expect(events == [.present] && !link.isEnabled, "the driver opens the picture and rests")

peekView = try make(.force(.usual))
link = UIUpdateLink.stubLinks[2]
tap(70, 110)
wait()
for (y, opens) in [(400.0, true), (440, false)] {
  held = finger(195, 400)
  events = []
  // Once hard where it is, and once hard only after it has moved.
  for force in [y == 400 ? 6.0 : 0, 6] {
    stubTime += 0.05
    held.stubMove(to: CGPoint(x: 195, y: y), stubTime, force: force)
    peekView.touchesMoved([held], with: nil)
  }
  expect(events.contains(.peek) == opens, opens ? "force peeks" : "force peeks not in a pan")
  expect(events.contains(.panBegan) != opens, opens ? "a peek pans not" : "the pan is one")
  peekView.touchesEnded([held], with: nil)
  wait()
}
