internal import ForeignPipelines
internal import Foundation
internal import PixelLaws
internal import ZoomGeometry
internal import ZoomPipeline

extension Judge {
  /// Returns how a picture that was turned by an angle other than a multiple of 90 degrees is
  /// wrong: in the size of its box, or in the place or angle of its middle.
  ///
  /// The background of the corners is recommended, not required.
  func turnedDifference(
    _ decoded: AnswerDecoder.Decoded, _ shown: ShownPicture
  ) -> Violation? {
    let angle = shown.rotation.degrees * .pi / 180
    let raster = decoded.raster
    // One pixel for rounding each side of the box, and one for its start.
    let fitting = shown.regions.flatMap { region in
      shown.possibleSizes(of: region).map { (region: region, size: $0) }
    }.filter { _, size in
      let box = Self.box(size, angle)
      return abs(Double(raster.width) - box.width) <= 2
        && abs(Double(raster.height) - box.height) <= 2
    }
    guard !fitting.isEmpty else {
      guard let region = shown.regions.first else { return nil }
      let size = shown.nominalSize(of: region)
      let box = Self.box(size, angle)
      let wanted = "\(Int(box.width.rounded())) x \(Int(box.height.rounded()))"
      return Violation(
        .rotationAny, "\(raster.size) pixels instead of \(wanted)",
        cause: raster.size == size ? "cut to the size before it is turned" : nil, got: raster)
    }
    guard shown.quality == "default" || shown.quality == "color" else { return nil }
    let got = raster.opaque.withColourBands(picture.bands)
    guard got.bands == picture.bands else { return nil }
    let candidates = fitting.prefix(64).compactMap { region, size -> (Pixels, Double)? in
      let scaled = picture.cut(region).scaled(to: size, .linear)
      let placed = shown.rotation.isMirrored ? scaled.mirrored : scaled
      return Self.difference(got, placed, angle).map { (placed, $0) }
    }
    guard let (placed, right) = candidates.min(by: { $0.1 < $1.1 }) else { return nil }
    let opposite = Self.difference(got, placed, -angle) ?? .infinity
    // Interpolation and rounding change the middle by some levels, or by the difference of two neighbours;
    // other content differs several times more.
    if right > max(12, placed.roughness) && right > opposite / 2 {
      return Violation(
        .rotationAny, "its middle differs by \(Int(right.rounded())) levels on average",
        cause: opposite < right / 2 ? "turned counterclockwise" : nil, got: raster, expected: placed
      )
    }
    if let better = Self.betterAngle(got, placed, shown.rotation.degrees, right) {
      return Violation(
        .rotationAny, "it is turned by \(better) degrees", cause: "another angle", got: raster,
        expected: placed)
    }
    // Near a quarter turn, and in small pictures, every corner is partly covered.
    let off = abs(shown.rotation.degrees.remainder(dividingBy: 90))
    guard !decoded.isLossy, shown.format == "png", off >= 10,
      min(placed.width, placed.height) >= 16, !raster.hasTransparentCorner
    else { return nil }
    return Violation(
      .rotationBackground, "its corners are not transparent", cause: "opaque corners")
  }

  /// Returns the size of the smallest box that contains a turned picture.
  private static func box(
    _ size: PixelSize, _ angle: Double
  ) -> (width: Double, height: Double) {
    let (width, height) = (Double(size.width), Double(size.height))
    return (
      abs(width * cos(angle)) + abs(height * sin(angle)),
      abs(width * sin(angle)) + abs(height * cos(angle))
    )
  }

  /// Returns an angle within a degree that fits much better than the right one; nil if none does.
  ///
  /// Half a degree moves a pixel by half a pixel at a distance of 60 pixels from the centre; in
  /// much smaller pictures the angle cannot be measured.
  private static func betterAngle(
    _ got: Pixels, _ placed: Pixels, _ degrees: Double, _ right: Double
  ) -> Double? {
    guard min(placed.width, placed.height) >= 40, right > 1 else { return nil }
    let others = [-1, -0.9, -0.75, -0.5, 0.5, 0.75, 0.9, 1].compactMap { off in
      difference(got, placed, (degrees + off) * .pi / 180).map { (degrees + off, $0) }
    }
    guard let best = others.min(by: { $0.1 < $1.1 }), best.1 < right * 0.8 else { return nil }
    return best.0
  }

  /// Returns the mean difference of the middle from a turned picture; nil if the middle is too small.
  private static func difference(_ got: Pixels, _ placed: Pixels, _ angle: Double) -> Double? {
    var (sum, count) = (0.0, 0)
    let (cosine, sine) = (cos(angle), sin(angle))
    let reach = Double(min(placed.width, placed.height)) / 2 - 2
    guard reach >= 4 else { return nil }
    for y in 0..<got.height {
      for x in 0..<got.width {
        let u = Double(x) + 0.5 - Double(got.width) / 2
        let v = Double(y) + 0.5 - Double(got.height) / 2
        guard u * u + v * v < reach * reach else { continue }
        let fromX = cosine * u + sine * v + Double(placed.width) / 2
        let fromY = -sine * u + cosine * v + Double(placed.height) / 2
        for band in 0..<placed.bands {
          guard let level = placed.level(x: fromX, y: fromY, band: band) else { continue }
          sum += abs(level - Double(got.bytes[(y * got.width + x) * got.bands + band]))
          count += 1
        }
      }
    }
    return count > 0 ? sum / Double(count) : nil
  }
}

extension ShownPicture {
  fileprivate func possibleSizes(of region: PixelRegion) -> [PixelSize] {
    let sides = scaledSides(region).map(Self.sides)
    return sides[0].flatMap { width in
      sides[1].compactMap { try? PixelSize(width: width, height: $0) }
    }
  }
}

extension Pixels {
  fileprivate var roughness: Double {
    guard width > 1 else { return 0 }
    var sum = 0
    for y in 0..<height {
      for at in (y * width * bands)..<((y + 1) * width - 1) * bands {
        sum += abs(Int(bytes[at]) - Int(bytes[at + bands]))
      }
    }
    return Double(sum) / Double((width - 1) * height * bands)
  }

  fileprivate var hasTransparentCorner: Bool {
    guard bands == 2 || bands == 4 else { return false }
    return [0, width - 1, (height - 1) * width, height * width - 1].contains {
      bytes[$0 * bands + bands - 1] == 0
    }
  }
}
