package import ZoomGeometry

/// A gesture in a viewer with the picture, its tiles and their delivery: the input of viewer laws.
package struct ViewerCase: Sendable, Hashable, PlayedInput, CustomStringConvertible {
  /// The script and the size of the picture; the screen's scale is the device pixel ratio.
  package var gesture: GestureCase
  package var tiles: TileScheme
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
  /// The names of schemes on the command line, the simplest first; the digit of `iiif` is its level of compliance.
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
  /// Whether the picture is recognised when the page is opened; if not, W-P9 finds it, and gestures are not measured.
  package var isRecognised = true
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

package struct ViewerPlace: Sendable, Hashable {
  /// The map from picture pixels to CSS pixels of the viewport.
  package var toScreen: Affine
  /// The estimated error at the worst corner of the visible part, in device pixels.
  package var error: Double
  /// The share of the viewport that the picture covers, 0 to 1.
  package var visibleShare: Double

  package init(toScreen: Affine, error: Double = 0, visibleShare: Double = 1) {
    (self.toScreen, self.error, self.visibleShare) = (toScreen, error, visibleShare)
  }

  /// The length of a picture pixel in CSS pixels: the root of the factor by which areas grow.
  package var scale: Double { abs(toScreen.determinant).squareRoot() }
  /// The angle in radians by which the picture's rows are turned clockwise.
  package var rotation: Double { toScreen.angle }
  package var isMirrored: Bool { toScreen.determinant < 0 }

  /// The ratio of the singular values of the linear part, whose product is the determinant, less 1: 0 for a similarity.
  package var stretch: Double {
    toScreen.largestStretch * toScreen.largestStretch / abs(toScreen.determinant) - 1
  }
}

package enum Sight: Sendable, Hashable {
  case place(ViewerPlace)
  case lost(String)

  package var place: ViewerPlace? { if case .place(let place) = self { place } else { nil } }
}

package struct ViewerLook: Sendable, Hashable {
  /// The time of the frame in seconds of the script; it shows all events up to this time.
  package var time: Double
  package var isSettled: Bool
  package var digest: UInt64
  package var sight: Sight
  /// The comparison with the picture; nil if the picture is lost or the viewer not at rest.
  package var checks: SightChecks?
  package var eventsSoFar: Int
  package var reported: ShownPlace?

  package init(
    time: Double, isSettled: Bool, digest: UInt64 = 0, sight: Sight, checks: SightChecks? = nil,
    eventsSoFar: Int = 0
  ) {
    (self.time, self.isSettled, self.digest) = (time, isSettled, digest)
    (self.sight, self.checks, self.eventsSoFar) = (sight, checks, eventsSoFar)
  }
}

/// The differences between a screenshot and the picture at its place; distances in device pixels.
package struct SightChecks: Sendable, Hashable {
  /// The numbers of pixels shown 1:1 on whole device pixels that differ and are compared, and the largest difference in
  /// levels; nil elsewhere.
  package var exact: ExactDifference?
  /// The mean error of a row or column less that of its neighbours, at most, in levels, and its name: "column 91".
  package var seam = 0.0, seamName = ""
  /// The blocks that are displaced most, found by the texture and by the card's colours.
  package var shift = Shift(), wrongPlace = Shift()
  /// The numbers of pixels inside the picture's outline that show the background, and outside that show the picture.
  package var backgroundInside = 0, pictureOutside = 0
  /// The smallest rectangle of picture pixels, at full size, that contains the background inside; nil if there is none.
  package var background: ViewRect?
  /// The detail relative to the best level's: 1 is as sharp, 0.5 one level lower.
  package var sharpness = 1.0
  /// The mean difference in levels.
  package var mean = 0.0

  package init() {}

  package struct ExactDifference: Sendable, Hashable {
    package var pixels, level, compared: Int

    package init(pixels: Int, level: Int, compared: Int) {
      (self.pixels, self.level, self.compared) = (pixels, level, compared)
    }
  }

  package struct Shift: Sendable, Hashable {
    package var px: Double
    package var x, y: Int

    package init(px: Double = 0, x: Int = 0, y: Int = 0) { (self.px, self.x, self.y) = (px, x, y) }
  }
}

package struct TileRequest: Sendable, Hashable {
  package var address: String
  /// The number of halvings from the full size: 0 is the finest level, in every scheme.
  package var level: Int
  /// The part of the picture that the tile shows, in full size and with the overlap; nil if it is not in the grid.
  package var region: PixelRegion?
  /// The times of the request and of its answer or failure in seconds of the script; infinite if neither came.
  package var wanted, answered: Double
  /// The status of the answer, 0 if none came; its bytes; and whether it was the tile asked for.
  package var status = 200, bytes = 0, isRight = true

  /// Creates a request that is answered at once.
  package init(address: String, level: Int, region: PixelRegion?, wanted: Double) {
    (self.address, self.level, self.region) = (address, level, region)
    (self.wanted, answered) = (wanted, wanted)
  }
}

/// A property that a page declares in `window.zoombench.promises`; Documentation/Viewers.md says what each means.
package enum ViewerPromise: String, Sendable, Hashable, CaseIterable {
  case pixels, retina, resize, bounds, retries, returns
}

package struct ViewerPlay: Sendable {
  /// The looks in order of time: the first is settled, before the script; the last after it.
  package var looks: [ViewerLook]
  package var requests: [TileRequest] = []
  /// The seconds from the last event to rest; nil if the viewer did not rest within the limit.
  package var restAfter: Double? = 0
  package var promises: Set<ViewerPromise> = []
  package var adapter: Set<ViewerTraits.AdapterPart> = []
  package var errors: [String] = []
  /// The steps of the page's clock, also those of opening it, at negative times, and of coming to rest.
  package var frames: [Frame] = []
  package var ending = Ending.alive

  package enum Ending: Sendable, Hashable { case alive, crashed, hung, gone }

  /// A step with its real time; one with a screenshot, which takes longer and always causes damage, has 0 and false.
  package typealias Frame = (time: Double, hasDamage: Bool, milliseconds: Double)

  package init(looks: [ViewerLook]) { self.looks = looks }
}
