/// Finds a low number for which something works that works for a given one.
///
/// A number whose neighbour below does not work is taken for the least unless a few numbers that
/// are simple, half as large or the low bits of it do. One whose neighbour works is looked for
/// from the bottom up, as bugs begin at small numbers.
///
/// - Parameters:
///   - start: works, and is not tried.
///   - isThorough: whether to look on where the neighbour does not work.
///   - works: whether a lower number does.
/// - Returns: The lowest that was found to work.
@discardableResult
nonisolated(nonsending) func minimize(
  _ start: UInt64, isThorough: Bool = true,
  _ works: nonisolated(nonsending) (UInt64) async -> Bool
) async -> UInt64 {
  guard start > 0 else { return 0 }
  if await works(0) { return 0 }
  var current = start
  if start > 1, await works(start - 1) {
    current = start - 1
  } else {
    guard isThorough else { return start }
    for candidate in [1, start - min(start, 2), start / 2, start & 0xFF, start & 0xFFFF]
    where candidate > 0 && candidate < start - 1 {
      if await works(candidate) {
        current = candidate
        break
      }
    }
    guard current < start else { return start }
  }
  // From the bottom by doubling, then by halving.
  var low: UInt64 = 0
  var next: UInt64 = 1
  while next < current {
    if await works(next) {
      current = next
      break
    }
    low = next
    next = next > current / 2 ? current : next * 2
  }
  while current - low > 1 {
    let middle = low + (current - low) / 2
    if await works(middle) { current = middle } else { low = middle }
  }
  return current
}
