internal import ForeignPipelines
internal import Foundation
internal import PixelLaws
package import ZoomGeometry
internal import ZoomPipeline

/// The expected answer for one region, made from a full decode by the specification's steps in order.
struct Oracle: Sendable {
  let picture: Pixels
  let shown: ShownPicture
  let region: PixelRegion

  /// Returns a scaled region, mirrored and turned by quarters as requested.
  func placed(_ scaled: Pixels) -> Pixels {
    let mirrored = shown.rotation.isMirrored ? scaled.mirrored : scaled
    return mirrored.turned(quarters: shown.rotation.quarters ?? 0)
  }

  /// The most pixels of a drawing; requests may name any size.
  private static let mostPixels = 30_000_000

  /// The right picture at its most likely size, for drawings and causes; nil if it would be very large.
  var nominal: Pixels? {
    let size = shown.nominalSize(of: region)
    guard size.area <= Self.mostPixels else { return nil }
    return placed(picture.cut(region).scaled(to: size, .linear))
  }

  /// Returns the difference of an answer of the right size.
  func difference(of decoded: AnswerDecoder.Decoded, isExact: Bool) -> Violation? {
    let crop = picture.cut(region)
    let size = shown.rotation.unturned(decoded.raster.size)
    let isOneToOne = size == crop.size
    let tones = shown.tones
    let hasColours = ["default", "color"].contains(shown.quality)
    let got = decoded.raster.opaque.withColourBands(hasColours ? picture.bands : 1)
    let kernels: [Kernel] = isOneToOne ? [.box] : Kernel.allCases
    let right = kernels.map { placed(crop.scaled(to: size, $0)) }
    guard
      var wrong = tones.difference(
        got, right, isExact: isExact && isOneToOne && !decoded.isLossy,
        isLossy: decoded.isLossy || !isExact)
    else { return nil }
    let nearKernel = wrong.expected.map {
      $0.hasForm(of: got) ? $0.meanDifference(from: got) : .infinity
    }
    if !isOneToOne && isUnaveraged(got, crop, size, nearKernel ?? .infinity) {
      return Violation(
        .sizeKernel, "single pixels were taken, the rest left out", cause: "nearest neighbour",
        got: got, expected: wrong.expected)
    }
    wrong.rule = rule(isOneToOne: isOneToOne, wrong.rule)
    return wrong
  }

  /// Returns the rule of the last parameter that changes pixels; shrinking has reset the irrelevant ones.
  private func rule(isOneToOne: Bool, _ otherwise: IIIFRule) -> IIIFRule {
    if !shown.tones.isColoured { return otherwise }
    if !isOneToOne { return .sizeContent }
    return shown.rotationRule ?? shown.regionRule(picture)
  }

  /// Returns whether single pixels were taken, from the region or from a pyramid level (a half, a
  /// quarter...).
  private func isUnaveraged(
    _ got: Pixels, _ crop: Pixels, _ size: PixelSize, _ nearKernel: Double
  ) -> Bool {
    var divisor = 1
    while crop.width / divisor >= max(size.width, 2), crop.height / divisor >= max(size.height, 2) {
      let level = crop.scaled(to: PixelRegion(whole: crop.size).reduced(by: divisor).size, .box)
      // Less than half as far from the answer as the nearest kernel's picture, and no farther than
      // lossy coding explains (4 levels).
      let nearest = [true, false].flatMap {
        shown.tones.candidates(placed(level.nearest(size, atMiddle: $0)))
      }
      if nearest.contains(where: {
        $0.hasForm(of: got) && $0.meanDifference(from: got) < min(4, nearKernel / 2)
      }) {
        return true
      }
      divisor *= 2
    }
    return false
  }
}

/// The colours of a quality; the weights of grey are not prescribed, so there are several right answers.
struct Tones: Sendable {
  let quality: String

  var isColoured: Bool { quality != "gray" && quality != "bitonal" }

  var rule: IIIFRule {
    quality == "gray" ? .qualityGrey : quality == "bitonal" ? .qualityBitonal : .qualityColour
  }

