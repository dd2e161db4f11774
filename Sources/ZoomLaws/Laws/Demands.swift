internal import PropertyTesting

/// Demands that there is nothing to complain of.
func requireNone(_ complaint: String?, fileID: StaticString = #fileID, line: Int = #line) throws {
  try Property.require(complaint == nil, complaint ?? "", fileID: fileID, line: line)
}

/// Demands that one stretch lies within another; NaN lies within nothing.
func requireContainment(
  of inner: (start: Double, end: Double), in outer: (start: Double, end: Double),
  within tolerance: Double, _ name: String, unit: String, ends: (start: String, end: String),
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  try Property.require(
    inner.start >= outer.start - tolerance,
    "\(name) begins \((outer.start - inner.start).inWords) \(unit) before the \(ends.start)",
    fileID: fileID, line: line)
  try Property.require(
    inner.end <= outer.end + tolerance,
    "\(name) ends \((inner.end - outer.end).inWords) \(unit) past the \(ends.end)",
    fileID: fileID, line: line)
}

/// Whether two numbers are as near as a tolerance allows; NaN is near to nothing.
func near(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
  abs(first - second) <= tolerance
}

/// Requires that a number is near to an expected one.
func requireNear(
  _ value: Double, _ expected: Double, within tolerance: Double, _ name: String,
  _ unit: String = "", fileID: StaticString = #fileID, line: Int = #line
) throws {
  try Property.require(
    near(value, expected, within: tolerance),
    "\(name) is \(value.inWords)\(unit.isEmpty ? "" : " ")\(unit) instead of \(expected.inWords)",
    fileID: fileID, line: line)
}
