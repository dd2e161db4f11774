internal import Foundation
internal import ZoomGeometry
internal import ZoomPipeline

/// A colour in CIELAB under D65: lightness from 0 to 100, and the axes green to red and blue to yellow.
struct LabColour: Sendable, Hashable {
  var lightness: Double
  var a: Double
  var b: Double

  init(_ lightness: Double, _ a: Double, _ b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  /// Creates the colour of sRGB levels from 0 to 255.
  init(red: Double, green: Double, blue: Double) {
    self.init(light: [red, green, blue].map { Self.light($0 / 255) }, of: .srgb)
  }

  /// Creates the colour of amounts of light, 0 to 1, of the primaries (IEC 61966-2-1, SMPTE EG 432-1).
  init(light: [Double], of primaries: ColourTarget) {
    let axes: [[Double]] =
      switch primaries {
      case .srgb: [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
      case .p3: [[0.4866, 0.2657, 0.1982], [0.2290, 0.6917, 0.0793], [0, 0.0451, 1.0439]]
      }
    let shares = axes.map { weights in
      let white = weights.reduce(0, +)
      let ratio = zip(weights, light).reduce(0) { $0 + $1.0 * $1.1 } / white
      return ratio > 216.0 / 24389 ? cbrt(ratio) : (24389 * ratio / 27 + 16) / 116
    }
    self.init(
      116 * shares[1] - 16, 500 * (shares[0] - shares[1]), 200 * (shares[1] - shares[2]))
  }

  /// Returns the light of a level from 0 to 1 on the curve that sRGB and Display P3 share.
  static func light(_ level: Double) -> Double {
    level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
  }

  /// Returns the colour difference CIEDE2000 (ISO/CIE 11664-6), of which 1 is about just noticeable.
  ///
  /// The formulas are those of Sharma, Wu and Dalal (Color Research and Application 30, 2005), whose
  /// table of pairs the tests check.
  func difference2000(from other: LabColour) -> Double {
    let mean7 = pow((hypot(a, b) + hypot(other.a, other.b)) / 2, 7)
    let stretch = 1.5 - 0.5 * (mean7 / (mean7 + Self.power7)).squareRoot()
    let (one, two) = (stretched(by: stretch), other.stretched(by: stretch))
    let chromas = one.chroma * two.chroma
    var turn = two.hue - one.hue
    if chromas == 0 { turn = 0 } else if abs(turn) > 180 { turn -= turn > 0 ? 360 : -360 }
    let sum = one.hue + two.hue
    // The mean of hues on the shorter way round; of a grey and another colour, the other's.
    let hue =
      chromas == 0
      ? sum : abs(one.hue - two.hue) <= 180 ? sum / 2 : (sum < 360 ? sum + 360 : sum - 360) / 2
    let lightness = (self.lightness + other.lightness) / 2 - 50
    let chroma = (one.chroma + two.chroma) / 2
    var weight = 1 - 0.17 * Self.cosine(hue - 30) + 0.24 * Self.cosine(2 * hue)
    weight += 0.32 * Self.cosine(3 * hue + 6) - 0.2 * Self.cosine(4 * hue - 63)
    let fromBlue = (hue - 275) / 25
    let spread: Double = 60 * exp(-fromBlue * fromBlue)
    let chroma7: Double = pow(chroma, 7)
    let share: Double = (chroma7 / (chroma7 + Self.power7)).squareRoot()
    let rotation: Double = -2 * share * sin(spread * .pi / 180)
    let square = lightness * lightness
    let byLightness =
      (other.lightness - self.lightness) / (1 + 0.015 * square / (20 + square).squareRoot())
    let byChroma = (two.chroma - one.chroma) / (1 + 0.045 * chroma)
    let arc: Double = 2 * chromas.squareRoot() * sin(turn / 2 * .pi / 180)
    let byHue = arc / (1 + 0.015 * chroma * weight)
    let squares = byLightness * byLightness + byChroma * byChroma + byHue * byHue
    return (squares + rotation * byChroma * byHue).squareRoot()
  }

  private static let power7: Double = pow(25, 7)

  private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

  /// Returns chroma and hue, in degrees from 0, with the axis from green to red stretched.
  private func stretched(by factor: Double) -> (chroma: Double, hue: Double) {
    let chroma = hypot(a * factor, b)
    guard chroma > 0 else { return (0, 0) }
    let degrees = atan2(b, a * factor) * 180 / .pi
    return (chroma, degrees < 0 ? degrees + 360 : degrees)
  }
}

extension Pixels {
  /// The colours of pixels whose first samples, from 0 to 1, `light` converts to primaries' light.
  func colours(
    of primaries: ColourTarget, _ light: ([Double]) -> [Double]
  ) -> [LabColour] {
    let (samples, (level, fullScale)) = (min(bands, 3), sampleType)
    return bytes.withUnsafeBytes { bytes in
      (0..<size.area).map { pixel in
        let values = (0..<samples).map { level(bytes, pixel * bands + $0) / fullScale }
        return LabColour(light: light(values), of: primaries)
      }
    }
  }
}
