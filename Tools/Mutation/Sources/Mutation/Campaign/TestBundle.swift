internal import Foundation

/// The built tests, run suite by suite without SwiftPM, whose overhead exceeds the time of most suites.
struct TestBundle {
  /// A suite, or a test outside of suites, with the blocks that it reaches.
  struct Suite {
    let name: String
    let seconds: Double
    let reached: Set<Int>

    /// Returns whether a test selector of the plan includes this suite.
    func isOf(_ tests: String) -> Bool { TestBundle.suite(name, isOf: tests) }
  }

  let executable: String

  init(in package: ScratchPackage) throws {
    let folder = package.folder.appending(path: ".build/release")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard let name = names.first(where: { $0.hasSuffix(".xctest") }) else {
      throw CampaignError("no tests were built in \(folder.path)")
    }
    executable = folder.appending(path: name).path
  }

  /// The memory limit of a test process, in KiB, so that a mutant that fills the memory ends alone.
  private static let memory = 16 << 20

  private static let environment = ["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"]

  /// Returns whether a suite belongs to a target, or is the named suite.
  private static func suite(_ name: String, isOf tests: String) -> Bool {
    name == tests || name.hasPrefix(tests + ".")
  }

  /// Lists the suites that a plan names.
  func suiteNames(of tests: Set<String>) throws -> [String] {
    let run = try ChildProcess.run(
      [executable, "--testing-library", "swift-testing", "--list-tests"],
      variables: Self.environment, timeLimit: 60)
    guard run.end == .exited(0) else { throw CampaignError("the tests cannot be listed") }
    var names: [String] = []
    for line in run.output.split(separator: "\n") {
      let name = line.split(separator: "/", maxSplits: 1).first.map(String.init) ?? String(line)
      guard tests.contains(where: { Self.suite(name, isOf: $0) }) else { continue }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Runs a suite without a mutant and records the blocks that it reaches.
  func record(_ name: String, blockCount: Int) throws -> Suite {
    let file = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString)")
    try Data(count: max(1, blockCount)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let clock = ContinuousClock()
    let start = clock.now
    let run = try run([name], [MutationRuntime.notesVariable: file.path], timeLimit: 600)
    let time = start.duration(to: clock.now)
    guard run.end == .exited(0) else {
      throw CampaignError("\(name) fails without a mutant: \(run.end)\n\(run.output)")
    }
    let notes = try Data(contentsOf: file)
    return Suite(
      name: name, seconds: time / .seconds(1),
      reached: Set(notes.indices.lazy.filter { notes[$0] != 0 }))
  }

  /// Runs suites with a mutant until the first failure.
  func run(_ suites: [Suite], mutant: Int) throws -> ChildProcess.End {
    // A test that takes ten times longer than on a busy machine counts as endless.
    let limit = 5 + 10 * suites.reduce(0) { $0 + $1.seconds }
    return try run(
      suites.map(\.name), [MutationRuntime.mutantVariable: "\(mutant)"],
      until: "recorded an issue", timeLimit: limit
    ).end
  }

  private func run(
    _ names: [String], _ variables: [String: String], until words: String? = nil, timeLimit: Double
  ) throws -> (end: ChildProcess.End, output: String) {
    let filters = names.flatMap { name -> [String] in
      let pattern = NSRegularExpression.escapedPattern(for: name)
      return ["--filter", "^\(pattern)(/|$)"]
    }
    return try ChildProcess.run(
      [executable, "--testing-library", "swift-testing"] + filters,
      variables: Self.environment.merging(variables) { $1 }, until: words, memory: Self.memory,
      timeLimit: timeLimit)
  }
}
