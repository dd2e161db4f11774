/// Tells whether two numbers differ by at most the tolerance; false if one is NaN.
func near(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
  abs(first - second) <= tolerance
}

/// Tells whether a number is the one that was printed with so many decimals.
///
/// Half a unit of the last decimal is what printing takes away; the rest is for the binary form of
/// numbers that lie half-way.
func prints(_ number: Double, as printed: Double, decimals: Int) -> Bool {
  let unit = (0..<decimals).reduce(1.0) { unit, _ in unit / 10 }
  return near(number, printed, within: 0.5 * unit + 1e-12)
}
