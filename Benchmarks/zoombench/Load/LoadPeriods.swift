internal import ArgumentParser
internal import CAllocations
internal import Measurement
internal import Synchronization
internal import SystemPackage
internal import ZoomLoad
internal import ZoomPipeline

/// Periods of a load as the work of a case of `compare`: a sample is the mean time to full view of one.
final class LoadPeriods: WorkerSubject {
  private var load: LoadRun
  private let rate: Double
  private let threads: LoadThreads?

  /// Few views, so that the contenders alternate often, but enough of each viewer to zoom in.
  private static let (viewers, views) = (6.0, 30.0)
  private static let hidden = Mutex<UInt64>(0)

  /// The monotonic clock, in which a period takes only the time of its sample.
  static let clock: NanosecondClock = {
    Timestamps.monotonic().saturatingSubtract(hidden.withLock { $0 })
  }

  init(_ load: LoadRun, rate: Double, threads: LoadThreads? = nil) {
    (self.load, self.rate, self.threads) = (load, rate, threads)
  }

  convenience init(
    _ pipeline: any Pipeline, _ paths: [FilePath], rate: Double, _ limits: PictureLimits
  ) throws {
    let opened = try LoadOptions.parse([]).open(pipeline, paths, limits)
    var settings = opened.settings
    settings.pause = Self.viewers / rate
    callocations_return_large()
    let threads = LoadThreads(opened.subject, count: settings.connections)
    self.init(LoadRun(opened.subject, settings, drive: threads.drive), rate: rate, threads: threads)
  }

  deinit { threads?.end() }

  /// Returns the name of a case; a history must not mix loads of different pictures.
  static func caseName(_ pictures: [NamedPicture], source: String, rate: Double) -> String {
    let first = "\(pictures.first?.name ?? "")\(Format.andMore(pictures.count - 1, "picture"))"
    return "\(first)/\(source)/load of \(Format.number(rate)) views/s"
  }

  func run(round: Int, extra: Int) throws {
    let start = Timestamps.monotonic()
    let sample = try sample(round: round)
    let spent = Timestamps.monotonic().saturatingSubtract(start)
    Self.hidden.withLock { $0 += spent.saturatingSubtract(sample) }
  }

  /// Plays the period of a round and returns the mean time to full view in nanoseconds.
  ///
  /// - Throws: `Failure` if an answer is wrong, or a view never became full.
  func sample(round: Int) throws -> UInt64 {
    let step = load.step(
      "period", rate: rate, seconds: Self.views / rate, seed: UInt64(round))
    guard step.checks.wrong == 0, let mean = step.views.mean else {
      let reason = step.checks.first ?? step.counts.reasons.first ?? "a view never became full"
      throw Failure(.finding, "at \(step.load): \(reason)")
    }
    return UInt64(mean * 1e6)
  }
}
