package import ZoomGeometry

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
  package var status: Int, bytes = 0, isRight = true

  package init(
    address: String, level: Int, region: PixelRegion?, wanted: Double, answered: Double = 0,
    status: Int = 200
  ) {
    (self.address, self.level, self.region) = (address, level, region)
    (self.wanted, self.answered, self.status) = (wanted, answered, status)
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

  /// A step; the milliseconds are the real time that it took, 0 with a screenshot, which takes longer.
  package typealias Frame = (time: Double, hasDamage: Bool, milliseconds: Double)

  package init(looks: [ViewerLook]) { self.looks = looks }
}
