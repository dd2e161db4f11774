internal import Foundation
internal import PropertyTesting
internal import ZoomCorpus
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

extension PictureLaws {
  /// The largest difference by CIEDE2000, on average or, in exact sources, of any pixel.
  ///
  /// Half a level of 8 bits is at most 1.47, in a dark grey of Display P3. The curves of libvips (8.14)
  /// add at most 0.41; in grey they give 0.79, and half a level 0.19. Display P3 instead of sRGB gives
  /// 2.5 on average, a blue that is 15 % too dark about 4. Programs may decode lossy files in another
  /// way: in the requests of `smooth`, the fast inverse transform of djpeg gives up to 0.6 on average, and
  /// more than 3 in single pixels. A wrong part of their answers is left to the laws that compare by place.
  private static let mostDifference = 2.0

  /// Computes the expected colours from the numbers in the profiles, without libvips' conversion.
  static let profile = Law<PixelSubject>(
    "PX-31",
    "A profile is applied exactly once: red and green change places where it swaps them, grey has"
      + " the light of its curve, colours without a profile are sRGB, and alpha stays.",
    source: "verifier: a profile that swaps red and green cannot be ignored unseen; ICC.1:2001-04",
    forEach: { subject in
      asked(subject, sides: 1...40, reductions: [.none]).filter { !$0.picture.hasInks }
        .map { subject.pipeline.isExact ? $0 : smooth($0) }
    },
    examples: { subject in
      (forms(for: subject) + tags(for: subject)).filter { !$0.picture.hasInks }
        .map { subject.pipeline.isExact ? $0 : smooth($0) }
    }, inWords: { $0.inWords }
  ) { subject, asked, testCase in
    let (picture, request) = (asked.picture, asked.request)
    let file = try subject.files.file(of: picture)
    defer { extendLifetime(file) }
    let stored = try ReferencePicture(file.path).whole().cut(request.region)
      .quarterTurned(request.turn)
    let target = subject.pipeline.colour ?? .srgb
    let plain = stored.eachPixel { colour(of: $0, hasProfile: false) }
    let expected = stored.eachPixel { colour(of: $0, hasProfile: picture.hasProfile) }
    testCase.classify(picture.bands == 1, as: "grey", atLeast: 0.1)
    let share = subject.containers.contains { $0.isLossless } ? 0.02 : nil
    testCase.classify(picture.bands == 4, as: "with alpha", atLeast: share)
    testCase.classify(picture.depth == .sixteen, as: "16 bit", atLeast: share)
    testCase.classify(
      picture.orientation != .up, as: "with an orientation tag",
      atLeast: subject.containers == [.png] ? nil : 0.02)
    testCase.classify(
      difference(plain, expected, isMean: true) > 3, as: "the profile moves colours by more than 3",
      atLeast: 0.2)
    let got = try subject.open(file).read(request).pixels
    let form = try ReferencePicture(file.path, colour: subject.pipeline.colour).form
    try Property.require(
      (got.size, got.bands, got.format) == (stored.size, form.bands, form.format),
      "the peek is \(got.size) of \(got.bands) bands of \(got.format.rawValue), not \(stored.size)"
        + " of \(form.bands) bands of \(form.format.rawValue)")
    let colours = got.eachPixel { LabColour(light: $0.prefix(3).map(linear), in: target) }
    let isMean = !subject.pipeline.isExact
    let found = difference(colours, expected, isMean: isMean)
    try Property.require(
      found <= mostDifference,
      "the colours differ by \(isMean ? "an average of" : "up to") \(found) of CIEDE2000 (at most"
        + " \(mostDifference)) from what the profile gives")
    try Property.require(
      stored.bands < 4 || got.eachPixel { $0[3] } == stored.eachPixel { $0[3] },
      "alpha differs from the picture's")
  }

  /// Returns the colour of stored samples, which are from 0 to 1.
  private static func colour(of samples: [Double], hasProfile: Bool) -> LabColour {
    let isGrey = samples.count == 1
    let exponent = isGrey ? ColourProfile.greyGamma : ColourProfile.gamma
    let places = isGrey ? [0, 0, 0] : hasProfile ? [1, 0, 2] : [0, 1, 2]
    let light = places.map { hasProfile ? pow(samples[$0], exponent) : linear(samples[$0]) }
    return LabColour(light: light, in: .srgb)
  }

  /// Returns the light of a level on the curve that sRGB (IEC 61966-2-1) and Display P3 share.
  private static func linear(_ level: Double) -> Double {
    level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
  }

  /// Returns the request for the whole of a picture whose mean colour hardly depends on the decoder.
  ///
  /// It has even slopes, which lossy answers keep, and full chroma, which decoders do not smooth. In 7x7
  /// pixels of quality 100, a fast inverse transform gives a mean of 2, and more in a region.
  static func smooth(_ asked: Asked) -> Asked {
    var picture = asked.picture
    picture.content = .gradient
    let (width, height) = (max(16, picture.size.width), max(16, picture.size.height))
    picture.size = PixelRegion.checked(0, 0, width, height).size
    if case .jpeg(var encoding) = picture.container {
      encoding.sampling = JPEGEncoding.Sampling.yCbCr444
      encoding.quality = min(encoding.quality, 90)
      picture.container = .jpeg(encoding)
    }
    let whole = PixelRegion(whole: picture.uprightSize)
    return Asked(picture: picture, request: RegionRequest(whole, turn: asked.request.turn))
  }

  /// Returns the mean or the largest difference of two rows of colours.
  private static func difference(_ a: [LabColour], _ b: [LabColour], isMean: Bool) -> Double {
    let all = zip(a, b).map { $0.difference(from: $1) }
    return isMean ? all.reduce(0, +) / Double(all.count) : all.max() ?? 0
  }
}

extension Pixels {
  /// Returns what a function gives for the samples of each pixel, which are from 0 to 1.
  fileprivate func eachPixel<Value>(_ function: ([Double]) -> Value) -> [Value] {
    let (level, fullScale) = sampleType
    return bytes.withUnsafeBytes { bytes in
      (0..<size.area).map { pixel in
        function((0..<bands).map { level(bytes, pixel * bands + $0) / fullScale })
      }
    }
  }
}
