internal import Foundation
internal import Measurement
package import ZoomGeometry
package import ZoomPipeline

/// A picture at full size and halved again and again, for the colours expected on a screen.
///
/// Each level has the means of the blocks of the one before, as the tile services deliver them; the last is one pixel.
package struct PlanePyramid: Sendable {
  let levels: [Pixels]

  package var size: PixelSize { levels[0].size }

  /// Creates the levels of a picture of 8-bit samples in three bands.
  package init(_ pixels: Pixels) {
    var made = [pixels]
    while let last = made.last, last.size.area > 1 { made.append(last.reduced(by: .half)) }
    levels = made
  }

  /// Returns the number of halvings whose pixels are as long as the screen's by a map to the picture.
  ///
  /// It is a fraction between two levels, and at most the number of the last level.
  func halvings(_ map: Affine) -> Double {
    min(max(log2(abs(map.determinant)) / 2, 0), Double(levels.count - 1))
  }

  /// Returns the colours that a window of the screen should show.
  ///
  /// The usable map takes screen pixels to picture pixels. A colour is interpolated between the two levels nearest in
  /// size, or taken from a given one. The last lane is the distance from the picture's outline in picture pixels,
  /// negative outside.
  func expected(_ map: Affine, in window: PixelRegion, level: Int? = nil) -> ColourField {
    var field = ColourField(width: window.width, height: window.height)
    let depth = level.map { Double(min($0, levels.count - 1)) } ?? halvings(map)
    let number = Int(depth)
    let (first, second) = (levels[number], levels[min(number + 1, levels.count - 1)])
    let (ratio, share) = (1 / Double(1 << number), Float(depth - Double(number)))
    let (right, bottom) = (Double(size.width), Double(size.height))
    var at = 0
    for y in window.y..<window.maxY {
      let start = map.apply(to: ViewPoint(x: Double(window.x) + 0.5, y: Double(y) + 0.5))
      for column in 0..<window.width {
        let (u, v) = (start.x + map.a * Double(column), start.y + map.b * Double(column))
        var colour = first.colour(u * ratio, v * ratio)
        if share > 0 { colour = mixed(colour, second.colour(u * ratio / 2, v * ratio / 2), share) }
        colour.w = Float(min(min(u, right - u), min(v, bottom - v)))
        field.values[at] = colour
        at &+= 1
      }
    }
    return field
  }
}

extension Affine {
  /// Whether pixels can be looked up by the map: its numbers are far below the limits of `Int`, and
  /// a step on one side is between 1/10,000 and 10,000 on the other.
  var isUsable: Bool {
    isFinite && [a, b, c, d].allSatisfy { abs($0) < 1e5 } && abs(tx) < 1e9 && abs(ty) < 1e9
      && (1e-8...1e8).contains(abs(determinant))
  }
}

/// Colours at the points of a grid: red, green and blue in levels, and a number in the last lane.
struct ColourField {
  let width, height: Int
  var values: [SIMD4<Float>]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Creates a field from a screenshot; its last lane is 1 where the picture is visible, 0 elsewhere.
  init?(_ shot: Pixels) {
    guard shot.format == .uint8, shot.bands >= Pixels.screenBands else { return nil }
    self.init(width: shot.size.width, height: shot.size.height)
    for index in values.indices {
      var colour = shot.colour(index)
      let code = colour.code
      if PlaceCard.codes.contains(code.x) && PlaceCard.codes.contains(code.y) { colour.w = 1 }
      values[index] = colour
    }
  }

  var whole: PixelRegion { PixelRegion(uncheckedX: 0, y: 0, width: width, height: height) }

  /// The colours smoothed by the binomial filter of 3 x 3; points outside are zero.
  var smoothed: ColourField { smoothedAcross.smoothedAcross }

  /// The colours smoothed along the rows, with rows and columns exchanged.
  private var smoothedAcross: ColourField {
    var result = ColourField(width: height, height: width)
    for y in 0..<height {
      for x in 0..<width {
        let at = y &* width &+ x
        var sum = values[at] * 0.5
        if x > 0 { sum += values[at &- 1] * 0.25 }
        if x &+ 1 < width { sum += values[at &+ 1] * 0.25 }
        result.values[x &* height &+ y] = sum
      }
    }
    return result
  }

