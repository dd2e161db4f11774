internal import Foundation
internal import Measurement
internal import ZoomGeometry
internal import ZoomViewers

extension BenchCommand {
  func measureViewers() throws -> RunResult {
    let (named, settings) = (viewers.named, viewers.settings)
    // A wrong page is an error of the run, not a failure of a viewer.
    for each in named { _ = try each.entry() }
    let browser = try settings.foundBrowser()
    let cases = try ViewerWorkerCommand.cases(settings).map(\.name)
    var run = BenchmarkRun(
      contenders: named.map { each in
        WorkerCommand(
          label: each.name, executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
          arguments: [ViewerWorkerCommand.name, "--viewer", "\(each)", "--seed", "\(seed)"]
            + settings.arguments)
      },
      cases: cases.map { name in
        BenchmarkRun.Case(
          name: name, names: named.map { _ in name }, rounds: rounds.map { $0...$0 } ?? 3...60)
      }, launches: launches, seed: seed)
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    bar.announce("timing \(Format.count(cases.count, "script")) in each viewer")
    run.isCancelled = { Interruption.isCancelled }
    var begun = 0
    run.report = { name, _ in
      bar.update(Double(begun) / Double(cases.count * launches), name)
      begun += 1
    }
    var result = RunResult(
      kind: .bench, command: ["zoombench"] + GivenAddresses.arguments.dropFirst(),
      startedAt: Date().ISO8601Format(), seed: seed, environment: .current(),
      contenders: named.map {
        RunResult.Contender(name: $0.name, kind: .viewer, tool: browser.version, clock: .cpu)
      })
    Interruption.cancelFirst()
    // Three minutes suffice for ten rounds of two viewers.
    var time = TimeBudget(
      nanoseconds: UInt64((budget?.seconds ?? 180) * 1e9), cases: cases.count * launches)
    let outcomes = run.measure(within: &time)
    if Interruption.isCancelled { result.partial = "interrupted" }
    result.addViewers(outcomes, of: named.map(\.name), in: cases)
    result.judge()
    return result
  }
}

extension RunResult {
  var isOfViewers: Bool { kind == .bench && contenders.contains { $0.kind == .viewer } }

  mutating func addViewers(
    _ outcomes: [BenchmarkRun.Outcome], of names: [String], in cases: [String]
  ) {
    let (card, size) = ("card", ViewerWorkerCommand.picture)
    pictures = [
      PictureFacts(
        name: card, path: "", width: size.width, height: size.height, byteCount: 0,
        facts: ["\(size)"])
    ]
    for (script, outcome) in zip(cases, outcomes) where outcome.rounds.first?.isEmpty == false {
      let group = Group(
        regions: outcome.rounds.joined().map { _ in [0, 0, size.width, size.height] },
        refusals: [], script: script)
      groups["\(card)/\(script)"] = group
      for (name, arm) in zip(names, outcome.arms) {
        var row = Row(name, Row.Verdict(.agrees), at: card, in: group)
        if let failure = arm.failure {
          row.verdict = Row.Verdict(.failed, reason: failure)
        } else {
          (row.wall, row.cpu, row.counters) = (arm.wall, arm.cpu, arm.counters)
          // verify judges what is shown.
          row.bench = Row.Answers(isExact: false)
        }
        rows.append(row)
      }
    }
  }

  var viewerBlocks: [Block] {
    let failed = rows.filter { $0.verdict.standing == .failed }
    let text = """
      gain: how many times faster than \(contenders[0].name), from opening the page to rest, pairs \
      of the same gesture; each tile takes 40 ms. sharp: from the last event to the last change, \
      by the page's clock. late: frames of more than 16.7 ms. memory: the renderer's peak so far.
      """
    return [
      .lines(benchHeading), .table(title: nil, TextTable(Column.viewers, rows)),
      .lines(failed.map { "\($0.name) FAILED: \($0.verdict.reason ?? "")" }),
      .lines([text] + (partial.map { ["This run was \($0)."] } ?? [])),
    ]
  }
}
