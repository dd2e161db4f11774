internal import Foundation

/// A build of the mutated package, which drops variants that do not compile until the rest does.
package struct SchemataBuild {
  let package: ScratchPackage
  let kind: Checks.Kind
  let files: [Plan.File]
  let sample: Campaign.Sample?
  let log: (String) -> Void

  /// The compiler's reasons for the dropped variants.
  private var reasons: [Schemata.Variant: String] = [:]
  private var schemata: [String: Schemata] = [:]
  /// The chosen mutants; nil for all.
  private var chosen: Set<Int>?
  private(set) var blockCount = 0

  /// The greatest number of rounds; each reports the errors of one compiler stage in one module, so
  /// reaching the limit means that an error cannot be attributed to a variant.
  private static let maximumRounds = 40

  init(
    package: ScratchPackage, kind: Checks.Kind, files: [Plan.File], sample: Campaign.Sample?,
    log: @escaping (String) -> Void
  ) {
    self.package = package
    self.kind = kind
    self.files = files
    self.sample = sample
    self.log = log
  }

  /// The chosen mutants of all files.
  var mutants: [Mutant] {
    files.flatMap { file in
      (schemata[file.path]?.mutants ?? []).filter { mutant in
        (chosen?.contains(mutant.id) ?? true)
          && !file.leavingOut.contains(where: mutant.function.contains)
      }
    }
  }

  /// The reasons for mutants that cannot run.
  var reasonsOfMutants: [Int: String] {
    var found: [Int: String] = [:]
    for mutant in mutants {
      if let reason = reasons[.mutant(mutant.id)] {
        found[mutant.id] = reason
      } else if schemata[mutant.file]?.lines(of: mutant.id) == nil {
        found[mutant.id] = "its function does not compile when written several times"
      }
    }
    return found
  }

  /// Writes and builds the package until it compiles.
  mutating func run() throws {
    try write()
    chosen = sample?.chosen(of: mutants.map(\.id)) ?? Set(mutants.map(\.id))
    try recall()
    for round in 1...Self.maximumRounds {
      try write()
      log("building \(mutants.count) mutants, \(reasons.count) dropped (round \(round))")
      let output = try compile()
      guard let output else { return try remember() }
      var isNew = false
      for (path, line, message) in Self.errors(in: output, of: package.folder.path) {
        guard let variant = schemata[path]?.variant(ofLine: line) else { continue }
        if reasons.updateValue(message, forKey: variant) == nil { isNew = true }
      }
      guard isNew else { throw CampaignError("the mutated package does not build:\n\(output)") }
    }
    throw CampaignError("the mutated package did not build in \(Self.maximumRounds) rounds")
  }

  private mutating func write() throws {
    var (id, block) = (1, 0)
    var texts: [String: String] = [:]
    for file in files {
      let schema = Schemata(
        of: try text(of: file.path), file: file.path, firstID: id, firstBlock: block
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
    // Sources are in folders of targets two levels deep, as in SwiftPM by default.
    for target in Set(files.map { $0.path.split(separator: "/").prefix(2).joined(separator: "/") })
    { texts["\(target)/MutationRuntime.swift"] = MutationRuntime.source(blockCount: block) }
    let targets =
      switch kind {
      case .tests: files.flatMap(\.checks).compactMap { $0.split(separator: ".").first }
      case .laws: [Substring(ScratchPackage.lawRunner)]
      }
    try package.write(texts, targets: Set(targets.map(String.init)))
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: package.root.appending(path: path), encoding: .utf8)
  }

  /// Builds the package; returns the compiler's output if the build fails, else nil.
  private func compile() throws -> String? {
    let products =
      switch kind {
      case .tests: ["--build-tests"]
      case .laws: ["--product", ScratchPackage.lawRunner]
      }
    // With optimisation the geometry tests take a fourth of the time.
    let run = try ChildProcess.run(
      [
        "swift", "build", "--package-path", package.folder.path, "-c", "release", "-Xswiftc",
        "-enable-testing", "-Xswiftc", "-suppress-warnings",
      ] + products, timeLimit: 3600)
    return run.end == .exited(0) ? nil : run.output
  }

  /// Finds the errors with a file and a line.
  ///
  /// - Parameters:
  ///   - output: The compiler's output.
  ///   - folder: The package's folder.
  /// - Returns: The path relative to that folder, the line and the message of each error.
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

  // MARK: Variants dropped by an earlier run

  /// The dropped variants, valid only for the same mutated texts.
  private struct Memory: Codable {
    let texts: [String]
    let reasons: [Schemata.Variant: String]
  }

  private var memoryFile: URL { package.folder.appending(path: ".build/mutation-memory.json") }

  private func texts() throws -> [String] { try files.map { try text(of: $0.path) } }

  private mutating func recall() throws {
    guard let data = try? Data(contentsOf: memoryFile),
      let memory = try? JSONDecoder().decode(Memory.self, from: data), try memory.texts == texts()
    else { return }
    reasons = memory.reasons
  }

  private func remember() throws {
    let memory = Memory(texts: try texts(), reasons: reasons)
    try JSONEncoder().encode(memory).write(to: memoryFile)
  }
}
