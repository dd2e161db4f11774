public import ZoomGeometry

/// A gesture in a viewer with the picture, its tiles and their delivery: the input of viewer laws.
public struct ViewerCase: Sendable, Hashable, PlayedInput, CustomStringConvertible {
  /// The script and the size of the picture; the screen's scale is the device pixel ratio.
  public var gesture: GestureCase
  /// The scheme in which the picture is served.
  public var tiles: TileScheme
  /// The picture's content.
  public var content: Content
  /// The faults of delivery.
  public var delivery: [Delivery]
  /// The place that an adapter is asked to show before the gesture; nil for the viewer's own.
  public var show: ShownPlace?
  /// Whether an adapter has opened another picture of the same size before this one.
  public var isSecondPicture: Bool

  /// The content of a picture.
  public enum Content: Sendable, Hashable {
    /// The test card, whose colours are coordinates.
    case card
    /// A picture with transparent parts.
    case alpha
    /// A picture like a photograph, painted from a seed.
    case photograph(UInt64)
  }

  /// Creates a case, by default without faults.
  public init(
    gesture: GestureCase, tiles: TileScheme = .plain, content: Content = .card,
    delivery: [Delivery] = [], show: ShownPlace? = nil, isSecondPicture: Bool = false
  ) {
    (self.gesture, self.tiles, self.content) = (gesture, tiles, content)
    (self.delivery, self.show, self.isSecondPicture) = (delivery, show, isSecondPicture)
  }

  var played: GestureCase { gesture }
  // A script lacks the tiles and their delivery.
  var isPlayedExactly: Bool { false }
  var inWords: String { description }

  /// The scheme, what differs from the simplest case, and the gesture.
  public var description: String {
    var parts = ["\(tiles)"]
    if content != .card { parts.append("\(content)") }
    for fault in delivery { parts.append("\(fault)") }
    if let show { parts.append("shown \(show)") }
    if isSecondPicture { parts.append("after another picture") }
    return "\(parts.joined(separator: ", ")): \(gesture)"
  }
}

/// A way to cut a picture into tiles, with its numbers.
public enum TileScheme: Sendable, Hashable, CustomStringConvertible {
  /// One picture without tiles.
  case plain
  /// Deep Zoom: tiles of a side and an overlap in pixels.
  case deepZoom(side: Int, overlap: Int)
  /// IIIF Image API with a level of compliance, 0 to 2.
  case iiif(level: Int, side: Int)
  /// Zoomify.
  case zoomify(side: Int)
  /// Square tiles addressed by zoom, column and row; those at the edge are padded.
  case xyz(side: Int)

  /// The side of a tile in pixels; nil if there are none.
  public var side: Int? {
    switch self {
    case .plain: nil
    case .deepZoom(let side, _), .iiif(_, let side), .zoomify(let side), .xyz(let side): side
    }
  }

  /// The pixels by which a tile extends into its neighbours.
  public var overlap: Int { if case .deepZoom(_, let overlap) = self { overlap } else { 0 } }

  /// The scheme in a word and its numbers: "dzi 256 overlap 1".
  public var description: String {
    switch self {
    case .plain: "plain"
    case .deepZoom(let side, 0): "dzi \(side)"
    case .deepZoom(let side, let overlap): "dzi \(side) overlap \(overlap)"
    case .iiif(let level, let side): "iiif\(level) \(side)"
    case .zoomify(let side): "zoomify \(side)"
    case .xyz(let side): "xyz \(side)"
    }
  }
}

/// A place that an adapter is asked to show.
public struct ShownPlace: Sendable, Hashable, CustomStringConvertible {
  /// The point in picture pixels that is shown at the viewport's centre.
  public var centre: ViewPoint
  /// The length of a picture pixel in CSS pixels.
  public var scale: Double

  /// Creates a place.
  public init(centre: ViewPoint, scale: Double) { (self.centre, self.scale) = (centre, scale) }

  /// The centre and the scale: "(10, 20) at 0.5".
  public var description: String { "\(centre.inWords) at \(scale.inWords)" }
}

/// A fault in the delivery of one tile or in the order of all.
public struct Delivery: Sendable, Hashable, CustomStringConvertible {
  /// The ordinal of the tile request, from 0; ``Kind/order(_:)`` applies to all requests.
  public var ordinal: Int
  /// The kind of fault.
  public var kind: Kind

  /// Creates a fault.
  public init(ordinal: Int = 0, _ kind: Kind) { (self.ordinal, self.kind) = (ordinal, kind) }

  /// The kind of a fault.
  public enum Kind: Sendable, Hashable {
    /// The answer comes later by seconds of virtual time.
    case delay(Double)
    /// The answer comes after so many later ones.
    case hold(until: Int)
    /// The answer has a status such as 404 or 503: once, or each time the address is requested.
    case fail(status: Int, isAlways: Bool)
    /// The connection is closed without an answer.
    case abort
    /// The answer has status 200 and a wrong body.
    case wrong(Body)
    /// All answers that are due in one step come in another order.
    case order(Order)
  }

  /// A wrong body of an answer.
  public enum Body: Sendable, Hashable, CaseIterable { case notAPicture, otherSize, neighbour }

  /// An order of the answers that are due in one step.
  public enum Order: Sendable, Hashable {
    case reversed
    case shuffled(seed: UInt64)
  }

  /// The fault in words: "tile 3 delay(0.5)".
  public var description: String {
    if case .order(let order) = kind { "answers \(order)" } else { "tile \(ordinal) \(kind)" }
  }
}