  /// Returns a violation if a grey answer has colours, or a bitonal one more than two levels.
  func violation(of decoded: AnswerDecoder.Decoded) -> Violation? {
    if isColoured { return nil }
    let raster = decoded.raster.opaque
    // Conversion to YCbCr and back rounds each band separately.
    guard raster.isGrey(within: decoded.isLossy ? 3 : 0) else {
      return Violation(
        rule, "it has colours", cause: "colour instead of grey", got: decoded.raster)
    }
    if quality == "gray" || decoded.isLossy { return nil }
    let levels = Set(raster.bytes)
    return levels.isSubset(of: [0, 255])
      ? nil
      : Violation(
        rule, "it has \(levels.count) levels", cause: "grey levels", got: decoded.raster)
  }

  /// Returns a picture in this quality: itself, or grey by several weights.
  func candidates(_ raster: Pixels) -> [Pixels] {
    if isColoured || raster.bands == 1 { return [raster] }
    return [
      raster.grey { 0.299 * $0 + 0.587 * $1 + 0.114 * $2 },
      raster.grey { 0.2126 * $0 + 0.7152 * $1 + 0.0722 * $2 },
      raster.grey { ($0 + $1 + $2) / 3 },
      // By linear light, as in libvips.
      raster.grey {
        Self.coded(0.2126 * Self.light($0) + 0.7152 * Self.light($1) + 0.0722 * Self.light($2))
      },
    ]
  }

  private static func light(_ level: Double) -> Double {
    let part = level / 255
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  private static func coded(_ light: Double) -> Double {
    255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }

  /// Returns how an answer differs from all right pictures.
  func difference(
    _ got: Pixels, _ right: [Pixels], isExact: Bool, isLossy: Bool
  ) -> Violation? {
    guard let first = right.first else { return nil }
    if quality == "bitonal" { return bitonalDifference(got, first) }
    // Regrouped by weights instead of by kernels.
    let toned = right.map { self.candidates($0) }
    let candidates = toned[0].indices.map { weight in toned.map { $0[weight] } }
    guard let form = candidates.first?.first else { return nil }
    guard got.hasForm(of: form) else {
      return Violation(
        rule, "\(got.bands) bands instead of \(form.bands)", cause: "other bands", got: got,
        expected: form)
    }
    if isExact && quality != "gray" {
      if got == form { return nil }
      return Violation(rule, Self.described(got, form), got: got, expected: form)
    }
    if quality == "gray" && !isLossy && got.hasFewLevels(besides: form) {
      return Violation(
        rule, "it has only \(Set(got.bytes).count) levels", cause: "fewer levels", got: got,
        expected: form)
    }
    var worst: Closeness.Difference?
    for kernels in candidates {
      guard let difference = Closeness(right: kernels, isLossy: isLossy).difference(of: got) else {
        return nil
      }
      worst = worst ?? difference
    }
    return worst.map {
      Violation(rule, "it \($0.words)", cause: $0.cause, got: got, expected: form)
    }
  }

  private static func described(_ got: Pixels, _ expected: Pixels) -> String {
    let comparison = PixelComparison(got, expected: expected)
    let differing = zip(got.bytes, expected.bytes).count { $0 != $1 }
    return """
      \(differing) of \(got.bytes.count) samples differ, most by \
      \(Int(comparison.largestDifference)) in column \(comparison.worst?.x ?? 0), row \
      \(comparison.worst?.y ?? 0)
      """
  }

  /// Returns a violation if the white parts are darker in the picture than the black parts.
  private func bitonalDifference(_ got: Pixels, _ expected: Pixels) -> Violation? {
    let grey = candidates(expected)[0]
    guard got.hasForm(of: grey) else {
      return Violation(rule, "\(got.bands) bands instead of 1", got: got, expected: grey)
    }
    var sums = (black: 0, white: 0)
    var counts = (black: 0, white: 0)
    for (sample, level) in zip(got.bytes, grey.bytes) {
      if sample > 127 {
        sums.white += Int(level)
        counts.white += 1
      } else {
        sums.black += Int(level)
        counts.black += 1
      }
    }
    guard counts.white > 0, counts.black > 0,
      sums.white / counts.white < sums.black / counts.black
    else { return nil }
    return Violation(
      rule, "it is white where the picture is darker", cause: "inverted", got: got, expected: grey)
  }
}

extension ShownPicture {
  var tones: Tones { Tones(quality: quality) }

  /// Returns one of the sizes that the answer may have.
  package func nominalSize(of region: PixelRegion) -> PixelSize {
    let most = Double(PixelSize.maximumSide)
    let sides = scaledSides(region).map { Int(min(max(1, $0.rounded()), most)) }
    return PixelRegion.checked(0, 0, sides[0], sides[1]).size
  }
}
