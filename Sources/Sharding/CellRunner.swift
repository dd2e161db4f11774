/// Processes cells, several at a time, and returns their results in order.
package enum CellRunner {
  /// The most results that wait for an earlier, slower one; each has a hundred bytes to a kilobyte.
  private static let window = 1_000
  /// The longest work per batch; fast cells are handed out in batches, so that no core waits for the next.
  ///
  /// Slower cells go one by one, so that little is lost when the process ends.
  private static let stretch = Duration.milliseconds(5)
  /// The most cells per batch, and so the most per core that are begun and not done when the process ends.
  private static let mostInStretch = 16

  /// Processes all cells that `next` returns until nil, at most `jobs` at a time.
  ///
  /// `begin` is called with a cell before its work begins; `emit` receives the results, in the order of the
  /// cells.
  ///
  /// - Throws: the errors of the closures, which end the run, and `CancellationError`.
  package static func run<Row: Sendable>(
    jobs: Int, next: () throws -> Cell?, begin: (Cell) throws -> Void = { _ in },
    work: @escaping @Sendable (Cell) async throws -> Row, emit: (Cell, Row) throws -> Void
  ) async throws {
    typealias Done = (place: Int, rows: [(Cell, Row)], each: Duration)
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
          let (place, stretch) = (begun, cells)
          group.addTask {
            let start = ContinuousClock.now
            var rows: [(Cell, Row)] = []
            for cell in stretch { rows.append((cell, try await work(cell))) }
            return (place, rows, start.duration(to: .now) / rows.count)
          }
          begun += cells.count
          running += 1
        }
        guard let done = try await group.next() else { return }
        running -= 1
        waiting[done.place] = done.rows
        size = max(1, min(mostInStretch, Int(stretch / max(done.each, .nanoseconds(1)))))
        while let rows = waiting.removeValue(forKey: emitted) {
          for (cell, row) in rows { try emit(cell, row) }
          emitted += rows.count
        }
      }
    }
  }
}
