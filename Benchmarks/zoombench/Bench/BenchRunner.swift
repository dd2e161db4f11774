internal import Foundation
internal import ForeignPipelines
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Carries out a plan: in each round all sources answer the same peek, in shuffled order.
struct BenchRunner {
  let plan: BenchPlan
  let bar: ProgressBar
  /// The pipelines of the run.
  let pipelines: StandardPipelines
  var foreign: [ForeignPipeline] = []
  /// The probe that measures a source's peak memory in a separate process; nil if it is not wanted.
  let memory: MemoryProbe?

  /// The facts and measurements of a run, and the pictures that could not be measured.
  struct Outcome {
    var pictures: [BenchReport.PictureFacts] = []
    var groups: [BenchReport.Group] = []
    var unmeasured: [BenchReport.Unmeasured] = []
  }

  func run() async throws -> Outcome {
    var outcome = Outcome()
    let cases = plan.subjects.count * plan.states.count
    var budget = TimeBudget(
      nanoseconds: UInt64((plan.budgetSeconds ?? 0) * 1e9), cases: cases)
    let start = Timestamps.monotonic()
    for (number, subject) in plan.subjects.enumerated() {
      if number == 1, let seconds = plan.overrun(first: Timestamps.monotonic() - start) {
        bar.announce(
          "the fewest rounds of \(plan.subjects.count) pictures take about \(Int(seconds)) s, longer than"
            + " the \(Format.number(plan.budgetSeconds ?? 0)) s of the budget")
      }
      bar.update(
        Double(number) / Double(plan.subjects.count), "\(subject.name): opening sources")
      do {
        var setting = try setting(for: subject)
        setting.peaks = try await peakMemory(setting)
        var groups: [BenchReport.Group] = []
        for (step, state) in plan.states.enumerated() {
          let rounds = budget.nextCase(rounds: plan.rounds(in: state))
          let done = Double(number * plan.states.count + step) / Double(cases)
          groups += try measure(
            setting, state, rounds, progress: done...(done + 1 / Double(cases)))
        }
        outcome.pictures.append(Self.facts(of: setting))
        outcome.groups += groups
      } catch let error as PipelineError {
        // One damaged picture must not cost the measurements of the others.
        outcome.unmeasured.append(
          BenchReport.Unmeasured(picture: subject.name, reason: "\(error)"))
      }
    }
    return outcome
  }

  private static func facts(of setting: Setting) -> BenchReport.PictureFacts {
    let picture = setting.picture
    return BenchReport.PictureFacts(
      name: setting.name, path: picture.path.string, width: picture.size.width,
      height: picture.size.height, byteCount: picture.version.length,
      facts: InspectCommand.facts(of: picture))
  }

  /// Finds the sources that can serve the picture.
  private func setting(for subject: BenchPlan.Subject) throws -> Setting {
    let picture = try Picture(subject.path, limits: pipelines.limits)
    var ready: [any Pipeline] = []
    var refusals: [BenchReport.Refusal] = []
    var failures: [BenchReport.Refusal] = []
    for name in plan.sources {
      guard let pipeline = pipelines.reader(named: name) else { continue }
      do {
        _ = try pipeline.open(picture)
        ready.append(pipeline)
      } catch {
        // Other results cannot be compared without the reference.
        guard error.isRefusal, name != "naive" else { throw error }
        refusals.append(BenchReport.Refusal(source: name, reason: error.reason))
      }
    }
    for pipeline in foreign {
      do {
        _ = try pipeline.open(picture.path)
        ready.append(pipeline)
      } catch {
        // A failure of another's program is a result of the run.
        let entry = BenchReport.Refusal(source: pipeline.name, reason: error.reason)
        if error.isRefusal { refusals.append(entry) } else { failures.append(entry) }
      }
    }
    // The floor is optional, so its refusal is not reported.
    let floor = plan.hasFloor ? FloorPipeline(pipelines.partial) : nil
    return Setting(
      name: subject.name, picture: picture, ready: ready,
      floor: (try? floor?.open(picture)) == nil ? nil : floor, refusals: refusals,
      failures: failures)
  }

