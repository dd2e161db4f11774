internal import ForeignPipelines
internal import ZoomGeometry

/// The choices of a run that all of its steps share.
package struct LoadSettings: Sendable {
  package let bound: LoadBound
  package let model: ViewerStream.Model
  /// The mean time between two views of a viewer in seconds, which gives the number of viewers.
  package var pause = 2.0
  /// The most requests on their way at a time.
  package var connections = 64
  /// The most requests in any second of a step; nil for no limit.
  package var mostPerSecond: Int?
  /// The shortest step in seconds; a step is longer if the bound needs more views.
  package var stepSeconds = 10.0
  /// The time in seconds after which a view that is not full is given up: twice the bound, so that it decides.
  package var patience: Double { max(10, 2 * bound.nanoseconds / 1e9) }
  package var seed: UInt64 = 1

  package init(bound: LoadBound, model: ViewerStream.Model) {
    (self.bound, self.model) = (bound, model)
  }

  /// The views at the start of a step that are not recorded, as a share of the step.
  static let warmUp = 0.1
  /// The most viewers; each has its own tiles and arrivals.
  package static let mostViewers = 10_000

  /// Returns the number of viewers who want a number of views per second.
  package func viewers(at rate: Double) -> Int {
    Int(min(Double(Self.mostViewers), max(1, (rate * pause).rounded(.up))))
  }

  /// Returns the seconds of a step, in which the bound can be judged.
  package func seconds(at rate: Double) -> Double {
    max(stepSeconds, Double(bound.neededViews) * 1.2 / (rate * (1 - Self.warmUp)))
  }
}

