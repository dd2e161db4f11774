internal import Foundation

/// A build of the mutated package, which drops variants that do not compile until the rest does.
package struct SchemataBuild {
  let package: ScratchPackage
  let files: [(path: String, tests: [String])]
  let log: (String) -> Void

  /// The compiler's reasons for the dropped variants.
  private(set) var reasons: [Schemata.Variant: String] = [:]
  private(set) var schemata: [String: Schemata] = [:]
  private(set) var blockCount = 0

  /// The greatest number of rounds; each reports the errors of one compiler stage in one module, so reaching the limit
  /// means that an error cannot be attributed to a variant.
  private static let maximumRounds = 40

  init(
    package: ScratchPackage, files: [(path: String, tests: [String])],
    log: @escaping (String) -> Void
  ) {
    self.package = package
    self.files = files
    self.log = log
  }

  /// The mutants of all files.
  var mutants: [Mutant] { files.flatMap { schemata[$0.path]?.mutants ?? [] } }

  /// Writes and builds the package until it compiles.
  mutating func run() throws {
    try write()
    recall()
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
      let source = try String(
        contentsOf: package.root.appending(path: file.path), encoding: .utf8)
      let schema = Schemata(of: source, file: file.path, firstID: id, firstBlock: block) {
        reasons[$0] != nil
      }
      id += schema.mutants.count
      block = schema.nextBlock
      schemata[file.path] = schema
      texts[file.path] = schema.text
    }
    blockCount = block
    for target in Set(files.map { Self.target($0.path) }) {
      texts["\(target)/MutationRuntime.swift"] = MutationRuntime.source(blockCount: block)
    }
    let targets = files.flatMap(\.tests).compactMap { $0.split(separator: ".").first }
    try package.write(texts, tests: Set(targets.map(String.init)))
  }

  /// Returns the folder of a target: two levels deep, as in SwiftPM by default.
  static func target(_ path: String) -> String {
    path.split(separator: "/").prefix(2).joined(separator: "/")
  }

  /// Builds the package; returns the compiler's output if the build fails, else nil.
  private func compile() throws -> String? {
    // With optimisation the geometry tests take a fourth of the time.
    let run = try ChildProcess.run(
      [
        "swift", "build", "--package-path", package.folder.path, "-c", "release",
        "-Xswiftc", "-enable-testing", "-Xswiftc", "-suppress-warnings", "--build-tests",
      ], timeLimit: 1800)
    return run.end == .exited(0) ? nil : run.output
  }

  /// Finds the errors with a file and a line.
  ///
  /// - Parameters:
  ///   - output: The compiler's output.
  ///   - folder: The package's folder.
  /// - Returns: The path relative to that folder, the line and the message of each error.
  package static func errors(
    in output: String, of folder: String
  ) -> [(path: String, line: Int, message: String)] {
    var found: [(path: String, line: Int, message: String)] = []
    for line in output.split(separator: "\n") where line.hasPrefix(folder + "/") {
      let parts = line.dropFirst(folder.count + 1).split(
        separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let number = Int(parts[1]), parts[3].hasPrefix(" error: ") else {
        continue
      }
      found.append((String(parts[0]), number, String(parts[3].dropFirst(" error: ".count))))
    }
    return found
  }

  // MARK: Variants dropped by earlier runs

  /// The dropped variants of one file, valid only for the same text and the same mutants.
  private struct Memory: Codable {
    let text: String
    let names: [String]
    var mutants: [Int: String] = [:]
    var notes: [Int: String] = [:]
    var unchanged: [Int: String] = [:]
  }

  private var memoryFile: URL { package.folder.appending(path: ".build/mutation-memory.json") }

  private func firsts(_ path: String) throws -> (memory: Memory, id: Int, block: Int) {
    let mutants = schemata[path]?.mutants ?? []
    var block = 0
    for file in files {
      if file.path == path { break }
      block = schemata[file.path]?.nextBlock ?? block
    }
    let text = try String(contentsOf: package.root.appending(path: path), encoding: .utf8)
    return (Memory(text: text, names: mutants.map(\.name)), mutants.first?.id ?? 0, block)
  }

  private mutating func recall() {
    guard let data = try? Data(contentsOf: memoryFile),
      let known = try? JSONDecoder().decode([String: Memory].self, from: data)
    else { return }
    for (path, memory) in known {
      guard schemata[path] != nil, let now = try? firsts(path), now.memory.text == memory.text,
        now.memory.names == memory.names
      else { continue }
      for (id, reason) in memory.mutants { reasons[.mutant(now.id + id)] = reason }
      for (block, reason) in memory.notes { reasons[.notes(block: now.block + block)] = reason }
      for (block, reason) in memory.unchanged {
        reasons[.unchanged(block: now.block + block)] = reason
      }
    }
  }

  private func remember() throws {
    var known: [String: Memory] = [:]
    if let data = try? Data(contentsOf: memoryFile) {
      known = (try? JSONDecoder().decode([String: Memory].self, from: data)) ?? [:]
    }
    for file in files {
      var (memory, id, block) = try firsts(file.path)
      let ids = id..<id + (schemata[file.path]?.mutants.count ?? 0)
      let blocks = block..<(schemata[file.path]?.nextBlock ?? block)
      for (variant, reason) in reasons {
        switch variant {
        case .mutant(let number) where ids.contains(number):
          memory.mutants[number - id] = reason
        case .notes(let number) where blocks.contains(number):
          memory.notes[number - block] = reason
        case .unchanged(let number) where blocks.contains(number):
          memory.unchanged[number - block] = reason
        default: break
        }
      }
      known[file.path] = memory
    }
    try JSONEncoder().encode(known).write(to: memoryFile)
  }
}
