import Foundation
import ZoomGeometry
import ZoomPipeline

extension Pixels {
  func turned(_ rotation: Rotation) -> Pixels {
    let upright = rotation.mirrored ? mirrored() : self
    guard let turns = rotation.quarterTurns, let turn = QuarterTurn(rawValue: turns) else {
      let angle = rotation.degrees * .pi / 180
      return upright.rotated(sin(angle), cos(angle))
    }
    return upright.turned(by: turn)
  }

  func mirrored() -> Pixels { gathered(extent) { x, y in (width - 1 - x, y) } }

  /// Returns the picture with top and bottom exchanged.
  func flipped() -> Pixels { gathered(extent) { x, y in (x, height - 1 - y) } }

  /// Returns the picture turned clockwise about its centre, with linear interpolation.
  ///
  /// Pixels outside the picture are transparent. The frame contains the corners unless another is named.
  func rotated(_ sine: Double, _ cosine: Double, onto named: Extent? = nil) -> Pixels {
    let frame = named ?? enclosingFrame(sine, cosine)
    let source = withAlpha()
    let bands = source.bands
    var samples = [UInt8](repeating: 0, count: frame.area * bands)
    var sums = [Double](repeating: 0, count: bands)
    for row in 0..<frame.height {
      for column in 0..<frame.width {
        let across = Double(column) + 0.5 - Double(frame.width) / 2
        let down = Double(row) + 0.5 - Double(frame.height) / 2
        let x = across * cosine + down * sine + Double(width) / 2 - 0.5
        let y = down * cosine - across * sine + Double(height) / 2 - 0.5
        source.addNeighbours(x, y, to: &sums)
        let start = (row * frame.width + column) * bands
        let alpha = sums[bands - 1]
        guard alpha > 0 else { continue }
        for band in 0..<bands - 1 { samples[start + band] = UInt8(sums[band] / alpha + 0.5) }
        samples[start + bands - 1] = UInt8(alpha + 0.5)
      }
    }
    return Pixels(frame, bands: bands, samples)
  }

  /// Returns the frame's size by the implementation notes (section 5), rounded up so that all is inside.
  private func enclosingFrame(_ sine: Double, _ cosine: Double) -> Extent {
    let (width, height) = (Double(width), Double(height))
    return Extent(
      width: LengthRounding.up.rounded(abs(width * cosine) + abs(height * sine)),
      height: LengthRounding.up.rounded(abs(height * cosine) + abs(width * sine)))
  }

  /// Computes the weighted sums of the four pixels around a point: colours times alpha, and alpha.
  private func addNeighbours(_ x: Double, _ y: Double, to sums: inout [Double]) {
    for band in 0..<bands { sums[band] = 0 }
    guard x > -1, y > -1, x < Double(width), y < Double(height) else { return }
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (right, below) = (x - Double(left), y - Double(top))
    for row in max(top, 0)...min(top + 1, height - 1) {
      let vertical = row == top ? 1 - below : below
      for column in max(left, 0)...min(left + 1, width - 1) {
        let horizontal = column == left ? 1 - right : right
        let start = (row * width + column) * bands
        let alpha = horizontal * vertical * Double(bytes[start + bands - 1])
        for band in 0..<bands - 1 { sums[band] += alpha * Double(bytes[start + band]) }
        sums[bands - 1] += alpha
      }
    }
  }

  func withAlpha() -> Pixels {
    hasAlpha ? self : mapped(bands: bands + 1) { $0 + [255] }
  }

  /// Returns the picture without alpha, over one shade, for formats without alpha.
  func flattened(over shade: UInt8) -> Pixels {
    guard hasAlpha else { return self }
    return mapped(bands: bands - 1) { pixel in
      let alpha = Int(pixel.last ?? 255)
      return pixel.dropLast().map {
        UInt8((Int($0) * alpha + Int(shade) * (255 - alpha) + 127) / 255)
      }
    }
  }
}
