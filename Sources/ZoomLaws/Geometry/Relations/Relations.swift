internal import PropertyTesting

/// A change of an input together with the change of the answer that must go with it.
///
/// Transposing, mirroring and rescaling everything are such pairs. Held against a formula they find
/// its mistakes without knowing what is right.
public struct Symmetry<Input, Output>: Sendable {
  let ofInput: @Sendable (Input) -> Input
  let ofOutput: @Sendable (Output, Input) -> Output

  /// A pair of changes.
  ///
  /// - Parameters:
  ///   - input: changes the input.
  ///   - output: changes the answer to the unchanged input, given that input, into what the answer
  ///     to the changed one must be.
  public init(
    input: @escaping @Sendable (Input) -> Input,
    output: @escaping @Sendable (Output, Input) -> Output
  ) {
    ofInput = input
    ofOutput = output
  }

  /// Holds a function against the symmetry at one input.
  ///
  /// - Parameters:
  ///   - input: where.
  ///   - function: what is tested.
  ///   - difference: says how two answers differ, the one given first and the one demanded second;
  ///     nil where they do not.
  ///   - fileID: the file of the demand.
  ///   - line: the line of the demand.
  /// - Throws: `PropertyFailure` with the difference, and whatever the function throws.
  public func check(
    at input: Input, _ function: (Input) throws -> Output,
    difference: (Output, Output) -> String?,
    fileID: StaticString = #fileID, line: Int = #line
  ) throws {
    let demanded = ofOutput(try function(input), input)
    try requireSame(
      try function(ofInput(input)), demanded, difference: difference, fileID: fileID, line: line)
  }
}

/// Holds a function against the law that feeding its answer back changes nothing.
///
/// - Parameters:
///   - input: where.
///   - function: what is tested.
///   - feedBack: makes the input that an answer corresponds to.
///   - difference: says how two answers differ; nil where they do not.
///   - fileID: the file of the demand.
///   - line: the line of the demand.
/// - Throws: `PropertyFailure` with the difference, and whatever the function throws.
public func requireIdempotence<Input, Output>(
  at input: Input, _ function: (Input) throws -> Output,
  feedBack: (Output, Input) -> Input, difference: (Output, Output) -> String?,
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  let first = try function(input)
  let second = try function(feedBack(first, input))
  try requireSame(second, first, difference: difference, fileID: fileID, line: line)
}

/// Holds a way there and a way back against the law that together they change nothing.
///
/// - Parameters:
///   - start: where the way begins.
///   - there: the way there.
///   - back: the way back.
///   - difference: says how two starts differ; nil where they do not.
///   - fileID: the file of the demand.
///   - line: the line of the demand.
/// - Throws: `PropertyFailure` with the difference, and whatever either way throws.
public func requireRoundTrip<Start, End>(
  from start: Start, there: (Start) throws -> End, back: (End) throws -> Start,
  difference: (Start, Start) -> String?,
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  let returned = try back(try there(start))
  try requireSame(returned, start, difference: difference, fileID: fileID, line: line)
}

/// Demands that one stretch lies within another.
///
/// NaN lies within nothing.
///
/// - Parameters:
///   - inner: the stretch.
///   - outer: what it must lie within.
///   - tolerance: how far it may reach out.
///   - name: what the stretch is, such as `the crop`.
///   - unit: of the numbers, such as `px`.
///   - ends: what the outer stretch's ends are called.
///   - fileID: the file of the demand.
///   - line: the line of the demand.
/// - Throws: `PropertyFailure` that says at which end and by how much.
public func requireContainment(
  of inner: (start: Double, end: Double), in outer: (start: Double, end: Double),
  within tolerance: Double, _ name: String, unit: String, ends: (start: String, end: String),
  fileID: StaticString = #fileID, line: Int = #line
) throws {
  try require(
    inner.start >= outer.start - tolerance,
    "\(name) begins \((outer.start - inner.start).inWords) \(unit) before the \(ends.start)",
    fileID: fileID, line: line)
  try require(
    inner.end <= outer.end + tolerance,
    "\(name) ends \((inner.end - outer.end).inWords) \(unit) past the \(ends.end)",
    fileID: fileID, line: line)
}

private func requireSame<Value>(
  _ given: Value, _ demanded: Value, difference: (Value, Value) -> String?,
  fileID: StaticString, line: Int
) throws {
  let text = difference(given, demanded)
  try require(text == nil, text ?? "", fileID: fileID, line: line)
}

/// Whether two numbers are as near as a tolerance allows; NaN is near to nothing.
package func near(_ first: Double, _ second: Double, within tolerance: Double) -> Bool {
  abs(first - second) <= tolerance
}
