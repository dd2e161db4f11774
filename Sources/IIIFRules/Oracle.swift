internal import ForeignPipelines
internal import Foundation
internal import PixelLaws
internal import ZoomGeometry
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
  private static let mostPixels = 3e7

  /// The right picture at its most likely size, for drawings and causes; nil if it would be very large.
  var nominal: Pixels? {
    let sides = shown.nominalSize(of: region)
    guard Double(sides.width) * Double(sides.height) <= Self.mostPixels else { return nil }
    return placed(
      picture.cut(region).scaled(width: sides.width, height: sides.height, .linear))
  }

  /// Returns the difference of an answer of the right size.
  func difference(of decoded: AnswerDecoder.Decoded, isExact: Bool) -> Violation? {
    let crop = picture.cut(region)
    let quarters = shown.rotation.quarters ?? 0
    let (width, height) =
      quarters % 2 == 1
      ? (decoded.raster.height, decoded.raster.width)
      : (decoded.raster.width, decoded.raster.height)
    let isOneToOne = width == crop.width && height == crop.height
    let got = decoded.raster.opaque.withColourBands(
      shown.quality == "default" || shown.quality == "color" ? picture.bands : 1)
    let tones = Tones(quality: shown.quality)
    let kernels: [Kernel] = isOneToOne ? [.box] : Kernel.allCases
    let scaled = kernels.map { crop.scaled(width: width, height: height, $0) }
    if let wrong = tones.difference(
      got, scaled.map(placed), isExact: isExact && isOneToOne && !decoded.isLossy,
      isLossy: decoded.isLossy || !isExact)
    {
      let nearKernel = wrong.expected.map {
        $0.hasForm(of: got) ? $0.meanDifference(from: got) : .infinity
      }
      if !isOneToOne && isUnaveraged(got, crop, width, height, tones, nearKernel ?? .infinity) {
        return Violation(
          rule: .sizeKernel, complaint: "single pixels were taken, the rest left out",
          cause: "nearest neighbour", got: got, expected: wrong.expected)
      }
      return Violation(
        rule: rule(isOneToOne: isOneToOne, wrong.rule), complaint: wrong.complaint,
        cause: wrong.cause, got: wrong.got, expected: wrong.expected)
    }
    return nil
  }

  /// Returns the rule of the last parameter that changes pixels; shrinking has reset the irrelevant ones.
  private func rule(isOneToOne: Bool, _ otherwise: IIIFRule) -> IIIFRule {
    if shown.quality == "gray" || shown.quality == "bitonal" { return otherwise }
    if !isOneToOne { return .sizeContent }
    if let rule = shown.rotationRule { return rule }
    if shown.region != .full { return shown.regionRule(picture) }
    return .regionFull
  }

  /// Returns whether single pixels were taken, from the region or from a pyramid level (a half, a
  /// quarter...).
  private func isUnaveraged(
    _ got: Pixels, _ crop: Pixels, _ width: Int, _ height: Int, _ tones: Tones, _ nearKernel: Double
  ) -> Bool {
    var divisor = 1
    while crop.width / divisor >= max(width, 2), crop.height / divisor >= max(height, 2) {
      let level = crop.scaled(
        width: (crop.width + divisor - 1) / divisor, height: (crop.height + divisor - 1) / divisor,
        .box)
      for atMiddle in [true, false] {
        let nearest = placed(level.nearest(width: width, height: height, atMiddle: atMiddle))
        // Much nearer than to any kernel, and within the loss of a lossy format.
        if tones.candidates(nearest).contains(where: {
          $0.hasForm(of: got) && $0.meanDifference(from: got) < min(4, nearKernel / 2)
        }) {
          return true
        }
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

  /// Returns a picture in this quality: itself, or grey by several weights.
  func candidates(_ raster: Pixels) -> [Pixels] {
    switch quality {
    case "gray", "bitonal":
      if raster.bands == 1 { return [raster] }
      return [
        raster.grey { 0.299 * $0 + 0.587 * $1 + 0.114 * $2 },
        raster.grey { 0.2126 * $0 + 0.7152 * $1 + 0.0722 * $2 },
        raster.grey { ($0 + $1 + $2) / 3 },
        // By linear light, as in libvips.
        raster.grey {
          Self.coded(
            0.2126 * Self.light($0) + 0.7152 * Self.light($1) + 0.0722 * Self.light($2))
        },
      ]
    default: return [raster]
    }
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
    let rule: IIIFRule =
      quality == "gray" ? .qualityGrey : quality == "bitonal" ? .qualityBitonal : .qualityColour
    guard let first = right.first else { return nil }
    if quality == "bitonal" { return bitonalDifference(got, first, rule) }
    let candidates = Self.transposed(right.map { self.candidates($0) })
    guard let form = candidates.first?.first else { return nil }
    guard got.hasForm(of: form) else {
      return Violation(
        rule: rule, complaint: "\(got.bands) bands instead of \(form.bands)", cause: "other bands",
        got: got, expected: form)
    }
    if isExact && quality != "gray" {
      if got == form { return nil }
      return Violation(
        rule: rule, complaint: Self.described(got, form), got: got, expected: form)
    }
    if quality == "gray" && !isLossy && got.hasFewLevels(besides: form) {
      return Violation(
        rule: rule, complaint: "it has only \(Set(got.bytes).count) levels",
        cause: "fewer levels", got: got, expected: form)
    }
    var worst: Closeness.Difference?
    for kernels in candidates {
      guard let difference = Closeness(right: kernels, isLossy: isLossy).difference(of: got) else {
        return nil
      }
      worst = worst ?? difference
    }
    return worst.map {
      Violation(rule: rule, complaint: "it \($0.words)", cause: $0.cause, got: got, expected: form)
    }
  }

  /// Regroups the rasters by weights instead of by kernels.
  private static func transposed(_ lists: [[Pixels]]) -> [[Pixels]] {
    (lists.first ?? []).indices.map { weight in lists.map { $0[weight] } }
  }

  private static func described(_ got: Pixels, _ expected: Pixels) -> String {
    var differing = 0
    var worst = (at: 0, by: 0)
    for at in got.bytes.indices {
      let by = abs(Int(got.bytes[at]) - Int(expected.bytes[at]))
      if by > 0 { differing += 1 }
      if by > worst.by { worst = (at, by) }
    }
    let pixel = worst.at / got.bands
    return """
      \(differing) of \(got.bytes.count) samples differ, most by \(worst.by) in column \
      \(pixel % got.width), row \(pixel / got.width)
      """
  }

  /// Returns a violation if the white parts are darker in the picture than the black parts.
  private func bitonalDifference(_ got: Pixels, _ expected: Pixels, _ rule: IIIFRule) -> Violation?
  {
    let grey = candidates(expected)[0]
    guard got.bands == 1, got.width == grey.width, got.height == grey.height else {
      return Violation(
        rule: rule, complaint: "\(got.bands) bands instead of 1", got: got, expected: grey)
    }
    var (white, black) = (0, 0)
    var (whites, blacks) = (0, 0)
    for (sample, level) in zip(got.bytes, grey.bytes) {
      if sample > 127 {
        white += Int(level)
        whites += 1
      } else {
        black += Int(level)
        blacks += 1
      }
    }
    guard whites > 0, blacks > 0 else { return nil }
    guard white / whites < black / blacks else { return nil }
    return Violation(
      rule: rule, complaint: "it is white where the picture is darker", cause: "inverted",
      got: got, expected: grey)
  }
}

extension Closeness.Difference {
  /// The cause that the difference alone suggests.
  var cause: String? {
    switch self {
    case .level(let by): by < 0 ? "too dark" : "too light"
    case .edge(let which, _): "wrong \(which)"
    case .shift(let x, let y):
      abs(max(abs(x), abs(y)) - 0.5) < 0.15 ? "half a pixel shifted" : "shifted"
    case .stretch: "stretched"
    case .block: nil
    }
  }
}

extension ShownPicture {
  /// Returns one of the sizes that the answer may have.
  func nominalSize(of region: PixelRegion) -> (width: Int, height: Int) {
    let sides = scaledSides(region).map { max(1, Int($0.rounded())) }
    return (sides[0], sides[1])
  }
}
