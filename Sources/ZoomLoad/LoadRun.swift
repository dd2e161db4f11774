internal import ForeignPipelines
internal import Measurement
internal import ZoomGeometry

/// The choices of a run that all of its steps share.
package struct LoadSettings: Sendable {
  package let bound: LoadBound
  package var model: ViewerStream.Model
  /// The mean time between two views of a viewer in seconds, which gives the number of viewers.
  package var pause = 2.0
  /// The most requests on their way at a time.
  package var connections = 64
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
    let views = SortedSamples.minimumCount(forQuantile: bound.fraction) ?? 1
    return max(stepSeconds, Double(views) * 1.2 / (rate * (1 - Self.warmUp)))
  }
}

/// A run of steps against one subject.
package struct LoadRun {
  /// Drives an engine to its end, and calls a function now and then with the nanoseconds since the start.
  package typealias Drive = (inout LoadEngine, _ tick: (UInt64, LoadEngine) -> Bool) -> Void

  package let subject: any LoadSubject
  package let settings: LoadSettings
  package var report: LoadReport
  private var ledger = AnswerLedger()
  /// The counts and times of the last step.
  private var tally = LoadTally()
  private let server: Int32?
  private let isCancelled: () -> Bool
  private let progress: (LoadStep) -> Void
  private let drive: Drive

  /// The function that reads the resources of processes.
  package var read: (Int32?, Bool, Int) -> [String: Int]? =
    ResourceReading.amounts(of:countsFiles:keptBytes:)

  /// Creates a run; `server` is a process whose resources are also read, and `progress` is called after each step.
  package init(
    _ subject: any LoadSubject, _ settings: LoadSettings, server: Int32? = nil,
    isCancelled: @escaping () -> Bool = { false },
    progress: @escaping (LoadStep) -> Void = { _ in }, drive: @escaping Drive
  ) {
    (self.subject, self.settings, self.server) = (subject, settings, server)
    (self.isCancelled, self.progress, self.drive) = (isCancelled, progress, drive)
    report = LoadReport(bound: settings.bound)
  }

  /// Plays a step and compares its answers afterwards.
  ///
  /// Without `choices`, each viewer opens all pictures. Without `viewers`, the rate gives their number, and
  /// without `seconds`, the bound gives the length. A soak also judges resources. Without `seed`, the settings and
  /// the number of the step give the views.
  @discardableResult
  package mutating func step(
    _ purpose: String, rate: Double?, choices: [[Int]]? = nil, viewers: Int? = nil,
    seconds: Double? = nil, isSoak: Bool = false, seed: UInt64? = nil
  ) -> LoadStep {
    let count = viewers ?? rate.map { settings.viewers(at: $0) } ?? 1
    let choices = choices ?? Array(repeating: Array(subject.pictures.indices), count: count)
    let length = seconds ?? rate.map { settings.seconds(at: $0) } ?? settings.stepSeconds
    // Each step has its own views: repeated ones would depend on each other.
    let seed = seed ?? settings.seed &+ UInt64(report.steps.count)
    let streams = choices.enumerated().map { viewer, pictures in
      ViewerStream(
        subject.pictures, choices: pictures, model: settings.model, seed: seed, viewer: viewer)
    }
    var engine = LoadEngine(
      streams, rate: rate, seconds: length, seed: seed, settings, ledger)
    ledger = AnswerLedger(mostBytes: 0)
    let processes: [Int32?] = server.map { [nil, $0] } ?? [nil]
    var series = processes.map { ResourceSeries(server: $0, seconds: length) }
    let starts = series.map(\.processorTime)
    let interval = length * 1e9 / (isSoak ? 120 : 20)
    var (due, isInterrupted) = (0.0, false)
    drive(&engine) { [isCancelled, read] now, engine in
      if Double(now) >= due {
        // Readings that were missed are not made up for: close to each other, they would count for one time.
        due += interval * (((Double(now) - due) / interval).rounded(.down) + 1)
        for index in series.indices {
          series[index].note(
            read(series[index].server, isSoak, engine.ledger.keptBytes), at: Double(now) / 1e9,
            answers: engine.tally.counts.answers)
        }
      }
      isInterrupted = isInterrupted || isCancelled()
      return !isInterrupted
    }
    let end = engine.stopped.map { min(length, Double($0) / 1e9) } ?? length
    (ledger, tally) = (engine.ledger, engine.tally)
    // Before the check, whose processor time is not part of the load.
    let usage = zip(series, starts).map { LoadStep.Usage($0, since: $1) }
    let step = LoadStep(
      purpose, tally, ledger.check(by: subject), bound: settings.bound, rate: rate,
      viewers: choices.count, seconds: max(0.001, end - length * LoadSettings.warmUp), usage: usage)
    // A step that was interrupted before a view was full says nothing, except about wrong answers.
    if isInterrupted, step.full == 0, step.checks.wrong == 0 { return step }
    if isSoak { report.soak = series }
    report.steps.append(step)
    progress(step)
    return step
  }

  /// The start of the purposes of steps that search for the capacity.
  package static let search = "capacity"

  /// Searches for the capacity some times, each time near the last one; it stays unknown if none ends.
  package mutating func capacity(from first: Double, most: Double, repetitions: Int) {
    var found: [Double] = []
    var (isLeast, isLate) = (false, false)
    for number in 1...repetitions {
      var search = CapacitySearch(
        from: found.last ?? first, most: most, stride: found.isEmpty ? 2 : 1.3)
      while let rate = search.next, !isLate, !isCancelled() {
        let last = step("\(Self.search) \(number)", rate: rate)
        isLate = last.verdict == .late
        if !isLate { search.note(rate, holds: last.verdict == .holds) }
        if search.holding == nil, last.counts.isDead { break }
      }
      if isCancelled() { break }
      // A late generator says nothing about the subject.
      if search.holding != nil || !isLate { found.append(search.holding ?? 0) }
      isLeast = isLeast || isLate || search.breaking == nil
      if isLate || search.holding == nil { break }
    }
    report.capacity = found.isEmpty ? nil : LoadCapacity(repetitions: found, isLeast: isLeast)
  }

  /// Compares one viewer of the largest picture, and many of the others, with each being alone.
  ///
  /// All viewers open the same picture if there is only one.
  package mutating func fairness(rate: Double) {
    let order = subject.pictures.indices.sorted {
      subject.pictures[$0].size.area > subject.pictures[$1].size.area
    }
    let (large, small) = (order[0], order.count > 1 ? Array(order.dropFirst()) : order)
    let viewers = max(2, settings.viewers(at: rate))
    let each = rate / Double(viewers)
    // A median needs few views.
    let seconds = max(settings.stepSeconds, 15 / each)
    step("largest alone", rate: each, choices: [[large]], seconds: seconds)
    step("others alone", rate: each, choices: [small], seconds: seconds)
    step("together", rate: rate, choices: [[large]] + Array(repeating: small, count: viewers - 1))
    guard report.steps.last?.purpose == "together" else { return }
    let others = (1..<viewers).filter { tally.ofViewers[$0] != nil }
    report.together = ([0] + others).map(tally.median)
  }
}
