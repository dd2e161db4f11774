internal import Foundation
package import ZoomGeometry
package import ZoomPipeline

/// A picture at full size and halved again and again, for the colours expected on a screen.
///
/// The levels are block means, as the tile services deliver them.
package struct PlanePyramid: Sendable {
  /// The size of the picture.
  package let size: PixelSize
  /// The levels; each halves the one before, and the last is at most 8 pixels wide and high.
  let levels: [Level]

  /// Creates the levels of a picture.
  ///
  /// - Precondition: The pixels are 8-bit samples in three bands.
  package init(_ pixels: Pixels) {
    precondition(
      pixels.format == .uint8 && pixels.bands == Pixels.screenBands,
      "a pyramid needs three bands of 8 bits")
    size = pixels.size
    var made = [pixels]
    while let last = made.last, max(last.size.width, last.size.height) > 8 {
      // From full size, so that means are rounded once; a reduction is at most 2^6.
      let source = (made.count - 1) / 6 * 6
      guard let reduction = Reduction(rawValue: 1 << (made.count - source)) else { break }
      made.append(made[source].reduced(by: reduction))
    }
    levels = made.enumerated().map { Level($1, halvings: $0) }
  }

  /// A level of the pyramid.
  struct Level: Sendable {
    let width, height: Int
    let bytes: [UInt8]
    /// The length of a picture pixel in pixels of the level.
    private let share: Double

    init(_ pixels: Pixels, halvings: Int) {
      (width, height, bytes) = (pixels.size.width, pixels.size.height, pixels.bytes)
      share = 1 / Double(1 << halvings)
    }

    @inline(__always) private func pixel(_ at: Int) -> SIMD4<Float> {
      SIMD4(Float(bytes[at]), Float(bytes[at &+ 1]), Float(bytes[at &+ 2]), 0)
    }

    /// Returns the bilinearly interpolated colour at a finite point in picture pixels.
    ///
    /// Points beyond the outermost pixel centres have the colour of the edge.
    @inline(__always) func colour(_ x: Double, _ y: Double) -> SIMD4<Float> {
      let u = min(max(x * share - 0.5, 0), Double(width &- 1))
      let v = min(max(y * share - 0.5, 0), Double(height &- 1))
      let (left, top) = (Int(u), Int(v))
      let (a, b) = (Float(u - Double(left)), Float(v - Double(top)))
      let at = (top &* width &+ left) &* 3
      let right = left &+ 1 < width ? 3 : 0
      let below = top &+ 1 < height ? at &+ width &* 3 : at
      let upper = mixed(pixel(at), pixel(at &+ right), a)
      let lower = mixed(pixel(below), pixel(below &+ right), a)
      return mixed(upper, lower, b)
    }
  }

  /// Returns the number of halvings whose pixels are as long as a step of picture pixels.
  ///
  /// It is a fraction between two levels, and at most the number of the last level.
  func halvings(forStep step: Double) -> Double {
    min(max(log2(max(step, 1)), 0), Double(levels.count - 1))
  }

  /// Returns the colours that a window of a grid of cells on the screen should show.
  ///
  /// The usable map takes screen pixels to picture pixels, and a cell's side is in screen pixels.
  /// A colour is interpolated between the two levels nearest in size, or taken from a given one.
  func expected(
    _ map: Affine, in window: ScreenWindow, cell: Int = 1, level: Int? = nil
  ) -> ColourField {
    var field = ColourField(width: window.width, height: window.height)
    let side = Double(cell)
    let step = abs(map.determinant).squareRoot() * side
    let depth = level.map { Double(min(max($0, 0), levels.count - 1)) } ?? halvings(forStep: step)
    let first = levels[Int(depth)]
    let second = levels[min(Int(depth) + 1, levels.count - 1)]
    let share = Float(depth - depth.rounded(.down))
    var at = 0
    for y in window.y..<window.y + window.height {
      let start = map.apply(
        to: ViewPoint(x: (Double(window.x) + 0.5) * side, y: (Double(y) + 0.5) * side))
      for column in 0..<window.width {
        let along = side * Double(column)
        let (u, v) = (start.x + map.a * along, start.y + map.b * along)
        var colour = first.colour(u, v)
        if share > 0 { colour = mixed(colour, second.colour(u, v), share) }
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
