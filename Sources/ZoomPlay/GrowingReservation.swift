internal import ZoomPipeline

/// Memory of a budget, reserved in steps for growing data and released with the last copy.
struct GrowingReservation: Sendable {
  private let budget: MemoryBudget
  private var parts: [MemoryBudget.Reservation] = []
  private var missing = 0

  private static let step = 1 << 20

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// Adds bytes; returns false if the budget has too few left.
  mutating func grow(by bytes: Int) -> Bool {
    missing += bytes
    while missing > 0 {
      guard let part = budget.reserve(Self.step) else { return false }
      parts.append(part)
      missing -= part.bytes
    }
    return true
  }
}
