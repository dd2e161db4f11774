internal import Foundation
internal import ForeignPipelines
internal import Measurement
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// Carries out a plan: in each round every source is asked for the same peek, in shuffled order.
struct BenchRunner {
  let plan: BenchPlan
  let bar: ProgressBar
  /// The pipelines that a run uses, opened files and prepared ones included.
  let pipelines: StandardPipelines
  /// Programs of others that run along.
  var foreign: [ForeignPipeline] = []
  /// Measures one source's peak memory in a process of its own; nil where that is not wanted.
  let memory: MemoryProbe?

  /// What a run gives: facts and measurements, and the pictures that could not be measured.
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
        Double(number) / Double(plan.subjects.count), "\(subject.name): preparing sources")
      // What was made of this picture is of no use to the next, and may take much of the disk.
      defer { pipelines.removeFiles() }
      do {
        var setting = try prepare(subject)
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
        // One damaged picture of a folder must not cost what was measured on the others.
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

  /// Makes what the sources need and finds out which can serve the picture.
  private func prepare(_ subject: BenchPlan.Subject) throws -> Setting {
    let picture = try Picture(subject.path, limits: pipelines.limits)
    var ready: [Setting.Entry] = []
    var refusals: [BenchReport.Refusal] = []
    var failures: [BenchReport.Refusal] = []
    for name in plan.sources {
      guard let pipeline = pipelines.reader(named: name) else { continue }
      do {
        let preparation = try pipeline.prepare(picture)
        _ = try pipeline.assess(picture)
        ready.append((pipeline, preparation))
      } catch {
        // Without the reference there is nothing to measure against.
        guard error.isRefusal, name != "naive" else { throw error }
        refusals.append(BenchReport.Refusal(source: name, reason: error.reason))
      }
    }
    for pipeline in foreign {
      do {
        _ = try pipeline.open(picture.path)
        ready.append((pipeline, nil))
      } catch {
        // What others' programs cannot do is a result of the run.
        let entry = BenchReport.Refusal(source: pipeline.name, reason: error.reason)
        if error.isRefusal { refusals.append(entry) } else { failures.append(entry) }
      }
    }
    // The floor is optional, so its refusal is not reported.
    let floor = plan.hasFloor ? FloorPipeline(indexed: pipelines.indexed) : nil
    return Setting(
      name: subject.name, picture: picture, ready: ready,
      floor: (try? floor?.assess(picture)) == nil ? nil : floor, refusals: refusals,
      failures: failures)
  }

  /// Asks each source once, in a fresh process, for a peek at the middle.
  private func peakMemory(_ setting: Setting) async throws -> [String: UInt64] {
    guard let memory, let kind = plan.peeks.first else { return [:] }
    let region = try peek(UnitPoint(x: 0.5, y: 0.5), kind, setting.picture).region
    var peaks: [String: UInt64] = [:]
    for (pipeline, _) in setting.ready {
      if let foreign = pipeline as? ForeignPipeline {
        // What it fails at shows again, and is told, where it is timed.
        peaks[pipeline.name] = try? foreign.peakResidentBytes(
          of: setting.picture.path, region: region)
        continue
      }
      let subject = pipelines.freshEquivalent(of: pipeline.name, for: setting.picture.path)
      peaks[pipeline.name] = try await memory.peak(of: subject, region: region)
    }
    return peaks
  }

  /// Runs the rounds of one picture in one state; gives one group a kind of peek.
  private func measure(
    _ setting: Setting, _ state: BenchPlan.FileState, _ rounds: RoundBudget,
    progress: ClosedRange<Double>
  ) throws -> [BenchReport.Group] {
    var rounds = rounds
    let label = "\(setting.name) \(state.rawValue)"
    // Streams of their own, so that another source or peek does not move anybody's touches.
    let points = StratifiedPoints(
      seed: SeededRandom.derivedSeed(from: plan.seed, label: "\(setting.name) touches"))
    let entries = setting.entries(state)
    let orders = ShuffledRounds(
      arms: entries.count, seed: SeededRandom.derivedSeed(from: plan.seed, label: label))
    var contests = try open(entries, setting)
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

  /// Opens the picture once a source; kinds of peek share it, as they would in a viewer.
  private func open(_ entries: [Setting.Entry], _ setting: Setting) throws -> [Contest] {
    var contenders: [Contender] = []
    for (pipeline, preparation) in entries {
      let arm = BenchReport.Arm(
        source: pipeline.name, wallNanoseconds: [], cpuNanoseconds: [], agreed: 0,
        disagreements: [:], work: Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0),
        state: .nothing, peakMemoryBytes: setting.peaks[pipeline.name], preparation: preparation,
        isExact: pipeline.isExact,
        alike: pipeline is ForeignPipeline ? BenchReport.Likeness() : nil,
        hasProcessorTime: (pipeline as? ForeignPipeline).map { $0.processorTime != nil })
      let source = try pipeline.opened(setting.picture)
      contenders.append(
        Contender(pipeline: pipeline, path: setting.picture.path, source: source, arm: arm))
    }
    return plan.peeks.map { Contest(kind: $0, contenders: contenders) }
  }

  /// One peek of each source that is not measured: a warm source has answered before, and one with a
  /// seek index has the whole of it.
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
          // The next cold peek starts a process of its own.
          if state == .cold { source.forget() }
          // The last: opening may ask for some pixels, too.
          if let arrival = foreign.takeArrivals().last {
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
    // The plan has naive first; a picture that it cannot read cannot be measured.
    if let error = contenders[0].failure { throw error }
    guard let reference = answers[0]?.pixels else {
      throw Failure(.fault, "no reference was read")
    }
    let digest = PixelDigest(of: reference)
    for (index, answer) in answers.enumerated() {
      guard let pixels = answer?.pixels else { continue }
      let isExact = contenders[index].pipeline.isExact
      // Equal bytes have equal digests; only unequal ones are worth digesting.
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

  /// The peek for a point of the unit square, spread over the picture as it is shown.
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
  /// A source of an opened picture; a program of others is told the picture's name.
  fileprivate func opened(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    guard let reader = self as? any PicturePipeline else { return try open(picture.path) }
    return try reader.open(picture)
  }
}
