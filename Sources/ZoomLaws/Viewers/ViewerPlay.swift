public import ZoomGeometry

/// The place of a picture in a screenshot.
public struct ViewerPlace: Sendable, Hashable {
  /// The map from picture pixels to CSS pixels of the viewport.
  public var toScreen: Affine
  /// The estimated error at the worst corner of the visible part, in device pixels.
  public var error: Double
  /// The correlation of the texture with the expected one, at most 1.
  public var correlation: Double
  /// The share of the viewport that the picture covers, 0 to 1.
  public var visibleShare: Double

  /// Creates a place.
  public init(
    toScreen: Affine, error: Double = 0, correlation: Double = 1, visibleShare: Double = 1
  ) {
    (self.toScreen, self.error) = (toScreen, error)
    (self.correlation, self.visibleShare) = (correlation, visibleShare)
  }

  /// The length of a picture pixel in CSS pixels: the root of the factor by which areas grow.
  public var scale: Double { abs(toScreen.determinant).squareRoot() }
  /// The angle in radians by which the picture's rows are turned clockwise.
  public var rotation: Double { toScreen.angle }
  /// Whether the picture is mirrored.
  public var isMirrored: Bool { toScreen.determinant < 0 }

  /// The singular values of the linear part, the larger one first.
  ///
  /// They are |(E, H)| ± |(F, G)| with E = (a + d) / 2, F = (a - d) / 2, G = (b + c) / 2 and
  /// H = (b - c) / 2 (J. Blinn, "Consider the lowly 2 x 2 matrix", IEEE CG&A 1996).
  private var stretches: (Double, Double) {
    let map = toScreen
    let one = ViewPoint(x: (map.a + map.d) / 2, y: (map.b - map.c) / 2).length
    let other = ViewPoint(x: (map.a - map.d) / 2, y: (map.b + map.c) / 2).length
    return (one + other, abs(one - other))
  }

  /// The ratio of the singular values less 1: 0 for a similarity.
  public var stretch: Double { stretches.0 / stretches.1 - 1 }
}

/// The picture's place in a screenshot, or the reason why it is unknown.
public enum Sight: Sendable, Hashable {
  /// The picture is at a place.
  case place(ViewerPlace)
  /// The picture was not recognised, for this reason.
  case lost(String)

  /// The place; nil if it is lost.
  public var place: ViewerPlace? { if case .place(let place) = self { place } else { nil } }
}

/// A screenshot in numbers.
public struct ViewerLook: Sendable, Hashable {
  /// The time of the frame in seconds of the script; it shows all events up to this time.
  public var time: Double
  /// Whether the viewer was at rest.
  public var isSettled: Bool
  /// A hash of the screenshot's bytes.
  public var digest: UInt64
  /// The place of the picture.
  public var sight: Sight
  /// The comparison with the picture; nil if the picture is lost or the viewer not at rest.
  public var checks: SightChecks?
  /// The number of events of the script before the frame.
  public var eventsSoFar: Int

  /// Creates a look.
  public init(
    time: Double, isSettled: Bool, digest: UInt64 = 0, sight: Sight, checks: SightChecks? = nil,
    eventsSoFar: Int = 0
  ) {
    (self.time, self.isSettled, self.digest) = (time, isSettled, digest)
    (self.sight, self.checks, self.eventsSoFar) = (sight, checks, eventsSoFar)
  }
}

/// The differences between a screenshot and the picture at its place; distances in device pixels.
public struct SightChecks: Sendable, Hashable {
  /// The comparison of pixels shown 1:1 on whole device pixels; nil otherwise.
  public var exact: ExactDifference?
  /// The row or column of the screen that differs most from its neighbours.
  public var seam = Seam()
  /// The block that is displaced most, found by its texture.
  public var shift = Shift()
  /// The block that is displaced most, found by the card's colours.
  public var wrongPlace = Shift()
  /// The number of pixels inside the picture's outline that show the background.
  public var backgroundInside = 0
  /// The smallest region of picture pixels, at full size, that contains these; nil if there are none.
  public var background: PixelRegion?
  /// The number of pixels outside the picture's outline that show the picture.
  public var pictureOutside = 0
  /// The width of the part of the last row or column that is not shown.
  public var cornersMissing = 0.0
  /// The detail relative to the best level's: 1 is as sharp, 0.5 one level lower.
  public var sharpness = 1.0
  /// The levels by which pixels exceed their neighbourhood: tiles drawn over each other.
  public var blend = 0.0
  /// The mean difference from the picture, in levels.
  public var mean = 0.0
  /// The number of blocks that show the picture that was open before.
  public var formerBlocks = 0

