import PropertyTesting
import ZoomGeometry

/// A look at a certain place, whose estimated error is at most a quarter of a pixel.
struct ViewerView: Sendable {
  let each: ViewerCase
  let look: ViewerLook
  let place: ViewerPlace

  init?(_ look: ViewerLook, in each: ViewerCase) {
    guard let place = look.sight.place, place.error <= 0.25 else { return nil }
    (self.each, self.look, self.place) = (each, look, place)
  }

  var map: Affine { place.toScreen }

  /// Returns the way from a point of the screen to where another view shows the same of the picture.
  func way(of point: ViewPoint, to other: ViewerView) throws -> ViewPoint {
    other.map.apply(to: try given(map.inverted()).apply(to: point)) - point
  }

  /// The comparison with the picture, which found nothing if there was none.
  var checks: SightChecks { look.checks ?? SightChecks() }
  var screen: Screen {
    Array(each.script.events.prefix(look.eventsSoFar)).lastScreen ?? each.screen
  }
  var box: ViewRect { map.boundingBox(of: PixelRegion(whole: each.gesture.picture).numbers) }
  var density: Double { place.scale * each.screen.scale }
  /// Twice the estimated error of the place, in CSS pixels.
  var slack: Double { 2 * place.error / each.screen.scale }
  /// The allowed displacement of a part in device pixels: viewers that snap tiles reach 0.9, and browsers that
  /// enlarge pictures 12 times displace parts by an eighth of a picture's pixel; a sixth is allowed.
  var allowedShift: Double { 1 + 2 * place.error + density / 6 }

  /// Returns the parts that are displaced by more than is allowed beside what they are in a plain view, if given.
  func shifts(beyond plain: ViewerView? = nil) -> [SightChecks.Shift] {
    let usual = plain?.checks ?? SightChecks()
    return zip([checks.shift, checks.wrongPlace], [usual.shift, usual.wrongPlace])
      .filter { $0.px > allowedShift + $1.px }.map { $0.0 }
  }

  /// Returns the distance in CSS pixels between where this view and a map from picture pixels to the
  /// screen show the worst corner of the visible part of the picture.
  ///
  /// Beyond that part, the half pixel to which viewers round a tile's sides would be extrapolated.
  func distance(from other: Affine) throws -> Double {
    let change = try given(map.inverted()).then(other)
    let seen = Axis.allCases.map { axis in
      let (from, to) = (max(0, box[axis].start), min(screen.bounds[axis].end, box[axis].end))
      return [from, max(from, to)]
    }
    return seen[0].flatMap { x in seen[1].map { ViewPoint(x: x, y: $0) } }
      .map { change.apply(to: $0).distance(to: $0) }.max() ?? 0
  }
}

struct PlayedCase {
  let viewer: ViewerSubject
  let each: ViewerCase
  let play: ViewerPlay

  /// The checked views at rest.
  var views: [ViewerView] {
    play.looks.filter { $0.isSettled && $0.checks != nil }
      .compactMap { ViewerView($0, in: each) }
  }

  /// Returns the checked views at rest, each with that of the same case without its fault, so that the fault is not
  /// blamed for what the viewer always does wrong, such as seams; discards the case if a view has no such other.
  func compared(with plain: PlayedCase) throws -> [(view: ViewerView, plain: ViewerView)] {
    try views.map { view in
      (view, try given(plain.views.last { $0.look.eventsSoFar == view.look.eventsSoFar }))
    }
  }

  /// Returns the view of a look; discards the case without one, or if its place is uncertain.
  func view(_ look: ViewerLook?) throws -> ViewerView {
    try given(look.flatMap { ViewerView($0, in: each) })
  }

  func first() throws -> ViewerView { try view(play.looks.first) }

  /// Returns the last view; discards the case if it is not certain and at rest.
  func last() throws -> ViewerView { try view(play.looks.last.flatMap { $0.isSettled ? $0 : nil }) }

  func with(_ change: (inout ViewerCase) -> Void) throws -> PlayedCase {
    try viewer.living(each.changed(change))
  }

