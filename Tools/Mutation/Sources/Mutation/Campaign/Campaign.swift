internal import Dispatch
package import Foundation
internal import Synchronization

/// The sources to mutate and the tests or laws that should notice the mutants.
package struct Plan: Sendable, Codable {
  package struct Part: Sendable, Codable {
    /// Swift files, or folders of them, relative to the package's folder.
    let sources: [String]
    /// Parts of names of files and functions that are left out.
    let leavingOut: [String]?
    /// Test targets or suites (`Target.Suite`); in a plan for laws, zoom systems or single laws (`system.law`).
    ///
    /// They should take a few seconds, because all checks that reach a surviving mutant run for it.
    let checks: [String]
  }

  /// A file to mutate, with its path relative to the package's folder.
  package struct File: Sendable, Equatable {
    package let path: String
    package let checks: [String]
    let leavingOut: [String]
  }

  /// The parts; a file belongs to the first part that names it.
  let parts: [Part]

  /// Returns the files of the plan whose path has one of the prefixes; without prefixes, all files.
  package func files(in root: URL, startingWith prefixes: [String]) throws -> [File] {
    var found: [String: File] = [:]
    for part in parts {
      for source in part.sources {
        let place = root.appending(path: source)
        guard FileManager.default.fileExists(atPath: place.path) else {
          throw CampaignError(description: "the plan names \(source), which does not exist")
        }
        let inside = try FileManager.default.subpathsOrNothing(of: place).map { "\(source)/\($0)" }
        for path in source.hasSuffix(".swift") ? [source] : inside where path.hasSuffix(".swift") {
          let name = path.split(separator: "/").last ?? ""
          guard found[path] == nil, prefixes.isEmpty || prefixes.contains(where: path.hasPrefix),
            !(part.leavingOut ?? []).contains(where: name.contains)
          else { continue }
          found[path] = File(path: path, checks: part.checks, leavingOut: part.leavingOut ?? [])
        }
      }
    }
    return found.values.sorted { $0.path < $1.path }
  }
}

struct CampaignError: Error, CustomStringConvertible { let description: String }

package func printProgress(_ line: String) {
  FileHandle.standardError.write(Data("\(line)\n".utf8))
}

/// A campaign, which plants the mutants of a plan and runs the checks against each.
package struct Campaign: Sendable {
  /// A random sample of the mutants, which its seed determines.
  package struct Sample: Sendable {
    let count: Int
    let seed: UInt64

    package init(count: Int, seed: UInt64) { (self.count, self.seed) = (count, seed) }

    package func chosen(of ids: [Int]) -> Set<Int> {
      func rank(_ id: Int) -> UInt64 {
        // This is the finaliser of SplitMix64.
        var mixed = seed &+ UInt64(id) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
      }
      return Set(ids.sorted { rank($0) < rank($1) }.prefix(count))
    }
  }

  private let package: ScratchPackage
  private let kind: Checks.Kind

  /// Creates a campaign in a scratch folder; the package's folder is only read.
  package init(root: URL, scratch: URL, kind: Checks.Kind) {
    package = ScratchPackage(root: root, folder: scratch)
    self.kind = kind
  }

  package func run(
    _ files: [Plan.File], sample: Sample? = nil, survivorsOf report: String? = nil
  ) throws -> [MutantResult] {
    var build = SchemataBuild(package: package, kind: kind, files: files, sample: sample)
    try build.run()
    let checks = try Checks(kind, in: package)
    let names = try checks.names(of: Set(files.flatMap(\.checks)))
    printProgress("recording the blocks that \(names.count) suites or laws reach")
    let suites = try names.map { try checks.record($0, blockCount: build.blockCount) }.sorted {
      $0.seconds < $1.seconds
    }
    let planned = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.checks) })

    let lines = report?.split(separator: "\n").map { $0.replacing(" (not reached)", with: "") }
    let mutants = build.mutants.filter { mutant in
      lines?.contains {
        $0.hasPrefix("\(mutant.file):") && $0.hasSuffix(": \(MutationReport.words(for: mutant))")
      } ?? true
    }
    printProgress("running \(mutants.count) mutants")
    let reasons = build.reasonsOfMutants
    let shared = Mutex((started: 0, results: [MutantResult](), failure: (any Error)?.none))
    DispatchQueue.concurrentPerform(iterations: mutants.count) { index in
      let isFailed = shared.withLock { state in
        if state.started % 200 == 0 { printProgress("\(state.started) of \(mutants.count)") }
        state.started += 1
        return state.failure != nil
      }
      if isFailed { return }
      let mutant = mutants[index]
      do {
        let able = suites.filter { suite in
          suite.reached.contains(mutant.block)
            && (planned[mutant.file] ?? []).contains { Checks.name(suite.name, isOf: $0) }
        }
        let state = try reasons[mutant.id].map { .unviable($0) } ?? Self.run(mutant, able, checks)
        if state.isUnnoticed {
          printProgress(
            "\(mutant.file):\(mutant.line): \(mutant.name): nothing notices mutant \(mutant.id)")
        }
        shared.withLock { $0.results.append(MutantResult(mutant: mutant, state: state)) }
      } catch { shared.withLock { $0.failure = error } }
    }
    return try shared.withLock { state in
      if let failure = state.failure { throw failure }
      return state.results.sorted { $0.mutant.id < $1.mutant.id }
    }
  }

  /// The greatest total time of the suites that run first; they notice most mutants.
  private static let quickSeconds = 0.5

  private static func run(_ mutant: Mutant, _ suites: [Checks.Suite], _ checks: Checks) throws
    -> MutantState
  {
    guard !suites.isEmpty else { return .notCovered }
    var total = 0.0
    let quick = suites.prefix { suite in
      total += suite.seconds
      return total <= quickSeconds
    }
    for batch in [quick, suites[quick.count...]] where !batch.isEmpty {
      switch try checks.run(Array(batch), mutant: mutant.id) {
      case .exited(0): continue
      case .exited(let status): return .killed("the checks end with status \(status)")
      case .crashed(let signal): return .killed("crash, signal \(signal)")
      case .said(let line): return .killed(line)
      case .timedOut: return .timedOut
      }
    }
    return .survived
  }
}