  /// Creates checks that found nothing.
  public init() {}

  /// A comparison of equal pixels.
  public struct ExactDifference: Sendable, Hashable {
    /// The number of pixels that differ, the largest difference in levels, and the number compared.
    public var pixels, level, compared: Int

    /// Creates a comparison.
    public init(pixels: Int, level: Int, compared: Int) {
      (self.pixels, self.level, self.compared) = (pixels, level, compared)
    }
  }

  /// A row or column of the screen.
  public struct Seam: Sendable, Hashable {
    /// The mean error of its pixels less the mean error of the neighbouring rows, in levels.
    public var score: Double
    /// Whether it is a column.
    public var isColumn: Bool
    /// Its number.
    public var at: Int

    /// Creates a seam, by default none.
    public init(score: Double = 0, isColumn: Bool = true, at: Int = 0) {
      (self.score, self.isColumn, self.at) = (score, isColumn, at)
    }
  }

  /// A displaced block of the screen.
  public struct Shift: Sendable, Hashable {
    /// The distance.
    public var px: Double
    /// The block's middle on the screen.
    public var x, y: Int

    /// Creates a shift, by default none.
    public init(px: Double = 0, x: Int = 0, y: Int = 0) { (self.px, self.x, self.y) = (px, x, y) }
  }
}

/// A request for a tile.
public struct TileRequest: Sendable, Hashable {
  /// The address.
  public var address: String
  /// The number of halvings from the full size: 0 is the finest level, in every scheme.
  public var level: Int
  /// The part of the picture that the tile shows, in pixels of the full size and with the overlap;
  /// nil if it is not in the grid.
  public var region: PixelRegion?
  /// The times of the request and of its answer in seconds of the script; infinite if none came.
  public var wanted, answered: Double
  /// The status of the answer; 0 if none came.
  public var status: Int
  /// The length of the answer.
  public var bytes: Int
  /// Whether the address had been requested before.
  public var isRepeat: Bool
  /// Whether an earlier request for the address had no answer yet.
  public var wasPending: Bool
  /// Whether the body was the tile asked for.
  public var isRight: Bool

  /// Whether the tile lies in the advertised grid.
  public var isInGrid: Bool { region != nil }

  /// Creates a request.
  public init(
    address: String, level: Int, region: PixelRegion?, wanted: Double = 0, answered: Double = 0,
    status: Int = 200, bytes: Int = 0, isRepeat: Bool = false, wasPending: Bool = false,
    isRight: Bool = true
  ) {
    (self.address, self.level, self.region) = (address, level, region)
    (self.wanted, self.answered, self.status, self.bytes) = (wanted, answered, status, bytes)
    (self.isRepeat, self.wasPending, self.isRight) = (isRepeat, wasPending, isRight)
  }
}

/// A property that a viewer's page declares in `window.zoombench.promises`.
public enum ViewerPromise: String, Sendable, Hashable, CaseIterable {
  /// Pixels are exact at 1:1 although the browser scales the picture.
  case pixels
  /// The level is chosen for device pixels, not CSS pixels.
  case retina
  /// A change of the viewport keeps the place in the middle.
  case resize
  /// The picture comes to rest inside its bounds.
  case bounds
  /// A tile that failed is requested again.
  case retries
}

/// The place that an adapter reported.
public struct AdapterState: Sendable, Hashable {
  /// The index of the look that was taken at the same time.
  public var look: Int
  /// The place.
  public var place: ShownPlace

  /// Creates a report.
  public init(look: Int, place: ShownPlace) { (self.look, self.place) = (look, place) }
}

/// The numbers of one play of a case in a viewer.
public struct ViewerPlay: Sendable, Hashable {
  /// The looks in order of time: the first is settled, before the script; the last after it.
  public var looks: [ViewerLook]
  /// The requests for tiles in order.
  public var requests: [TileRequest] = []
  /// The seconds from the last event to rest; nil if the viewer did not rest within the limit.
  public var restAfter: Double? = 0
  /// The promises of the page.
  public var promises: Set<ViewerPromise> = []
  /// The number of click events that the page received.
  public var clicks = 0
  /// The places that the adapter reported.
  public var reported: [AdapterState] = []
  /// The errors that the page reported.
  public var errors: [String] = []
  /// The end of the page.
  public var ending = Ending.alive

  /// The end of a page.
  public enum Ending: String, Sendable, Hashable { case alive, crashed, hung, gone }

  /// Creates a play of looks, by default without requests.
  public init(looks: [ViewerLook]) { self.looks = looks }
}