  /// Requires that a look at rest, by default the last one, shows the picture as an earlier view does, or one that
  /// ought to be the same; discards the case if both have lost it.
  ///
  /// The card can be recognised at 1/20 to 12 device pixels per pixel, on 0.3 % of the screen. The
  /// gestures of laws reduce it at most 4 times, enlarge it 6 times, and move it by a part of the screen.
  func requireShown(
    _ what: String, _ look: ViewerLook? = nil, like other: @autoclosure () throws -> ViewerView
  ) throws {
    guard let look = look ?? play.looks.last, look.isSettled, case .lost(let reason) = look.sight
    else { return }
    let view = try other()
    let canBeKnown = (0.2...2).contains(view.density) && view.place.visibleShare > 0.1
    try ViewerLaws.require(!canBeKnown, "the picture is lost \(what): \(reason)", look)
  }

  /// Returns the last view between an event and the one before, at rest or not.
  func view(before event: Int) throws -> ViewerView {
    try view(play.looks.last { $0.eventsSoFar == event })
  }
}

extension ViewerSubject {
  /// Plays a case; discards cases in which the page did not live, which W-S1 judges.
  func living(_ each: ViewerCase) throws -> PlayedCase {
    let play = try play(each)
    guard play.ending == .alive, !play.looks.isEmpty else { throw Discarded() }
    return PlayedCase(viewer: self, each: each, play: play)
  }
}

extension ViewerCase {
  var script: GestureScript { gesture.script }
  var screen: Screen { script.screen }

  func changed(_ change: (inout ViewerCase) -> Void) -> ViewerCase {
    var each = self
    change(&each)
    return each
  }

  /// Returns the number of tiles that a view needs of the coarsest level that suits the screen.
  func tilesNeeded(_ map: Affine) -> Int {
    // A picture without tiles is one request.
    guard let side = tiles.side, let toPicture = map.inverted() else { return 1 }
    var (span, density) = (Double(side), abs(map.determinant).squareRoot() * screen.scale)
    while density <= 0.5, span < Double(PixelSize.maximumSide) {
      (span, density) = (2 * span, 2 * density)
    }
    let seen = toPicture.boundingBox(of: screen.bounds)
    let whole = PixelRegion(whole: gesture.picture).numbers
    return Axis.allCases.reduce(1) { (count: Int, axis: Axis) -> Int in
      let first = max(0, seen[axis].start)
      let last = min(whole[axis].length, seen[axis].end)
      return count * (first < last ? Int((last / span).rounded(.up)) - Int(first / span) : 0)
    }
  }
}

/// A case in which one deed follows a zoom and a pause, with the views before and after the deed.
struct Deed {
  let played: PlayedCase
  let before, after: ViewerView
  /// The index of the deed's first event.
  let start: Int

  init(_ played: PlayedCase, mayLeave: Bool) throws {
    let all = played.each.script.events
    // All pauses between deeds last at least half a second.
    let start = try given(all.indices.dropFirst().first { all[$0].time > all[$0 - 1].time + 0.45 })
    let zoomed = played.play.looks.last { $0.eventsSoFar == start }
    try played.requireShown("after it is zoomed", zoomed, like: played.first())
    let before = try played.view(zoomed)
    if !mayLeave { try played.requireShown("after the gesture", like: before) }
    (self.played, self.start, self.before, after) = (played, start, before, try played.last())
  }

  var all: [GestureEvent] { played.each.script.events }
  var screen: Screen { played.each.screen }
  var limits: (least: Double, largest: Double) {
    played.viewer.traits.limits(of: played.each.gesture.picture, on: screen)
  }

  /// The axes on which the picture extends beyond both borders before and after the deed.
  var free: [Axis] {
    let axes = after.box.freeAxes(on: screen.size, within: 2)
    return before.box.freeAxes(on: screen.size, within: 2).filter(axes.contains)
  }

  var place: ViewPoint {
    if case .wheel(let at, _) = all[start].kind { return at }
    return all[start].touches.first?.point ?? screen.bounds.centre
  }

  func allowed(_ distance: Double) -> Double { distance + before.slack + after.slack }
}
