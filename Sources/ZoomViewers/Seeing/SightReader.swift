internal import Dispatch
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
  /// The inspector of views at rest and the readings; the inspector is nil for a transparent picture until the
  /// page's colour is known.
  private let state: Mutex<(inspector: Inspector?, known: [Shot: Reading])>
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
    let inspector = Inspector(picture.levels, isCard: content == .card, former: former?.levels)
    state = Mutex((content == .alpha ? nil : inspector, [:]))
  }

  /// Begins a play, before which readings may be dropped: a play asks for all of its own.
  func beginPlay() {
    state.withLock { if $0.known.count > Self.mostKnown { $0.known = [:] } }
  }

  /// Begins to read a screenshot, unless an equal one is known.
  func begin(_ png: [UInt8], as shot: Shot) {
    queue.async { [self] in
      state.withLock { state in
        guard state.known[shot] == nil else { return }
        state.known[shot] = Reading { () throws(ViewerFailure) in
          try read(png, as: shot, &state.inspector)
        }
      }
    }
  }

  /// Waits for the readings of some screenshots that have been begun.
  func readings(of shots: [Shot]) -> [Reading] {
    queue.sync {}
    return state.withLock { state in shots.compactMap { state.known[$0] } }
  }

  private func read(
    _ png: [UInt8], as shot: Shot, _ inspector: inout Inspector?
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
    inspector = inspector ?? Inspector(picture, over: pixels, place, ratio: shot.ratio)
    return (sight, inspector?.checks(pixels, place, ratio: shot.ratio))
  }
}
