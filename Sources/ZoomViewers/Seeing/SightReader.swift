internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// Finds a picture in screenshots, and compares those of views at rest with it.
final class SightReader {
  typealias Reading = (sight: Sight, checks: SightChecks?)

  let picture: ViewerPicture
  /// A picture of the same size that may be open before: its parts are recognised by their colours.
  private(set) lazy var former = ViewerPicture(card: picture.size, isTurned: true)
  private let limits: PictureLimits
  /// The page's colour; nil until a screenshot of a transparent picture was read.
  private var page: SIMD4<Float>?
  private var known: [String: Reading] = [:]

  /// The most readings that are kept; a case has up to 20.
  private static let mostKnown = 200

  init(_ picture: ViewerPicture, limits: PictureLimits) {
    (self.picture, self.limits) = (picture, limits)
  }

  /// Reads a screenshot, unless one with an equal digest is known; the ratio is as in `Inspection`.
  func read(
    _ png: [UInt8], digest: UInt64, isSettled: Bool, ratio: Double
  ) throws(ViewerFailure) -> Reading {
    let key = "\(digest) \(isSettled) \(ratio)"
    if let reading = known[key] { return reading }
    let pixels: Pixels
    do throws(PipelineError) {
      let image = try Image(png: png, limits: limits)
      pixels = try image.read(PixelRegion(whole: image.size))
    } catch {
      throw .picture(error)
    }
    let shot = picture.alpha < 255 ? opaque(pixels) : pixels
    var reading: Reading = (Registration(levels: picture.levels).fit(shot, ratio: ratio), nil)
    if isSettled, let place = reading.sight.place {
      reading.checks = Inspection(shot, place, ratio: ratio, of: picture.levels)?.checks()
    }
    if known.count == Self.mostKnown { known = [:] }
    known[key] = reading
    return reading
  }

  /// Returns a screenshot as it would be with an opaque picture.
  ///
  /// The page's colour is the most frequent one of the first screenshot, in which the picture must not cover the page.
  private func opaque(_ shot: Pixels) -> Pixels {
    let colours = (0..<shot.size.area).map { shot.colour($0) }
    let page =
      self.page ?? Dictionary(grouping: colours) { $0 }.max { $0.value.count < $1.value.count }?.key
      ?? .zero
    self.page = page
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Pixels.screenBands * colours.count)
    for colour in colours {
      let own = mixed(page, colour, 255 / Float(picture.alpha))
      for band in 0..<Pixels.screenBands {
        bytes.append(UInt8(min(max(own[band].rounded(), 0), 255)))
      }
    }
    return Pixels(rgb: shot.size, bytes)
  }
}
