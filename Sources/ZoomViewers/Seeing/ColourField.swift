internal import ZoomGeometry
internal import ZoomPipeline

/// Colours at the points of a grid: red, green and blue in levels, and a number in the last lane.
struct ColourField {
  let width, height: Int
  var values: [SIMD4<Float>]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Creates a field from a screenshot; its last lane is 1 where the picture is visible, 0 elsewhere.
  ///
  /// The result is nil unless the samples have 8 bits and there are three or more bands.
  init?(_ shot: Pixels) {
    guard shot.format == .uint8, shot.bands >= Pixels.screenBands else { return nil }
    self.init(width: shot.size.width, height: shot.size.height)
    for index in values.indices {
      var colour = shot.colour(index)
      let code = colour.code
      let isVisible = PlaceCard.codes.contains(code.x) && PlaceCard.codes.contains(code.y)
      colour.w = isVisible ? 1 : 0
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

  /// Returns the smallest region that contains all points of a set; nil if there are none.
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

/// Returns the sum of the products of the three bands.
@inline(__always) func dot(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
  let bands = one * other
  return bands.x + bands.y + bands.z
}

@inline(__always) func largestDifference(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
  let difference = one - other
  return max(abs(difference.x), abs(difference.y), abs(difference.z))
}

extension Pixels {
  /// Returns the first three samples of the pixel with an index in row order.
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
