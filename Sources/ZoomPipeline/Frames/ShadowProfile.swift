#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a Gaussian blur leaves of intervals, from a table of its integral.
///
/// A blurred rectangle is the product of two blurred intervals. A rectangle with round corners is a
/// pile of rectangles: its middle, and strips of equal angles of the corners, each with the inset of
/// its middle angle. They are kept as lanes of one vector: blurring a pixel is one product and one sum.
struct ShadowProfile: Sendable {
  typealias Lanes = SIMD16<Float>

  /// One rectangle of the pile: half of its width, and the pieces of its height.
  private struct Lane {
    let half: Double
    let pieces: [Range<Double>]
    let weight: Float
  }

  private let lanes: [Lane]
  /// The standard deviation in pixels.
  let sigma: Double
  /// How far from its middle the shape's blurred edge begins to change across, in pixels; below it
  /// every lane is whole.
  let flat: Double

  /// Blurs a rectangle with round corners.
  init(_ space: RectangleSpace, sigma: Double) {
    let (half, radius) = (space.half, space.radius)
    var lanes = [
      Lane(
        half: half.u, pieces: [-half.v + radius.v..<max(half.v - radius.v, -half.v + radius.v)],
        weight: 1)
    ]
    let strips = radius.v > 0 ? Lanes.scalarCount - 1 : 0
    for strip in 0..<strips {
      // At an angle from the corner's topmost point, an ellipse is that deep and that far inset.
      let angle = { (number: Double) in number / Double(strips) * .pi / 2 }
      let top = -half.v + radius.v * (1 - cos(angle(Double(strip))))
      let bottom = -half.v + radius.v * (1 - cos(angle(Double(strip + 1))))
      let inset = radius.u * (1 - sin(angle(Double(strip) + 0.5)))
      lanes.append(
        Lane(
          half: half.u - inset, pieces: [top..<max(top, bottom), -bottom..<max(-bottom, -top)],
          weight: 1))
    }
    self.init(lanes, sigma: sigma, flat: half.u - radius.u)
  }

  /// Blurs a line around a rectangle: what is between an outer one and an inner one.
  init(outer: (u: Double, v: Double), inner: (u: Double, v: Double), sigma: Double) {
    let lanes = [(outer, Float(1)), (inner, Float(-1))]
      .filter { $0.0.u > 0 && $0.0.v > 0 }
      .map { Lane(half: $0.0.u, pieces: [-$0.0.v..<$0.0.v], weight: $0.1) }
    self.init(lanes, sigma: sigma, flat: min(inner.u, outer.u))
  }

  private init(_ lanes: [Lane], sigma: Double, flat: Double) {
    self.lanes = lanes
    // A pixel is a square: its own variance, 1/12, is a part of any blur that it shows.
    self.sigma = (sigma * sigma + 1.0 / 12).squareRoot()
    self.flat = flat - Self.reach * self.sigma
  }

  /// How far the blur reaches beyond the shape, in pixels.
  var reach: Double { Self.reach * sigma }

  /// In standard deviations: what a Gaussian holds beyond, 0.0013, is a third of 1/255.
  private static let reach = 3.0

  /// How much of each lane a place across the shape sees.
  func across(_ u: Double) -> Lanes {
    var values = Lanes.zero
    for (number, lane) in lanes.enumerated() {
      values[number] = share(u, -lane.half..<max(lane.half, -lane.half))
    }
    return values
  }

  /// The same down the shape, with the lanes' weights.
  func down(_ v: Double) -> Lanes {
    var values = Lanes.zero
    for (number, lane) in lanes.enumerated() {
      values[number] = lane.weight * lane.pieces.reduce(0) { $0 + share(v, $1) }
    }
    return values
  }

  /// What a place sees of a blurred interval.
  private func share(_ place: Double, _ interval: Range<Double>) -> Float {
    Self.below((place - interval.lowerBound) / sigma)
      - Self.below((place - interval.upperBound) / sigma)
  }

  /// The normal distribution up to so many standard deviations, cut off at the reach and rescaled so
  /// that it goes from 0 to 1 without a step.
  private static func below(_ deviations: Double) -> Float {
    guard deviations > -reach else { return 0 }
    guard deviations < reach else { return 1 }
    let place = (deviations + reach) / (2 * reach) * Double(entries)
    let entry = min(Int(place), entries - 1)
    return table[entry] + Float(place - Double(entry)) * (table[entry + 1] - table[entry])
  }

  /// Between entries 6/512 apart a line misses the curve by 0.24 / 8 * (6/512)² = 4e-6 at most.
  private static let entries = 512
  private static let table: [Float] = {
    let normal = { (deviations: Double) in 0.5 * (1 + erf(deviations / 2.0.squareRoot())) }
    let least = normal(-reach)
    return (0...entries).map { entry in
      let value = normal((Double(entry) / Double(entries) * 2 - 1) * reach)
      return Float((value - least) / (1 - 2 * least))
    }
  }()
}
