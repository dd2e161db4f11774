#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Measurement
import Testing

/// The example worker built with these tests, written like a user's worker.
@Suite struct ExampleWorkerTests {
  /// Returns its path: in the folder of the running program, or above it.
  static func executable() throws -> String {
    let arguments = CommandLine.arguments.filter { $0.contains(".xctest") || $0.contains("/") }
    var folders = arguments.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    var candidates: [String] = []
    while folders.contains(where: { $0.count > 1 }) {
      folders = folders.filter { $0.count > 1 }.map { $0.dropLast() }
      candidates += folders.map { ($0 + ["measurement-example-worker"]).joined(separator: "/") }
    }
    return try #require(
      candidates.first { access($0, X_OK) == 0 },
      "the folders of the test bundle lack measurement-example-worker: \(CommandLine.arguments)")
  }

  static func command(_ label: String, _ arguments: [String] = []) throws -> WorkerCommand {
    WorkerCommand(label: label, executable: try executable(), arguments: arguments)
  }

  @Test(arguments: [[], ["--chatty"]])
  func `printing does not disturb the protocol`(arguments: [String]) throws {
    let worker = try WorkerProcess(Self.command("base", arguments))
    let listing = try worker.hello()
    #expect(listing.tool == "sorting 1.0")
    #expect(listing.cases.map(\.role) == [.gated, .gated, .control, .canary])
    let members = try [0, 50].map {
      try WorkerGroup.Member(of: worker, listing, case: "sort 20 rows of 25", extra: $0)
    }
    #expect(try members[0].open().wallNanoseconds > 0)
    let digests = try members.map { member in
      try (0..<20).map { try member.sample(round: $0, repeats: 2).digest }
    }
    #expect(Set(digests[0]).count == 20)
    #expect(digests[0].allSatisfy { $0 != nil })
    #expect(digests[0] == digests[1])
    let counts = try members[0].counters(rounds: 0..<1)
    #expect(counts["numbers"] == 500)
    // Any process has some resident pages; if the platform does not report them, the count is absent.
    let known = ProcessMemory.peakResidentBytes() != nil
    #expect((counts["peak memory"] ?? 0 > 0) == known)
    worker.close()
    #expect(worker.log.contains("sorting") == (arguments == ["--chatty"]))
  }

  @Test func `two workers of one build are compared from end to end`() throws {
    let settings = GateSettings(looks: [1], pairsPerLaunch: 2, confirmingLaunches: 1)
    let run = ComparisonRun(
      base: try Self.command("base"), candidate: try Self.command("candidate"),
      settings: settings, seed: 1, budgetSeconds: 300)
    let outcome = try run.measure()
    #expect(outcome.baseTool == "sorting 1.0")
    #expect(outcome.cases.count == 5)
    for each in outcome.cases {
      #expect(each.launches.count == 1, "\(each.name)")
      #expect(each.answersCompared >= 2)
      #expect(each.differingRounds == [])
      // Peak memory differs between processes.
      func exact(_ counts: [String: Int]) -> [String: Int] {
        counts.filter { $0.key != "peak memory" }
      }
      #expect(exact(each.counters.base) == exact(each.counters.candidate))
      // One launch cannot show that a count is steady.
      #expect(each.counters.unsteady == each.counters.base.keys.sorted())
    }
  }
}

@Suite struct AnswerDigestTests {
  @Test func `a number is its eight bytes, the least significant first`() {
    var (number, bytes) = (AnswerDigest(), AnswerDigest())
    number.add(0x0102_0304_0506_0708 as UInt64)
    bytes.add([8, 7, 6, 5, 4, 3, 2, 1])
    #expect(number == bytes)
  }

  @Test func `a digest has sixteen digits, whatever was added`() {
    var digest = AnswerDigest()
    for number in 0..<2000 as Range<UInt64> {
      digest.add(number)
      #expect(digest.hexadecimal.count == 16)
      #expect(UInt64(digest.hexadecimal, radix: 16) != nil)
    }
  }
}
