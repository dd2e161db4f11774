/// The reason and the status of a refused request.
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

enum RegionForm: Sendable, Hashable {
  case full, square
  case pixels(x: Int, y: Int, width: Int, height: Int)
  case percent(x: Double, y: Double, width: Double, height: Double)
}

struct SizeForm: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case full
    case max
    case width(Int)
    case height(Int)
    case percent(Double)
    case exact(Extent)
    case confined(Extent)
  }

  var kind: Kind
  /// Whether the size may exceed the region: with `^`, or in version 2.
  var upscales: Bool
}

struct Rotation: Sendable, Hashable {
  var mirrored: Bool
  /// Clockwise, from 0 to 360.
  var degrees: Double

  /// The number of quarter turns, 0...3; nil for other angles.
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

struct ImageRequest: Sendable, Hashable {
  var region: RegionForm
  var size: SizeForm
  var rotation: Rotation
  var quality: Quality
  var format: PictureFormat
}

/// An image request with its region and size in pixels.
struct Plan: Sendable, Hashable {
  var request: ImageRequest
  var picture: Extent
  /// The region to crop: inside the picture, unless a fault moves it.
  var box: Box
  var size: Extent

  var isReduced: Bool { size.width < box.width || size.height < box.height }
  var isEnlarged: Bool { size.exceeds(box) }
  /// The power of two by which the pyramid level for this answer is reduced.
  var levelFactor: Int {
    var factor = 1
    while size.width * factor * 2 <= box.width, size.height * factor * 2 <= box.height {
      factor *= 2
    }
    return factor
  }

  /// Returns the plan with its region moved, within the picture.
  func moved(x: Int, y: Int) -> Plan {
    var plan = self
    plan.box = box.moved(x: x, y: y, in: picture)
    return plan
  }
}
