internal import Dispatch
public import Foundation
internal import Synchronization

/// A campaign, which plants every mutant of a plan and runs the tests against it.
public struct Campaign: Sendable {
  private let root: URL
  private let scratch: URL
  private let workers: Int
  private let log: @Sendable (String) -> Void

  /// Prepares a campaign.
  ///
  /// - Parameters:
  ///   - root: The package's folder, which is only read.
  ///   - scratch: A folder for a copy of the package and its build products.
  ///   - workers: The number of test processes that run in parallel.
  ///   - log: Receives a line of progress.
  public init(root: URL, scratch: URL, workers: Int, log: @escaping @Sendable (String) -> Void) {
    self.root = root
    self.scratch = scratch
    self.workers = workers
    self.log = log
  }

  /// Runs the campaign.
  ///
  /// - Parameters:
  ///   - files: Paths of sources relative to the package's folder, with their tests.
  ///   - known: The states of mutants that do not need another run, by file and description.
  /// - Returns: The state of each mutant.
  /// - Throws: `CampaignError` if something does not build or fails without a mutant, or an error of Foundation.
  public func run(
    _ files: [(path: String, tests: [String])], known: [String: MutantState] = [:]
  ) throws -> [MutantResult] {
    var build = SchemataBuild(
      package: ScratchPackage(root: root, folder: scratch), files: files, log: log)
    try build.run()
    let bundle = try TestBundle(in: build.package)
    let names = try bundle.suiteNames(of: Set(files.flatMap(\.tests)))
    log("recording what \(names.count) suites reach")
    let suites = try names.map { try bundle.record($0, blockCount: build.blockCount) }
      .sorted { $0.seconds < $1.seconds }
    let tests = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.tests) })

    let mutants = build.mutants
    log("running \(mutants.count) mutants")
    let reasons = build.reasons
    let bodyReasons = Self.bodyReasons(build)
    let shared = Mutex((next: 0, results: [MutantResult](), failure: (any Error)?.none))
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = shared.withLock { state -> Int? in
          guard state.next < mutants.count, state.failure == nil else { return nil }
          defer { state.next += 1 }
          if state.next % 200 == 0 { log("\(state.next) of \(mutants.count)") }
          return state.next
        }
        guard let index else { return }
        let mutant = mutants[index]
        do {
          let state: MutantState
          if let reason = reasons[.mutant(mutant.id)] ?? bodyReasons[mutant.id] {
            state = .unviable(reason)
          } else if let past = known["\(mutant.file) \(mutant.description)"] {
            state = past
          } else {
            let able = suites.filter { suite in
              suite.reached.contains(mutant.block)
                && (tests[mutant.file] ?? []).contains { suite.isOf($0) }
            }
            state = try Self.run(mutant, able, bundle)
          }
          if state == .survived || state == .notCovered {
            log("\(mutant.file):\(mutant.start.line): \(mutant.name): no test notices")
          }
          shared.withLock { $0.results.append(MutantResult(mutant: mutant, state: state)) }
        } catch {
          shared.withLock { $0.failure = error }
        }
      }
    }
    return try shared.withLock { state in
      if let failure = state.failure { throw failure }
      return state.results.sorted { $0.mutant.id < $1.mutant.id }
    }
  }

  /// Returns the reasons for bodies that do not compile next to their variants, so that none of their mutants can run.
  private static func bodyReasons(_ build: SchemataBuild) -> [Int: String] {
    var reasons: [Int: String] = [:]
    for schema in build.schemata.values {
      for mutant in schema.mutants where schema.lines(of: mutant.id) == nil {
        reasons[mutant.id] = "its function does not compile when written several times"
      }
    }
    return reasons
  }

  /// The total time of the suites that run first; they notice most mutants.
  private static let quickSeconds = 0.5

  private static func run(
    _ mutant: Mutant, _ suites: [TestBundle.Suite], _ bundle: TestBundle
  ) throws -> MutantState {
    guard !suites.isEmpty else { return .notCovered }
    var total = 0.0
    let quick = suites.prefix { suite in
      total += suite.seconds
      return total <= quickSeconds
    }
    for batch in [quick, suites[quick.count...]] where !batch.isEmpty {
      switch try bundle.run(Array(batch), mutant: mutant.id) {
      case .exited(0): continue
      case .exited(let status): return .killed("the tests end with status \(status)")
      case .crashed(let signal): return .killed("crash, signal \(signal)")
      case .said(let line): return .killed(line)
      case .timedOut: return .timedOut
      }
    }
    return .survived
  }
}
