internal import Foundation
internal import PropertyTesting
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension PictureLaws {
  /// The largest difference in levels of 8 bits, on average or, in exact sources, of any sample.
  ///
  /// Samples of libvips (8.14) differ by 0.3 on average, by 2 in dark colours and by 2.9 in dark
  /// grey. A blue that is 15 % too dark differs by 6 on average, Display P3 from sRGB by 9. Programs
  /// may decode lossy files in another way, so that single samples may differ by any number.
  private static let mostDifference = 4.0

  /// Computes the expected colours from the numbers in the profiles, without libvips'
  /// conversion.
  static let profile = Law<PixelSubject>(
    "PX-31",
    "A profile is applied exactly once: red and green change places where it swaps them, grey has"
      + " the light of its curve, colours without a profile are sRGB, and alpha stays.",
    source: "verifier: a profile that swaps red and green cannot be ignored unseen; ICC.1:2001-04",
    forEach: { subject in
      asked(subject, sides: 1...40, reductions: [.none]).filter { !$0.picture.hasInks }.map {
        // Lossy formats change the colours of noise.
        subject.pipeline.isExact ? $0 : smooth($0)
      }
    },
    examples: { subject in
      (forms(for: subject) + tags(for: subject)).filter { !$0.picture.hasInks }.map(smooth)
    }, inWords: { $0.inWords }
  ) { subject, asked, testCase in
    let (picture, request) = (asked.picture, asked.request)
    let file = try subject.files.file(of: picture)
    defer { extendLifetime(file) }
    let stored = try ReferencePicture(file.path).whole().cut(request.region)
      .quarterTurned(request.turn)
    let target = subject.pipeline.colour ?? .srgb
    let plain = stored.eachPixel { converted($0, to: target, hasProfile: false) }
    let expected = stored.eachPixel {
      converted($0, to: target, hasProfile: picture.hasProfile)
    }
    testCase.classify(picture.bands == 1, as: "grey", atLeast: 0.1)
    let share = subject.containers.contains { $0.isLossless } ? 0.02 : nil
    testCase.classify(picture.bands == 4, as: "with alpha", atLeast: share)
    testCase.classify(picture.depth == .sixteen, as: "16 bit", atLeast: share)
    testCase.classify(
      picture.orientation != .up, as: "with an orientation tag",
      atLeast: subject.containers == [.png] ? nil : 0.02)
    testCase.classify(
      mean(plain, expected) > 10, as: "the profile moves colours by more than 10 levels",
      atLeast: 0.2)
    let got = try subject.open(file).read(request).pixels
    let form = try ReferencePicture(file.path, colour: subject.pipeline.colour).form
    try Property.require(
      (got.size, got.bands, got.format) == (stored.size, form.bands, form.format),
      "the peek is \(got.size) of \(got.bands) bands of \(got.format.rawValue), not \(stored.size)"
        + " of \(form.bands) bands of \(form.format.rawValue)")
    let (colours, isExact) = (got.eachPixel { Array($0.prefix(3)) }, subject.pipeline.isExact)
    let largest = 255 * (zip(colours, expected).map { abs($0 - $1) }.max() ?? 0)
    let difference = isExact ? largest : mean(colours, expected)
    try Property.require(
      difference <= mostDifference,
      "the colours differ by \(isExact ? "up to" : "an average of") \(difference) levels (at most"
        + " \(mostDifference)) from what the profile gives")
    try Property.require(
      stored.bands < 4 || got.eachPixel { [$0[3]] } == stored.eachPixel { [$0[3]] },
      "alpha differs from the picture's")
  }

  /// Returns the levels of red, green and blue, from 0 to 1, for stored samples from 0 to 1.
  private static func converted(
    _ samples: [Double], to target: ColourTarget, hasProfile: Bool
  ) -> [Double] {
    let isGrey = samples.count == 1
    let exponent = isGrey ? ColourProfile.greyGamma : ColourProfile.gamma
    let places = isGrey ? [0, 0, 0] : hasProfile ? [1, 0, 2] : [0, 1, 2]
    var light = places.map { hasProfile ? pow(samples[$0], exponent) : linear(samples[$0]) }
    if target == .p3 {
      // The primaries of sRGB as amounts of those of Display P3 (SMPTE EG 432-1).
      let rows = [[0.8225, 0.1774, 0], [0.0332, 0.9669, 0], [0.0171, 0.0724, 0.9108]]
      light = rows.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    return light.map(encoded)
  }

  /// Returns the level of light on the curve that sRGB (IEC 61966-2-1) and Display P3 share.
  private static func encoded(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// Returns the light of a level on that curve.
  private static func linear(_ level: Double) -> Double {
    level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
  }

  /// Returns the request for a picture of even slopes.
  private static func smooth(_ asked: Asked) -> Asked {
    var picture = asked.picture
    picture.content = .gradient
    return Asked(picture: picture, request: asked.request)
  }

  /// Returns the mean difference of levels from 0 to 1, in levels of 8 bits.
  private static func mean(_ one: [Double], _ other: [Double]) -> Double {
    let sum = zip(one, other).reduce(0.0) { $0 + abs($1.0 - $1.1) }
    return 255 * sum / Double(one.count)
  }
}

extension Pixels {
  /// Returns what a function gives for the samples of each pixel, which are from 0 to 1.
  fileprivate func eachPixel(_ function: ([Double]) -> [Double]) -> [Double] {
    let (level, fullScale) = sampleType
    return bytes.withUnsafeBytes { bytes in
      (0..<size.area).flatMap { pixel in
        function((0..<bands).map { level(bytes, pixel * bands + $0) / fullScale })
      }
    }
  }
}
