/// Processes cells, several at a time, and returns their results in order.
package enum CellRunner {
  /// The most results that wait for an earlier, slower one; a result has 100 bytes to a kilobyte.
  private static let window = 1_000
  /// The longest work per batch: batches keep cores from waiting for fast cells.
  ///
  /// Slower cells are processed one by one, so that little is lost when the process ends.
  private static let batchTime = Duration.milliseconds(5)
  /// The most cells per batch, which bounds the cells that are begun but not done when the process ends.
  private static let mostInBatch = 16

  /// Processes the cells that `next` returns before nil, at most `jobs` at a time.
  ///
  /// `begin` is called with a cell before its work begins; `emit` receives the results, in the order of the
  /// cells.
  ///
  /// - Throws: the errors of the closures, which end the run, and `CancellationError`.
  package static func run<Row: Sendable>(
    jobs: Int, next: () throws -> Cell?, begin: (Cell) throws -> Void = { _ in },
    work: @escaping @Sendable (Cell) async throws -> Row, emit: (Cell, Row) throws -> Void
  ) async throws {
    typealias Done = (index: Int, rows: [(Cell, Row)], each: Duration)
    try await withThrowingTaskGroup(of: Done.self) { group in
      var waiting: [Int: [(Cell, Row)]] = [:]
      var (begun, emitted, running, size) = (0, 0, 0, 1)
      var isOver = false
      while true {
        while !isOver, running < jobs, begun - emitted < window {
          try Task.checkCancellation()
          var cells: [Cell] = []
          while cells.count < size, let cell = try next() {
            try begin(cell)
            cells.append(cell)
          }
          isOver = cells.count < size
          guard !cells.isEmpty else { break }
          let (index, batch) = (begun, cells)
          group.addTask {
            let start = ContinuousClock.now
            var rows: [(Cell, Row)] = []
            for cell in batch { rows.append((cell, try await work(cell))) }
            return (index, rows, start.duration(to: .now) / rows.count)
          }
          begun += cells.count
          running += 1
        }
        guard let done = try await group.next() else { return }
        running -= 1
        waiting[done.index] = done.rows
        size = max(1, min(mostInBatch, Int(batchTime / max(done.each, .nanoseconds(1)))))
        while let rows = waiting.removeValue(forKey: emitted) {
          for (cell, row) in rows { try emit(cell, row) }
          emitted += rows.count
        }
      }
    }
  }
}
