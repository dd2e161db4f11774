package import ZoomGeometry

/// A gesture in a viewer with the picture, its tiles and their delivery: the input of viewer laws.
package struct ViewerCase: Sendable, Hashable, PlayedInput, CustomStringConvertible {
  /// The script and the size of the picture; the screen's scale is the device pixel ratio.
  package var gesture: GestureCase
  package var tiles: TileScheme
  /// Whether the page shows through the picture.
  package var isTransparent = false
  package var delivery: [Delivery]
  /// The place that an adapter is asked to show before the gesture; nil for the viewer's own.
  package var show: ShownPlace?
  /// Whether an adapter has opened another picture of the same size before this one.
  package var isSecondPicture = false

  package init(
    gesture: GestureCase, tiles: TileScheme, delivery: [Delivery] = [], show: ShownPlace? = nil
  ) {
    (self.gesture, self.tiles, self.delivery, self.show) = (gesture, tiles, delivery, show)
  }

  var played: GestureCase { gesture }
  // A script lacks the tiles and their delivery.
  var isPlayedExactly: Bool { false }

  package var description: String {
    var parts = ["\(tiles)"]
    if isTransparent { parts.append("half transparent") }
    for fault in delivery { parts.append("tile \(fault.ordinal) \(fault.kind)") }
    if let show { parts.append("shown \(show)") }
    if isSecondPicture { parts.append("after another picture") }
    return "\(parts.joined(separator: ", ")): \(gesture)"
  }
}

package struct TileScheme: Sendable, Hashable, CustomStringConvertible {
  /// The words for schemes on the command line, the simplest scheme first; IIIF has a level of compliance.
  ///
  /// Tiles of XYZ are squares; those at the edge are padded.
  package enum Kind: String, Sendable, CaseIterable {
    case plain, dzi, iiif2, iiif1, iiif0, zoomify, xyz
  }

  package let kind: Kind
  /// The side of a tile in pixels; nil without tiles.
  package let side: Int?
  /// The pixels by which a tile extends into its neighbours.
  package let overlap: Int

  package init(_ kind: Kind, _ side: Int? = nil, overlap: Int = 0) {
    (self.kind, self.side, self.overlap) = (kind, side, overlap)
  }

  package static let plain = TileScheme(.plain)

  package var description: String {
    (side.map { "\(kind) \($0)" } ?? "\(kind)") + (overlap > 0 ? " overlap \(overlap)" : "")
  }
}

package struct ShownPlace: Sendable, Hashable, CustomStringConvertible {
  /// The point in picture pixels that is shown at the viewport's centre.
  package var centre: ViewPoint
  /// The length of a picture pixel in CSS pixels.
  package var scale: Double

  package init(centre: ViewPoint, scale: Double) { (self.centre, self.scale) = (centre, scale) }

  package var description: String { "\(centre.inWords) at \(scale.inWords)" }
}

/// A fault in the delivery of one tile or in the order of all.
package struct Delivery: Sendable, Hashable {
  /// The ordinal of the tile request, from 0; ``Kind/shuffle(seed:)`` applies to all requests.
  package var ordinal: Int
  package var kind: Kind

  package init(ordinal: Int = 0, _ kind: Kind) { (self.ordinal, self.kind) = (ordinal, kind) }

  package enum Kind: Sendable, Hashable {
    /// The answer comes later by seconds of virtual time, and so after others.
    case delay(Double)
    /// The answer has a status such as 404 or 503: once, or each time the address is requested.
    case fail(status: Int, isAlways: Bool)
    case abort
    /// The answer has status 200 and a body that is not a picture.
    case wrong
    /// All answers that are due in one step come in another order.
    case shuffle(seed: UInt64)
  }
}

package struct ViewerSubject: LawSubject {
  package var caseCost: Int { 30 }
  package let name: String
  /// Plays a case; it blocks, and throws if the viewer cannot be tested.
  package var play: @Sendable (ViewerCase) throws -> ViewerPlay
  /// Plays a case again in a new browser context.
  package var playFresh: @Sendable (ViewerCase) throws -> ViewerPlay
  package var traits: ViewerTraits
  /// The schemes that it reads, the device pixel ratios and the sizes of pictures to try: at least one of each.
  package var kinds: [TileScheme], ratios: [Double], sizes: [PixelSize]

  package init(
    _ name: String, traits: ViewerTraits, kinds: [TileScheme], ratios: [Double],
    sizes: [PixelSize], play: @escaping @Sendable (ViewerCase) throws -> ViewerPlay,
    playFresh: (@Sendable (ViewerCase) throws -> ViewerPlay)? = nil
  ) {
    (self.name, self.traits, self.play, self.playFresh) = (name, traits, play, playFresh ?? play)
    (self.kinds, self.ratios, self.sizes) = (kinds, ratios, sizes)
  }
}

/// Traits of a viewer, measured once; premises of laws, never tolerances.
package struct ViewerTraits: Sendable, Hashable {
  /// The smallest and the largest length of a picture pixel in CSS pixels, for the picture and screen measured.
  package var scales: ClosedRange<Double>
  /// The scale at which that picture fits that screen.
  package var fitScale: Double
  /// The way in CSS pixels that one finger, and each of two, moves before the picture does.
  package var dragSlop = 0.0, pinchSlop = 0.0
  /// The way in CSS pixels by which the picture follows a finger that goes on by 60.
  package var onwardWay = 60.0
  /// The longest time from an event to rest, in seconds.
  package var restTime = 0.5
  /// The factor of a wheel step of 100 px towards the user's screen; nil if it does not zoom.
  package var wheelFactor: Double?
  /// Whether a double tap has an effect, and a second one returns to the fit.
  package var taps = false, tapsReturn = true
  /// Whether pinches, dragging a mouse, and flicks move the picture.
  package var pinches = true, drags = true, flicks = true
  /// The levels by which pixels at 1:1 differ: 0, or 2 by graphics processors; nil if the browser scales the picture.
  package var exactness: Int? = 0
  package var adapter: Set<AdapterPart> = []
  package var promises: Set<ViewerPromise> = []

  package init(scales: ClosedRange<Double>, fitScale: Double) {
    (self.scales, self.fitScale) = (scales, fitScale)
  }

  /// Returns limits of scale for a picture on a screen, whether the viewer's own are multiples of the fit or not.
  func limits(of picture: PixelSize, on screen: Screen) -> (least: Double, largest: Double) {
    let share = TransitionLaws.fitScale(of: picture, on: screen) / fitScale
    return (scales.lowerBound * max(1, share), scales.upperBound * min(1, share))
  }

  package enum AdapterPart: String, Sendable, Hashable, CaseIterable {
    case show, state, settled, open
  }
}
