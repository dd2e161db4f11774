internal import Foundation
internal import Synchronization

/// The built tests or laws, run directly, because the overhead of SwiftPM exceeds the duration of most of them.
package struct Checks {
  package enum Kind: Sendable {
    /// The suites of the package's tests.
    case tests
    /// The laws of the corrected systems, with a number of cases.
    case laws(cases: Int)
  }

  struct Suite {
    let name: String
    let seconds: Double
    let reached: Set<Int>
  }

  private let kind: Kind
  private let executable: String

  init(_ kind: Kind, in package: ScratchPackage) throws {
    let folder = package.folder.appending(path: ".build/release")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name =
      switch kind {
      case .tests: names.first { $0.hasSuffix(".xctest") }
      case .laws: names.first { $0 == ScratchPackage.lawRunner }
      }
    guard let name else {
      throw CampaignError(description: "no tests or laws were built in \(folder.path)")
    }
    self.kind = kind
    executable = folder.appending(path: name).path
  }

  /// Returns whether a suite or law is part of a target or system, or is the named one.
  static func name(_ name: String, isOf selector: String) -> Bool {
    name == selector || name.hasPrefix(selector + ".")
  }

  func names(of selectors: Set<String>) throws -> [String] {
    let options =
      switch kind {
      case .tests: ["--testing-library", "swift-testing", "--list-tests"]
      case .laws: [String]()
      }
    let run = try ChildProcess.run(
      [executable] + options, variables: Self.environment, timeLimit: 60)
    guard run.end == .exited(0) else {
      throw CampaignError(description: "the checks cannot be listed")
    }
    var names: [String] = []
    for line in run.output.split(separator: "\n") {
      let name = line.split(separator: "/", maxSplits: 1).first.map(String.init) ?? String(line)
      guard selectors.contains(where: { Self.name(name, isOf: $0) }) else { continue }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Runs a suite or law without a mutant and records the blocks that it reaches.
  func record(_ name: String, blockCount: Int) throws -> Suite {
    let file = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString)")
    try Data(count: max(1, blockCount)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let clock = ContinuousClock()
    let start = clock.now
    let run = try run([name], [MutationRuntime.notesVariable: file.path], timeLimit: 600)
    let time = start.duration(to: clock.now)
    guard run.end == .exited(0) else {
      throw CampaignError(description: "\(name) fails without a mutant: \(run.end)\n\(run.output)")
    }
    let notes = try Data(contentsOf: file)
    return Suite(
      name: name, seconds: time / .seconds(1),
      reached: Set(notes.indices.lazy.filter { notes[$0] != 0 }))
  }

  /// Runs suites or laws with a mutant until the first failure.
  func run(_ suites: [Suite], mutant: Int) throws -> ChildProcess.End {
    // The limit is 5 s plus ten times the duration without a mutant; checks that exceed it count as endless.
    let limit = 5 + 10 * suites.reduce(0) { $0 + $1.seconds }
    return try run(
      suites.map(\.name), [MutationRuntime.mutantVariable: "\(mutant)"], timeLimit: limit
    ).end
  }

  private static let environment = ["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"]

  private func run(_ names: [String], _ variables: [String: String], timeLimit: Double) throws -> (
    end: ChildProcess.End, output: String
  ) {
    let (arguments, words): ([String], String)
    switch kind {
    case .tests:
      let filters = names.flatMap { name -> [String] in
        ["--filter", "^\(NSRegularExpression.escapedPattern(for: name))(/|$)"]
      }
      arguments = ["--testing-library", "swift-testing"] + filters
      words = "recorded an issue"
    case .laws(let cases):
      arguments = ["\(cases)"] + names
      words = "is broken"
    }
    // Because of the limit of 16 GiB, a mutant that fills memory ends only itself.
    return try ChildProcess.run(
      [executable] + arguments, variables: Self.environment.merging(variables) { $1 }, until: words,
      memory: 16 << 20, timeLimit: timeLimit)
  }
}

package enum ChildProcess {
  package enum End: Equatable {
    case exited(Int32)
    case crashed(signal: Int32)
    /// The program was stopped because it wrote the awaited words.
    case said(String)
    case timedOut
  }

  /// Runs a program, looked up in PATH, and returns its end and its output.
  ///
  /// The program is stopped as soon as a line of its output contains the words. `memory` limits its address space, in
  /// KiB; `timeLimit` is in seconds.
  package static func run(
    _ command: [String], variables: [String: String] = [:], until words: String? = nil,
    memory: Int? = nil, timeLimit: Double
  ) throws -> (end: End, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let limit = memory.map { "ulimit -v \($0); " } ?? ""
    process.arguments = ["-c", "\(limit)exec \"$0\" \"$@\""] + command
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let identifier = process.processIdentifier
    let late = Mutex(false)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + timeLimit)
    timer.setEventHandler {
      late.withLock { $0 = true }
      stop(identifier)
    }
    timer.resume()
    var output = Data()
    var said: String?
    while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
      output.append(data)
      guard let words, said == nil else { continue }
      let text = String(decoding: output, as: UTF8.self)
      if let line = text.split(separator: "\n").first(where: { $0.contains(words) }) {
        said = String(line)
        stop(identifier)
        break
      }
    }
    process.waitUntilExit()
    timer.cancel()
    try pipe.fileHandleForReading.close()
    let end: End
    if let said {
      end = .said(said)
    } else if late.withLock({ $0 }) {
      end = .timedOut
    } else if process.terminationReason == .uncaughtSignal {
      end = .crashed(signal: process.terminationStatus)
    } else {
      end = .exited(process.terminationStatus)
    }
    return (end, String(decoding: output, as: UTF8.self))
  }

  /// Kills a program and its children, such as exit tests, which would keep its output open.
  ///
  /// Foundation makes each program the leader of a process group.
  private static func stop(_ identifier: pid_t) {
    if kill(-identifier, SIGKILL) != 0 { kill(identifier, SIGKILL) }
  }
}
