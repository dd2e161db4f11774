internal import Dispatch
internal import Synchronization
internal import ZoomGeometry

/// The rows of a raster, parted so that two cores can work side by side.
///
/// Two, because a viewer leaves its other cores to decoders. What is done to a row must not depend on
/// the band it is in: then the split changes nothing but the time.
struct RowBands {
  let bands: [Range<Int>]

  /// Parts a raster into two; a small one stays whole.
  ///
  /// Waking another thread takes 10 to 50 µs, in which a core stretches about 10000 pixels.
  init(of size: PixelSize) {
    let isSmall = size.area < 1 << 14 || size.height < 2
    bands = isSmall ? [0..<size.height] : [0..<size.height / 2, size.height / 2..<size.height]
  }

  /// Does something to every band; throws what the first that failed has thrown.
  func forEach(
    _ body: @Sendable (Range<Int>) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    guard bands.count > 1 else { return try body(bands[0]) }
    let failures = Mutex([PipelineError?](repeating: nil, count: bands.count))
    DispatchQueue.concurrentPerform(iterations: bands.count) { number in
      do throws(PipelineError) { try body(bands[number]) } catch {
        failures.withLock { $0[number] = error }
      }
    }
    if let failure = failures.withLock({ $0.compactMap(\.self).first }) { throw failure }
  }
}