/// A run of steps against one subject.
package struct LoadRun {
  /// Drives an engine to its end, and calls a function now and then with the nanoseconds since the start.
  package typealias Drive = (inout LoadEngine, _ tick: (UInt64, LoadEngine) -> Bool) -> Void

  package let subject: any LoadSubject
  package let settings: LoadSettings
  package private(set) var steps: [LoadStep] = []
  package private(set) var series: [ResourceSeries] = []
  private var ledger = AnswerLedger()
  /// The counts and times of the last step.
  private var tally = LoadTally()
  private let server: Int32?
  private let isCancelled: () -> Bool
  private let drive: Drive

  /// Creates a run; `server` is the process whose memory and processor time are reported.
  package init(
    _ subject: any LoadSubject, _ settings: LoadSettings, server: Int32? = nil,
    isCancelled: @escaping () -> Bool = { false }, drive: @escaping Drive
  ) {
    (self.subject, self.settings, self.server) = (subject, settings, server)
    (self.isCancelled, self.drive) = (isCancelled, drive)
  }

  /// Plays a step and compares its answers afterwards.
  ///
  /// Without `choices`, each viewer opens all pictures. Without `viewers`, the rate gives their number, and
  /// without `seconds`, the bound gives the length. If `reads` is true, resources are judged, too. Without
  /// `seed`, the settings and the number of the step give the views.
  @discardableResult
  package mutating func step(
    _ purpose: String, rate: Double?, choices: [[Int]]? = nil, viewers: Int? = nil,
    seconds: Double? = nil, reads: Bool = false, seed: UInt64? = nil
  ) -> LoadStep {
    let count = viewers ?? rate.map { settings.viewers(at: $0) } ?? 1
    let choices = choices ?? Array(repeating: Array(subject.pictures.indices), count: count)
    let length = seconds ?? rate.map { settings.seconds(at: $0) } ?? settings.stepSeconds
    // Each step has its own views: repeated ones would depend on each other.
    let seed = seed ?? settings.seed &+ UInt64(steps.count)
    let streams = choices.enumerated().map { viewer, pictures in
      ViewerStream(
        subject.pictures, choices: pictures, model: settings.model, seed: seed, viewer: viewer)
    }
    var engine = LoadEngine(
      streams, rate: rate, seconds: length, seed: seed, settings, ledger)
    ledger = AnswerLedger(mostBytes: 0)
    var watch = ResourceWatch(
      server: server, every: length / (reads ? 120 : 20), countsFiles: reads)
    let start = watch.processorTimes
    drive(&engine) { [isCancelled] now, engine in
      watch.look(
        at: now, answers: engine.tally.counts.answers, keptBytes: engine.ledger.keptBytes)
      return !isCancelled()
    }
    let usage = watch.usage(since: start)
    if reads { series += watch.series.filter { !$0.readings.isEmpty } }
    (ledger, tally) = (engine.ledger, engine.tally)
    let step = LoadStep(
      purpose, tally, ledger.check(by: subject), bound: settings.bound, rate: rate,
      viewers: choices.count, seconds: length * (1 - LoadSettings.warmUp), own: usage[0],
      server: usage.dropFirst().first)
    steps.append(step)
    return step
  }

  /// Searches for the capacity some times, each time near the last one.
  package mutating func capacity(
    from first: Double, most: Double, repetitions: Int, progress: (LoadStep) -> Void
  ) -> LoadCapacity {
    var found: [Double] = []
    var (isLimited, isLate) = (false, false)
    for number in 1...repetitions {
      let last = found.last.flatMap { $0 > 0 ? $0 : nil }
      var search = CapacitySearch(from: last ?? first, most: most, stride: last == nil ? 2 : 1.3)
      while let rate = search.next, !isCancelled() {
        let step = self.step("capacity \(number)", rate: rate)
        progress(step)
        if step.verdict == .late {
          isLate = true
          break
        }
        search.note(rate, holds: step.verdict == .holds)
      }
      if isCancelled() { break }
      // A late generator says nothing about the subject.
      if search.holding != nil || !isLate { found.append(search.holding ?? 0) }
      isLimited = isLimited || search.breaking == nil && !isLate
      if isLate || search.holding == nil { break }
    }
    return LoadCapacity(repetitions: found, isLimited: isLimited, isLate: isLate)
  }

  /// Compares one viewer of the largest picture, and many others, with each being alone; nil for one picture.
  package mutating func fairness(
    rate: Double, progress: (LoadStep) -> Void
  ) -> LoadFairness? {
    let areas = subject.pictures.map(\.size.area)
    guard areas.count > 1, let large = areas.indices.max(by: { areas[$0] < areas[$1] }) else {
      return nil
    }
    let small = areas.indices.filter { $0 != large }
    let viewers = max(2, settings.viewers(at: rate))
    let each = rate / Double(viewers)
    var alone: [LoadStep] = []
    for (name, pictures) in [("large alone", [large]), ("small alone", small)] {
      // A median needs few views.
      let seconds = max(settings.stepSeconds, 15 / each)
      alone.append(step(name, rate: each, choices: [pictures], seconds: seconds))
      progress(alone[alone.count - 1])
    }
    let together = step(
      "together", rate: rate,
      choices: [[large]] + Array(repeating: small, count: viewers - 1))
    progress(together)
    return LoadFairness(
      alone: alone.map(\.views.p50), together: (0..<viewers).map(tally.median),
      bound: settings.bound)
  }
}

/// A comparison of many viewers at once with single ones, by the median time to full view in milliseconds: nil if
/// half of the views never became full, or none was wanted.
package struct LoadFairness: Sendable, Codable {
  /// The medians of a viewer of the large picture, and of one of the small ones, each alone.
  package let alone: [Double?]
  /// The medians of all viewers together; the first has the large picture.
  package let together: [Double?]
  /// The number of viewers of small pictures who wait above the bound and more than four times the median of
  /// the others.
  package let starved: Int

  package init(alone: [Double?], together: [Double?], bound: LoadBound) {
    (self.alone, self.together) = (alone, together)
    let times = together.dropFirst().map { $0 ?? .infinity }.sorted()
    starved = times.indices.count(where: { viewer in
      // The times are sorted, so the others lack only this place.
      let middle = (times.count - 1) / 2
      let others = times.count > 1 ? times[middle < viewer ? middle : middle + 1] : .infinity
      return times[viewer] > max(4 * others, bound.nanoseconds / 1e6)
    })
  }
}
