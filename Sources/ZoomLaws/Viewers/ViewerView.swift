import PropertyTesting
import ZoomGeometry

/// A look at a certain place.
struct ViewerView: Sendable {
  var look: ViewerLook
  var place: ViewerPlace
  var map: Affine { place.toScreen }

  /// Creates a view; nil if the look is lost or uncertain.
  init?(_ look: ViewerLook) {
    guard let place = look.certainPlace else { return nil }
    (self.look, self.place) = (look, place)
  }
}

extension ViewerSubject {
  /// Returns a play whose page lived; discards others, which W-S1 judges.
  func living(_ each: ViewerCase) throws -> ViewerPlay {
    let play = try play(each)
    guard play.ending == .alive, !play.looks.isEmpty else { throw Discarded() }
    return play
  }
}

extension ViewerPlay {
  /// The looks at rest whose places are certain.
  var views: [ViewerView] { looks.filter { $0.isSettled }.compactMap { ViewerView($0) } }

  /// Returns the last view; discards the case if it is not certain and at rest.
  func lastView() throws -> ViewerView {
    try given(looks.last.flatMap { $0.isSettled ? ViewerView($0) : nil })
  }

  /// Returns the last look between an event and the one before, at rest or not; discards the case
  /// if there is none or its place is uncertain.
  func view(before event: Int) throws -> ViewerView {
    try given(looks.last { $0.eventsSoFar == event }.flatMap { ViewerView($0) })
  }
}

extension ViewerCase {
  var script: GestureScript { gesture.script }
  var screen: Screen { script.screen }

  /// Returns the screen of a look.
  func screen(at look: ViewerLook) -> Screen {
    Array(script.events.prefix(look.eventsSoFar)).lastScreen ?? screen
  }

  /// Returns the picture's frame in a view, in CSS pixels.
  func box(_ view: ViewerView) -> ViewRect {
    view.map.boundingBox(
      of: ViewRect(
        x: 0, y: 0, width: Double(gesture.picture.width), height: Double(gesture.picture.height)))
  }

  /// Returns the number of device pixels per picture pixel.
  func density(_ view: ViewerView) -> Double { view.place.scale * screen.scale }

  /// Returns the number of tiles that a view needs of the coarsest level that is not coarser than
  /// the screen; nil without tiles.
  func tilesNeeded(_ map: Affine) -> Int? {
    guard let side = tiles.side, let toPicture = map.inverted() else { return nil }
    var (span, density) = (Double(side), abs(map.determinant).squareRoot() * screen.scale)
    while density <= 0.5, span < Double(PixelSize.maximumSide) {
      (span, density) = (2 * span, 2 * density)
    }
    let seen = toPicture.boundingBox(of: screen.bounds)
    func count(_ start: Double, _ end: Double, _ side: Int) -> Int {
      let (first, last) = (max(0, start), min(Double(side), end))
      return first < last ? Int((last / span).rounded(.up)) - Int(first / span) : 0
    }
    return count(seen.x, seen.maxX, gesture.picture.width)
      * count(seen.y, seen.maxY, gesture.picture.height)
  }
}

/// A case in which one deed follows a zoom and a pause, with the views before and after the deed.
struct Deed {
  let each: ViewerCase
  let play: ViewerPlay
  let before, after: ViewerView
  /// The events of the deed.
  let events: ArraySlice<GestureEvent>

  init(_ each: ViewerCase, of viewer: ViewerSubject) throws {
    let all = each.script.events
    // All pauses between deeds last at least half a second.
    let first = try given(all.indices.dropFirst().first { all[$0].time > all[$0 - 1].time + 0.45 })
    self.each = each
    play = try viewer.living(each)
    (before, after) = (try play.view(before: first), try play.lastView())
    events = all[first...]
  }

  /// The axes on which the picture extends beyond both borders before and after the deed.
  var free: [Axis] {
    let axes = each.box(after).freeAxes(on: each.screen.size, within: 2)
    return each.box(before).freeAxes(on: each.screen.size, within: 2).filter(axes.contains)
  }

  /// The first point of the deed.
  var place: ViewPoint {
    for event in events {
      if let touch = event.touches.first { return touch.point }
      if case .wheel(let at, _) = event.kind { return at }
    }
    return each.screen.bounds.centre
  }

  /// The way of the last touched point.
  var fingerWay: ViewPoint {
    (events.last { !$0.touches.isEmpty }?.touches.last?.point ?? place) - place
  }

  /// Returns the way of the picture's point that a view shows at a point of the screen.
  func moved(at point: ViewPoint, from start: ViewerView, to end: ViewerView) throws -> ViewPoint {
    end.map.apply(to: try given(start.map.inverted()).apply(to: point)) - point
  }

  /// Returns the way of the picture's point that was at a point before the deed.
  func moved(at point: ViewPoint) throws -> ViewPoint {
    try moved(at: point, from: before, to: after)
  }

  /// Returns a distance in CSS pixels to which twice the error of the places is added.
  func allowed(_ distance: Double) -> Double {
    distance + 2 * (before.place.error + after.place.error) / each.screen.scale
  }
}