  func bounds(of isSet: [Bool]) -> PixelRegion? {
    let points = isSet.indices.filter { isSet[$0] }
    let columns = points.map { $0 % width }
    guard let left = columns.min(), let right = columns.max(), let first = points.first,
      let last = points.last
    else { return nil }
    let top = first / width
    return PixelRegion(
      uncheckedX: left, y: top, width: right + 1 - left, height: last / width + 1 - top)
  }
}

@inline(__always) func mixed(
  _ one: SIMD4<Float>, _ other: SIMD4<Float>, _ share: Float
) -> SIMD4<Float> {
  let difference: SIMD4<Float> = other - one
  return one + difference * share
}

@inline(__always) func dot(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
  let bands = one * other
  return bands.x + bands.y + bands.z
}

@inline(__always) func largestDifference(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
  let difference = one - other
  return max(abs(difference.x), abs(difference.y), abs(difference.z))
}

extension Pixels {
  @inline(__always) func colour(_ index: Int) -> SIMD4<Float> {
    let at = index &* bands
    return SIMD4(Float(bytes[at]), Float(bytes[at &+ 1]), Float(bytes[at &+ 2]), 0)
  }

  /// Returns the colour at a finite point in pixels, bilinearly interpolated.
  ///
  /// Points beyond the outermost centres have the colour of the edge.
  @inline(__always) func colour(_ x: Double, _ y: Double) -> SIMD4<Float> {
    let u = min(max(x - 0.5, 0), Double(size.width &- 1))
    let v = min(max(y - 0.5, 0), Double(size.height &- 1))
    let (left, top) = (Int(u), Int(v))
    let (a, b) = (Float(u - Double(left)), Float(v - Double(top)))
    let at = top &* size.width &+ left
    let right = left &+ 1 < size.width ? 1 : 0
    let below = top &+ 1 < size.height ? at &+ size.width : at
    let upper = mixed(colour(at), colour(at &+ right), a)
    let lower = mixed(colour(below), colour(below &+ right), a)
    return mixed(upper, lower, b)
  }
}

/// A picture whose colours are coordinates, so that a screenshot shows which part of it is visible.
///
/// Red less blue grows from left to right and green less blue from top to bottom, by 127 levels from 64. Filters that
/// average pixels keep these differences, and grey backgrounds have none. A texture, equal in all bands, locates a
/// fraction of a pixel: its four octaves have structure for every scale from 1/20 to 12.
package enum PlaceCard {
  /// The difference of two bands at the left or top edge; backgrounds must be well below it.
  static let codeStart = 64.0
  /// The growth of the difference across the picture; together they leave room for the texture.
  static let codeRange = 127.0
  /// The differences that count as the card: those at the edges, less or more 8 for noise.
  static let codes: Range<Float> = 57..<199
  /// The distances in pixels between the lattice points of the octaves.
  private static let spacings = [3, 8, 21, 55]
  private static let amplitude = 8.0

  /// Returns the card in 8-bit sRGB; the same size yields the same pixels everywhere.
  package static func pixels(of size: PixelSize) -> Pixels {
    let (width, height) = (size.width, size.height)
    let octaves = spacings.enumerated().map {
      LatticeNoise(seed: UInt64($0), spacing: $1, width: width, height: height)
    }
    var random = SeededRandom(seed: 0x91AC)
    var bytes: [UInt8] = []
    for y in 0..<height {
      let down = codeStart + codeRange * (Double(y) + 0.5) / Double(height)
      for x in 0..<width {
        let across = codeStart + codeRange * (Double(x) + 0.5) / Double(width)
        let codes = SIMD3<Double>(across, down, 0)
        let texture = octaves.reduce(0.0) { $0 + amplitude * (2 * $1.level(x, y) - 1) }
        for band in 0..<Pixels.screenBands {
          // The random part is a dither: without it, averages of the rounded ramps would have steps.
          let level = 32 + codes[band] + texture + random.unit()
          bytes.append(UInt8(min(max(level, 0), 255)))
        }
      }
    }
    return Pixels(rgb: size, bytes)
  }
}

extension SIMD4<Float> {
  /// Red less blue and green less blue, the code of a place on the card.
  @inline(__always) var code: SIMD2<Float> { SIMD2(x - z, y - z) }
}
