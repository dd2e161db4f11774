internal import ZoomGeometry

/// A screenshot with the pixels that show the card.
struct CardView {
  let shot: Shot
  /// The pixels whose colours are the card's.
  let mask: ScreenMask
  /// The pixels at least 2 from the edges of the mask, which the filters of edges leave alone.
  let inner: ScreenMask
  let innerCount: Int
  /// The smallest window around the inner pixels.
  let window: ScreenWindow
  let frame: ScreenFrame
  /// The share of the screen that shows the card.
  let share: Double

  /// The reason why a screenshot cannot be registered.
  struct Unseen: Error {
    let text: String
  }

  /// Finds the card's pixels in a screenshot.
  static func read(_ shot: Shot) -> Result<CardView, Unseen> {
    let mask = ScreenMask(cardIn: shot)
    let (count, area) = (mask.count, shot.width * shot.height)
    // 0.3 % of the screen is a patch of a twentieth of its width and of its height.
    guard count >= 200, count * 1000 >= area * 3 else {
      return .failure(Unseen(text: "the picture is not visible"))
    }
    let inner = mask.eroded(by: 2)
    let innerCount = inner.count
    guard let window = inner.bounds, innerCount >= 100 else {
      return .failure(Unseen(text: "the visible part of the picture is less than 5 pixels wide"))
    }
    return .success(
      CardView(
        shot: shot, mask: mask, inner: inner, innerCount: innerCount, window: window,
        frame: ScreenFrame(width: shot.width, height: shot.height),
        share: Double(count) / Double(area)))
  }

  /// Returns the mean colours of square cells, with weight 1 if all their pixels show the card.
  ///
  /// Other cells are zero. Pixels that do not fill a cell at the right and bottom are left out.
  func cells(_ side: Int) -> ColourField {
    var field = ColourField(width: shot.width / side, height: shot.height / side)
    for y in 0..<field.height {
      for x in 0..<field.width {
        var sum = SIMD4<Float>.zero
        var isWhole = true
        for row in y * side..<(y + 1) * side {
          for column in x * side..<(x + 1) * side {
            let index = row &* shot.width &+ column
            isWhole = isWhole && mask.isSet[index]
            let (red, green, blue) = shot.samples(index)
            sum += SIMD4<Float>(Float(red), Float(green), Float(blue), 1)
          }
        }
        if isWhole { field.values[y * field.width + x] = sum / Float(side * side) }
      }
    }
    return field
  }

  /// Returns windows that together contain about this many inner pixels, evenly spread.
  ///
  /// Windows are squares of a side, because the filter of a window also needs the pixels around it.
  func windows(forSamples most: Int, side: Int) -> [ScreenWindow] {
    let share = (innerCount + most - 1) / most
    if share == 1 { return [window] }
    // Each row is offset by the golden section of the distance, so that no column is preferred.
    let offset = max(1, Int((0.618 * Double(share)).rounded()))
    var windows: [ScreenWindow] = []
    for y in 0..<(window.height + side - 1) / side {
      for x in 0..<(window.width + side - 1) / side
      where (x + offset * y).isMultiple(of: share) {
        windows.append(
          ScreenWindow(x: window.x + x * side, y: window.y + y * side, width: side, height: side))
      }
    }
    return windows
  }
}
