internal import ZoomPipeline

/// Memory of a budget, reserved in steps by something that grows; given back with the last copy.
struct GrowingReservation: Sendable {
  private let budget: MemoryBudget
  private var parts: [MemoryBudget.Reservation] = []
  private var missing = 0

  private static let step = 1 << 20

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// Adds bytes; returns whether they were free.
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
