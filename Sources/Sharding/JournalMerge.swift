package import SystemPackage

/// Merges the journals of all shards, in the order of the plan's cells.
///
/// Journals may overlap, for example when a shard ran twice: equal results count once. All journals must be
/// of one plan, but may be of different numbers of shards.
package struct JournalMerge {
  /// The common plan of all journals.
  package let plan: WorkPlan
  /// The command that processes a shard, without `--shard` and `-o`.
  package let command: [String]
  private let paths: [FilePath]

  /// Reads the first lines of all journals, in any order.
  ///
  /// - Throws: `ShardError`: `missing` without any, `damaged` for a file that is not a journal or is not
  ///   finished, `usage` when two plans differ.
  package init(_ paths: [FilePath]) throws {
    guard let first = paths.first else {
      throw ShardError.missing("the journals of the shards are missing")
    }
    let one = try JournalReader(first, blockSize: Self.headBlock)
    for path in paths.dropFirst() {
      let other = try JournalReader(path, blockSize: Self.headBlock)
      if let difference = one.plan.difference(from: other.plan) {
        throw ShardError.usage(
          "\(first) and \(path) are of two plans: \(difference) (merge those of one plan)")
      }
    }
    (plan, command, self.paths) = (one.plan, one.command, paths)
  }

  /// The block size for first lines, large enough for most.
  private static let headBlock = 1 << 12
  /// The block size for merging; a thousand journals then take 16 MB.
  private static let block = 1 << 14

  /// Emits each cell's result once, in order.
  ///
  /// - Throws: `ShardError`: `conflict` when two results of a cell differ, `missing` when cells have none,
  ///   `damaged` for a damaged journal.
  package func run(emit: (JournalReader.Entry) throws -> Void) throws {
    let readers = try paths.map { try JournalReader($0, blockSize: Self.block) }
    // The next result of each journal. Searching all of them for the lowest cell costs less than decoding one.
    var heads = try readers.map { try $0.next() }
    var numbers = heads.map { $0?.number ?? .max }
    var expected = 0
    var missing = 0
    while let number = numbers.min(), number < .max {
      missing += number - expected
      expected = number + 1
      let indices = numbers.indices.filter { numbers[$0] == number }
      for index in indices where heads[index]?.outcome != heads[indices[0]]?.outcome {
        throw ShardError.conflict(
          "the shards disagree about cell \(number): \(paths[indices[0]]) and \(paths[index])"
            + " (compare the lines that begin with {\"cell\":\(number),)")
      }
      if let entry = heads[indices[0]] { try emit(entry) }
      for index in indices {
        heads[index] = try readers[index].next()
        numbers[index] = heads[index]?.number ?? .max
      }
    }
    missing += plan.cells - expected
    let unfinished = readers.filter { !$0.isComplete }
    guard missing == 0, unfinished.isEmpty else {
      throw ShardError.missing(message(readers, missing, unfinished))
    }
  }

  /// Returns a message with the number of missing cells and the commands that process them.
  private func message(
    _ readers: [JournalReader], _ missing: Int, _ unfinished: [JournalReader]
  ) -> String {
    // Shards of the same count cover the plan; the most frequent count is assumed to be the intended one.
    let finished = readers.filter(\.isComplete)
    let counts = Dictionary(grouping: readers, by: \.shard.count)
    let count = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key ?? 1
    let present = Set(finished.filter { $0.shard.count == count }.map(\.shard.part))
    let absent = (1...count).filter { !present.contains($0) }
    let shown = absent.prefix(20).compactMap { part in
      Shard(part, of: count).map { "`\(JournalReader.words(command, $0))`" }
    }
    let more = absent.count > shown.count ? " and \(absent.count - shown.count) more" : ""
    var parts: [String] = []
    if !absent.isEmpty { parts.append("\(absent.count) of \(count) shards are missing") }
    if missing > 0 { parts.append("\(missing) of \(plan.cells) cells lack a result") }
    if !unfinished.isEmpty {
      let names = unfinished.prefix(20).map(\.path.string).joined(separator: ", ")
      parts.append("not finished: \(names)")
    }
    let advice =
      shown.isEmpty
      ? "run the unfinished shards again"
      : "run \(shown.joined(separator: ", "))\(more) with the same -o"
    return parts.joined(separator: "; ") + ": " + advice
  }
}