  /// Measures each source's peak memory for one peek at the middle, in a fresh process.
  private func peakMemory(_ setting: Setting) async throws -> [String: UInt64] {
    guard let memory, let kind = plan.peeks.first else { return [:] }
    let region = try peek(UnitPoint(x: 0.5, y: 0.5), kind, setting.picture).region
    var peaks: [String: UInt64] = [:]
    for pipeline in setting.ready {
      if let foreign = pipeline as? ForeignPipeline {
        // An error here occurs again, and is reported, during the timed part.
        peaks[pipeline.name] = try? foreign.peakResidentBytes(
          of: setting.picture.path, region: region)
        continue
      }
      peaks[pipeline.name] = try await memory.peak(
        of: pipeline.name, reading: region, of: setting.picture.path)
    }
    return peaks
  }

  /// Runs the rounds of one picture in one state; returns one group per kind of peek.
  private func measure(
    _ setting: Setting, _ state: BenchPlan.FileState, _ rounds: RoundBudget,
    progress: ClosedRange<Double>
  ) throws -> [BenchReport.Group] {
    var rounds = rounds
    let label = "\(setting.name) \(state.rawValue)"
    // Separate random streams, so that another source or peek does not change the touches.
    let points = StratifiedPoints(
      seed: SeededRandom.derivedSeed(from: plan.seed, label: "\(setting.name) touches"))
    let entrants = setting.entrants(state)
    let orders = ShuffledRounds(
      arms: entrants.count, seed: SeededRandom.derivedSeed(from: plan.seed, label: label))
    var contests = try open(entrants, setting)
    if state == .warm { try warmUp(&contests, setting.picture) }
    while let round = rounds.nextRound() {
      let share = Double(round) / Double(plan.rounds(in: state).upperBound)
      bar.update(
        progress.lowerBound + share * (progress.upperBound - progress.lowerBound),
        "\(label), round \(round + 1)")
      for index in contests.indices {
        let peek = try peek(points.point(at: round), contests[index].kind, setting.picture)
        let digest = try ask(
          &contests[index].contenders, for: peek.region, state, order: orders.order(round: round),
          round: round)
        contests[index].rounds.append(
          BenchReport.Round(
            touchX: peek.touch.x, touchY: peek.touch.y, region: peek.region, digest: digest))
      }
    }
    return contests.map { $0.group(setting, state) }
  }

