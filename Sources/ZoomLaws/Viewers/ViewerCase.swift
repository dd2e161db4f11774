package import ZoomGeometry

/// A gesture in a viewer with the picture, its tiles and their delivery: the input of viewer laws.
package struct ViewerCase: Sendable, Hashable, PlayedInput, CustomStringConvertible {
  /// The script and the size of the picture; the screen's scale is the device pixel ratio.
  package var gesture: GestureCase
  package var tiles: TileScheme
  package var content: Content
  package var delivery: [Delivery]
  /// The place that an adapter is asked to show before the gesture; nil for the viewer's own.
  package var show: ShownPlace?
  /// Whether an adapter has opened another picture of the same size before this one.
  package var isSecondPicture: Bool

  package enum Content: Sendable, Hashable {
    case card
    case alpha
    /// A picture like a photograph, painted from a seed.
    case photograph(UInt64)
  }

  package init(
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

  package var description: String {
    var parts = ["\(tiles)"]
    if content != .card { parts.append("\(content)") }
    for fault in delivery { parts.append("\(fault)") }
    if let show { parts.append("shown \(show)") }
    if isSecondPicture { parts.append("after another picture") }
    return "\(parts.joined(separator: ", ")): \(gesture)"
  }
}

/// A way to cut a picture into tiles, with its numbers.
package enum TileScheme: Sendable, Hashable, CustomStringConvertible {
  case plain
  /// Deep Zoom: tiles of a side and an overlap in pixels.
  case deepZoom(side: Int, overlap: Int)
  case iiif(level: Int, side: Int)
  case zoomify(side: Int)
  /// Square tiles addressed by zoom, column and row; those at the edge are padded.
  case xyz(side: Int)

  /// The side of a tile in pixels; nil if there are none.
  package var side: Int? {
    switch self {
    case .plain: nil
    case .deepZoom(let side, _), .iiif(_, let side), .zoomify(let side), .xyz(let side): side
    }
  }

  /// The pixels by which a tile extends into its neighbours.
  package var overlap: Int { if case .deepZoom(_, let overlap) = self { overlap } else { 0 } }

  /// The scheme in a word and its numbers: "dzi 256 overlap 1".
  package var description: String {
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
package struct ShownPlace: Sendable, Hashable, CustomStringConvertible {
  /// The point in picture pixels that is shown at the viewport's centre.
  package var centre: ViewPoint
  /// The length of a picture pixel in CSS pixels.
  package var scale: Double

  package init(centre: ViewPoint, scale: Double) { (self.centre, self.scale) = (centre, scale) }

  package var description: String { "\(centre.inWords) at \(scale.inWords)" }
}

/// A fault in the delivery of one tile or in the order of all.
package struct Delivery: Sendable, Hashable, CustomStringConvertible {
  /// The ordinal of the tile request, from 0; ``Kind/order(_:)`` applies to all requests.
  package var ordinal: Int
  package var kind: Kind

  package init(ordinal: Int = 0, _ kind: Kind) { (self.ordinal, self.kind) = (ordinal, kind) }

  package enum Kind: Sendable, Hashable {
    /// The answer comes later by seconds of virtual time.
    case delay(Double)
    /// The answer comes after so many later ones.
    case hold(until: Int)
    /// The answer has a status such as 404 or 503: once, or each time the address is requested.
    case fail(status: Int, isAlways: Bool)
    case abort
    /// The answer has status 200 and a wrong body.
    case wrong(Body)
    /// All answers that are due in one step come in another order.
    case order(Order)
  }

  package enum Body: Sendable, Hashable, CaseIterable { case notAPicture, otherSize, neighbour }

  package enum Order: Sendable, Hashable {
    case reversed
    case shuffled(seed: UInt64)
  }

  package var description: String {
    if case .order(let order) = kind { "answers \(order)" } else { "tile \(ordinal) \(kind)" }
  }
}
