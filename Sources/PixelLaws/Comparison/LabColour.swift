internal import Foundation
internal import ZoomPipeline

/// A colour in CIELAB (ISO/CIE 11664-4), relative to D65.
///
/// D65 is the white of sRGB and of Display P3, and the light that CIEDE2000 is defined for.
struct LabColour {
  let lightness, a, b: Double
}

extension LabColour {
  // X, Y and Z of red, green and blue (IEC 61966-2-1, SMPTE EG 432-1); the sums are those of white.
  private static let srgb =
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
  private static let displayP3 =
    [[0.4866, 0.2657, 0.1982], [0.2290, 0.6917, 0.0793], [0, 0.0451, 1.0439]]

  /// Creates a colour from the light of red, green and blue, from 0 to 1.
  init(light: [Double], in colours: ColourTarget) {
    let f = (colours == .srgb ? Self.srgb : Self.displayP3).map { row -> Double in
      let sum = zip(row, light).reduce(0.0) { $0 + $1.0 * $1.1 }
      let share = sum / row.reduce(0, +)
      return share > 216.0 / 24_389 ? cbrt(share) : (24_389.0 / 27 * share + 16) / 116
    }
    self.init(lightness: 116 * f[1] - 16, a: 500 * (f[0] - f[1]), b: 200 * (f[1] - f[2]))
  }

  /// Returns the difference by CIEDE2000 (Sharma, Wu and Dalal, 2005, doi:10.1002/col.20070).
  func difference(from other: LabColour) -> Double {
    func share(_ c: Double) -> Double { (pow(c, 7) / (pow(c, 7) + pow(25, 7))).squareRoot() }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    let stretch = 1.5 - 0.5 * share((hypot(a, b) + hypot(other.a, other.b)) / 2)
    let (a1, a2) = (stretch * a, stretch * other.a)
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    let c = (c1 + c2) / 2
    let h1 = atan2(b, a1) * 180 / .pi
    // For grey, each term with a hue has a factor of zero.
    let turn = (atan2(other.b, a2) * 180 / .pi - h1).remainder(dividingBy: 360)
    let h = (h1 + turn / 2 + 720).truncatingRemainder(dividingBy: 360)
    var t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h)
    t += 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63)
    let square = pow((lightness + other.lightness) / 2 - 50, 2)
    let dL = (other.lightness - lightness) / (1 + 0.015 * square / (20 + square).squareRoot())
    let dC = (c2 - c1) / (1 + 0.045 * c)
    let dH = 2 * (c1 * c2).squareRoot() * sine(turn / 2) / (1 + 0.015 * c * t)
    let angle = 60 * exp(-pow((h - 275) / 25, 2))
    let rotation = -2 * share(c) * sine(angle)
    // Rounding may make the sum negative if the colours are nearly equal.
    return max(0, dL * dL + dC * dC + dH * dH + rotation * dC * dH).squareRoot()
  }
}
