internal import Foundation
internal import Measurement
internal import SystemPackage
internal import ZoomPipeline

extension BenchCommand {
  /// Measures in several processes, one after the other, and joins their reports.
  ///
  /// Pairs of one process share its layout of code and memory, so an interval over them describes that
  /// process only. Each launch has its own touches.
  func measureLaunches() async throws -> BenchReport {
    guard let executable = Bundle.main.executablePath else {
      throw Failure(.fault, "bench: the path of this executable is unknown")
    }
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let bar = ProgressBar(isQuiet: quiet)
    defer { bar.finish() }
    var reports: [BenchReport] = []
    for number in 0..<launches {
      bar.update(Double(number) / Double(launches), "launch \(number + 1) of \(launches)")
      let file = scratch.path.appending("\(number).json")
      let (ending, _, errors) = try ChildProcess.run(
        WorkerCommand(
          label: "launch", executable: executable,
          arguments: launchArguments(number, writing: file)))
      guard let data = FileManager.default.contents(atPath: file.string) else {
        let said = errors.split(whereSeparator: \.isNewline).last.map(String.init)
        // Pass on the launch's message and exit code.
        throw Failure(
          Self.status(of: ending),
          said.map { String($0.trimmingPrefix("zoombench: ")) }
            ?? "bench: a launch failed")
      }
      reports.append(try JSONDecoder().decode(BenchReport.self, from: data))
    }
    var joined = reports[0]
    for report in reports.dropFirst() { joined.join(report) }
    joined.command = ["zoombench"] + CommandLine.arguments.dropFirst()
    return joined
  }

  /// Returns the exit status for a launch that wrote no result; never success.
  static func status(of launch: WorkerError.Ending) -> ExitStatus {
    guard case .exited(let code) = launch, let status = ExitStatus(rawValue: code),
      status != .success
    else { return .fault }
    return status
  }

  /// Returns this command's arguments, followed by those that differ for one launch.
  private func launchArguments(_ number: Int, writing file: FilePath) -> [String] {
    let seed = number == 0 ? seed : SeededRandom.derivedSeed(from: seed, stream: UInt64(number))
    var other = [
      "--launches", "1", "--format", "parts", "--output", file.string, "--seed", "\(seed)",
      "--quiet",
    ]
    if rounds == nil {
      other += ["--budget", "\(plan(of: []).budgetSeconds.map { $0 / Double(launches) } ?? 1)"]
    }
    return Self.arguments(Array(CommandLine.arguments.dropFirst()), with: other)
  }

  /// Returns the arguments without those that concern the whole run, with `other` inserted last, before a
  /// "--".
  static func arguments(_ given: [String], with other: [String]) -> [String] {
    let end = given.firstIndex(of: "--") ?? given.endIndex
    var kept: [String] = []
    var isValue = false
    for word in given[..<end] {
      if isValue {
        isValue = false
      } else if word == "--commit" {
        isValue = true
      } else if word != "--record", !word.hasPrefix("--commit=") {
        kept.append(word)
      }
    }
    return kept + other + given[end...]
  }
}

extension BenchReport {
  mutating func join(_ other: BenchReport) {
    for group in other.groups {
      let mine = groups.firstIndex {
        $0.picture == group.picture && $0.peek == group.peek && $0.state == group.state
      }
      if let mine { groups[mine].join(group) }
    }
    for each in other.unmeasured where !unmeasured.contains(where: { $0.picture == each.picture }) {
      unmeasured.append(each)
    }
  }
}

extension BenchReport.Group {
  /// Adds the rounds of another process; a source that failed in either is removed.
  mutating func join(_ other: BenchReport.Group) {
    launches = (launches ?? [rounds.count]) + [other.rounds.count]
    let before = rounds.count
    rounds += other.rounds
    arms = arms.compactMap { arm in
      guard let more = other.arms.first(where: { $0.source == arm.source }) else { return nil }
      return arm.joined(with: more, after: before)
    }
    for refusal in other.refusals where !refusals.contains(where: { $0.source == refusal.source }) {
      refusals.append(refusal)
    }
    for failure in other.failures where !failures.contains(where: { $0.source == failure.source }) {
      failures.append(failure)
    }
  }
}

extension BenchReport.Arm {
  fileprivate func joined(with more: BenchReport.Arm, after rounds: Int) -> BenchReport.Arm {
    var result = self
    result.wallNanoseconds += more.wallNanoseconds
    result.cpuNanoseconds += more.cpuNanoseconds
    result.agreed += more.agreed
    for (round, digest) in more.disagreements { result.disagreements[rounds + round] = digest }
    result.work = work + more.work
    result.peakMemoryBytes = [peakMemoryBytes, more.peakMemoryBytes].compactMap(\.self).max()
    result.alike = alike.map { mine in
      var mine = mine
      guard let theirs = more.alike else { return mine }
      mine.count += theirs.count
      mine.largest = max(mine.largest, theirs.largest)
      mine.meanSum += theirs.meanSum
      mine.firstDifference = mine.firstDifference ?? theirs.firstDifference
      return mine
    }
    if let arrivals, let theirs = more.arrivals { result.arrivals = arrivals + theirs }
    return result
  }
}
