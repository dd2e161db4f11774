/// How far something can be taken that was possible to some extent.
///
/// Doubles the extent until it fails, then halves the gap: about 2 log2(n) tries for n steps.
///
/// - Parameters:
///   - most: the greatest extent worth trying.
///   - works: whether an extent is possible; asked of 1 first.
/// - Returns: An extent that worked, the next one not; 0 when 1 did not work.
nonisolated(nonsending) func findInteger(
  upTo most: UInt64, _ works: nonisolated(nonsending) (UInt64) async -> Bool
) async -> UInt64 {
  guard most >= 1, await works(1) else { return 0 }
  var (good, bad) = (UInt64(1), most)
  while good < most {
    let next = good > most / 2 ? most : good * 2
    guard await works(next) else {
      bad = next
      break
    }
    good = next
  }
  if good == most { return most }
  while bad - good > 1 {
    let middle = good + (bad - good) / 2
    if await works(middle) { good = middle } else { bad = middle }
  }
  return good
}