  /// Opens the picture once per source; all kinds of peek share it, as in a viewer.
  private func open(_ entrants: [any Pipeline], _ setting: Setting) throws -> [Contest] {
    var contenders: [Contender] = []
    for pipeline in entrants {
      let source = try pipeline.opened(setting.picture)
      let arm = BenchReport.Arm(
        source: pipeline.name, wallNanoseconds: [], cpuNanoseconds: [], agreed: 0,
        disagreements: [:], work: Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0),
        state: .nothing, peakMemoryBytes: setting.peaks[pipeline.name],
        isExact: pipeline.isExact,
        alike: pipeline is ForeignPipeline ? BenchReport.Likeness() : nil,
        hasProcessorTime: (pipeline as? ForeignPipeline).map { $0.processorTime != nil },
        method: pipeline.name == pipelines.partial.name ? source.explanation : nil)
      contenders.append(
        Contender(pipeline: pipeline, path: setting.picture.path, source: source, arm: arm))
    }
    return plan.peeks.map { Contest(kind: $0, contenders: contenders) }
  }

  /// Makes one unmeasured peek per source, so that warm sources have answered before and indexes are
  /// complete.
  private func warmUp(_ contests: inout [Contest], _ picture: Picture) throws {
    let region = try peek(UnitPoint(x: 0.5, y: 0.5), contests[0].kind, picture).region
    for number in contests[0].contenders.indices {
      let source = contests[0].contenders[number].source
      do throws(PipelineError) {
        try (source as? any IndexCompletingSource)?.completeIndex()
        try (source as? FloorSource)?.anticipate(RegionRequest(region))
        _ = try source.read(RegionRequest(region))
      } catch {
        for index in contests.indices { contests[index].contenders[number].failure = error }
      }
    }
  }

  /// Times every contender on one region and compares the answers outside the timed part.
  private func ask(
    _ contenders: inout [Contender], for region: PixelRegion, _ state: BenchPlan.FileState,
    order: [Int], round: Int
  ) throws -> PixelDigest {
    let request = RegionRequest(region)
    var answers = [RegionAnswer?](repeating: nil, count: contenders.count)
    for (index, contender) in contenders.enumerated() where contender.failure == nil {
      do throws(PipelineError) {
        try (contender.source as? FloorSource)?.anticipate(request)
      } catch {
        contenders[index].failure = error
      }
    }
    for index in order where contenders[index].failure == nil {
      let contender = contenders[index]
      do {
        let ((source, answer), elapsed) = try contender.stopwatch.measure {
          () throws(PipelineError) in
          guard state == .cold else {
            return (contender.source, try contender.source.read(request))
          }
          let source = try contender.pipeline.open(contender.path)
          let answer = try source.read(request)
          return (
            source, RegionAnswer(pixels: answer.pixels, work: source.openingWork + answer.work)
          )
        }
        if let foreign = contender.pipeline as? ForeignPipeline {
          // The next cold peek starts a new process.
          if state == .cold { source.forget() }
          // Opening may also have requested pixels, so the last arrival is the timed one.
          if let arrival = foreign.takeArrival() {
            contenders[index].arm.arrivals =
              (contenders[index].arm.arrivals ?? []) + [
                BenchReport.Arrival(arrival)
              ]
          }
        }
        answers[index] = answer
        contenders[index].arm.wallNanoseconds.append(elapsed.wallNanoseconds)
        contenders[index].arm.cpuNanoseconds.append(elapsed.cpuNanoseconds)
        contenders[index].arm.work = contenders[index].arm.work + answer.work
        contenders[index].arm.state = state == .cold ? .nothing : contender.source.state
      } catch {
        contenders[index].failure = error
      }
    }
    // naive comes first; a picture that it cannot read cannot be measured.
    if let error = contenders[0].failure { throw error }
    guard let reference = answers[0]?.pixels else {
      throw Failure(.fault, "no reference was read")
    }
    let digest = PixelDigest(of: reference)
    for (index, answer) in answers.enumerated() {
      guard let pixels = answer?.pixels else { continue }
      let isExact = contenders[index].pipeline.isExact
      // Only unequal bytes need a digest.
      if pixels == reference {
        contenders[index].arm.agreed += 1
      } else if contenders[index].arm.alike?.take(pixels, reference, of: region, isExact: isExact)
        != true
      {
        contenders[index].arm.disagreements[round] = PixelDigest(of: pixels)
      }
    }
    return digest
  }

  /// Returns the peek for a point of the unit square, mapped to the picture as it is shown.
  private func peek(
    _ point: UnitPoint, _ kind: BenchPlan.PeekKind, _ picture: Picture
  ) throws -> (touch: ViewPoint, region: PixelRegion) {
    let setup = try PeekSetup(
      picture: picture.size, viewport: BenchPlan.viewport, side: kind.side, scale: kind.scale)
    let shown = setup.shownFrame
    let touch = ViewPoint(x: shown.x + point.x * shown.width, y: shown.y + point.y * shown.height)
    guard let peek = try setup.peek(at: touch) else {
      throw Failure(.fault, "a touch inside the picture gave no peek")
    }
    return (touch, peek.region)
  }
}

extension Pipeline {
  /// Opens a source of an opened picture; another program gets the picture's path.
  fileprivate func opened(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    guard let reader = self as? any PicturePipeline else { return try open(picture.path) }
    return try reader.open(picture)
  }
}
