internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// Finds a picture in screenshots, and compares those of views at rest with it.
final class SightReader {
  /// A screenshot: its digest, and what a reading depends on beside its pixels.
  struct Shot: Hashable {
    let digest: UInt64
    let isSettled: Bool
    /// The device pixels per CSS pixel.
    let ratio: Double
    /// The place to assume, for a picture that cannot be recognised.
    let place: Sight?
  }
  typealias Reading = (sight: Sight, checks: SightChecks?)

  let picture: ViewerPicture
  /// The picture of the same size that is open before.
  let former: ViewerPicture?
  private let isCard: Bool
  private let limits: PictureLimits
  /// The picture as it should look; nil for a transparent one until the page's colour is known.
  private var levels: PlanePyramid?
  private var known: [Shot: Reading] = [:]

  /// The most readings that are kept; a case has up to 20.
  private static let mostKnown = 200

  init(
    _ picture: ViewerPicture, content: ViewerCase.Content, former: ViewerPicture?,
    limits: PictureLimits
  ) {
    (self.picture, self.former, self.limits) = (picture, former, limits)
    isCard = content == .card
    levels = content == .alpha ? nil : picture.levels
  }

  /// Reads a screenshot, unless an equal one is known.
  func read(_ png: [UInt8], as shot: Shot) throws(ViewerFailure) -> Reading {
    if let reading = known[shot] { return reading }
    let pixels: Pixels
    do throws(PipelineError) {
      let image = try Image(png: png, limits: limits)
      pixels = try image.read(PixelRegion(whole: image.size))
    } catch {
      throw .picture(error)
    }
    let sight = shot.place ?? Registration(levels: picture.levels).fit(pixels, ratio: shot.ratio)
    var reading: Reading = (sight, nil)
    if shot.isSettled, let place = sight.place {
      func inspection(_ levels: PlanePyramid) -> Inspection? {
        Inspection(pixels, place, ratio: shot.ratio, of: levels, isCard: isCard)
      }
      levels = levels ?? inspection(picture.levels)?.background.map { picture.levels(over: $0) }
      reading.checks = levels.flatMap { inspection($0)?.checks(former: former?.levels) }
    }
    if known.count == Self.mostKnown { known = [:] }
    known[shot] = reading
    return reading
  }
}
