internal import Foundation

/// A build of the mutated package, which drops variants that do not compile until the rest compiles.
package struct SchemataBuild {
  let package: ScratchPackage
  let kind: Checks.Kind
  let files: [Plan.File]
  let sample: Campaign.Sample?

  var reasons: [Schemata.Variant: String] = [:]
  var schemata: [String: Schemata] = [:]
  var chosen: Set<Int>?
  var blockCount = 0

  /// The greatest number of rounds.
  ///
  /// Several are normal, because each round reports the errors of one compiler stage in one module, and each must drop
  /// a further variant. More than this many suggest that errors are attributed to the wrong variants.
  private static let maximumRounds = 40

  var mutants: [Mutant] {
    files.flatMap { file in
      (schemata[file.path]?.mutants ?? []).filter { mutant in
        (chosen?.contains(mutant.id) ?? true)
          && !file.leavingOut.contains(where: mutant.function.contains)
      }
    }
  }

  /// The reasons why mutants cannot run, by the mutants' numbers.
  var reasonsOfMutants: [Int: String] {
    var found: [Int: String] = [:]
    for mutant in mutants {
      if let reason = reasons[.mutant(mutant.id)] {
        found[mutant.id] = reason
      } else if schemata[mutant.file]?.stretches.contains(where: {
        $0.variant == .mutant(mutant.id)
      }) != true {
        found[mutant.id] = "its function does not compile when written several times"
      }
    }
    return found
  }

  mutating func run() throws {
    try write()
    chosen = sample?.chosen(of: mutants.map(\.id)) ?? Set(mutants.map(\.id))
    for round in 1...Self.maximumRounds {
      try write()
      printProgress("building \(mutants.count) mutants, \(reasons.count) dropped (round \(round))")
      let output = try compile()
      guard let output else { return }
      var isNew = false
      for (path, line, message) in Self.errors(in: output, of: package.folder.path) {
        guard let variant = schemata[path]?.variant(ofLine: line) else { continue }
        if reasons.updateValue(message, forKey: variant) == nil { isNew = true }
      }
      guard isNew else {
        throw CampaignError(description: "the mutated package does not build:\n\(output)")
      }
    }
    throw CampaignError(
      description: "the mutated package did not build in \(Self.maximumRounds) rounds")
  }

  private mutating func write() throws {
    var (id, block) = (1, 0)
    var texts: [String: String] = [:]
    for file in files {
      let schema = Schemata(
        of: try String(contentsOf: package.root.appending(path: file.path), encoding: .utf8),
        file: file.path, firstID: id, firstBlock: block
      ) { variant in
        if case .mutant(let id) = variant, chosen?.contains(id) == false { return true }
        return reasons[variant] != nil
      }
      id += schema.mutants.count
      block = schema.nextBlock
      schemata[file.path] = schema
      texts[file.path] = schema.text
    }
    blockCount = block
    // The folder of a target is two levels deep, which is the default of SwiftPM.
    for target in Set(files.map { $0.path.split(separator: "/").prefix(2).joined(separator: "/") })
    { texts["\(target)/MutationRuntime.swift"] = MutationRuntime.source(blockCount: block) }
    let targets =
      switch kind {
      case .tests: files.flatMap(\.checks).compactMap { $0.split(separator: ".").first }
      case .laws: [Substring(ScratchPackage.lawRunner)]
      }
    try package.write(texts, targets: Set(targets.map(String.init)))
  }

  private func compile() throws -> String? {
    let products =
      switch kind {
      case .tests: ["--build-tests"]
      case .laws: ["--product", ScratchPackage.lawRunner]
      }
    // Optimised, the geometry tests take a quarter of the time.
    let run = try ChildProcess.run(
      [
        "swift", "build", "--package-path", package.folder.path, "-c", "release", "-Xswiftc",
        "-enable-testing", "-Xswiftc", "-suppress-warnings",
      ] + products, timeLimit: 3600)
    return run.end == .exited(0) ? nil : run.output
  }

  /// Returns the errors in a compiler's output that refer to a line of a file in a folder.
  package static func errors(in output: String, of folder: String) -> [(
    path: String, line: Int, message: String
  )] {
    output.split(separator: "\n").filter { $0.hasPrefix(folder + "/") }.compactMap { line in
      let parts = line.dropFirst(folder.count + 1).split(
        separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let number = Int(parts[1]), parts[3].hasPrefix(" error: ") else {
        return nil
      }
      return (String(parts[0]), number, String(parts[3].dropFirst(" error: ".count)))
    }
  }
}
