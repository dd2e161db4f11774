package import SystemPackage

/// Merges the journals of all shards, in the order of the plan's cells.
///
/// Journals may overlap, for example when a shard ran twice: equal results count once. The numbers of
/// shards may differ, but not the plans.
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
      throw ShardError.missing("there is no journal of a shard")
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

  /// Emits each cell's result once, in order; `isSame` compares two results of one cell except for times.
  ///
  /// - Throws: `ShardError`: `conflict` when two results of a cell differ, `missing` when cells have none,
  ///   `damaged` for a damaged journal.
  package func run(
    isSame: (JournalReader.Entry, JournalReader.Entry) throws -> Bool,
    emit: (JournalReader.Entry) throws -> Void
  ) throws {
    let readers = try paths.map { try JournalReader($0, blockSize: Self.block) }
    var heads = Heap()
    for (place, reader) in readers.enumerated() {
      if let entry = try reader.next() { heads.insert((entry, place)) }
    }
    var expected = 0
    var missing = MissingCells()
    var last: (entry: JournalReader.Entry, place: Int)?
    while let (entry, place) = heads.first {
      if let last, last.entry.number == entry.number {
        if !(try isSame(last.entry, entry)) {
          throw ShardError.conflict(
            "cell \(entry.number) has two results, in \(paths[last.place]) and \(paths[place]): the same work"
              + " did not come to the same (compare the lines that begin with {\"cell\":\(entry.number),)"
          )
        }
      } else {
        missing.add(expected..<entry.number)
        expected = entry.number + 1
        try emit(entry)
        last = (entry, place)
      }
      heads.replaceFirst(try readers[place].next().map { ($0, place) })
    }
    missing.add(expected..<plan.cells)
    let unfinished = readers.filter { !$0.isComplete }
    guard missing.count == 0, unfinished.isEmpty else {
      throw ShardError.missing(Self.message(readers, missing, unfinished, plan, command))
    }
  }

  /// Returns a message with the missing cells and the commands that process them.
  private static func message(
    _ readers: [JournalReader], _ missing: MissingCells, _ unfinished: [JournalReader],
    _ plan: WorkPlan, _ command: [String]
  ) -> String {
    // Shards of the same count cover the plan; the most frequent count is assumed to be the intended one.
    let finished = readers.filter(\.isComplete)
    let counts = Dictionary(grouping: readers, by: \.shard.count)
    let count = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key ?? 1
    var isThere = Set<Int>()
    for reader in finished where reader.shard.count == count {
      isThere.formUnion(reader.shard.parts)
    }
    let absent = (1...count).filter { !isThere.contains($0) }
    let shown = absent.prefix(20).compactMap { part in
      Shard(part...part, of: count).map { "`\(JournalReader.words(command, $0))`" }
    }
    let more = absent.count > shown.count ? " and \(absent.count - shown.count) more" : ""
    var parts: [String] = []
    if !absent.isEmpty { parts.append("\(absent.count) of \(count) shards are missing") }
    if missing.count > 0 {
      parts.append("\(missing.count) of \(plan.cells) cells have no result (\(missing))")
    }
    if !unfinished.isEmpty {
      let names = unfinished.prefix(20).map(\.path.string).joined(separator: ", ")
      parts.append("not finished: \(names)")
    }
    let advice =
      shown.isEmpty
      ? "make what is not finished again"
      : "run \(shown.joined(separator: ", "))\(more) with the same -o"
    return parts.joined(separator: "; ") + ": " + advice
  }
}

/// The numbers of missing cells as ranges; only the first ranges are kept.
private struct MissingCells: CustomStringConvertible {
  private(set) var count = 0
  private var ranges: [Range<Int>] = []

  mutating func add(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    count += range.count
    if ranges.count < 6 { ranges.append(range) }
  }

  var description: String {
    let shown = ranges.prefix(5).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)"
    }
    return shown.joined(separator: ", ") + (ranges.count > 5 ? ", …" : "")
  }
}

/// The next result of each journal; the lowest cell comes first.
private struct Heap {
  typealias Head = (entry: JournalReader.Entry, place: Int)

  private var heads: [Head] = []

  var first: Head? { heads.first }

  private static func isBefore(_ a: Head, _ b: Head) -> Bool {
    (a.entry.number, a.place) < (b.entry.number, b.place)
  }

  mutating func insert(_ head: Head) {
    heads.append(head)
    var child = heads.count - 1
    while child > 0, Self.isBefore(heads[child], heads[(child - 1) / 2]) {
      heads.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Replaces the first entry by another, or removes it.
  mutating func replaceFirst(_ head: Head?) {
    if let head {
      heads[0] = head
    } else {
      heads.swapAt(0, heads.count - 1)
      heads.removeLast()
    }
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heads.count }
      guard let least = children.min(by: { Self.isBefore(heads[$0], heads[$1]) }),
        Self.isBefore(heads[least], heads[parent])
      else { return }
      heads.swapAt(parent, least)
      parent = least
    }
  }
}
