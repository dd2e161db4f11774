/// Works through cells, several at a time, and gives their results in order.
package enum CellRunner {
  /// How many results wait for one before them that takes longer.
  ///
  /// A result is some hundred bytes to a kilobyte.
  static let window = 1_000

  /// Works through all cells that `next` gives.
  ///
  /// - Parameters:
  ///   - jobs: how many are worked on at a time.
  ///   - next: the next cell; nil after the last.
  ///   - begin: is told of a cell before its work begins.
  ///   - work: what is done for a cell; its errors end the run.
  ///   - emit: takes the results, in the order of the cells.
  /// - Throws: what any of them throws, and `CancellationError`.
  package static func run<Row: Sendable>(
    jobs: Int, next: () throws -> Cell?, begin: (Cell) throws -> Void = { _ in },
    work: @escaping @Sendable (Cell) async throws -> Row, emit: (Cell, Row) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, Cell, Row).self) { group in
      var waiting: [Int: (Cell, Row)] = [:]
      var (begun, emitted, running) = (0, 0, 0)
      var isOver = false
      while true {
        while !isOver, running < jobs, begun - emitted < window {
          try Task.checkCancellation()
          guard let cell = try next() else {
            isOver = true
            break
          }
          try begin(cell)
          let place = begun
          group.addTask { (place, cell, try await work(cell)) }
          begun += 1
          running += 1
        }
        guard let (place, cell, row) = try await group.next() else { return }
        running -= 1
        waiting[place] = (cell, row)
        while let (cell, row) = waiting.removeValue(forKey: emitted) {
          try emit(cell, row)
          emitted += 1
        }
      }
    }
  }
}
