/// Runs work concurrently, or alone if other work would disturb it.
actor Turns {
  private var running = 0
  private var isAlone = false
  private var waiting: [(isAlone: Bool, turn: CheckedContinuation<Void, Never>)] = []

  /// Runs the body concurrently with others, and repeats it alone if its result is a refusal.
  ///
  /// libvips has one error buffer per process: if two pictures are refused at the same time, one may get
  /// the other's message, or none. Results must not depend on that.
  nonisolated func reliably<Result: Sendable>(
    isRefused: (Result) -> Bool, _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    let first = try await run(alone: false, body)
    return isRefused(first) ? try await run(alone: true, body) : first
  }

  /// Runs the body as soon as nothing runs alone, or if `alone` is true, as soon as nothing runs at all.
  nonisolated func run<Result: Sendable>(
    alone: Bool, _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    await begin(alone)
    do {
      let result = try await body()
      await end(alone)
      return result
    } catch {
      await end(alone)
      throw error
    }
  }

  private func mayBegin(_ alone: Bool) -> Bool { !isAlone && (!alone || running == 0) }

  private func begin(_ alone: Bool) async {
    // First come, first served: otherwise a caller that must run alone could wait forever.
    guard waiting.isEmpty, mayBegin(alone) else {
      await withCheckedContinuation { waiting.append((alone, $0)) }
      return
    }
    note(alone)
  }

  private func note(_ alone: Bool) { if alone { isAlone = true } else { running += 1 } }

  private func end(_ alone: Bool) {
    if alone { isAlone = false } else { running -= 1 }
    while let first = waiting.first, mayBegin(first.isAlone) {
      waiting.removeFirst()
      note(first.isAlone)
      first.turn.resume()
    }
  }
}
