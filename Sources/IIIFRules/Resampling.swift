internal import Foundation
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

/// A scaling kernel; IIIF prescribes none, so an answer may use any of them.
enum Kernel: String, CaseIterable, Sendable {
  case box, linear, cubic, lanczos

  /// The distance that it reaches to each side, in pixels of the smaller picture, source or
  /// result.
  var reach: Double {
    switch self {
    case .box: 0.5
    case .linear: 1
    case .cubic: 2
    case .lanczos: 3
    }
  }

  func weight(_ distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .box: return x <= 0.5 ? 1 : 0
    case .linear: return max(0, 1 - x)
    case .cubic:
      // The Catmull-Rom kernel, which most libraries call cubic.
      if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
      return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    case .lanczos:
      if x < 1e-9 { return 1 }
      guard x < 3 else { return 0 }
      let turn = Double.pi * x
      return 3 * sin(turn) * sin(turn / 3) / (turn * turn)
    }
  }
}

extension Pixels {
  /// Returns the picture scaled to a size, with the outer edges aligned.
  ///
  /// The kernel is scaled to the pixels of the smaller picture. At an edge the weights of the
  /// existing pixels are normalised, as in Pillow; libvips repeats the last pixel, which differs
  /// near the edge.
  func scaled(to size: PixelSize, _ kernel: Kernel) -> Pixels {
    if size == self.size { return self }
    let (width, height) = (size.width, size.height)
    let across = Self.weights(from: self.width, to: width, kernel)
    let down = Self.weights(from: self.height, to: height, kernel)
    var rows = [Float](repeating: 0, count: self.height * width * bands)
    for y in 0..<self.height {
      for x in 0..<width {
        let (first, weights) = across[x]
        for band in 0..<bands {
          var sum: Float = 0
          var at = (y * self.width + first) * bands + band
          for weight in weights {
            sum += weight * Float(bytes[at])
            at += bands
          }
          rows[(y * width + x) * bands + band] = sum
        }
      }
    }
    let length = width * bands
    var result = [UInt8](repeating: 0, count: length * height)
    for y in 0..<height {
      let (first, weights) = down[y]
      for x in 0..<length {
        var sum: Float = 0
        var at = first * length + x
        for weight in weights {
          sum += weight * rows[at]
          at += length
        }
        result[y * length + x] = UInt8(min(max(sum.rounded(), 0), 255))
      }
    }
    return Pixels(width: width, height: height, bands: bands, bytes: result)
  }

  /// Returns, for each pixel of the result, its first source pixel and the weights, whose sum is 1.
  private static func weights(
    from source: Int, to target: Int, _ kernel: Kernel
  ) -> [(first: Int, weights: [Float])] {
    let scale = Double(source) / Double(target)
    let width = max(scale, 1)
    let reach = kernel.reach * width
    return (0..<target).map { index in
      let centre = (Double(index) + 0.5) * scale
      let first = max(0, Int((centre - reach).rounded(.down)))
      let end = min(source, Int((centre + reach).rounded(.up)))
      var weights = (first..<max(end, first + 1)).map { place -> Double in
        if kernel == .box && scale > 1 {
          // The part of the source pixel that the box covers.
          let from = max(Double(place), centre - reach)
          return max(0, min(Double(place + 1), centre + reach) - from)
        }
        return kernel.weight((Double(place) + 0.5 - centre) / width)
      }
      let sum = weights.reduce(0, +)
      if abs(sum) < 1e-12 { weights = weights.indices.map { $0 == 0 ? 1 : 0 } }
      let total = abs(sum) < 1e-12 ? 1 : sum
      return (first, weights.map { Float($0 / total) })
    }
  }

  /// Returns the picture scaled by single pixels, taken from the middle of each new pixel or from its start.
  func nearest(_ size: PixelSize, atMiddle: Bool) -> Pixels {
    let offset = atMiddle ? 0.5 : 0
    func place(_ index: Int, _ source: Int, _ target: Int) -> Int {
      min(source - 1, Int((Double(index) + offset) * Double(source) / Double(target)))
    }
    return rearranged(size) { (place($0, width, size.width), place($1, height, size.height)) }
  }

  /// Returns the interpolated level at a point, nil outside the pixel centres, which are at halves.
  func level(x: Double, y: Double, band: Int) -> Double? {
    let (u, v) = (x - 0.5, y - 0.5)
    guard u >= 0, v >= 0, u <= Double(width - 1), v <= Double(height - 1) else { return nil }
    let (left, top) = (min(Int(u), max(0, width - 2)), min(Int(v), max(0, height - 2)))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (a, b) = (u - Double(left), v - Double(top))
    func sample(_ x: Int, _ y: Int) -> Double { Double(bytes[(y * width + x) * bands + band]) }
    return (1 - b) * ((1 - a) * sample(left, top) + a * sample(right, top))
      + b * ((1 - a) * sample(left, bottom) + a * sample(right, bottom))
  }
}
