import TestSupport
import ZoomGeometry
import ZoomPipeline

@testable import ZoomViewers

/// A picture of the card's kind, painted once for all tests of a size.
enum Cards {
  static let wide = card(901, 603)
  static let tall = card(377, 501)
  static let thin = card(701, 97)

  private static func card(_ width: Int, _ height: Int) -> PlanePyramid {
    let size = PixelRegion(uncheckedX: 0, y: 0, width: width, height: height).size
    return PlanePyramid(PlaceCard.pixels(of: size))
  }
}

/// A screenshot of a card at a place that is known, drawn by filters that a viewer may use.
struct SyntheticView {
  var levels = Cards.wide
  /// The map from picture pixels to device pixels.
  var toDevice: Affine
  var width = 240
  var height = 320
  var filter = Filter.linear
  var background: SIMD4<Float> = [255, 255, 255, 0]

  enum Filter {
    /// Bilinear in the coarsest level that is not coarser than the screen.
    case linear
    /// The mean of four bilinear samples.
    case area
    /// Bilinear in a level that is so many halvings coarser.
    case coarser(Int)
  }

  /// Creates a view in which a point of the picture is at a point of the screen.
  init(
    _ levels: PlanePyramid = Cards.wide, scale: Double, angle: Double = 0,
    isMirrored: Bool = false, point: (Double, Double), at place: (Double, Double) = (120, 160)
  ) {
    self.levels = levels
    toDevice = Affine.translation(x: -point.0, y: -point.1)
      .then(.scale(x: isMirrored ? -scale : scale, y: scale)).then(.rotation(angle))
      .then(.translation(x: place.0, y: place.1))
  }

  /// The number of halvings of the coarsest level that is not coarser than the screen.
  var best: Int {
    Int(levels.halvings(Affine.scale(1.000_001).then(toDevice.inverted() ?? .identity)))
  }

  /// Draws the screenshot.
  func pixels() throws -> Pixels {
    let offsets: [(Double, Double)]
    var level = best
    switch filter {
    case .linear: offsets = [(0, 0)]
    case .area: offsets = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)]
    case .coarser(let halvings):
      offsets = [(0, 0)]
      level += halvings
    }
    var sums = ColourField(width: width, height: height)
    for offset in offsets {
      guard let inverse = toDevice.inverted() else { continue }
      let map = Affine.translation(x: offset.0, y: offset.1).then(inverse)
      let field = levels.expected(map, in: sums.whole, level: level)
      for (index, colour) in field.values.enumerated() {
        sums.values[index] += colour.w >= 0 ? colour : background
      }
    }
    let count = Float(offsets.count)
    return try Pixels(width: width, height: height) { x, y, band in
      UInt8((sums.values[y * width + x][band] / count).rounded())
    }
  }

  /// Returns the distance in device pixels between a place and the true one, at the worst corner of
  /// the visible part.
  func error(of toScreen: Affine, ratio: Double) throws -> Double {
    let outline = toDevice.boundingBox(
      of: ViewRect(
        x: 0, y: 0, width: Double(levels.size.width), height: Double(levels.size.height)))
    let left = max(0, outline.x)
    let top = max(0, outline.y)
    let right = min(Double(width), outline.maxX)
    let bottom = min(Double(height), outline.maxY)
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    let inverse = toDevice.inverted() ?? .identity
    return corners.map { corner in
      let point = ViewPoint(x: corner.0, y: corner.1)
      let found = inverse.then(toScreen).then(.scale(ratio)).apply(to: point)
      return found.distance(to: point)
    }.max() ?? 0
  }
}

extension Pixels {
  /// Returns the pixels with other samples, computed from the column, row, band and old sample.
  func changed(_ sample: (_ x: Int, _ y: Int, _ band: Int, _ old: UInt8) -> UInt8) throws -> Pixels
  {
    try Pixels(width: size.width, height: size.height) { x, y, band in
      sample(x, y, band, bytes[(y * size.width + x) * bands + band])
    }
  }

  /// Returns the pixels with another picture's from a column on.
  func joined(_ other: Pixels, fromColumn column: Int) throws -> Pixels {
    try changed { x, y, band, old in
      x < column ? old : other.bytes[(y * size.width + x) * bands + band]
    }
  }
}
