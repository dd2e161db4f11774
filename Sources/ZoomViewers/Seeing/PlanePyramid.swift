internal import Foundation
package import ZoomGeometry
package import ZoomPipeline

/// A picture at full size and halved again and again, for the colours expected on a screen.
///
/// The levels are block means, as the tile services deliver them.
package struct PlanePyramid: Sendable {
  /// The levels; each halves the one before, and the last is one pixel.
  let levels: [Pixels]

  package var size: PixelSize { levels[0].size }

  /// Creates the levels of a picture of 8-bit samples in three bands.
  package init(_ pixels: Pixels) {
    var made = [pixels]
    while let last = made.last, last.size.area > 1 {
      // From full size, so that means are rounded once; a reduction is at most 2^6.
      let source = (made.count - 1) / 6 * 6
      guard let reduction = Reduction(rawValue: 1 << (made.count - source)) else { break }
      made.append(made[source].reduced(by: reduction))
    }
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
  func expected(
    _ map: Affine, in window: PixelRegion, level: Int? = nil
  ) -> ColourField {
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
