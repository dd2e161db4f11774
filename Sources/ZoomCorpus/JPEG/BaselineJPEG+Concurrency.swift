extension BaselineJPEG.Plan {
  /// Writes the whole file with several tasks; the bytes are those of `encode(to:)`.
  ///
  /// Only restart markers at the starts of bands make pieces; without them there is one task a
  /// scan at work. At most twice as many finished pieces as workers wait for their turn.
  ///
  /// - Parameters:
  ///   - workers: Tasks at work at the same time, at least 1.
  ///   - bandsPerPiece: Bands that a task takes on at least.
  ///   - sink: Called in file order, never by two tasks at once.
  /// - Throws: What the sink throws, or `CancellationError`.
  nonisolated(nonsending) package func encodeConcurrently(
    workers: Int, bandsPerPiece: Int = 4, to sink: ([UInt8]) throws -> Void
  ) async throws {
    precondition(workers > 0, "somebody has to do the work")
    let pieces = pieces(minimumBands: max(1, bandsPerPiece))
    try sink(prologue)
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      var waiting: [Int: [UInt8]] = [:]
      var started = 0
      var running = 0
      var written = 0
      while written < pieces.count {
        while running < workers, started < pieces.count, started - written < workers * 3 {
          let number = started
          let piece = pieces[number]
          group.addTask {
            try Task.checkCancellation()
            return (number, encoded(piece))
          }
          started += 1
          running += 1
        }
        if let (number, bytes) = try await group.next() {
          waiting[number] = bytes
          running -= 1
        }
        while let bytes = waiting.removeValue(forKey: written) {
          try sink(bytes)
          written += 1
        }
      }
    }
    try sink(epilogue)
  }
}
