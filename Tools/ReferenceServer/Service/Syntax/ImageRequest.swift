/// Why a request is not served, and by which status that is said.
struct RequestError: Error, Hashable {
  let status: Int
  let reason: String

  init(status: Int = 400, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  static func syntax(_ parameter: String, _ text: String) -> RequestError {
    RequestError("\(parameter) \"\(text)\" is not of the specification's syntax")
  }
}

/// The region parameter.
enum RegionForm: Sendable, Hashable {
  case full, square
  case pixels(x: Int, y: Int, width: Int, height: Int)
  case percent(x: Double, y: Double, width: Double, height: Double)
}

/// The size parameter.
struct SizeForm: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// Version 2's `full`.
    case full
    case max
    case width(Int)
    case height(Int)
    case percent(Double)
    case exact(Extent)
    case confined(Extent)
  }

  var kind: Kind
  /// Whether `^` allows more pixels than the region has; in version 2 every size does.
  var upscales: Bool
}

struct Rotation: Sendable, Hashable {
  var mirrored: Bool
  /// Clockwise, 0 to 360.
  var degrees: Double

  /// How many quarter turns, 0...3; nil for other angles.
  var quarterTurns: Int? {
    let turns = degrees / 90
    return turns == turns.rounded() ? (Int(turns) % 4 + 4) % 4 : nil
  }
}

enum Quality: String, Sendable, Hashable, CaseIterable {
  case `default`, color, gray, bitonal
}

enum PictureFormat: String, Sendable, Hashable, CaseIterable {
  case jpg, png

  var mediaType: String { self == .jpg ? "image/jpeg" : "image/png" }
}

/// An image request as it was read.
struct ImageRequest: Sendable, Hashable {
  var region: RegionForm
  var size: SizeForm
  var rotation: Rotation
  var quality: Quality
  var format: PictureFormat
}

/// An image request, and what it comes to for a picture.
struct Plan: Sendable, Hashable {
  var request: ImageRequest
  var picture: Extent
  /// The region as it is cut out: inside the picture, unless a fault moves it.
  var box: Box
  /// The size before rotation.
  var size: Extent

  var isReduced: Bool { size.width < box.width || size.height < box.height }
  var isEnlarged: Bool { size.width > box.width || size.height > box.height }
  var isAtEdge: Bool { box.x + box.width == picture.width || box.y + box.height == picture.height }
  /// The power of two by which a pyramid's level would be reduced for this answer.
  var levelFactor: Int {
    var factor = 1
    while size.width * factor * 2 <= box.width, size.height * factor * 2 <= box.height {
      factor *= 2
    }
    return factor
  }
}
