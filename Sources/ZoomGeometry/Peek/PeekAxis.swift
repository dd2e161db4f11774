/// One axis of a peek, in picture pixels: how long the crop is and where it begins.
///
/// Both axes go through this one calculation, with nothing of the other axis in reach. The
/// published formula places the crop vertically with an offset made from the width (FZ-B1); here
/// that cannot be written, and the law of transposition (FZ-P7: swapping x and y everywhere swaps
/// the crop) holds to the last bit.
struct PeekAxis {
  /// The exact crop's length, 0 < length <= the picture's side.
  let length: Double

  /// The exact crop's beginning, 0 <= origin, origin + length <= the picture's side.
  let origin: Double

  /// The integer crop's length, from 1 to the picture's side.
  let regionLength: Int

  /// The integer crop's beginning; it ends inside the picture too.
  let regionOrigin: Int

  /// Places a crop on one axis.
  ///
  /// - Parameters:
  ///   - side: The picture's side in pixels.
  ///   - wanted: The length the peek asks for, in pixels: positive, possibly infinite.
  ///   - touched: The touched place, 0 ... side.
  init(side: Int, wanted: Double, touched: Double) {
    let end = Double(side)
    let length = wanted < end ? wanted : end
    self.length = length
    // The sum of the two rounded numbers, `origin + length`, does not exceed `end`: it is off by at
    // most half a unit in the last place of `end`, and a tie rounds to the even neighbour, which
    // is `end`, for an integer below 2^31 has zeros in its last places.
    origin = (touched - length / 2).clamped(to: 0...(end - length))

    // Less than half a pixel wanted is still one pixel shown.
    let whole = length.rounded(.toNearestOrAwayFromZero)
    let regionLength = whole < 1 ? 1 : whole
    self.regionLength = Int(regionLength)
    // A single pixel is the touched one. In all longer crops the touched pixel is inside whichever
    // way the origin rounds; in this one a crop of, say, 0.6 or 1.4 pixels could round off it.
    let nearest = regionLength == 1 ? touched.rounded(.down) : Self.roundedHalfUp(origin)
    // `end - regionLength` is a whole number, so that rounding cannot leave the picture.
    regionOrigin = Int(nearest.clamped(to: 0...(end - regionLength)))
  }

  /// Rounds to the nearest whole number, and halves up, which is the house's one rounding rule.
  ///
  /// Not `(value + 0.5).rounded(.down)`: for the number just below one half that sum rounds to 1.
  private static func roundedHalfUp(_ value: Double) -> Double {
    let floor = value.rounded(.down)
    return value - floor < 0.5 ? floor : floor + 1
  }
}
