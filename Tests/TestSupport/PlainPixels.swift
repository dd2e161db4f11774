package import ZoomGeometry
package import ZoomPipeline

// A second, plain implementation of turning, which the sources are compared with.

extension Pixels {
  /// Returns the pixels turned clockwise, one quarter turn at a time.
  package func turnedPlainly(_ turn: QuarterTurn) -> Pixels {
    let pixelBytes = bands * format.byteCount
    var turned = self
    for _ in 0..<turn.rawValue {
      var next: [UInt8] = []
      next.reserveCapacity(bytes.count)
      for column in 0..<turned.size.width {
        for row in (0..<turned.size.height).reversed() {
          let start = (row * turned.size.width + column) * pixelBytes
          next += turned.bytes[start..<start + pixelBytes]
        }
      }
      turned = Pixels(
        size: turned.size.transposed, bands: bands, format: format, interpretation: interpretation,
        bytes: next)
    }
    return turned
  }

  /// Returns the mean absolute difference of the samples of two 8-bit pictures, in levels of 255.
  package func meanDifference(from other: Pixels) -> Double {
    precondition(size == other.size && bands == other.bands, "pictures of one size")
    var sum = 0
    for index in bytes.indices { sum += abs(Int(bytes[index]) - Int(other.bytes[index])) }
    return Double(sum) / Double(bytes.count)
  }
}

extension PixelRegion {
  package func holdingBlocks(
    of reduction: Reduction, in picture: PixelSize
  ) throws -> PixelRegion {
    let side = reduction.rawValue
    let (left, top) = (x / side * side, y / side * side)
    return try PixelRegion(
      x: left, y: top,
      width: min((maxX + side - 1) / side * side, picture.width) - left,
      height: min((maxY + side - 1) / side * side, picture.height) - top)
  }

  package func inBlocks(of reduction: Reduction) throws -> PixelRegion {
    let side = reduction.rawValue
    return try PixelRegion(
      x: x / side, y: y / side, width: (maxX + side - 1) / side - x / side,
      height: (maxY + side - 1) / side - y / side)
  }
}

extension Reduction {
  /// All reductions except 1:1.
  package static var real: [Reduction] { [.half, .quarter, .eighth] }
}
