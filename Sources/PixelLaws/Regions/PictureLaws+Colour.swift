internal import Foundation
internal import PropertyTesting
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension PictureLaws {
  /// The largest mean difference of colours (CIEDE2000), which is seen only side by side.
  ///
  /// libvips' own is below 1, on average and for most pixels.
  private static let mostDifference = 2.0

  /// Computes the expected colours from the numbers in the profiles, without libvips.
  static let profile = Law<PixelSubject>(
    "PX-31",
    "A profile is applied exactly once: red and green change places where it swaps them, grey has"
      + " the light of its curve, colours without a profile are sRGB, and alpha stays.",
    source: "verifier: a profile that swaps red and green cannot be ignored unseen; ICC.1:2001-04",
    forEach: { subject in
      asked(subject, sides: 1...40, reductions: [.none]).filter { !$0.picture.hasInks }.map {
        // Lossy formats change the colours of noise.
        subject.pipeline.isExact ? $0 : $0.smooth
      }
    },
    examples: { subject in
      (forms(for: subject) + tags(for: subject)).filter { !$0.picture.hasInks }.map(\.smooth)
    }, inWords: { $0.inWords }
  ) { subject, asked, testCase in
    let (picture, request) = (asked.picture, asked.request)
    let file = try subject.files.file(of: picture)
    defer { extendLifetime(file) }
    let stored = try ReferencePicture(file.path).whole().cut(request.region)
      .quarterTurned(request.turn)
    let plain = stored.colours(of: .srgb) { light($0, hasProfile: false) }
    let expected = stored.colours(of: .srgb) { light($0, hasProfile: picture.hasProfile) }
    testCase.classify(picture.bands == 1, as: "grey", atLeast: 0.1)
    let share = subject.containers.contains { $0.isLossless } ? 0.02 : nil
    testCase.classify(picture.bands == 4, as: "with alpha", atLeast: share)
    testCase.classify(picture.depth == .sixteen, as: "16 bit", atLeast: share)
    testCase.classify(
      picture.orientation != .up, as: "with an orientation tag",
      atLeast: subject.containers == [.png] ? nil : 0.02)
    testCase.classify(
      mean(plain, expected) > 10, as: "the profile moves colours by more than 10", atLeast: 0.2)
    let got = try subject.open(file).read(request).pixels
    let form = try ReferencePicture(file.path, colour: subject.pipeline.colour).form
    try Property.require(
      (got.size, got.bands, got.format) == (stored.size, form.bands, form.format),
      "the peek is \(got.size) of \(got.bands) bands of \(got.format.rawValue), not \(stored.size)"
        + " of \(form.bands) bands of \(form.format.rawValue)")
    let colours = got.colours(of: subject.pipeline.colour ?? .srgb) { $0.map(LabColour.light) }
    let difference = mean(colours, expected)
    try Property.require(
      difference <= mostDifference,
      "the colours differ by \(difference) on average (CIEDE2000, at most \(mostDifference)) from"
        + " what the profile gives")
    try Property.require(
      stored.bands < 4 || got.alpha == stored.alpha, "alpha differs from the picture's")
  }

  /// Returns the light of red, green and blue for stored samples from 0 to 1.
  private static func light(_ samples: [Double], hasProfile: Bool) -> [Double] {
    let isGrey = samples.count == 1
    guard hasProfile else {
      return (isGrey ? [samples[0], samples[0], samples[0]] : samples).map(LabColour.light)
    }
    let exponent = isGrey ? ColourProfile.greyGamma : ColourProfile.gamma
    return (isGrey ? [0, 0, 0] : [1, 0, 2]).map { pow(samples[$0], exponent) }
  }

  private static func mean(_ one: [LabColour], _ other: [LabColour]) -> Double {
    zip(one, other).reduce(0) { $0 + $1.0.difference2000(from: $1.1) } / Double(one.count)
  }
}

extension PictureLaws.Asked {
  /// The request for a picture of even slopes.
  fileprivate var smooth: PictureLaws.Asked {
    var smooth = picture
    smooth.content = .gradient
    return PictureLaws.Asked(picture: smooth, request: request)
  }
}

extension Pixels {
  /// The bytes of each pixel's last sample.
  fileprivate var alpha: [UInt8] {
    let (pixel, sample) = (bands * format.byteCount, format.byteCount)
    return (0..<size.area).flatMap { bytes[$0 * pixel + pixel - sample..<($0 + 1) * pixel] }
  }
}
