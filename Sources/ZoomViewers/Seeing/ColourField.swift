internal import ZoomGeometry
internal import ZoomPipeline

/// A screenshot: 8-bit samples of red, green, blue and perhaps more bands.
struct Shot {
  let width, height: Int
  private let bands: Int
  private let bytes: [UInt8]

  /// Creates a screenshot from pixels; nil unless they have 8 bits and three or more bands.
  init?(_ pixels: Pixels) {
    guard pixels.format == .uint8, pixels.bands >= Pixels.screenBands else { return nil }
    (width, height) = (pixels.size.width, pixels.size.height)
    (bands, bytes) = (pixels.bands, pixels.bytes)
  }

  /// Returns the first three samples of the pixel with an index in row order.
  @inline(__always) func samples(_ index: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let at = index &* bands
    return (bytes[at], bytes[at &+ 1], bytes[at &+ 2])
  }

  /// Returns red less blue and green less blue, the code of a place on the card.
  @inline(__always) func codes(_ index: Int) -> (across: Int, down: Int) {
    let (red, green, blue) = samples(index)
    return (Int(red) &- Int(blue), Int(green) &- Int(blue))
  }

  /// The colours as numbers that can be filtered.
  var field: ColourField {
    var field = ColourField(width: width, height: height)
    for index in field.values.indices {
      let (red, green, blue) = samples(index)
      field.values[index] = SIMD4(Float(red), Float(green), Float(blue), 0)
    }
    return field
  }
}

/// Colours at the points of a grid on the screen: red, green, blue, and a weight in the last lane.
struct ColourField {
  let width, height: Int
  var values: [SIMD4<Float>]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = [SIMD4<Float>](repeating: .zero, count: width * height)
  }

  /// Returns the colours after a binomial filter 1 2 1 along both axes; edges are repeated.
  func smoothed() -> ColourField { smoothedAcross().smoothedAcross() }

  /// Returns the colours smoothed along the rows, with rows and columns exchanged.
  private func smoothedAcross() -> ColourField {
    var result = ColourField(width: height, height: width)
    for y in 0..<height {
      for x in 0..<width {
        let at = y &* width &+ x
        let before = values[x > 0 ? at &- 1 : at]
        let after = values[x &+ 1 < width ? at &+ 1 : at]
        result.values[x &* height &+ y] = mixed(mixed(before, after, 0.5), values[at], 0.5)
      }
    }
    return result
  }

  /// Returns the sums over squares of 2 * radius + 1 points a side; points beyond the edges are 0.
  func boxSums(radius: Int) -> ColourField {
    sumsAcross(radius: radius).sumsAcross(radius: radius)
  }

  /// Returns the sums along the rows, with rows and columns exchanged.
  private func sumsAcross(radius: Int) -> ColourField {
    var result = ColourField(width: height, height: width)
    for y in 0..<height {
      let start = y &* width
      var sum = SIMD4<Float>.zero
      for x in 0..<min(radius, width) { sum += values[start &+ x] }
      for x in 0..<width {
        if x &+ radius < width { sum += values[start &+ x &+ radius] }
        if x > radius { sum -= values[start &+ x &- radius &- 1] }
        result.values[x &* height &+ y] = sum
      }
    }
    return result
  }
}

/// Returns a colour between two.
@inline(__always) func mixed(
  _ one: SIMD4<Float>, _ other: SIMD4<Float>, _ share: Float
) -> SIMD4<Float> {
  let difference: SIMD4<Float> = other - one
  return one + difference * share
}

/// The pixels of a screenshot that have a property.
struct ScreenMask {
  let width, height: Int
  /// Whether each pixel has it, in row order.
  private(set) var isSet: [Bool]

  /// Creates the mask of the pixels whose colours are the card's.
  init(cardIn shot: Shot) {
    (width, height) = (shot.width, shot.height)
    isSet = (0..<width * height).map { index in
      let (across, down) = shot.codes(index)
      return PlaceCard.codes.contains(across) && PlaceCard.codes.contains(down)
    }
  }

  private init(unsetWidth width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    isSet = [Bool](repeating: false, count: width * height)
  }

  /// The number of pixels.
  var count: Int { isSet.reduce(0) { $0 + ($1 ? 1 : 0) } }

  /// Returns the pixels around which all within a distance along both axes are set.
  ///
  /// Pixels closer than that to the screen's edge are not.
  func eroded(by distance: Int) -> ScreenMask {
    erodedAcross(by: distance).erodedAcross(by: distance)
  }

  /// Returns the pixels eroded along the rows, with rows and columns exchanged.
  private func erodedAcross(by distance: Int) -> ScreenMask {
    var result = ScreenMask(unsetWidth: height, height: width)
    for y in 0..<height {
      var run = 0
      for x in 0..<width {
        run = isSet[y &* width &+ x] ? run &+ 1 : 0
        if run > 2 &* distance { result.isSet[(x &- distance) &* height &+ y] = true }
      }
    }
    return result
  }

  /// The smallest window that contains all set pixels; nil if there are none.
  var bounds: ScreenWindow? {
    var (left, right, top, bottom) = (width, 0, height, 0)
    for y in 0..<height {
      for x in 0..<width where isSet[y &* width &+ x] {
        (left, right) = (min(left, x), max(right, x &+ 1))
        (top, bottom) = (min(top, y), max(bottom, y &+ 1))
      }
    }
    return left < right
      ? ScreenWindow(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}

/// A rectangle of screen pixels, which may extend beyond the screen.
struct ScreenWindow {
  var x, y, width, height: Int

  /// Returns the window with a border added on each side.
  func grown(by border: Int) -> ScreenWindow {
    ScreenWindow(
      x: x - border, y: y - border, width: width + 2 * border, height: height + 2 * border)
  }
}
