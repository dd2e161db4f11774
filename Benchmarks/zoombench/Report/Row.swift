internal import Measurement
internal import ZoomLoad

/// One case of a result: a contender's samples, two builds compared, a law tried on a subject, or a file.
struct Row: Codable {
  /// One line, not empty, and unique in its result.
  var name: String
  /// The name of the row's group, whose samples are paired by round.
  var group: String?
  var picture: String?
  var contender: String?
  var role = CaseComparison.Role.gated
  var verdict: Verdict
  var figures = Figures()
  /// The counts of a benchmark, or the candidate's.
  var counters: [String: Int] = [:]
  /// Nanoseconds of each sample, one array for each launch; empty if `comparison` has the samples.
  var wall: [[UInt64]] = []
  var cpu: [[UInt64]] = []
  var bench: Answers?
  var comparison: CaseComparison?
  var law: VerifyReport.LawRow?
  var file: File?
  var load: LoadReport?

  /// The verdict of a row, with the reason if it does not pass.
  struct Verdict: Codable {
    var word: Word
    var standing: Standing
    var reason: String?

    init(_ word: Word, standing: Standing? = nil, reason: String? = nil) {
      (self.word, self.standing, self.reason) = (word, standing ?? word.standing, reason)
    }
  }

  /// A contender's answers, compared with naive's.
  struct Answers: Codable {
    var agreed = 0
    var differing = 0
    /// Whether the contender promises naive's pixels; otherwise differences are not findings.
    var isExact = true
    /// The answers of another program that differ from naive's in bytes but look alike.
    var alike: Likeness?
    /// The way in which `partial` reads the picture; nil for other sources.
    var method: String?
  }

  /// Answers in a lossy format that look like naive's pixels.
  struct Likeness: Codable {
    var count = 0
    /// The largest difference of two samples, in steps of the format.
    var largest = 0.0
    /// The sum of the answers' mean absolute differences.
    var meanSum = 0.0
    /// The difference in the first answer that was not alike.
    var firstDifference: String?
  }

  /// The number of samples in each launch.
  var launches: [Int] { comparison?.launches.map(\.pairs) ?? wall.map(\.count) }
}

/// A row's or a run's state in the terms of a build server.
enum Standing: String, Codable {
  case passed, failed
  /// Neither a pass nor a failure.
  case undecided
  /// Without samples: the picture could not be read.
  case unmeasured

  /// The order for people: cases that need attention first.
  var rank: Int {
    switch self {
    case .failed: 0
    case .undecided, .unmeasured: 1
    case .passed: 2
    }
  }
}

/// The verdicts, the most important first.
///
/// Pixels, counters, and failing or missing cases are exact, so they are findings even in a contaminated run;
/// the times of such a run are not used.
enum Word: String, Codable, CaseIterable {
  case pixelsDiffer = "pixels differ"
  /// The contender gives no answer where naive does.
  case failed
  /// The candidate crashes, hangs or refuses where the base answers.
  case caseFails = "case fails"
  case caseMissing = "case missing"
  case counterRose = "counter rose"
  case broken
  /// A server's answer is not as a rule recommends, which is a finding only if the run is strict.
  case deviates
  case contaminated
  case slower
  case unmeasured
  case undecided
  /// Only for a run: some cases are undecided, and no other case is a finding.
  case partlyUndecided = "partly undecided"
  case agrees
  /// Other samples than naive's, but the same content in the same place.
  case alike
  /// Other pixels, from a source that does not promise naive's.
  case inexact
  case reference
  case refused
  case faster
  case same
  case held
  /// The picture has changed since it was indexed.
  case stale
  case removed
  case absent
  case indexed
  case current
  case readable

  var standing: Standing {
    switch self {
    case .pixelsDiffer, .failed, .caseFails, .caseMissing, .counterRose, .broken, .slower, .stale,
      .absent:
      .failed
    case .contaminated, .undecided, .partlyUndecided, .refused: .undecided
    case .unmeasured: .unmeasured
    case .deviates, .agrees, .alike, .inexact, .reference, .faster, .same, .held, .removed,
      .indexed, .current, .readable:
      .passed
    }
  }
}

extension Row {
  /// The numbers of a row, nil where one is unknown.
  ///
  /// Times are nanoseconds of one run of the work.
  struct Figures: Codable {
    /// The median wall time, with the ends of its 98 % interval.
    var p50: Double?
    var p50Lower: Double?
    var p50Upper: Double?
    var p95: Double?
    var p99: Double?
    var cpuP50: Double?
    var baseP50: Double?
    var baseCPUP50: Double?
    /// The speed relative to naive: 2 is twice as fast.
    var gain: Ratio?
    var timesFloor: Ratio?
    /// Candidate over base.
    var cpuChange: Ratio?
    var wallChange: Ratio?
    /// The least change that would have been found, as a fraction.
    var detectable: Double?
    var p95Change: Ratio?
    var p99Change: Ratio?
    var memory: Double?
    var pixelsPerPixel: Double?
    var bytesPerPixel: Double?
    var agreed: Int?
    var answers: Int?
    var cases: Int?
    var seconds: Double?

    /// Sets the percentiles of times, one array for each launch; a percentile of too few samples is nil.
    mutating func setTimes(wall: [[Double]], cpu: [[Double]]) {
      cpuP50 = Self.median(cpu)
      guard let samples = try? SortedSamples(wall.flatMap { $0 }) else { return }
      p50 = samples.median
      (p95, p99) = (samples.quantile(0.95), samples.quantile(0.99))
      // With fewer than seven samples, the ends are the extremes.
      let rank = (try? MedianInterval.narrowest(count: samples.count, confidence: 0.98))?.rank ?? 1
      p50Lower = samples.values[rank - 1]
      p50Upper = samples.values[samples.count - rank]
    }

    static func median(_ launches: [[Double]]) -> Double? {
      (try? SortedSamples(launches.flatMap { $0 }))?.median
    }
  }

  struct Ratio: Codable {
    var ratio: Double
    var lower: Double?
    var upper: Double?
    /// The chance, from 0 to 1, that the interval contains the true ratio.
    var level: Double?
    var pairs: Int?

    init(_ ratio: Double, _ interval: PairedRatio.Interval?, pairs: Int? = nil) {
      (self.ratio, self.pairs) = (ratio, pairs)
      (lower, upper, level) = (interval?.lower, interval?.upper, interval?.coverage)
    }
  }
}
