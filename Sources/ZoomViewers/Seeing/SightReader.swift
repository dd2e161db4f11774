internal import Dispatch
internal import Foundation
internal import Synchronization
internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// Finds a picture in screenshots and compares it, while the browser goes on.
///
/// A screenshot takes 20 to 100 ms, as much as the browser takes for its frames.
final class SightReader: Sendable {
  /// A screenshot: its digest, and what a reading depends on beside its pixels.
  struct Shot: Hashable {
    let digest: UInt64
    let isSettled: Bool
    /// The device pixels per CSS pixel.
    let ratio: Double
    /// The place to assume, for a picture that cannot be recognised.
    let place: Sight?
  }
  typealias Reading = Result<(sight: Sight, checks: SightChecks?), ViewerFailure>

  private let registration: Registration
  private let limits: PictureLimits
  private let picture: ViewerPicture
  /// Compares views at rest; nil for a transparent picture until the page's colour is known.
  private let inspector: Mutex<Inspector?>
  private let known = Mutex<[Shot: Reading]>([:])
  private let queue = DispatchQueue(label: "zoombench.sights")

  /// The most readings that are kept; a case has up to 20.
  private static let mostKnown = 200

  /// Creates a reader for a picture, after another one of the same size.
  init(
    _ picture: ViewerPicture, content: ViewerCase.Content, former: ViewerPicture?,
    limits: PictureLimits
  ) {
    (self.picture, self.limits) = (picture, limits)
    registration = Registration(picture.levels)
    inspector = Mutex(
      content == .alpha
        ? nil
        : Inspector(picture.levels, isCard: content == .card, former: former?.levels))
  }

  /// Begins to read a screenshot, unless an equal one is known.
  func begin(_ png: [UInt8], as shot: Shot) {
    queue.async { [self] in
      if known.withLock({ $0[shot] }) != nil { return }
      let reading = Reading { () throws(ViewerFailure) in try read(png, as: shot) }
      known.withLock { known -> Void in known[shot] = reading }
    }
  }

  /// Waits for the readings of some screenshots that have been begun.
  func readings(of shots: [Shot]) -> [Reading] {
    queue.sync {}
    return known.withLock { known in
      defer { if known.count > Self.mostKnown { known = [:] } }
      return shots.compactMap { known[$0] }
    }
  }

  private func read(
    _ png: [UInt8], as shot: Shot
  ) throws(ViewerFailure) -> (sight: Sight, checks: SightChecks?) {
    let pixels: Pixels
    do throws(PipelineError) {
      let image = try Image(png: png, limits: limits)
      pixels = try image.read(PixelRegion(whole: image.size))
    } catch {
      throw .picture(error)
    }
    let sight = shot.place ?? registration.fit(pixels, ratio: shot.ratio)
    guard shot.isSettled, let place = sight.place else { return (sight, nil) }
    let inspector = inspector.withLock { known in
      if known == nil { known = Inspector(picture, over: pixels, place, ratio: shot.ratio) }
      return known
    }
    // The coarsest level that is not coarser than the screen, in halvings.
    let density = place.scale * shot.ratio
    let best = density.isNormal && density < 1 ? Int((-log2(density)).rounded(.down)) : 0
    return (sight, inspector?.checks(pixels, place, ratio: shot.ratio, best: best))
  }
}
